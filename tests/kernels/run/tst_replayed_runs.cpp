#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

const char* const Chain = "input x float32[8]\nparam w float32[8]\nna: a = Add(x, w)\nnb: b = Relu(a)\n"
                          "nc: c = Neg(w)\noutput b\noutput c\n";

Report plannedFor(ReplayPolicy replay, OutputsPolicy outputs)
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.replay = replay;
    policies.outputs = outputs;
    return test::planned(test::graphFromText(Chain), policies);
}

int dyingOutputs(const Report& report)
{
    return static_cast<int>(
        std::count_if(report.verdict.findings.begin(), report.verdict.findings.end(),
                      [](const Finding& finding) { return finding.rule == Rule::OutputDiesAtReplay; }));
}

} // namespace

class tst_ReplayedRuns : public QObject
{
    Q_OBJECT

private slots:
    /// b follows x and becomes another; c follows the parameter, which stays.
    void theNextReplayChangesWhatLiesInTheArena()
    {
        const Report report = plannedFor(ReplayPolicy::Graph, OutputsPolicy::Independent);
        QCOMPARE(dyingOutputs(report), 2);
        const auto outcome = test::executed(report, {{"x", std::vector<float>(8, 2.0F)}});
        QVERIFY(outcome.ok());
        QVERIFY(outcome.value().result.mismatches.empty());
        QVERIFY(outcome.value().result.replayed.has_value());
        QCOMPARE(outcome.value().result.replayed->size(), std::size_t(1));
        QCOMPARE(outcome.value().result.replayed->front().handle.value, std::string("b"));
    }

    void whatTheCallerBringsStays()
    {
        const Report report = plannedFor(ReplayPolicy::Graph, OutputsPolicy::External);
        QCOMPARE(dyingOutputs(report), 0);
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok() && outcome.value().result.replayed.has_value());
        QVERIFY(outcome.value().result.replayed->empty());
    }

    void nothingIsReplayedUnasked()
    {
        const Report report = plannedFor(ReplayPolicy::Once, OutputsPolicy::Independent);
        QCOMPARE(dyingOutputs(report), 0);
        QVERIFY(!test::executed(report).value().result.replayed.has_value());
    }
};

QTEST_APPLESS_MAIN(tst_ReplayedRuns)
#include "tst_replayed_runs.moc"
