#include "app/models/inspector_model.h"
#include "app/models/policy_values_model.h"
#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "app/session/job_runner.h"
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
    void costsAreShownAgainstThePeak();
    void aPolicyStandsWhereItsBestValuePutsIt_data();
    void aPolicyStandsWhereItsBestValuePutsIt();
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
    model.setCosts({}, [](const QString&) { return PlanCost {.steps = 1190}; });
    QCOMPARE(cost(QStringLiteral("off")), QStringLiteral("same peak\n+1,190 nodes"));
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
    const auto [value, saved] = model.best();
    QTEST(QString(value + u' ' + saved).trimmed(), "best");
}

QTEST_GUILESS_MAIN(ModelsTest)
#include "tst_models.moc"
