#pragma once

#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/window/main_window.h"
#include "app/window/settings.h"
#include "app/window/tabs/document_tabs.h"
#include "tests/app/support/app_samples.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

namespace plimsoll::test {

/// A program with settings that are its own.
struct OpenedTabs
{
    QTemporaryDir home;
    app::Settings settings;
    app::DocumentTabs tabs;

    OpenedTabs()
        : settings((QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path()), true)),
          tabs(settings)
    {
        tabs.show();
        tabs.activateWindow();
    }
    [[nodiscard]] bool open(const QString& example)
    {
        tabs.open(exampleFile(example));
        return ready();
    }
    [[nodiscard]] bool ready()
    {
        return QTest::qWaitFor([this] { return tabs.current().bench().session.report() && tabs.current().settled(); },
                               20000);
    }
    [[nodiscard]] bool set(const char* policy, const char* value)
    {
        return bench().session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok() && ready();
    }
    [[nodiscard]] app::Workbench& bench() const { return tabs.current().bench(); }
    [[nodiscard]] QAction* action(const char* id) const { return tabs.current().actions().at(id); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier)
    {
        QTest::keyClick(&tabs, key, modifiers);
    }
    void drop(const QStringList& files, QWidget* on = nullptr)
    {
        if (!on) on = &tabs.current();
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& file : files)
            urls << QUrl::fromLocalFile(file);
        mime.setUrls(urls);
        QDragEnterEvent enter(QPoint(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(on, &enter);
        QDropEvent event(QPointF(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        if (enter.isAccepted()) QCoreApplication::sendEvent(on, &event);
    }
    [[nodiscard]] QString name(int at) const { return tabs.page(at).document().name(); }
};

} // namespace plimsoll::test
