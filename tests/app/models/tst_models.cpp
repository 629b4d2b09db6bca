#include "app/models/inspector_model.h"
#include "app/models/policy_values_model.h"
#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "app/session/job_runner.h"
#include "core/facts/words/verdict.h"
#include "core/formats/snapshot/allocator_record.h"
#include "core/graph/graph_builder.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/table_columns.h"
#include "tests/support/graph_text.h"

#include <algorithm>

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

using Tester = QAbstractItemModelTester;

int rowNamed(const TableModel& table, int column, const QString& text)
{
    for (int row = 0; row < table.rowCount(); ++row) {
        if (table.index(row, column).data().toString() == text) return row;
    }
    return -1;
}

QStringList texts(const InspectorModel& model)
{
    return model.asText().split(u'\n');
}

} // namespace

class ModelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void modelsKeepTheRulesOfModels();
    void aTableHasARowForEachThing();
    void rowsAndFocusFindEachOther();
    void rowsOfTheReportBeforeLeadNowhere();
    void bytesSortAsNumbersAndAreExactInTheTip();
    void theInspectorTellsWhoWritesReadsAndShares();
    void theInspectorLeadsOn();
    void everyDecisionOnAStorageIsTold();
    void everyKindOfFocusHasFacts();
    void notesStandWithTheWholeReport();
    void theVerdictNamesPeakAndBound();
    void ofARecordTheVerdictSaysWhatWasReserved();
    void aPlanThatLeavesValuesOutIsIncomplete();
    void anIncompletePlanSaysWhatIsLacking_data();
    void anIncompletePlanSaysWhatIsLacking();
    void aRefusedRequestIsNoGreenTick();
    void findingsThatAreLeftOutAreCounted();
    void costsAreShownAgainstThePeak();
    void aPolicyStandsWhereItsBestValuePutsIt_data();
    void aPolicyStandsWhereItsBestValuePutsIt();
    void sizesThatReadTheSameAreToldApart();
    void sizesAreWrittenInUnitsThatSayThemExactly_data();
    void sizesAreWrittenInUnitsThatSayThemExactly();
    void oneThingIsNoPlural();
    void sentencesNameWhatTheWindowHas_data();
    void sentencesNameWhatTheWindowHas();
    void stepsAreWrittenAsFirstAndLast();
};

void ModelsTest::modelsKeepTheRulesOfModels()
{
    const auto report = test::planned(test::smallGraph());
    TableModel storages(storagesTable());
    TableModel values(valuesTable());
    TableModel nodes(nodesTable());
    TableModel findings(findingsTable());
    for (TableModel* table : std::initializer_list<TableModel*> {&storages, &values, &nodes, &findings}) {
        const Tester tester(table, Tester::FailureReportingMode::QtTest);
        table->setReport(report);
        QVERIFY(table->rowCount() > 0);
        table->setReport(nullptr);
        QCOMPARE(table->rowCount(), 0);
    }
    InspectorModel inspector;
    const Tester inspectorTester(&inspector, Tester::FailureReportingMode::QtTest);
    inspector.show(inspectorFacts(report.get(), Focus::on(ValueId(0))));
    inspector.show(inspectorFacts(nullptr, {}));
    PolicyValuesModel policy(policyTable().front());
    const Tester policyTester(&policy, Tester::FailureReportingMode::QtTest);
    policy.setCosts({1, 0}, [](const QString&) { return std::nullopt; });
    values.setReport(report);
    values.setFilter(QStringLiteral("relu"));
    values.sort(0, Qt::DescendingOrder);
}

void ModelsTest::aTableHasARowForEachThing()
{
    const auto report = test::planned(test::smallGraph());
    TableModel storages(storagesTable());
    storages.setReport(report);
    TableModel nodes(nodesTable());
    nodes.setReport(report);
    QCOMPARE(storages.rowCount(), static_cast<int>(report->program.storages.size()));
    QCOMPARE(nodes.rowCount(), 7);
    QCOMPARE(nodes.index(2, test::columnOf(nodesTable(), "Node")).data().toString(), QStringLiteral("second"));
    QCOMPARE(nodes.index(2, test::columnOf(nodesTable(), "Step")).data(SortRole).toLongLong(), 2);
}

