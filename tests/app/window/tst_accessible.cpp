#include "app/views/canvas.h"
#include "app/window/panes/table_pane.h"
#include "app/window/view_table.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QRadioButton>
#include <QSet>
#include <QTableView>

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

/// What a user acts on or reads from; parts that another one is made of have its name.
bool isControl(const QWidget& widget)
{
    if (widget.focusProxy() || widget.objectName().startsWith(QStringLiteral("qt_"))) return false;
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QProgressBar*>(&widget) ||
           qobject_cast<const Canvas*>(&widget);
}

QString nameOf(const QWidget& widget)
{
    const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(&widget));
    return face ? face->text(QAccessible::Name) : QString();
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

    void whatIsSeenHasANameInEveryView()
    {
        Opened app(test::exampleFile(QStringLiteral("transformer-block.json")));
        QVERIFY(app.ready());
        QStringList bare;
        for (const QString& view : viewIds()) {
            app.window.showView(view);
            QTRY_VERIFY(app.window.settled());
            for (const QWidget* widget : app.window.findChildren<QWidget*>())
                if (!widget->visibleRegion().isEmpty() && isControl(*widget) && nameOf(*widget).isEmpty())
                    bare << view + QStringLiteral(": ") + described(*widget);
        }
        bare.removeDuplicates();
        QVERIFY2(bare.isEmpty(), qPrintable(bare.join(u'\n')));
    }

    void picturesSayWhatTheyAreAndWhatIsPicked()
    {
        Opened app(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.select(QStringLiteral("s0")));
        for (const char* view : {"plan", "live", "graph", "search", "time-against-peak"}) {
            QAccessibleInterface* face =
                QAccessible::queryAccessibleInterface(app.window.panes().picture(QLatin1String(view)));
            QVERIFY2(!face->text(QAccessible::Description).isEmpty(), view);
            QVERIFY2(!face->text(QAccessible::Value).isEmpty(), view);
        }
        const QAccessibleInterface* plan =
            QAccessible::queryAccessibleInterface(app.window.panes().picture(QStringLiteral("plan")));
        QVERIFY(plan->text(QAccessible::Value).startsWith(QStringLiteral("storage 0")));
        for (const auto* table : app.window.panes().tables) // the keyboard is elsewhere
            QVERIFY2(!table->view()->currentIndex().isValid(), qPrintable(table->objectName()));
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
