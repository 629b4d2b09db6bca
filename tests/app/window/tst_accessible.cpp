#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAccessible>
#include <QMenu>
#include <QMenuBar>
#include <QRadioButton>
#include <QSet>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

QString described(const QWidget& widget)
{
    QString text = QString::fromLatin1(widget.metaObject()->className()) + u' ' + widget.objectName();
    for (const QWidget* parent = widget.parentWidget(); parent; parent = parent->parentWidget())
        text += QStringLiteral(" in ") + QString::fromLatin1(parent->metaObject()->className()) + u' ' +
                parent->objectName();
    return text;
}

/// The Tab key goes to the chosen button of a group, the arrow keys to the others.
bool isUnchosen(const QWidget& widget)
{
    const auto* button = qobject_cast<const QRadioButton*>(&widget);
    return button && !button->isChecked();
}

/// Those that the Tab key can reach now.
QList<QWidget*> reachable(const QWidget& window)
{
    QList<QWidget*> found;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const bool byTab = widget->focusPolicy() & Qt::TabFocus;
        if (byTab && !widget->visibleRegion().isEmpty() && widget->isEnabled() && !widget->focusProxy() &&
            !isUnchosen(*widget))
            found << widget;
    }
    return found;
}

struct Opened : test::OpenWindow
{
    explicit Opened(const QString& file)
    {
        window.resize(1400, 900);
        window.show();
        if (!file.isEmpty()) window.open(file);
    }
};

} // namespace

/// What a screen reader says and where the Tab key goes.
class AccessibleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }

    void whatTakesTheFocusHasAName_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("start page") << "";
        for (const char* file : {"residual-block.json", "transformer-block.json", "sparse-features.json",
                                 "frozen-scale.json", "two-streams.json", "broken-cycle.json"})
            QTest::newRow(file) << file;
    }
    void whatTakesTheFocusHasAName()
    {
        QFETCH(QString, file);

        Opened app(file.isEmpty() ? QString() : test::exampleFile(file));
        if (!file.isEmpty()) QTRY_VERIFY(app.window.settled());
        const QList<QWidget*> widgets = reachable(app.window);
        QVERIFY(!widgets.isEmpty());
        for (QWidget* widget : widgets) {
            const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(face, qPrintable(described(*widget)));
            QVERIFY2(!face->text(QAccessible::Name).isEmpty(), qPrintable(described(*widget)));
        }
    }

    void noTwoEntriesOfAMenuHaveOneLetter()
    {
        Opened app(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        QStringList twice;
        QList<QWidget*> menus {app.window.menuBar()};
        for (QMenu* menu : app.window.findChildren<QMenu*>())
            menus << menu;
        for (const QWidget* menu : menus) {
            QHash<QString, QString> taken;
            for (const QAction* entry : menu->actions()) {
                const QString letter = QKeySequence::mnemonic(entry->text()).toString();
                if (entry->isSeparator() || letter.isEmpty()) continue;
                if (taken.contains(letter)) twice << letter + u' ' + taken[letter] + u' ' + entry->text();
                taken[letter] = entry->text();
            }
        }
        QVERIFY2(twice.isEmpty(), qPrintable(twice.join(QStringLiteral("; "))));
    }

    void theTabKeyVisitsAllAndComesBack()
    {
        Opened app(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        app.window.activateWindow();
        QTRY_VERIFY(app.window.isActiveWindow());
        const QList<QWidget*> all = reachable(app.window);
        QSet<QWidget*> visited;
        all.front()->setFocus();
        for (qsizetype i = 0; i < 3 * all.size(); ++i) {
            QWidget* at = app.window.focusWidget();
            QVERIFY(at);
            if (at == all.front() && i > 0) break;
            QVERIFY2(!visited.contains(at), qPrintable(described(*at)));
            visited.insert(at);
            QTest::keyClick(at, Qt::Key_Tab);
        }
        for (QWidget* widget : all)
            QVERIFY2(visited.contains(widget), qPrintable(described(*widget)));
    }
};

QTEST_MAIN(AccessibleTest)
#include "tst_accessible.moc"
