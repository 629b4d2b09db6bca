#include "app/models/inspector_model.h"
#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "core/facts/about.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/words/verdict.h"
#include "core/formats/snapshot/allocator_record.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/table_columns.h"
#include "tests/support/graph_text.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

class WindowTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theVerdictNamesPeakAndBound();
    void ofARecordTheVerdictSaysWhatWasReserved();
    void aPlanThatLeavesValuesOutIsIncomplete();
    void anIncompletePlanSaysWhatIsLacking_data();
    void anIncompletePlanSaysWhatIsLacking();
    void aRefusedRequestIsNoGreenTick();
    void findingsThatAreLeftOutAreCounted();
    void sizesThatReadTheSameAreToldApart();
    void sizesAreWrittenInUnitsThatSayThemExactly_data();
    void sizesAreWrittenInUnitsThatSayThemExactly();
    void oneThingIsNoPlural();
    void sentencesNameWhatTheWindowHas_data();
    void sentencesNameWhatTheWindowHas();
    void stepsAreWrittenAsFirstAndLast();
};

void WindowTextTest::theVerdictNamesPeakAndBound()
{
    Report report = *test::planned(test::smallGraph());
    report.verdict.findings.clear();
    report.memory.peakBytes = 1150 * 1024;
    report.memory.lowerBoundBytes = 1000 * 1024;
    Storage only;
    only.arena = ArenaId(std::int32_t {0});
    only.bytes = report.program.map.arenas.front().bytes;
    only.live.add({1, 2});
    report.program.storages = {only};
    report.memory.peaks = arenaPeaks(report.program);
    QCOMPARE(windowVerdict(report), QStringLiteral("Legal. Peak 1.12 MiB at step 1, 15.0 % above the bound."));

    report.verdict.findings.push_back({.rule = Rule::Overlap});
    report.memory.peakBytes = report.memory.lowerBoundBytes;
    QVERIFY(windowVerdict(report).startsWith(QStringLiteral("Not legal: 1 error (overlap).")));
    QVERIFY(!windowVerdict(report).contains(QStringLiteral("bound"))); // of what must not share
}

/// Its picture is higher than what an allocator ever had at once.
void WindowTextTest::ofARecordTheVerdictSaysWhatWasReserved()
{
    Report report = *test::planned(test::smallGraph());
    report.verdict.findings.clear();
    report.memory.peakBytes = 4000 * 1024;
    report.memory.lowerBoundBytes = 1000 * 1024;
    Graph graph = *report.program.graph;
    graph.extra = allocatorKeys({.device = "cuda:0", .mostReservedBytes = 1150 * 1024, .heightBytes = 4000 * 1024});
    report.program.graph = std::make_shared<const Graph>(graph);
    QVERIFY2(windowVerdict(report).startsWith(QStringLiteral("Legal. Peak 3.91 MiB")), "placed anew, it is a plan");

    report.program.ownPlan = false;
    QCOMPARE(windowVerdict(report),
             QStringLiteral("The given plan is legal. Reserved 1.12 MiB at most, 15.0 % above the bound."));
    const auto sections = sectionsAbout(report, Focus());
    QCOMPARE(toQString(sections[1].facts.front().name) + u' ' + cellText(sections[1].facts.front().cell),
             QStringLiteral("Reserved 1.12 MiB"));

    report.memory.peakBytes -= 64;
    QVERIFY2(windowVerdict(report).contains(QStringLiteral("Peak 3.91 MiB")), "another plan was handed in");
    report.memory.peakBytes += 64;
    graph.extra = allocatorKeys({.device = "cuda:0", .heightBytes = 4000 * 1024}); // the file has no segments
    report.program.graph = std::make_shared<const Graph>(graph);
    QVERIFY(windowVerdict(report).contains(QStringLiteral("Peak 3.91 MiB")));
}

