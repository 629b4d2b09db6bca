#include "core/facts/english/english.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/terms.h"
#include "core/pipeline/own_plan.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QtTest>

using namespace plimsoll;

namespace {

/// Odd channels, so that blocks of eight take more bytes.
constexpr std::string_view Network = "input x float32[1,22,46,34]\n"
                                     "param w float32[22,22,3,3]\n"
                                     "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                     "relu: b = Relu(a)\n"
                                     "half: c = Mul(b, b)\n"
                                     "out: y = Sigmoid(c)\n"
                                     "output y\n";

/// A machine whose kernels want blocks, padding and a scratchpad.
constexpr std::string_view Machine =
    "conv blocked jit in=nChw8c out=nChw8c weights=1:ABcd8b8a:20736 scratch=4096 ms=1\n"
    "relu blocked jit in=nChw8c out=nChw8c ms=1 inplace=0:0\n"
    "half blocked jit in=nChw8c,nChw8c out=nChw8c scratch=64 ms=1 inplace=\n";

/// A plan for Network as it is written by hand.
const QByteArray Plain = R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 275328, "alignment": 64}],
    "allocations": [{"value": "a", "offset": 0, "bytes": 137632}, {"value": "b", "offset": 137664, "bytes": 137632},
                    {"value": "c", "offset": 0, "bytes": 137632}, {"value": "y", "offset": 137664, "bytes": 137632}],
    "steps": ["conv", "relu", "half", "out"]})";

Report analysed(const PlanRequest& request)
{
    auto report = analyse(test::graphFromText(Network), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// Made with the offers of that machine, and lying higher than it has to.
PlanFile shifted(const PlanRequest& request)
{
    PlanFile plan = planOf(analysed(request));
    for (PlanFile::Entry& entry : plan.entries)
        entry.offset += 1024;
    plan.arenas.front().bytes += 1024;
    return plan;
}

PlanFile spread()
{
    const std::string text = QByteArray(Plain)
                                 .replace("\"offset\": 0", "\"offset\": 275328")
                                 .replace("\"bytes\": 275328", "\"bytes\": 412960")
                                 .toStdString();
    auto plan = readPlanJson(text, "plan.json");
    if (!plan.ok()) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan).value();
}

} // namespace

class OwnPlanTest : public QObject
{
    Q_OBJECT

private slots:
    /// With the padding, scratchpads and places of the plan's implementations, and in its order.
    void ourPlanBesideAGivenOneIsOnItsTerms()
    {
        PlanRequest request;
        request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(Machine));
        for (const PlanFile& given : {shifted(request), spread()}) {
            PlanRequest judging = request;
            judging.givenPlan = sharedPlan(given);
            takeTerms({}, &given, {}, judging.policies);
            const Report judged = analysed(judging);
            const auto beside = planBeside(test::graphFromText(Network), judging, {});
            QVERIFY(beside.ok());
            const Report& ours = beside.value();
            QVERIFY(ours.program.ownPlan);
            QVERIFY(!ours.verdict.given);
            QCOMPARE(countFindings(ours, Severity::Error), std::size_t {0});
            QCOMPARE(ours.memory.peakBytes, judged.verdict.given->ownPeakBytes.value());
            QVERIFY(ours.memory.peakBytes < judged.memory.peakBytes);
            QCOMPARE(ours.program.graph->nodes.size(), judged.program.graph->nodes.size());
        }
    }

    /// Rounded to the finer of the two alignments, or it would be above one of them.
    void theBoundOfAnySharingHoldsForBoth_data()
    {
        QTest::addColumn<int>("alignment");
        for (const int alignment : {1, 64, 4096})
            QTest::addRow("%d", alignment) << alignment;
    }

    void theBoundOfAnySharingHoldsForBoth()
    {
        QFETCH(int, alignment);
        PlanRequest judging;
        judging.givenPlan = sharedPlan(readPlanJson(Plain.toStdString(), "plan.json").value());
        judging.policies.backend = BackendPolicy::Captured;
        judging.policies.alignment = alignment;

        const Report judged = analysed(judging);

        const GivenPlanBounds bounds = judged.verdict.given.value();
        QVERIFY(bounds.anySharingBoundBytes <= bounds.peakBytes);
        QVERIFY(bounds.anySharingBoundBytes <= bounds.ownPeakBytes.value());
    }
};

QTEST_APPLESS_MAIN(OwnPlanTest)
#include "tst_own_plan.moc"
