// Tables of buffers on their way through the whole pipeline: what a row says must hold of the plan.
#include "core/facts/english/english.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/packing/packing_graph.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "core/placement/placement.h"
#include "core/placement/search/load.h"
#include "core/verify/packing.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_table.h"

#include <QTest>

#include <span>
#include <sstream>

using namespace plimsoll;

namespace {

PackingTable tableOf(const std::string& text)
{
    std::istringstream input(text);
    return readPackingCsv(input).value();
}

Report planned(const std::string& text, PlanRequest request = {})
{
    request.policies.alignment = 1;
    const Graph graph = packingGraph(tableOf(text), "table").value();
    return analyse(graph, request, {}).value();
}

std::int64_t offsetOf(const Report& report, const std::string& id)
{
    return report.program.values[findValue(*report.program.graph, id).index()].offset;
}

QString rulesOf(const Report& report)
{
    QStringList rules;
    for (const Finding& finding : report.verdict.findings)
        rules << QString::fromUtf8(severityName(finding.severity)) + QLatin1Char(' ') +
                     QString::fromUtf8(ruleId(finding.rule));
    return rules.join(QLatin1Char('\n'));
}

PlanFile::Entry& entryOf(PlanFile& plan, std::string_view value)
{
    return *std::find_if(plan.entries.begin(), plan.entries.end(),
                         [value](const PlanFile::Entry& entry) { return entry.value == value; });
}

} // namespace

class TestPipelineTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTableGivesNoAdviceOnComputing();
    void alignmentsOfRowsAreKept();
    void theAlignmentOfThePolicyComesOnTop();
    void gapsAreUsedByOthers();
    void offsetsOfSomeRowsPinThem();
    void aPlanThatMovesAPinOrLeavesAnAlignmentIsRefused();
    void whatIsPinnedSharesWithNobody();
    void whatATableSaysSurvivesAGraphFile();
    void alignmentsWithoutACommonMultipleAreRefused();
    void randomTablesGiveLegalAnswers();
};

void TestPipelineTables::aTableGivesNoAdviceOnComputing()
{
    QCOMPARE(rulesOf(planned("id,lower,upper,size\na,0,1,64\nb,0,9,32\nc,5,6,8\n")), QString());
}

void TestPipelineTables::alignmentsOfRowsAreKept()
{
    const Report report = planned("id,lower,upper,size,alignment\na,0,9,10,\nb,0,9,10,96\nc,0,9,10,64\n");

    QCOMPARE(offsetOf(report, "b") % 96, 0);
    QCOMPARE(offsetOf(report, "c") % 64, 0);
    QCOMPARE(rulesOf(report), QString());
}

void TestPipelineTables::theAlignmentOfThePolicyComesOnTop()
{
    const Graph graph =
        packingGraph(tableOf("id,lower,upper,size,alignment\na,0,9,10,\nb,0,9,10,24\nc,0,9,1,2\n"), "table").value();

    const Report report = analyse(graph, {}, {}).value(); // 64

    QCOMPARE(offsetOf(report, "b") % 192, 0);
    QCOMPARE(offsetOf(report, "c") % 64, 0);
}

void TestPipelineTables::gapsAreUsedByOthers()
{
    // bytes
    //   8 +-a-+=b=+-a-+
    //   0 0   3   6   9 -> time      b lies where a is away
    const Report report = planned("id,lower,upper,size,gaps\na,0,9,8,3-6\nb,3,6,8,\n");

    QCOMPARE(report.memory.peakBytes, 8);
    QCOMPARE(report.memory.lowerBoundBytes, 8);
    QCOMPARE(offsetOf(report, "a"), offsetOf(report, "a#2"));
    QCOMPARE(report.program.values[findValue(*report.program.graph, "a").index()].storage,
             report.program.values[findValue(*report.program.graph, "a#2").index()].storage);
    QCOMPARE(rulesOf(report), QString());
    // Whatever the rows are called.
    QCOMPARE(planned("id,lower,upper,size,gaps\na,0,9,8,3-6\na#2,3,6,8,\nb##2,0,1,1,\n").memory.peakBytes, 9);
}

void TestPipelineTables::offsetsOfSomeRowsPinThem()
{
    const Report report = planned("id,lower,upper,size,offset\na,0,9,8,\nb,0,9,8,100\nc,0,9,8,\n");

    QCOMPARE(offsetOf(report, "b"), 100);
    QCOMPARE(report.memory.peakBytes, 108);
    QCOMPARE(rulesOf(report), QString());
}