void WindowTextTest::aPlanThatLeavesValuesOutIsIncomplete()
{
    const Report report =
        *test::planned(test::graphFromText("input x float32[4]\na: y = my::Op(x)\nb: z = Relu(y)\noutput z\n"));
    QVERIFY2(windowVerdict(report).startsWith(QStringLiteral(
                 "Incomplete: 2 of 3 values have no size (operator my::Op is not known and the file gives no type).")),
             qPrintable(windowVerdict(report)));
    QVERIFY(verdictLevel(report) == VerdictLevel::Warned);
    TableModel findings(findingsTable());
    findings.setReport(std::make_shared<const Report>(report));
    QCOMPARE(findings.whyEmpty(), QStringLiteral("No findings about what has a size; the rest is not judged."));
}

/// The window names its fields, and no option of the command line.
void WindowTextTest::anIncompletePlanSaysWhatIsLacking_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("said");
    QTest::newRow("a shape") << "input x float32[...]\na: y = Relu(x)\noutput y\n"
                             << "Incomplete: 2 of 2 values have no size (the file gives no shape for 'x'). "
                                "Give 'x' a shape above the policies. Peak ";
    QTest::newRow("a shape of a weight") << "param w float32[...]\na: y = Relu(w)\noutput y\n"
                                         << "Incomplete: 2 of 2 values have no size (the file gives no shape for 'w'). "
                                            "Peak ";
    QTest::newRow("a bound")
        << "input x float32[4,4]\nc = plimsoll::CastStorage(x) storage=\"csr\"\ny = MatMul(c, x)\noutput y\n"
        << "Incomplete: 1 of 3 values has no size (nothing says how much of 'c' is kept at most). "
           "Say above the policies how much of 'c' is kept at most. Peak ";
}

void WindowTextTest::anIncompletePlanSaysWhatIsLacking()
{
    QFETCH(QString, graph);
    QFETCH(QString, said);
    const QString text = windowVerdict(*test::planned(test::graphFromText(graph.toStdString())));
    QVERIFY2(text.startsWith(said), qPrintable(text));
}

/// No tick where a process has died of memory.
void WindowTextTest::aRefusedRequestIsNoGreenTick()
{
    Report report = *test::planned(test::graphFromText("input x float32[4]\ny = Relu(x)\noutput y\n"));
    Finding refused;
    refused.rule = Rule::OutOfMemory;
    report.verdict.findings = {refused};
    QVERIFY(verdictLevel(report) == VerdictLevel::Broken);
    QVERIFY2(windowVerdict(report).startsWith(QStringLiteral("Out of memory: a request was refused. Peak ")),
             qPrintable(windowVerdict(report)));
    report.verdict.given = {64, 32, 16};
    QVERIFY2(windowVerdict(report).endsWith(QStringLiteral(
                 " Our own plan: 32 B. No plan of this order and terms is below 16 B, whatever shares.")),
             qPrintable(windowVerdict(report)));
}

void WindowTextTest::findingsThatAreLeftOutAreCounted()
{
    auto report = std::make_shared<Report>(*test::planned(test::smallGraph()));
    report->verdict.findings = {Finding {.message = Message("one")}};
    report->verdict.leftOut = {5, 0, 0};
    TableModel table(findingsTable());
    table.setReport(report);
    QCOMPARE(table.rowCount(), 1);
    QCOMPARE(table.leftOut(), std::int64_t {5});
    QVERIFY(windowVerdict(*report).startsWith(QStringLiteral("Not legal: 6 errors (overlap).")));
}

void WindowTextTest::sizesThatReadTheSameAreToldApart()
{
    QCOMPARE(app::sizeTextBeside(788992, 788480), QStringLiteral("788,992 bytes"));
    QCOMPARE(app::sizeTextBeside(788480, 788480), QStringLiteral("770 KiB"));
    QCOMPARE(app::percentText(0.0001), QStringLiteral("under 0.1 %"));
    QCOMPARE(app::percentText(0), QStringLiteral("0.0 %"));
    Report report = *test::planned(test::smallGraph());
    report.memory.lowerBoundBytes = 788480;
    report.memory.peakBytes = 788992;
    QVERIFY2(windowVerdict(report).contains(QStringLiteral("Peak 788,992 bytes at")),
             qPrintable(windowVerdict(report)));
}

