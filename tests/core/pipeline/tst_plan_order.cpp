#include "core/facts/english/english.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/pipeline/own_plan.h"
#include "core/report/report_json.h"

#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

constexpr std::string_view Diamond = "input x float32[4,4]\n"
                                     "n1: a = Sin(x)\n"
                                     "n2: b = Cos(x)\n"
                                     "n3: y = Add(a, b)\n"
                                     "output y\n";

Policies plain()
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.alignment = 1;
    return policies;
}

Result<Report> judged(const Graph& graph, PlanFile plan)
{
    PlanRequest request;
    request.policies = plain();
    request.givenPlan = sharedPlan(std::move(plan));
    return analyse(graph, request, {});
}

Report verdictOf(const Graph& graph, PlanFile plan)
{
    Result<Report> report = judged(graph, std::move(plan));
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

PlanFile planFor(const Graph& graph)
{
    PlanRequest request;
    request.policies = plain();
    const auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    PlanFile plan = planOf(report.value());
    plan.graphDigest.reset(); // it may be of the same graph in another order
    return plan;
}

/// Rule, values and nodes of each error, sorted.
std::multiset<std::string> errors(const Report& report)
{
    std::multiset<std::string> found;
    const Graph& graph = *report.program.graph;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity != Severity::Error) continue;
        std::string text(ruleId(finding.rule));
        for (const ValueId value : finding.values)
            text += " " + graph[value].name;
        for (const NodeId node : finding.nodes)
            text += " / " + graph[node].name;
        found.insert(text + " " + std::to_string(finding.steps.begin) + " " + std::to_string(finding.bytes.begin));
    }
    return found;
}

std::string joined(const std::multiset<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

/// The node of \p body that \p node is, or is nested in; invalid where it is elsewhere.
NodeId inBody(const Graph& graph, NodeId node, BodyId body)
{
    while (node.valid() && graph[node].body != body)
        node = graph[graph[node].body].owner;
    return node;
}

/// By NodeId: the nodes of the same body that have to run before.
std::vector<std::set<NodeId>> needsOf(const Graph& graph)
{
    std::vector<std::set<NodeId>> needs(graph.nodes.size());
    const auto need = [&](NodeId reader, ValueId value) {
        const NodeId maker = value.valid() ? graph[value].producer : NodeId();
        if (!maker.valid()) return;
        const NodeId here = inBody(graph, reader, graph[maker].body);
        if (here.valid() && here != maker) needs[here.index()].insert(maker);
    };
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        for (const ValueId input : graph.nodes[node].inputs)
            need(NodeId(node), input);
    }
    for (const Body& body : graph.bodies) {
        for (const ValueId output : body.outputs)
            if (body.owner.valid()) need(body.owner, output);
    }
    return needs;
}

/// Any of the orders in which every node stands behind what it needs, in each body.
Graph inRandomOrder(Graph graph, std::mt19937& random)
{
    const std::vector<std::set<NodeId>> needs = needsOf(graph);
    for (Body& body : graph.bodies) {
        std::vector<NodeId> open = body.nodes;
        std::set<NodeId> waiting(open.begin(), open.end());
        std::vector<NodeId> order;
        while (!open.empty()) {
            std::vector<NodeId> ready;
            for (const NodeId node : open) {
                const auto isWaiting = [&](NodeId other) { return waiting.contains(other); };
                if (std::ranges::none_of(needs[node.index()], isWaiting)) ready.push_back(node);
            }
            const NodeId next = ready.at(random() % ready.size());
            order.push_back(next);
            waiting.erase(next);
            std::erase(open, next);
        }
        body.nodes = order;
    }
    return graph;
}

PlanFile read(const std::string& text)
{
    auto plan = readPlanJson(text, "plan.json");
    if (!plan.ok()) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan).value();
}

} // namespace

class TestPlanOrder : public QObject
{
    Q_OBJECT

private slots:
    void randomOrdersAreJudgedAsTheyAre();
    void violationsNameBothNodes();
    void theOrderComesBack();
    void nestedStepsStandWithTheirOwner();
    void whatStepsMayNotSay_data();
    void whatStepsMayNotSay();
    void reservedBytesStayFree();
    void whatReservedMayNotSay_data();
    void whatReservedMayNotSay();
};