void ModelsTest::rowsAndFocusFindEachOther()
{
    const auto report = test::planned(test::smallGraph());
    TableModel values(valuesTable());
    values.setReport(report);
    const int row = rowNamed(values, test::columnOf(valuesTable(), "Value"), QStringLiteral("b"));
    QVERIFY(row >= 0);
    QCOMPARE(values.rowOf(values.focusOf(row)), row);

    TableModel storages(storagesTable());
    storages.setReport(report);
    QCOMPARE(storages.rowOf(values.focusOf(row)),
             report->program.values[static_cast<std::size_t>(row)].storage.number());
    QCOMPARE(storages.rowOf(Focus()), -1);
    TableModel nodes(nodesTable());
    nodes.setReport(report);
    QCOMPARE(nodes.rowOf(nodes.focusOf(2)), 2);
    QCOMPARE(nodes.rowOf(Focus::atStep(3)), report->program.schedule.steps[3].node.number());
    QCOMPARE(nodes.rowOf(Focus::atStep(1000)), -1);
    QCOMPARE(values.rowOf(Focus::on(ValueId(9999))), -1);
}

void ModelsTest::rowsOfTheReportBeforeLeadNowhere()
{
    GraphBuilder builder("chain");
    ValueId last = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
    for (int i = 0; i < 6000; ++i)
        last = builder.output(builder.addNode({.op = "Relu"}, {last}, {"y" + std::to_string(i)}), 0);
    builder.addOutput(last);
    const auto report = test::planned(std::move(builder).build().value());
    JobRunner worker;
    TableModel values(valuesTable(), &worker);
    values.setReport(report);
    QVERIFY(QTest::qWaitFor([&] { return values.rowCount() > 0; }));
    const Focus first = values.focusOf(0);
    QVERIFY(first.picked());

    values.setReport(test::planned(*report->program.graph));

    QVERIFY(values.rowCount() > 0);
    QCOMPARE(values.focusOf(0), Focus());
    QCOMPARE(values.rowOf(first), -1);
    QVERIFY(QTest::qWaitFor([&] { return values.focusOf(0).picked(); }));
    QVERIFY(values.rowOf(first) >= 0);
}

void ModelsTest::bytesSortAsNumbersAndAreExactInTheTip()
{
    const auto report = test::planned(test::smallGraph());
    TableModel values(valuesTable());
    values.setReport(report);
    const int row = rowNamed(values, test::columnOf(valuesTable(), "Value"), QStringLiteral("x"));
    const QModelIndex logical = values.index(row, test::columnOf(valuesTable(), "Logical"));
    QCOMPARE(logical.data().toString(), QStringLiteral("4.00 KiB"));
    QCOMPARE(logical.data(SortRole).toLongLong(), 4096);
    QVERIFY(logical.data(Qt::ToolTipRole).toString().contains(QStringLiteral("4,096")));
}

void ModelsTest::theInspectorTellsWhoWritesReadsAndShares()
{
    const auto report = test::planned(test::smallGraph());
    InspectorModel model;
    model.show(inspectorFacts(report.get(), Focus::on(findValue(*report->program.graph, "b"))));
    const QString text = model.asText();
    QVERIFY(text.startsWith(QStringLiteral("value b\n")));
    QVERIFY(texts(model).contains(QStringLiteral("  Written by: act (Relu, step 1)")));
    QVERIFY(texts(model).contains(QStringLiteral("  Read by: second (MatMul, step 2)")));
    QVERIFY(texts(model).contains(QStringLiteral("  Type: float32[4,256]")));
    QVERIFY2(text.contains(QStringLiteral("Decisions")), qPrintable(text));
}

void ModelsTest::theInspectorLeadsOn()
{
    const auto report = test::planned(test::smallGraph());
    InspectorModel model;
    model.show(inspectorFacts(report.get(), Focus::on(findValue(*report->program.graph, "b"))));
    const NodeId act = findNode(*report->program.graph, "act");
    bool found = false;
    for (int section = 0; section < model.rowCount(); ++section) {
        const QModelIndex parent = model.index(section, 0);
        for (int row = 0; row < model.rowCount(parent); ++row)
            found = found || model.linkOf(model.index(row, 1, parent)).node == act;
    }
    QVERIFY(found);
}

