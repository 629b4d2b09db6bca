#include "core/plan/decision.h"
#include "core/plan/run_result.h"
#include "core/plan/saved_tensor.h"
#include "core/plan/search_record.h"
#include "core/plan/streams.h"

#include <QtTest>

#include <set>

using namespace plimsoll;

namespace {

Incumbent at(std::int64_t peak, std::string_view member)
{
    Incumbent one;
    one.peakBytes = peak;
    one.member = member;
    return one;
}

NodeId node(std::size_t index)
{
    return NodeId(index);
}

} // namespace

/// What stages write down beside a plan.
class RecordsTest : public QObject
{
    Q_OBJECT

private slots:
    void theBestPlanIsTheFirstOfTheLowest()
    {
        SearchRecord record;
        QVERIFY(record.best() == nullptr);
        QVERIFY(record.member().empty());

        record.history = {at(900, "sweep"), at(700, "orders"), at(700, "exact")}; // the last one raised the bound

        QCOMPARE(record.best()->peakBytes, std::int64_t {700});
        QVERIFY(record.member() == "orders");
    }

    void onlyAProofIsOptimal()
    {
        SearchRecord record;
        std::set<std::string_view> ids;
        std::set<std::string_view> texts;
        for (const SearchEnd end : {SearchEnd::Running, SearchEnd::Optimal, SearchEnd::Partial, SearchEnd::Limit,
                                    SearchEnd::Stopped, SearchEnd::OnePlan}) {
            record.end = end;
            QCOMPARE(record.optimal(), end == SearchEnd::Optimal);
            QVERIFY(ids.insert(searchEndId(end)).second);
            QVERIFY(texts.insert(searchEndText(end).id).second);
        }
        QVERIFY(!ids.contains("") && !texts.contains(""));
    }

    void aLogWithoutASinkKeepsNothing()
    {
        const DecisionLog none;
        QVERIFY(!none.recording());
        none.add({DecisionKind::Fold, "k", {}, true, "known", {}, 8});
        none.retract([](const Decision&) { return true; });

        std::vector<Decision> kept;
        const DecisionLog log(kept);
        QVERIFY(log.recording());
        log.add({DecisionKind::Fold, "k", {}, true, "known", {}, 8});
        log.add({DecisionKind::Merge, "b", "a", true, "same-node", {}, 16});
        log.retract([](const Decision& one) { return one.kind == DecisionKind::Fold; });
        QCOMPARE(kept.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(kept.front().subject), QStringLiteral("b"));
    }

    void everyKindOfDecisionHasAnIdOfItsOwn()
    {
        std::set<std::string_view> ids;
        for (int kind = 0; kind <= static_cast<int>(DecisionKind::Placement); ++kind)
            ids.insert(decisionKindId(static_cast<DecisionKind>(kind)));
        QVERIFY(!ids.contains(""));
        QCOMPARE(ids.size(), static_cast<std::size_t>(DecisionKind::Placement) + 1);
        QVERIFY(decisionKindId(DecisionKind::InPlace) == "in-place");
    }

    void everyReasonToSaveHasAnIdOfItsOwn()
    {
        std::set<std::string_view> ids;
        for (int reason = 0; reason <= static_cast<int>(SavingReason::Captured); ++reason)
            ids.insert(savingReasonId(static_cast<SavingReason>(reason)));
        QVERIFY(!ids.contains(""));
        QCOMPARE(ids.size(), static_cast<std::size_t>(SavingReason::Captured) + 1);
        std::set<std::string_view> donations;
        for (int donation = 0; donation <= static_cast<int>(Donation::Retained); ++donation)
            donations.insert(donationId(static_cast<Donation>(donation)));
        QCOMPARE(donations.size(), static_cast<std::size_t>(Donation::Retained) + 1);
    }

    void nodesWithoutAStreamRunOnTheFirst()
    {
        StreamPlan plan;
        QCOMPARE(plan.count(), 1);
        QVERIFY(!plan.several());
        QCOMPARE(plan.of(node(3)), 0);

        plan.streamOf = {0, 2};

        QCOMPARE(plan.count(), 3);
        QVERIFY(plan.several());
        QCOMPARE(plan.of(node(1)), 2);
        QCOMPARE(plan.of(node(2)), 0);
        QCOMPARE(plan.of(NodeId()), 0);
    }

    void theMeasuredPeakIsTheHighestStep()
    {
        RunResult::Held held;
        held.arenaBytes = 100;
        held.ownBytes = 20;
        QCOMPARE(held.peakBytes(), std::int64_t {120});
        QCOMPARE(held.otherBytes(), std::int64_t {0});

        held.steps = {120, 150, 130};

        QCOMPARE(held.peakBytes(), std::int64_t {150});
        QCOMPARE(held.otherBytes(), std::int64_t {30});
    }

    void whatEveryWriteDetachesAddsUp()
    {
        WriteProbe probe;
        QCOMPARE(probe.detachedBytes(), std::int64_t {0});
        probe.writes.resize(3);
        probe.writes[0].detachedBytes = 64;
        probe.writes[2].detachedBytes = 16;
        QCOMPARE(probe.detachedBytes(), std::int64_t {80});
    }
};

QTEST_APPLESS_MAIN(RecordsTest)
#include "tst_records.moc"