/// A graph in another order, and a plan with that order for the graph as it was: the same plan, the same verdict,
/// damaged or not.
void TestPlanOrder::randomOrdersAreJudgedAsTheyAre()
{
    const unsigned first = test::firstSeed(2000);
    std::size_t moved = 0;
    std::size_t damaged = 0;
    for (unsigned seed = first; seed < first + 150; ++seed) {
        const Graph graph = test::randomGraph(seed);
        std::mt19937 random(seed);
        const Graph other = inRandomOrder(graph, random);
        PlanFile plan = planFor(other);
        const Report own = verdictOf(graph, plan);
        const QString what = QStringLiteral("seed %1\n").arg(seed);
        QVERIFY2(errors(own).empty(), qPrintable(what + QString::fromStdString(joined(errors(own)))));
        moved += isCapturedOrder(*own.program.graph, own.program.schedule) ? 0 : 1;
        std::vector<PlanFile::Entry*> placed;
        for (PlanFile::Entry& entry : plan.entries)
            if (entry.host.empty()) placed.push_back(&entry);
        if (placed.size() < 2) continue;
        placed[random() % placed.size()]->offset = placed[random() % placed.size()]->offset;
        const auto expected = errors(verdictOf(other, plan));
        const auto found = errors(verdictOf(graph, plan));
        QVERIFY2(found == expected, qPrintable(what + QString::fromStdString("expected\n" + joined(expected) +
                                                                             "found\n" + joined(found))));
        damaged += expected.empty() ? 0 : 1;
    }
    QVERIFY2(moved > 100 && damaged > 30, qPrintable(QStringLiteral("%1 %2").arg(moved).arg(damaged)));
}

void TestPlanOrder::violationsNameBothNodes()
{
    const unsigned first = test::firstSeed(3000);
    std::size_t broken = 0;
    for (unsigned seed = first; seed < first + 150; ++seed) {
        const Graph graph = test::randomGraph(seed);
        std::mt19937 random(seed);
        const std::vector<std::set<NodeId>> needs = needsOf(graph);
        PlanFile plan = planFor(graph);
        const NodeId reader = graph.top().nodes[random() % graph.top().nodes.size()];
        if (needs[reader.index()].empty() || !graph[reader].bodies.empty()) continue;
        const NodeId maker = *needs[reader.index()].begin();
        const auto from = std::ranges::find(*plan.steps, graph[reader].name);
        const auto to = std::ranges::find(*plan.steps, graph[maker].name);
        if (from == plan.steps->end() || to == plan.steps->end()) continue; // folded
        std::rotate(to, from, from + 1);
        const Report report = verdictOf(graph, plan);
        const auto namesBoth = [&](const Finding& finding) {
            return finding.rule == Rule::Order && finding.nodes == std::vector {reader, maker};
        };
        QVERIFY2(std::ranges::any_of(report.verdict.findings, namesBoth), qPrintable(QString::number(seed)));
        ++broken;
    }
    QVERIFY2(broken > 50, qPrintable(QString::number(broken)));
}

/// As a plan and as a report.
void TestPlanOrder::theOrderComesBack()
{
    const Graph graph = test::graphFromText(Diamond);
    PlanFile plan = planFor(graph);
    plan.steps = {"n2", "n1", "n3"};
    for (PlanFile::Entry& entry : plan.entries)
        entry.offset = entry.value == "b" ? 0 : entry.value == "a" ? 64 : 128;
    plan.arenas = {{"cpu", 256, 1, std::nullopt, {{{192, 200}, "boot loader"}}}};
    plan.entries[0].offset = plan.entries[1].offset; // damaged
    const Report before = verdictOf(graph, plan);
    QVERIFY(!errors(before).empty());
    for (const PlanFile& again : {read(planJsonText(planOf(before))), read(writeReportJson(before))}) {
        QVERIFY(again.steps == plan.steps);
        QVERIFY(again.arenas.front().reserved == plan.arenas.front().reserved);
        QCOMPARE(joined(errors(verdictOf(graph, again))), joined(errors(before)));
    }
}

void TestPlanOrder::nestedStepsStandWithTheirOwner()
{
    const Graph graph = test::graphFromText(test::samples::Branches);
    PlanFile plan = planFor(graph);
    const auto nested =
        std::ranges::find_if(*plan.steps, [](const std::string& name) { return name.find('/') != std::string::npos; });
    QVERIFY(nested != plan.steps->end());
    const std::string name = *nested;
    plan.steps->erase(nested);
    plan.steps->insert(plan.steps->begin(), name);
    const auto found = errors(verdictOf(graph, plan));
    QCOMPARE(found.size(), std::size_t {1});
    QVERIFY2(found.begin()->starts_with("order / " + name + " / "), found.begin()->c_str());
}

