#include "app/session/selection.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

Focus value(int id)
{
    return Focus::on(ValueId(id));
}

} // namespace

class SelectionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void pickingKeepsTheStepUnlessItBringsOne();
    void pickingANodeGoesToItsStep();
    void backAndForwardWalkWhatWasPicked();
    void pickingAfterGoingBackForgetsTheRest();
    void pickingTheSameTwiceIsOneEntry();
    void movingTheStepIsNoHistory();
    void clearingTwicePutsTheStepAway();
    void nothingIsSaidWhereNothingChanges();
    void rewritingForgetsWhatIsGone();
};

void SelectionTest::pickingKeepsTheStepUnlessItBringsOne()
{
    Selection selection;
    selection.setStep(7);
    selection.pick(value(1));
    QCOMPARE(selection.step(), 7);

    Focus focus = value(2);
    focus.step = 9;
    selection.pick(focus);
    QCOMPARE(selection.step(), 9);
}

void SelectionTest::pickingANodeGoesToItsStep()
{
    Selection selection;
    selection.setStepOfNode([](NodeId node) { return node.number() == 3 ? std::int64_t(30) : std::int64_t(-1); });
    selection.setStep(7);
    selection.pick(Focus::on(NodeId(3)));
    QCOMPARE(selection.step(), 30);
    selection.pick(Focus::on(NodeId(4))); // ahead of the run
    QCOMPARE(selection.step(), 30);
    selection.pick(value(3));
    QCOMPARE(selection.step(), 30);
}

void SelectionTest::backAndForwardWalkWhatWasPicked()
{
    Selection selection;
    for (int id = 0; id < 3; ++id)
        selection.pick(value(id));

    selection.back();
    QVERIFY(selection.focus().samePick(value(1)));
    selection.back();
    QVERIFY(selection.focus().samePick(value(0)));
    QVERIFY(!selection.canGoBack());
    selection.forward();
    selection.forward();
    QVERIFY(selection.focus().samePick(value(2)));
    QVERIFY(!selection.canGoForward());
}

void SelectionTest::pickingAfterGoingBackForgetsTheRest()
{
    Selection selection;
    for (int id = 0; id < 3; ++id)
        selection.pick(value(id));
    selection.back();
    selection.pick(value(9));

    QVERIFY(!selection.canGoForward());
    selection.back();
    QVERIFY(selection.focus().samePick(value(1)));
}

void SelectionTest::pickingTheSameTwiceIsOneEntry()
{
    Selection selection;
    selection.pick(value(1));
    selection.pick(value(1));
    QVERIFY(!selection.canGoBack());
}

void SelectionTest::movingTheStepIsNoHistory()
{
    Selection selection;
    selection.pick(value(1));
    selection.setStep(3);
    selection.setStep(4);
    QVERIFY(!selection.canGoBack());
    QVERIFY(selection.focus().samePick(value(1)));
}

void SelectionTest::clearingTwicePutsTheStepAway()
{
    Selection selection;
    selection.pick(value(1));
    selection.pick(value(2));
    selection.setStep(5);
    selection.clear();

    QVERIFY(!selection.focus().picked());
    QCOMPARE(selection.step(), 5);
    QVERIFY(selection.canGoBack());

    selection.clear();
    QCOMPARE(selection.step(), -1);
    QVERIFY(selection.canGoBack());
}

void SelectionTest::nothingIsSaidWhereNothingChanges()
{
    Selection selection;
    selection.pick(value(1));
    QSignalSpy changes(&selection, &Selection::focusChanged);
    selection.pick(value(1));
    selection.setStep(-1);
    QCOMPARE(changes.count(), 0);
}

void SelectionTest::rewritingForgetsWhatIsGone()
{
    Selection selection;
    for (int id = 0; id < 3; ++id)
        selection.pick(value(id));
    Focus whenTheHistoryChanged;
    QObject::connect(&selection, &Selection::historyChanged, &selection,
                     [&] { whenTheHistoryChanged = selection.focus(); });

    selection.rewrite(
        [](const Focus& focus) { return focus.value.number() == 1 ? Focus() : value(focus.value.number() + 10); });

    QVERIFY(selection.focus().samePick(value(12)));
    QVERIFY2(whenTheHistoryChanged.samePick(value(12)), "of the report before it may be out of range");
    selection.back();
    QVERIFY(selection.focus().samePick(value(10)));
    QVERIFY(!selection.canGoBack());
}

QTEST_GUILESS_MAIN(SelectionTest)
#include "tst_selection.moc"
