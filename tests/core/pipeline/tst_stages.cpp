#include "core/facts/english/english.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/pipeline/stages.h"
#include "core/verify/verifier.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// What a stage made, as text.
using Pictures = std::array<std::string, 5>; // by Stage

std::string listOf(const auto& all)
{
    std::string text;
    for (const auto& one : all)
        text += std::to_string(one) + ",";
    return text + "\n";
}

std::string pictureOf(const Graph& graph)
{
    std::string text = graphJsonText(graph).value();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const DecidedNode& decided = graph.decided[NodeId(i)];
        text += std::to_string(decided.ahead) + std::to_string(decided.fusedInto.number()) +
                std::to_string(decided.fused.size()) + std::to_string(decided.recomputes.number()) + "\n";
    }
    for (const Value& value : graph.values)
        text += value.name + std::to_string(static_cast<int>(value.role));
    return text;
}

std::string pictureOf(const pipeline::Lowered& lowered)
{
    std::string text = pictureOf(lowered.graph);
    for (const SavedReport& one : lowered.saved)
        text += lowered.graph[one.tensor.value].name + std::string(savingReasonId(one.tensor.reason)) +
                std::string(donationId(one.donation)) + "\n";
    for (const Binding& binding : lowered.bindings)
        text += binding.dim + std::to_string(binding.size) + "\n";
    return text;
}

std::string pictureOf(const Program& program)
{
    std::string text = pictureOf(*program.graph);
    for (const Implementation& one : program.implementations.chosen())
        text += describe(one) + one.device + std::to_string(one.scratchpadBytes) + listOf(one.requiredOutputBytes);
    for (const Step& step : program.schedule.steps)
        text += std::to_string(step.node.number()) + ",";
    text += listOf(program.streams.streamOf);
    for (const StreamEvent& event : program.streams.events)
        text += std::to_string(event.signal.number()) + ">" + std::to_string(event.waiter.number()) + "\n";
    return text;
}

std::string pictureOf(const ValueFacts& facts)
{
    std::string text = listOf(facts.renewedAt) + listOf(facts.requiredBytes) + listOf(facts.isOutput) +
                       listOf(facts.donated) + listOf(facts.saved);
    for (const LiveRanges& live : facts.live)
        for (const Interval& range : live.intervals())
            text += std::to_string(range.begin) + "-" + std::to_string(range.end) + ",";
    for (const Residence residence : facts.residence)
        text += std::to_string(static_cast<int>(residence));
    for (const ValueId root : facts.aliases.root)
        text += std::to_string(root.number()) + ",";
    return text;
}

std::string pictureOf(const pipeline::PlacedGraph& placed)
{
    std::string text;
    for (const PlannedArena& arena : placed.map.arenas)
        text += arena.space + " " + std::to_string(arena.bytes) + " " + std::to_string(arena.alignment) + " " +
                std::to_string(arena.capacityBytes.value_or(-1)) + "\n";
    for (const Storage& storage : placed.storages)
        text += std::to_string(storage.offset) + "+" + std::to_string(storage.bytes) + "\n";
    for (const StorageId storage : placed.storageOf)
        text += std::to_string(storage.number()) + ",";
    return text;
}

/// Stage after stage, as analyse() does it; nothing where the graph cannot be planned like that.
std::optional<Pictures> stagesOf(const Graph& graph, const PlanRequest& request)
{
    const auto lowered = pipeline::lower(graph, request, {}, {});
    if (!lowered.ok()) return {};
    const auto implemented = pipeline::implement(lowered.value().graph, graph, request, lowered.value().saved, {}, {});
    if (!implemented.ok()) return {};
    const Program& program = implemented.value().program;
    const auto facts = pipeline::lifetimesOf(program, lowered.value().saved);
    const pipeline::Subject subject {program, facts.value()};
    const auto placed = pipeline::makePlacement(subject, request.search, {}, {}, {});
    if (!placed.ok()) return {};
    pipeline::PlacedGraph taken = placed.value();
    const PlannedProgram planned = pipeline::plannedProgram(subject, taken, {});
    std::string findings;
    for (const Finding& finding : verify({planned, planned.map}, {}))
        findings += english(finding.message) + "\n";
    return Pictures {pictureOf(lowered.value()), pictureOf(program), pictureOf(facts.value()),
                     pictureOf(placed.value()), findings};
}