void ModelsTest::everyDecisionOnAStorageIsTold()
{
    const auto report = test::planned(test::smallGraph());
    InspectorModel model;
    for (std::size_t id = 0; id < report->program.storages.size(); ++id) {
        model.show(inspectorFacts(report.get(), Focus::on(StorageId(id))));
        const QString text = model.asText();
        for (const ValueId value : report->program.storages[id].values) {
            const std::string& name = (*report->program.graph)[value].name;
            for (const Decision& decision : report->decisions) {
                if (decision.subject == name) QVERIFY2(text.contains(windowText(decision.reason)), name.c_str());
            }
        }
    }
    model.show(inspectorFacts(report.get(), Focus::on(findNode(*report->program.graph, "act"))));
    QVERIFY2(model.asText().contains(QStringLiteral("b made")), qPrintable(model.asText()));
}

void ModelsTest::everyKindOfFocusHasFacts()
{
    const auto report = test::planned(test::smallGraph());
    QVERIFY(!report->verdict.findings.empty());
    for (const Focus& focus : {Focus(), Focus::on(ValueId(0)), Focus::on(NodeId(0)), Focus::on(StorageId(0)),
                               Focus::onFinding(0), Focus::atStep(0)}) {
        const auto sections = sectionsAbout(*report, focus);
        QVERIFY2(!sections.empty(), focusKind(focus).data());
        QVERIFY(!sections.front().facts.empty());
        QVERIFY(!focusTitle(*report, focus).empty());
    }
    QVERIFY(!sectionsAbout(*report, Focus::on(ValueId(100000))).empty()); // of a report that is gone
}

void ModelsTest::notesStandWithTheWholeReport()
{
    Policies policies;
    policies.colours = 2;
    const auto sections = sectionsAbout(*test::planned(test::smallGraph(), policies), Focus());
    const auto found = std::find_if(sections.begin(), sections.end(),
                                    [](const FactSection& section) { return section.title == "Notes"; });
    QVERIFY(found != sections.end());
    QCOMPARE(found->facts.size(), std::size_t(1));
    QCOMPARE(cellText(found->facts.front().cell),
             QStringLiteral("'Colours: 2' has no effect: only with 'Placement: storage-reuse'."));
}

void ModelsTest::theVerdictNamesPeakAndBound()
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
    QCOMPARE(windowVerdict(report), QStringLiteral("Legal. Peak 1.12 MiB at step 1, 15.0 % above the bound."));

    report.verdict.findings.push_back({.rule = Rule::Overlap});
    report.memory.peakBytes = report.memory.lowerBoundBytes;
    QVERIFY(windowVerdict(report).startsWith(QStringLiteral("Not legal: 1 error (overlap).")));
    QVERIFY(windowVerdict(report).endsWith(QStringLiteral("which is the lower bound.")));
}

/// Its picture is higher than what an allocator ever had at once.
void ModelsTest::ofARecordTheVerdictSaysWhatWasReserved()
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

void ModelsTest::aPlanThatLeavesValuesOutIsIncomplete()
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
void ModelsTest::anIncompletePlanSaysWhatIsLacking_data()
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

void ModelsTest::anIncompletePlanSaysWhatIsLacking()
{
    QFETCH(QString, graph);
    QFETCH(QString, said);
    const QString text = windowVerdict(*test::planned(test::graphFromText(graph.toStdString())));
    QVERIFY2(text.startsWith(said), qPrintable(text));
}

/// No tick where a process has died of memory.
void ModelsTest::aRefusedRequestIsNoGreenTick()
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

void ModelsTest::findingsThatAreLeftOutAreCounted()
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

