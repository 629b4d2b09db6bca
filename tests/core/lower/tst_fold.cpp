#include "core/lower/fold.h"

#include "core/graph/graph_builder.h"
#include "core/ops/literal_elements.h"

#include <QTest>

using namespace plimsoll;

/// Which values become constants and which nodes take no step any more.
class Fold : public QObject
{
    Q_OBJECT

private slots:
    void shapeArithmeticBecomesConstants();
    void nothingIsFoldedWhereThePolicySaysSo();
    void constantInputsAreComputedAheadUnderAll();
    void graphOutputsStay();
    void randomNodesStay();
    void nodesThatNobodyReadFromTheStartStay();
};

namespace {

/// x [batch,3]: shape → [batch] → Reshape; w and v: two weights that are added.
///
///     x ──► Shape ──► Gather ──► Concat ──► Reshape ──► y
///     w, v ──► Add ──► sum ──► Mul(y, sum) ──► out
struct Sample
{
    GraphBuilder builder {"sample"};

    Sample()
    {
        const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {2, 3}));
        const ValueId w = builder.addParameter("w", TensorType::dense(DType::Float32, {6}));
        const ValueId v = builder.addParameter("v", TensorType::dense(DType::Float32, {6}));
        const ValueId zero = node({.op = "Constant", .attributes = {{"value_int", std::int64_t {0}}}}, {}, "zero");
        const ValueId shape = node({.op = "Shape"}, {x}, "shape");
        const ValueId rows = node({.op = "Gather"}, {shape, zero}, "rows");
        const ValueId rest =
            node({.op = "Constant", .attributes = {{"value_ints", std::vector<std::int64_t> {3}}}}, {}, "rest");
        const ValueId wanted = node({.op = "Mul"}, {rows, rest}, "wanted");
        const ValueId y = node({.op = "Reshape"}, {x, wanted}, "y");
        const ValueId sum = node({.op = "Add"}, {w, v}, "sum");
        builder.addOutput(node({.op = "Mul"}, {y, sum}, "out"));
    }

    ValueId node(Node made, ValueIds inputs, const char* output)
    {
        made.name = output;
        return builder.output(builder.addNode(std::move(made), std::move(inputs), {output}), 0);
    }

    Graph folded(FoldPolicy policy, std::vector<Decision>* decisions = nullptr)
    {
        const auto inferred = inferTypes(builder.graph(), {}, {});
        return fold(inferred.value(), policy, decisions ? DecisionLog(*decisions) : DecisionLog());
    }
};

/// Names of the nodes that still take a step.
QStringList steps(const Graph& graph)
{
    QStringList names;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!graph.decided[NodeId(i)].ahead) names << QString::fromStdString(graph.nodes[i].name);
    }
    return names;
}

const Value& valueOf(const Graph& graph, const char* name)
{
    return graph[findValue(graph, name)];
}

} // namespace

void Fold::shapeArithmeticBecomesConstants()
{
    Sample sample;
    std::vector<Decision> decisions;

    const Graph graph = sample.folded(FoldPolicy::Shapes, &decisions);

    QCOMPARE(steps(graph), QStringList({"y", "sum", "out"}));
    const Value& wanted = valueOf(graph, "wanted");
    QCOMPARE(wanted.role, ValueRole::Constant);
    QCOMPARE(readElements(wanted.type.dtype, *wanted.type.shape(), *wanted.data).elements[0], Scalar::ofInteger(6));
    QCOMPARE(decisions.size(), std::size_t(5));
    QCOMPARE(decisions[0].kind, DecisionKind::Fold);
    QCOMPARE(decisions[0].subject, std::string("zero"));
}

void Fold::nothingIsFoldedWhereThePolicySaysSo()
{
    Sample sample;

    const Graph graph = sample.folded(FoldPolicy::Off);

    QCOMPARE(steps(graph).size(), 8);
    QCOMPARE(valueOf(graph, "wanted").role, ValueRole::Intermediate);
}

void Fold::constantInputsAreComputedAheadUnderAll()
{
    Sample sample;

    const Graph graph = sample.folded(FoldPolicy::All);

    QCOMPARE(steps(graph), QStringList({"y", "out"}));
    QCOMPARE(valueOf(graph, "sum").role, ValueRole::Constant);
    QVERIFY(!valueOf(graph, "sum").data->present()); // Its node runs before the first step.
    QVERIFY(graph.decided[findNode(graph, "sum")].ahead);
}

void Fold::graphOutputsStay()
{
    Sample sample;
    for (const char* name : {"wanted", "sum"})
        sample.builder.addOutput(findValue(sample.builder.graph(), name));

    const Graph graph = sample.folded(FoldPolicy::All);

    QCOMPARE(steps(graph), QStringList({"wanted", "y", "sum", "out"}));
    QCOMPARE(valueOf(graph, "wanted").role, ValueRole::Intermediate);
}

void Fold::randomNodesStay()
{
    Sample sample;
    const ValueId noise = sample.node({.op = "RandomUniformLike"}, {findValue(sample.builder.graph(), "w")}, "noise");
    sample.builder.addOutput(sample.node({.op = "Neg"}, {noise}, "quiet"));

    const Graph graph = sample.folded(FoldPolicy::All);

    QCOMPARE(steps(graph), QStringList({"y", "out", "noise", "quiet"}));
}

void Fold::nodesThatNobodyReadFromTheStartStay()
{
    Sample sample;
    sample.node({.op = "Relu"}, {findValue(sample.builder.graph(), "x")}, "dead");

    const Graph graph = sample.folded(FoldPolicy::Shapes);

    QVERIFY(steps(graph).contains(QStringLiteral("dead"))); // The report has advice for it.
}

QTEST_APPLESS_MAIN(Fold)
#include "tst_fold.moc"
