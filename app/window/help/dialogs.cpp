#include "app/window/help/dialogs.h"

#include "app/models/window_text.h"
#include "app/window/help/log.h"
#include "app/window/look/screen_room.h"
#include "app/window/settings.h"
#include "core/sandbox/sandbox.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

QDialog* makeDialog(const QString& title, QWidget* content, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* rows = new QVBoxLayout(dialog);
    rows->addWidget(content, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    rows->addWidget(buttons);
    return dialog;
}

} // namespace

void showAbout(QWidget* parent)
{
    QString gaps;
    for (const Message& gap : sandboxGaps())
        gaps += QStringLiteral("<p>%1</p>").arg(windowText(gap));
    auto* text = new QLabel(
        QObject::tr(
            "<h2>Plimsoll %1</h2>"
            "<p>Plans, judges, runs and shows how a graph's tensors share memory.</p>"
            "<p>The Plimsoll line is the mark on a ship's hull that shows how deep she may legally be loaded.</p>"
            "<p>It has no network code at all: nothing you open leaves this machine.</p>"
            "<p>Licence: Apache-2.0. Built with Qt %2.</p>")
            .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())) +
        gaps);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setMinimumWidth(440);
    QDialog* dialog = makeDialog(QObject::tr("About Plimsoll"), text, parent);
    dialog->setObjectName(QStringLiteral("about"));
    dialog->show();
}

void showLog(QWidget* parent, Log& log, const Settings& settings)
{
    auto* content = new QWidget(parent);
    auto* text = new QPlainTextEdit(content);
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setMaximumBlockCount(Log::MostLines);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(QObject::tr("Log"));
    for (const LogLine& line : log.lines())
        text->appendPlainText(logText(line, true));
    QObject::connect(&log, &Log::added, text,
                     [text](const LogLine& line) { text->appendPlainText(logText(line, true)); });
    QString file = logFile();
    if (file.startsWith(QDir::homePath())) file.replace(0, QDir::homePath().size(), u'~');
    auto* keep = new QCheckBox(QObject::tr("&Keep a file of it: %1").arg(file), content);
    keep->setToolTip(QObject::tr("It names the files that are opened. It stays on this machine"));
    keep->setChecked(settings.keepsLog());
    QObject::connect(keep, &QCheckBox::toggled, &log, [&log, &settings](bool kept) {
        settings.setKeepsLog(kept);
        log.keepIn(kept ? logFile() : QString());
    });
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(text, 1);
    rows->addWidget(keep);
    QDialog* dialog = makeDialog(QObject::tr("Log"), content, parent);
    dialog->setObjectName(QStringLiteral("log"));
    resizeOnScreen(*dialog, {720, 420});
    dialog->show();
}

} // namespace plimsoll::app