void TestPipelineTables::aPlanThatMovesAPinOrLeavesAnAlignmentIsRefused()
{
    const std::string text = "id,lower,upper,size,alignment,offset\na,0,4,8,16,\nb,0,4,8,,100\n";
    PlanRequest request;
    PlanFile moved = planOf(planned(text));
    entryOf(moved, "a").offset = 24;
    entryOf(moved, "b").offset = 96;
    request.givenPlan = sharedPlan(std::move(moved));

    const Report judged = planned(text, request);

    QCOMPARE(rulesOf(judged), QStringLiteral("error misaligned\nerror moved"));
    QVERIFY(english(judged.verdict.findings[0].message).find("16") != std::string::npos);
    QVERIFY(english(judged.verdict.findings[1].message).find("100") != std::string::npos);
}

void TestPipelineTables::whatIsPinnedSharesWithNobody()
{
    Graph graph = test::graphFromText("input x float32[16]\na = Neg(x)\nb = Relu(a)\nc = Neg(b)\noutput c\n");
    const auto storageOf = [&](const Report& report, const char* name) {
        return report.program.values[findValue(graph, name).index()].storage;
    };
    const Report free = analyse(graph, {}, {}).value();
    QCOMPARE(storageOf(free, "a"), storageOf(free, "b"));

    graph[findValue(graph, "b")].at.edit().pinnedOffset = 256;
    const Report pinned = analyse(graph, {}, {}).value();

    QVERIFY(storageOf(pinned, "a") != storageOf(pinned, "b"));
    QCOMPARE(offsetOf(pinned, "b"), 256);
    QVERIFY(std::any_of(pinned.decisions.begin(), pinned.decisions.end(),
                        [](const Decision& decision) { return !decision.accepted && decision.rule == "pinned"; }));
}

void TestPipelineTables::whatATableSaysSurvivesAGraphFile()
{
    const Graph graph =
        packingGraph(tableOf("id,lower,upper,size,alignment,gaps,offset\na,0,9,8,16,3-6,\nb,0,9,8,,,100\n"), "t")
            .value();
    const std::string text = graphJsonText(graph).value();

    const Graph again = readGraph(std::as_bytes(std::span(text)), {}).value();

    QCOMPARE(again[findValue(again, "a")].at->alignment, 16);
    QCOMPARE(again[findValue(again, "a#2")].at->alignment, 16);
    QCOMPARE(again[findValue(again, "b")].at->pinnedOffset.value_or(-1), 100);
    const auto liveOf = [](const Graph& of) {
        const Report report = analyse(of, {}, {}).value();
        return report.program.storages[report.program.values[findValue(of, "a").index()].storage.index()].live;
    };
    QVERIFY(liveOf(graph) == liveOf(again));
    QCOMPARE(liveOf(again).intervals().size(), std::size_t {1}); // nothing takes bytes in the gap
}

void TestPipelineTables::alignmentsWithoutACommonMultipleAreRefused()
{
    const Graph graph =
        packingGraph(tableOf("id,lower,upper,size,alignment\na,0,4,8,4611686018427387903\n"), "t").value();

    const auto report = analyse(graph, {}, {});

    QVERIFY(!report.ok());
    QCOMPARE(report.error().code, ErrorCode::BadInput);
    QVERIFY(report.error().where.find("'a'") != std::string::npos);
}

/// The plan of the graph as offsets of the table's rows is judged by the sweep over the table itself.
void TestPipelineTables::randomTablesGiveLegalAnswers()
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const std::string text = test::randomTable(5 + seed, seed, true);
        const PackingTable table = tableOf(text);
        const Report report = planned(text);
        std::vector<Allocation> allocations;
        for (const std::string& id : table.ids)
            allocations.push_back({ArenaId(std::int32_t {0}), offsetOf(report, id)});

        const PackingVerdict verdict = judgePacking(table.problem, allocations);

        QVERIFY2(verdict.legal(), qPrintable(QStringLiteral("seed %1").arg(seed)));
        QVERIFY2(rulesOf(report).isEmpty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) + rulesOf(report)));
        QCOMPARE(report.memory.lowerBoundBytes, lowerBounds(table.problem).front());
        QCOMPARE(report.memory.peakBytes, verdict.arenaBytes.front());
    }
}

QTEST_APPLESS_MAIN(TestPipelineTables)
#include "tst_pipeline_tables.moc"
