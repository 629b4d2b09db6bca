#include "app/window/commands/edit_text.h"
#include "tests/app/support/diamond_window.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// The window on the diamond under our own plan: c lies over b, and d over one of them.
struct Asking : test::DiamondWindow
{
    [[nodiscard]] bool begin()
    {
        if (!ready()) return false;
        action("file.own-plan")->trigger();
        return ready();
    }
    /// Types a name into the finder that the action opens.
    [[nodiscard]] bool ask(const char* id, const char* of, const char* other)
    {
        pick(of);
        action(id)->trigger();
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        if (!field) return false;
        QTest::keyClicks(field, QString::fromLatin1(other));
        QTest::keyClick(field, Qt::Key_Return);
        return ready();
    }
    [[nodiscard]] const Constraints& asked() const { return bench.session.choices().constraints; }
    [[nodiscard]] QString change() const
    {
        const PlanHistory& history = bench.session.history();
        return editText(history, history.position()) + u'|' + priceText(history, history.position());
    }
};

} // namespace

/// What is asked of single values holds for every plan from then on.
class WindowConstraintsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void aValueIsKeptApart()
    {
        Asking app;
        QVERIFY(app.begin());
        QCOMPARE(app.offsetOf("b"), app.offsetOf("c"));
        QVERIFY(app.ask("ask.apart", "b", "c"));
        QVERIFY(std::abs(app.offsetOf("b") - app.offsetOf("c")) >= 64);
        QCOMPARE(app.errors(), std::size_t(0));
        QCOMPARE(app.change(), QStringLiteral("b apart from c|128 B → 192 B"));
        app.action("edit.undo")->trigger();
        QVERIFY(app.ready());
        QCOMPARE(app.offsetOf("b"), app.offsetOf("c"));
    }

    void aPlaceIsKeptWhileAllElseIsPlannedAnew()
    {
        Asking app;
        QVERIFY(app.begin());
        app.pick("a");
        const std::int64_t where = app.offsetOf("a");
        app.action("ask.here")->trigger();
        QVERIFY(app.ready());
        QVERIFY(app.ask("ask.apart", "b", "c"));
        QCOMPARE(app.offsetOf("a"), where);
        QCOMPARE(listed(app.asked()).size(), std::size_t(2));
    }

    /// It is said why, and the last plan stays.
    void whatCannotBeIsSaid()
    {
        Asking app;
        QVERIFY(app.begin());
        const auto before = app.bench.session.report();
        QVERIFY(app.ask("ask.together", "a", "c"));
        QCOMPARE(app.bench.session.report(), before);
        bool said = false;
        for (const QLabel* label : app.window.findChildren<QLabel*>())
            said = said || label->text().contains(QStringLiteral("alive at the same time"));
        QVERIFY(said);
        QVERIFY(!app.bench.session.canRedo()); // what could not be made is no change
        auto* dismiss = app.child<QToolButton>("dismiss");
        QVERIFY(!dismiss->isHidden());
        dismiss->click();
        QVERIFY(dismiss->isHidden());
        QVERIFY(app.child<QLabel>("verdict")->text().startsWith(QStringLiteral("Legal.")));
    }

    /// Its own address is an answer, and what lies beside it no obstacle.
    void whereItLiesIsAPlaceToKeepItAt()
    {
        Asking app;
        QVERIFY(app.begin());
        app.pick("a");
        QString title;
        QString says;
        QTimer::singleShot(0, &app.window, [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            title = dialog->windowTitle();
            says = dialog->findChild<QLabel*>(QStringLiteral("moveSays"))->text();
            auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            ok->isEnabled() ? ok->click() : dialog->reject();
        });
        app.action("ask.place")->trigger();
        QVERIFY(app.ready());
        QCOMPARE(title, QStringLiteral("Keep it at an address"));
        QCOMPARE(says, QStringLiteral("The plan is made anew around it."));
        QCOMPARE(app.asked().places.size(), std::size_t(1));
        QVERIFY2(app.window.statusBar()->currentMessage().startsWith(QStringLiteral("a kept at 0x")),
                 qPrintable(app.window.statusBar()->currentMessage()));
        QVERIFY(app.window.statusBar()->currentMessage().endsWith(QStringLiteral(". Peak 128 B → 128 B")));
    }

    void theTableListsThemAndNothingIsAskedAnyMore()
    {
        Asking app;
        QVERIFY(app.begin());
        QVERIFY(app.ask("ask.apart", "b", "c"));
        QVERIFY(app.window.showView(QStringLiteral("constraints")));
        auto* table = app.child<QTableView>("constraintsView");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        QCOMPARE(table->model()->index(0, 0).data().toString() + u'|' + table->model()->index(0, 1).data().toString() +
                     u'|' + table->model()->index(0, 2).data().toString(),
                 QStringLiteral("b|apart from|c"));
        app.pick("a");
        QVERIFY(!app.action("ask.nothing")->isEnabled());
        app.pick("c"); // the other one of the two
        app.action("ask.nothing")->trigger();
        QVERIFY(app.ready());
        QVERIFY(app.asked().empty());
        QCOMPARE(app.offsetOf("b"), app.offsetOf("c"));
    }

    void whyTwoShareIsAnswered()
    {
        Asking app;
        QVERIFY(app.begin());
        QVERIFY(app.ask("pick.why", "b", "c"));
        auto* answer = app.window.findChild<QMessageBox*>(QStringLiteral("why"));
        QVERIFY(answer);
        QCOMPARE(answer->text(), QStringLiteral("b and c"));
        QVERIFY2(answer->informativeText().contains(QStringLiteral("'n2' is the last to read 'b'")),
                 qPrintable(answer->informativeText()));
        answer->close();
    }

    void onlyWhatCanBeAskedIsOffered()
    {
        Asking app;
        QVERIFY(app.begin());
        app.pick("x");
        for (const char* id : {"ask.here", "ask.place", "ask.apart", "ask.together", "ask.freeze", "ask.recompute",
                               "ask.implementation", "ask.nothing"})
            QVERIFY2(!app.action(id)->isEnabled(), id);
        app.pick("b");
        QVERIFY(app.action("ask.apart")->isEnabled());
        app.bench.selection.clear();
        QVERIFY(!app.action("ask.apart")->isEnabled());
    }
};

QTEST_MAIN(WindowConstraintsTest)
#include "tst_window_constraints.moc"