void TestPlanOrder::whatStepsMayNotSay_data()
{
    QTest::addColumn<QStringList>("steps");
    QTest::addColumn<QString>("said");
    QTest::newRow("an unknown node") << QStringList {"n1", "n2", "n4"} << "steps[2]: The graph has no node 'n4'.";
    QTest::newRow("a node twice") << QStringList {"n1", "n2", "n1", "n3"}
                                  << "steps[2]: The plan names 'n1' twice, at first in steps[0]; each node runs once.";
    QTest::newRow("a node too few") << QStringList {"n2", "n1"}
                                    << "steps: The plan does not run node 'n3', which the graph does.";
}

void TestPlanOrder::whatStepsMayNotSay()
{
    QFETCH(QStringList, steps);
    QFETCH(QString, said);
    const Graph graph = test::graphFromText(Diamond);
    PlanFile plan = planFor(graph);
    plan.steps->clear();
    for (const QString& step : steps)
        plan.steps->push_back(step.toStdString());
    const Result<Report> report = judged(graph, plan);
    QVERIFY(!report.ok());
    QVERIFY(report.error().code == ErrorCode::BadInput);
    const QString text = QString::fromStdString(describe(report.error()));
    QVERIFY2(text.startsWith(said), qPrintable(text));
}

void TestPlanOrder::reservedBytesStayFree()
{
    const Graph graph = test::graphFromText(test::samples::Chain);
    PlanRequest request;
    request.policies = plain();
    QVERIFY(setPolicy(request.policies, "reserved", "0+100:boot loader,1500+8").ok());
    const auto made = analyse(graph, request, {});
    QVERIFY(made.ok());
    QVERIFY(errors(made.value()).empty());
    const PlannedArena& arena = made.value().program.map.arenas.front();
    QCOMPARE(arena.reserved.size(), std::size_t {2});
    QCOMPARE(QString::fromStdString(arena.reserved.front().why), QStringLiteral("boot loader"));
    PlanFile plan = read(planJsonText(planOf(made.value())));
    const Report back = verdictOf(graph, plan);
    QVERIFY(errors(back).empty());
    QCOMPARE(back.memory.peakBytes, made.value().memory.peakBytes);
    QCOMPARE(back.verdict.given->ownPeakBytes.value_or(-1), made.value().memory.peakBytes);
    PlanRequest judging;
    judging.policies = plain();
    judging.givenPlan = sharedPlan(plan);
    const auto ours = planBeside(graph, judging, {});
    QVERIFY(ours.ok());
    QVERIFY(errors(ours.value()).empty());
    QCOMPARE(ours.value().memory.peakBytes, made.value().memory.peakBytes);
    QCOMPARE(ours.value().program.map.arenas.front().reserved.size(), std::size_t {2});
    plan.entries.front().offset = 99;
    const std::string found = joined(errors(verdictOf(graph, plan)));
    QVERIFY2(found.find("reserved " + plan.entries.front().value) != std::string::npos, found.c_str());
}

void TestPlanOrder::whatReservedMayNotSay_data()
{
    QTest::addColumn<QString>("reserved");
    QTest::addColumn<QString>("where");
    QTest::newRow("a number") << "3"
                              << "arenas[0].reserved";
    QTest::newRow("an element") << "[3]"
                                << "arenas[0].reserved[0]";
    QTest::newRow("no offset") << R"([{"bytes": 3}])"
                               << "arenas[0].reserved[0]";
    QTest::newRow("below 0") << R"([{"offset": -1, "bytes": 3}])"
                             << "arenas[0].reserved[0].offset";
    QTest::newRow("negative") << R"([{"offset": 1, "bytes": -3}])"
                              << "arenas[0].reserved[0].bytes";
    QTest::newRow("no end") << R"([{"offset": 1, "bytes": 9223372036854775807}])"
                            << "arenas[0].reserved[0].bytes";
    QTest::newRow("why") << R"([{"offset": 1, "bytes": 1, "why": 3}])"
                         << "arenas[0].reserved[0].why";
}

void TestPlanOrder::whatReservedMayNotSay()
{
    QFETCH(QString, reserved);
    QFETCH(QString, where);
    const std::string text =
        R"({"schema": "plimsoll.plan/1", "allocations": [], "arenas": [{"bytes": 8, "reserved": )" +
        reserved.toStdString() + "}]}";
    const auto plan = readPlanJson(text, "plan.json");
    QVERIFY(!plan.ok());
    QCOMPARE(QString::fromStdString(plan.error().where), where);
}

QTEST_APPLESS_MAIN(TestPlanOrder)
#include "tst_plan_order.moc"