/// A graph, what backends offer for it, and policies under which others act.
struct Case
{
    const char* name;
    std::string graph;
    const char* offers = "";
    const char* policies = "";
};

/// Values in a row, of so many elements.
std::string chain(const std::vector<int>& elements)
{
    std::string text = "input x float32[4]\n";
    std::string last = "x";
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const std::string name = "v" + std::to_string(i);
        text += name + " = my::F(" + last + ")\nvalue " + name + " float32[" + std::to_string(elements[i]) + "]\n";
        last = name;
    }
    return text + "output " + last + "\n";
}

std::vector<Case> cases()
{
    const std::string repeats = "input x float32[4]\nparam w float32[4]\nconst k float32[4] = 1 2 3 4\n"
                                "a: p = Exp(x)\nb: q = Exp(x)\nc: r = Add(p, q)\nd: s = Mul(w, k)\ne: y = Add(r, s)\n"
                                "f: z = Identity(y)\noutput y z\n";
    const std::string residual = "input x float32[1,8,4,4]\nparam w float32[8,8,3,3]\ntop: z = Sigmoid(x)\n"
                                 "conv: a = Conv(x, w) pads=[1,1,1,1]\nadd: b = Add(z, a)\nrelu: c = Relu(b)\n"
                                 "out: y = Sigmoid(c)\noutput y\n";
    const std::string training = "input x float32[8,64]\nparam w float32[64,64]\nt1: y = Tanh(x)\nt2: z = Tanh(y)\n"
                                 "fc: f = MatMul(z, w)\nsum: l = ReduceSum(f) keepdims=0\noutput l\ngrad x w\n"
                                 "loss l\n";
    const std::string branches = "input x float32[64]\np: vp = Exp(x)\na: va = Sin(vp)\nb: vb = Cos(va)\n"
                                 "d: vd = Sin(vp)\ne: ve = Cos(vd)\nj: vj = Add(vb, ve)\noutput vj\n";
    const std::string sparse = "input a float32[6,6]@row_sparse:3\ninput b float32[6,6]@row_sparse:2\n"
                               "c: y = Add(a, b)\nd: z = Relu(y)\noutput z\n";
    std::string fan = "input x float32[16]\n";
    for (const std::string node : {"p x", "a p", "b a", "c b", "d p", "e d", "j c,e"})
        fan += node.substr(0, 1) + " = my::F(" + node.substr(2) + ")\nvalue " + node.substr(0, 1) + " float32[16]\n";
    return {
        {"repeats", repeats},
        {"fused", residual, "conv onednn jit ms=1 with=add,relu inplace=0:2\nconv onednn alone ms=9\n"},
        {"padded", residual, "conv onednn jit in=nChw8c,plain out=nChw8c ms=1 bytes=4096 inbytes=4096\n"},
        {"within", residual, "conv onednn jit ms=1 scratch=4096\nconv reference loops ms=9\n", "choose=fastest-within"},
        {"twice", "input x float32[4]\na: y = Exp(x)\noutput y y\n"},
        {"joined", "input x float32[16]\na: u = Exp(x)\nb: v = Cos(x)\nc: y = Concat(u, v) axis=0\nd: z = Relu(y)\n"
                   "output z\n"},
        {"training", training},
        {"retained", training, "", "retain-graph=on"},
        {"branches", branches},
        {"sparse", sparse},
        {"blocks", chain({1000, 10, 100, 1000}), "", "placement=storage-reuse"},
        {"fan", fan + "output j\n", "", "placement=storage-reuse"},
        {"found", "input x float32[4]\na: i = NonZero(x)\nb: y = Cast(i) to=1\noutput y\n"},
        {"dead", "input x float32[4]\na: u = Exp(x)\nb: v = Sin(u)\nc: y = Cos(x)\noutput y\n"},
    };
}

/// Of those that are no list: some that mean something.
std::vector<std::string> othersOf(const PolicyInfo& policy)
{
    static const std::map<std::string_view, std::vector<std::string>> free = {
        {"calls", {"train,train"}},  {"backwards", {"2"}},     {"match-range", {"0", "4"}}, {"colours", {"2"}},
        {"alignment", {"4", "256"}}, {"capacity", {"cpu=64"}}, {"reserved", {"0+64"}}};
    if (policy.values.empty()) return free.at(policy.id);
    return {policy.values.begin(), policy.values.end()};
}