void ModelsTest::costsAreShownAgainstThePeak()
{
    const auto inplace = std::find_if(policyTable().begin(), policyTable().end(),
                                      [](const PolicyInfo& row) { return row.id == "inplace"; });
    PolicyValuesModel model(*inplace);
    model.setCosts({1024, 512}, [](const QString& value) {
        return value == QStringLiteral("off") ? std::optional<PlanCost>({3072, 512}) : std::nullopt;
    });
    const auto cost = [&](const QString& value) {
        return model.index(model.rowOf(value)).data(PolicyValuesModel::CostTextRole).toString();
    };
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("+2.00 KiB"));
    QCOMPARE(cost(QStringLiteral("on")), QStringLiteral("…"));
    QCOMPARE(model.rowOf(QStringLiteral("no such value")), -1);

    // What is folded ahead only moves to the caller.
    model.setCosts({4096, 0}, [](const QString&) { return std::optional<PlanCost>({1024, 8192}); });
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("−3.00 KiB\n+5.00 KiB in all"));

    // Who computes may change, and with it the time.
    model.setCosts({4096, 0, 0.5}, [](const QString&) { return std::optional<PlanCost>({4096, 0, 2.75}); });
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("same peak\n+2.25 ms"));
    model.setCosts({4096, 0, 0.5}, [](const QString&) { return std::optional<PlanCost>({4096, 0, 0.50001}); });
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("same"));

    // Figures that stay are not named.
    model.setCosts({}, [](const QString&) { return PlanCost {.savedBytes = -2048, .steps = 3}; });
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("same peak\n−2.00 KiB saved\n+3 nodes"));
    model.setCosts({}, [](const QString&) { return PlanCost {.steps = -1}; });
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("same peak\n−1 node"));
}

void ModelsTest::aPolicyStandsWhereItsBestValuePutsIt_data()
{
    QTest::addColumn<int>("identityOnly"); // bytes of the peak, against 100; 0 is not known
    QTest::addColumn<int>("off");
    QTest::addColumn<int>("section");
    QTest::addColumn<QString>("best");
    const auto row = [](const char* name, int identityOnly, int off, PolicySection section, const char* best) {
        QTest::newRow(name) << identityOnly << off << int(section) << QString::fromUtf8(best);
    };
    row("one is not known", 100, 0, PolicySection::Untried, "");
    row("all the same", 100, 100, PolicySection::Same, "");
    row("one is higher", 100, 150, PolicySection::Differs, "");
    row("one is lower", 150, 90, PolicySection::Lowers, "off −10 B");
    row("two are lower", 40, 90, PolicySection::Lowers, "identity-only −60 B");
}

void ModelsTest::aPolicyStandsWhereItsBestValuePutsIt()
{
    QFETCH(int, identityOnly);
    QFETCH(int, off);
    PolicyValuesModel model(*findPolicy("inplace"));
    model.setCosts({.peakBytes = 100}, [&](const QString& value) {
        const int bytes = value == QStringLiteral("on") ? 100 : value == QStringLiteral("off") ? off : identityOnly;
        return bytes == 0 ? std::nullopt : std::optional(PlanCost {.peakBytes = bytes});
    });
    QTEST(int(model.section()), "section");
    QTEST(model.bestText(), "best");
}

void ModelsTest::sizesThatReadTheSameAreToldApart()
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

void ModelsTest::sizesAreWrittenInUnitsThatSayThemExactly_data()
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

void ModelsTest::sizesAreWrittenInUnitsThatSayThemExactly()
{
    QFETCH(QString, list);
    QTEST(shortSizesText(list), "shown");
}

void ModelsTest::sentencesNameWhatTheWindowHas_data()
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
    row("a shape", Remedy::option("shape", "x=…"), "the fields above the policies");
    row("a bound", Remedy::option("max-stored", "s=…"), "the fields above the policies");
    row("a tick", Remedy::option("emulate-device"), "'emulate device' ticked");
    row("an option that the window has not", Remedy::option("max-trips"), "--max-trips");
    row("a command", Remedy::command("explain"), "the inspector");
    row("a mode", Remedy::command("run --mode fingerprint"), "a run in mode fingerprint");
}

void ModelsTest::sentencesNameWhatTheWindowHas()
{
    QFETCH(QString, words);
    QTEST(words, "said");
}

void ModelsTest::oneThingIsNoPlural()
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

void ModelsTest::stepsAreWrittenAsFirstAndLast()
{
    LiveRanges live(Interval {2, 5});
    live.add(Interval {9, 10});
    QCOMPARE(stepsText(live), QStringLiteral("[2, 5) [9, 10)"));
    QCOMPARE(stepsText(Interval {3, 3}), QStringLiteral("none"));
}

QTEST_GUILESS_MAIN(ModelsTest)
#include "tst_models.moc"
