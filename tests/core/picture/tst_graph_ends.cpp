#include "core/picture/graph_ends.h"

#include "core/graph/graph_builder.h"
#include "core/picture/graph_scope.h"

#include <QtTest>

#include <memory>

using namespace plimsoll;

namespace {

const TensorType Small = TensorType::dense(DType::Float32, {4});

Report reportOn(Graph graph)
{
    Report report;
    report.program.schedule = scheduleInCapturedOrder(graph);
    report.program.values.resize(graph.values.size());
    report.program.graph = std::make_shared<const Graph>(std::move(graph));
    return report;
}

/// So many nodes under one path, each with an input and an output of its own, and one beside the path.
Graph manyEnds(int count)
{
    GraphBuilder builder("ends");
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        const ValueId input = builder.addInput("model.in." + number, Small);
        const NodeId node =
            builder.addNode({.name = "path/n" + number, .op = "Relu"}, {input}, {"model.h." + number + ".weight_grad"});
        builder.addOutput(builder.output(node, 0));
        if (i == 0) builder.addNode({.name = "beside", .op = "Relu"}, {builder.output(node, 0)}, {"y"});
    }
    return std::move(builder).build().value();
}

/// Layers of ten nodes, of which each third reads a weight.
Graph layers(int count, const std::string& prefix)
{
    GraphBuilder builder("layers");
    ValueId value = builder.addInput("x", Small);
    for (int i = 0; i < 10 * count; ++i) {
        ValueIds inputs {value};
        const std::string number = std::to_string(i);
        if (i % 3 == 0)
            inputs.push_back(
                builder.addParameter(prefix + std::to_string(i / 10) + ".part" + number + ".weight", Small));
        const std::string op = "Op" + std::to_string(i % 10);
        value = builder.output(builder.addNode({.name = "n" + number, .op = op}, inputs, {"v" + number}), 0);
    }
    builder.addOutput(value);
    return std::move(builder).build().value();
}

std::vector<std::size_t> boxesOf(const GraphPicture& picture, BoxKind kind)
{
    std::vector<std::size_t> values;
    for (const GraphBox& box : picture.boxes)
        if (box.kind == kind) values.push_back(box.values.size());
    return values;
}

} // namespace

/// Inputs and outputs of closed groups, and what names have in common.
class TestGraphEnds : public QObject
{
    Q_OBJECT

private slots:
    void manyEndsOfAClosedGroupAreOneBox()
    {
        const Report report = reportOn(manyEnds(20));
        const GroupTree tree = groupNodes(*report.program.graph);
        Expansion closed(tree.groups.size(), 0);
        closed[0] = 1;
        QCOMPARE(tree.groups.size(), std::size_t {2});

        const GraphPicture folded = makeGraphPicture(report, {}, tree, closed);
        const GraphPicture all = makeGraphPicture(report, {}, tree, closed, true);
        const GraphPicture open = makeGraphPicture(report, {}, tree, Expansion(2, 1));

        QCOMPARE(boxesOf(folded, BoxKind::Input), std::vector<std::size_t> {20});
        QCOMPARE(boxesOf(folded, BoxKind::Output), std::vector<std::size_t> {20});
        QCOMPARE(folded.boxes.back().title, std::string("20 outputs"));
        QCOMPARE(folded.arrows.size(), std::size_t {3});
        QCOMPARE(folded.arrows.back().values, 20);
        QCOMPARE(boxesOf(all, BoxKind::Output).size(), std::size_t {20});
        QCOMPARE(boxesOf(open, BoxKind::Output).size(), std::size_t {20});
        QCOMPARE(boxesOf(open, BoxKind::Input).size(), std::size_t {20});
        std::vector<char> kept(open.boxes.size(), 0);
        kept[static_cast<std::size_t>(open.boxOfOutput[7])] = 1;
        QCOMPARE(boxesStandingFor(open, kept, folded).back(), char {1});
    }

    void fewStayAsTheyAre()
    {
        const Report report = reportOn(manyEnds(static_cast<int>(MostEnds)));
        const GroupTree tree = groupNodes(*report.program.graph);
        const GraphPicture picture = makeGraphPicture(report, {}, tree, {1, 0});
        QCOMPARE(boxesOf(picture, BoxKind::Output).size(), MostEnds);
        QCOMPARE(picture.boxes.back().title, std::string("11"));
    }

    void namesKeepWhatTellsThemApart()
    {
        using Names = std::vector<std::string>;
        QCOMPARE(whatTellsApart({"m.h.0.w_grad", "m.h.1.w_grad", "m.ln.w_grad"}), (Names {"h.0", "h.1", "ln"}));
        QCOMPARE(whatTellsApart({"a", "a.b", "a.c"}), (Names {"a", "a.b", "a.c"}));
        QCOMPARE(whatTellsApart({"same", "same"}), (Names {"same", "same"}));
        QCOMPARE(whatTellsApart({}), Names());
    }

    void blocksAreCalledAsTheirWeights()
    {
        const GroupTree tree = groupNodes(layers(6, "bert.layer."));
        QCOMPARE(tree.groups.size(), std::size_t {7});
        for (std::size_t i = 1; i < tree.groups.size(); ++i)
            QCOMPARE(tree.groups[i].name, "bert.layer." + std::to_string(i - 1));
        const GroupTree plain = groupNodes(layers(6, "w"));
        QCOMPARE(plain.groups[1].name, std::string("w0"));
    }
};

QTEST_GUILESS_MAIN(TestGraphEnds)
#include "tst_graph_ends.moc"