PlanRequest requestFor(const Case& one)
{
    PlanRequest request;
    test::chooseFromText(request.policies, one.policies);
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(one.offers));
    request.search.workLimit = 100'000;
    return request;
}

} // namespace

/// Each policy names the first stage that it changes: all before it may be kept when it is toggled.
class StagesTest : public QObject
{
    Q_OBJECT

private slots:
    void aPolicyChangesNothingBeforeItsStage_data()
    {
        QTest::addColumn<QString>("id");
        for (const PolicyInfo& policy : policyTable()) {
            const std::string id(policy.id);
            if (policy.values.size() != 1) QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }
    void aPolicyChangesNothingBeforeItsStage()
    {
        QFETCH(QString, id);
        const PolicyInfo& policy = *findPolicy(id.toStdString());
        const auto stage = static_cast<std::size_t>(policy.stage);
        bool acts = false;
        for (const Case& one : cases()) {
            Graph graph = test::graphFromText(one.graph);
            graph[graph.top().inputs.front()].visible = false; // so that it may be donated
            const PlanRequest base = requestFor(one);
            const auto before = stagesOf(graph, base);
            QVERIFY2(before, one.name);
            for (const std::string& value : othersOf(policy)) {
                PlanRequest other = base;
                QVERIFY(setPolicy(other.policies, policy.id, value).ok());
                const auto after = stagesOf(graph, other);
                if (!after) continue;
                for (std::size_t i = 0; i < stage; ++i)
                    QVERIFY2((*after)[i] == (*before)[i], qPrintable(QStringLiteral("%1=%2 changes stage %3 of %4")
                                                                         .arg(id, QString::fromStdString(value))
                                                                         .arg(i)
                                                                         .arg(QLatin1String(one.name))));
                acts = acts || (*after)[stage] != (*before)[stage];
            }
        }
        QVERIFY2(acts, "it changes its stage nowhere");
    }

    void onlyWhatNoOutputDependsOnIsDropped_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("dropped");
        QTest::newRow("a chain") << "a: u = Exp(x)\nb: v = Sin(u)\nc: y = Cos(x)\n"
                                 << "a b";
        QTest::newRow("a second reader") << "a: u = Exp(x)\nb: v = Sin(u)\nc: y = Cos(u)\n"
                                         << "b";
        QTest::newRow("a second output") << "a: y, v = Dropout(x)\n"
                                         << "";
        QTest::newRow("random numbers") << "a: v = RandomNormalLike(x)\nc: y = Cos(x)\n"
                                        << "";
        QTest::newRow("an unknown operator") << "a: u = Exp(x)\nb: v = my::F(u)\nc: y = Cos(x)\n"
                                             << "";
    }
    void onlyWhatNoOutputDependsOnIsDropped()
    {
        QFETCH(QString, graph);
        QFETCH(QString, dropped);
        PlanRequest request;
        request.policies.dce = DcePolicy::On;
        const auto lowered = pipeline::lower(
            test::graphFromText("input x float32[4]\n" + graph.toStdString() + "output y\n"), request, {}, {});
        QVERIFY2(lowered.ok(), lowered.ok() ? "" : describe(lowered.error()).c_str());
        QStringList ahead;
        for (std::size_t i = 0; i < lowered.value().graph.nodes.size(); ++i) {
            if (lowered.value().graph.decided[NodeId(i)].ahead)
                ahead << QString::fromStdString(lowered.value().graph.nodes[i].name);
        }
        QCOMPARE(ahead.join(u' '), dropped);
    }

    void whatAGivenPlanPlacesIsKept()
    {
        const Graph graph = test::graphFromText("input x float32[4]\na: u = Exp(x)\nc: y = Cos(x)\noutput y\n");
        PlanFile plan;
        plan.entries.push_back({"u"});
        PlanRequest request;
        request.policies.dce = DcePolicy::On;
        request.givenPlan = sharedPlan(plan);
        const auto lowered = pipeline::lower(graph, request, {}, {});
        QVERIFY(lowered.ok());
        QVERIFY(!lowered.value().graph.decided[findNode(lowered.value().graph, "a")].ahead);
    }
};

QTEST_APPLESS_MAIN(StagesTest)
#include "tst_stages.moc"