void WindowTextTest::sizesAreWrittenInUnitsThatSayThemExactly_data()
{
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* list, const char* shown) {
        QTest::newRow(list) << QString::fromLatin1(list) << QString::fromLatin1(shown);
    };
    row("none", "none");
    row("64", "64");
    row("cpu=512000", "cpu=500KiB");
    row("cpu=500000", "cpu=500000");
    row("cpu=1048576,sram=65536", "cpu=1MiB,sram=64KiB");
    row("cpu=0", "cpu=0");
}

void WindowTextTest::sizesAreWrittenInUnitsThatSayThemExactly()
{
    QFETCH(QString, list);
    QTEST(shortSizesText(list), "shown");
}

void WindowTextTest::sentencesNameWhatTheWindowHas_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const Remedy& remedy, const char* said) {
        QTest::newRow(name) << QString::fromStdString(windowWords(remedy)) << QString::fromUtf8(said);
    };
    row("a policy", Remedy::policy("outputs", "external"), "'Outputs: external'");
    row("to be clicked", Remedy::toggle("streams", "captured"), "'Streams: captured'");
    row("of two words", Remedy::policy("retain-graph", "on"), "'Retain graph: on'");
    row("a number", Remedy::policy("alignment", "16"), "'Alignment: 16'");
    row("a list", Remedy::policy("calls", "train,train"), "'Calls: train,train'");
    row("no value", Remedy::policy("saved", "everything"), "saved=everything");
    row("a shape", Remedy::option("shape", "x=…"), "a shape above the policies");
    row("a dimension", Remedy::option("dim", "n=…"), "a dimension above the policies");
    row("a bound", Remedy::option("max-stored", "s=…"), "the fields above the policies");
    row("a tick", Remedy::option("emulate-device"), "'emulate device' ticked");
    row("an option that the window has not", Remedy::option("max-trips"), "--max-trips");
    row("a command", Remedy::command("explain"), "the inspector");
    row("a search", Remedy::command("plimsoll-cli fit"), "'Fit into' under 'What helps most'");
    row("a mode", Remedy::command("run --mode fingerprint"), "a run in mode fingerprint");
}

void WindowTextTest::sentencesNameWhatTheWindowHas()
{
    QFETCH(QString, words);
    QTEST(words, "said");
}

void WindowTextTest::oneThingIsNoPlural()
{
    Report report = *test::planned(test::smallGraph());
    report.memory.unplanned.resize(1);
    const auto text = [&](const Focus& focus) {
        InspectorModel model;
        model.show(inspectorFacts(&report, focus));
        return model.asText();
    };
    QVERIFY(text({}).contains(QStringLiteral("1 value, sized at run time")));
    report.verdict.completeness.gaps = {
        {Gap::Kind::InputShape, ValueId(0), Message("the file gives no shape for 'x'"), 1}};
    QVERIFY2(text({}).contains(QStringLiteral("1 value without a size")), qPrintable(text({})));
    QVERIFY2(!text({}).contains(QStringLiteral("Proved")), qPrintable(text({})));
    report.verdict.completeness = {};
    for (std::size_t i = 1; i < report.program.storages.size(); ++i)
        report.program.storages[i].live = {};
    report.program.storages[0].arena = ArenaId(0);
    report.program.storages[0].live = LiveRanges(Interval {0, 1});
    report.program.storages[0].values.clear();
    report.program.storages[0].scratchOf = NodeId(0);
    QVERIFY2(text(Focus::atStep(0)).contains(QStringLiteral("1 storage is live")), qPrintable(text(Focus::atStep(0))));
    QVERIFY2(text(Focus::atStep(0)).contains(QStringLiteral("s0  scratchpad of first")),
             qPrintable(text(Focus::atStep(0))));
}

void WindowTextTest::stepsAreWrittenAsFirstAndLast()
{
    LiveRanges live(Interval {2, 5});
    live.add(Interval {9, 10});
    QCOMPARE(stepsText(live), QStringLiteral("[2, 5) [9, 10)"));
    QCOMPARE(stepsText(Interval {3, 3}), QStringLiteral("none"));
}

QTEST_GUILESS_MAIN(WindowTextTest)
#include "tst_window_text.moc"
