#include "core/picture/graph_picture.h"
#include "core/picture/groups/repeated_blocks.h"

#include "tests/core/picture/picture_samples.h"

#include "core/graph/graph_builder.h"

#include <QtTest>

#include <memory>
#include <random>
#include <set>

using namespace plimsoll;

namespace {

const TensorType SomeType = TensorType::dense(DType::Float32, {4});

/// A report that has only what the graph's picture needs.
Report reportOn(Graph graph)
{
    Report report;
    report.program.schedule = scheduleInCapturedOrder(graph);
    report.program.values.resize(graph.values.size());
    report.program.graph = std::make_shared<const Graph>(std::move(graph));
    return report;
}

/// A chain of nodes with the given names.
Graph chain(const QStringList& names)
{
    GraphBuilder builder("chain");
    ValueId last = builder.addInput("x", SomeType);
    for (const QString& name : names) {
        const std::string text = name.toStdString();
        const NodeId node = builder.addNode({.name = text, .op = "Relu"}, {last}, {text + ".out"});
        last = builder.output(node, 0);
    }
    builder.addOutput(last);
    return std::move(builder).build().value();
}

/// x → If(cond) { then: a → b; else: c } → … → tail
Graph branching(int owners = 1)
{
    GraphBuilder builder("branching");
    const ValueId x = builder.addInput("x", SomeType);
    const ValueId cond = builder.addInput("cond", TensorType::dense(DType::Bool, {}));
    ValueId last = x;
    for (int i = 0; i < owners; ++i) {
        const std::string k = owners > 1 ? std::to_string(i) : "";
        const NodeId owner = builder.addNode({.name = "if" + k, .op = "If"}, {cond}, {"y" + k});
        builder.openBody(owner, "then_branch");
        const NodeId a = builder.addNode({.name = "a" + k, .op = "Relu"}, {last}, {"a.out" + k});
        const NodeId b = builder.addNode({.name = "b" + k, .op = "Exp"}, {builder.output(a, 0)}, {"b.out" + k});
        builder.addOutput(builder.output(b, 0));
        builder.closeBody();
        builder.openBody(owner, "else_branch");
        const NodeId c = builder.addNode({.name = "c" + k, .op = "Neg"}, {last}, {"c.out" + k});
        builder.addOutput(builder.output(c, 0));
        builder.closeBody();
        last = builder.output(owner, 0);
    }
    const NodeId tail = builder.addNode({.name = "tail", .op = "Abs"}, {last}, {"z"});
    builder.addOutput(builder.output(tail, 0));
    return std::move(builder).build().value();
}

/// An If whose two branches have \p nodes each, all but the first in the name scope "scope" of their branch.
Graph scopesInBranches(int nodes)
{
    static const char* const Ops[] = {"Relu", "Exp", "Neg", "Abs", "Tanh"};
    GraphBuilder builder("scopes");
    const ValueId x = builder.addInput("x", SomeType);
    const ValueId cond = builder.addInput("cond", TensorType::dense(DType::Bool, {}));
    const NodeId owner = builder.addNode({.name = "if", .op = "If"}, {cond}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        builder.openBody(owner, branch);
        ValueId last = x;
        for (int i = 0; i < nodes; ++i) {
            const std::string name = (i > 0 && nodes < 40 ? "scope/n" : "n") + std::to_string(i);
            const NodeId node = builder.addNode({.name = name, .op = Ops[i % 5]}, {last}, {name + ".out"});
            last = builder.output(node, 0);
        }
        builder.addOutput(last);
        builder.closeBody();
    }
    builder.addOutput(builder.output(owner, 0));
    return std::move(builder).build().value();
}

GraphPicture pictureOf(const Report& report, const GroupTree& tree, const Expansion& open)
{
    return makeGraphPicture(report, StorageColours(report.program.storages.size(), 0), tree, open);
}

QStringList titles(const GraphPicture& picture)
{
    QStringList result;
    for (const GraphBox& box : picture.boxes)
        result << QString::fromStdString(box.title);
    return result;
}

QStringList arrows(const GraphPicture& picture)
{
    QStringList result;
    for (const GraphArrow& arrow : picture.arrows) {
        result << QString::fromStdString(picture.boxes[arrow.from].title + ">" + picture.boxes[arrow.to].title);
    }
    result.sort();
    return result;
}

std::vector<std::string_view> operators(const char* letters)
{
    std::vector<std::string_view> items;
    for (const char* c = letters; *c; ++c)
        items.emplace_back(c, 1);
    return items;
}

} // namespace

class TestGraphPicture : public QObject
{
    Q_OBJECT

private slots:
    void namePathsBecomeGroups();
    void closedGroupsMergeTheirArrows();
    void branchesShowInsideTheirOwner();
    void openBranchesHaveFramesWithTheirNames();
    void closedBranchesShowAsTheirOwner();
    void manyOwnersOfBranchesOpenClosed_data();
    void manyOwnersOfBranchesOpenClosed();
    void revealOpensTheWayToANode();
    void repeatedOperatorsAreFound_data();
    void repeatedOperatorsAreFound();
    void flatGraphsAreCutWhereLittleFlows();
    void closedGroupsSayWhatTheyHold();
    void flatGraphsOpenWithFewBoxes_data();
    void flatGraphsOpenWithFewBoxes();
    void everyNodeStandsInOneGroup();
    void groupsNeverSpanBodies_data();
    void groupsNeverSpanBodies();
    void everyOpenBodyHasAllItsBoxes_data();
    void everyOpenBodyHasAllItsBoxes();
    void valuesKnowTheirBoxes();
    void expandedGraphsKeepEveryArrow();
    void manyInputsAreWeights_data();
    void manyInputsAreWeights();
};

void TestGraphPicture::namePathsBecomeGroups()
{
    const GroupTree tree = groupNodes(chain({"/enc/l0/a", "/enc/l0/b", "/enc/l1/a", "/enc/l1/b", "head"}));

    QCOMPARE(tree.groups.size(), std::size_t {4});
    QCOMPARE(tree.groups[1].name, std::string("enc"));
    QCOMPARE(tree.groups[2].name, std::string("l0"));
    QCOMPARE(tree.groups[2].parent, GroupId(std::size_t {1}));
    QCOMPARE(tree.groups[1].nodeCount, std::size_t {4});
    QCOMPARE(tree.ofNode[4], RootGroup);
}

void TestGraphPicture::closedGroupsMergeTheirArrows()
{
    const Report report = reportOn(chain({"enc/a", "enc/b", "dec/a", "dec/b"}));
    const GroupTree tree = groupNodes(*report.program.graph);
    Expansion closed(tree.groups.size(), 0);
    closed[0] = 1;

    const GraphPicture picture = pictureOf(report, tree, closed);

    QCOMPARE(arrows(picture), QStringList({"dec>dec/b.out", "enc>dec", "x>enc"}));
}

void TestGraphPicture::branchesShowInsideTheirOwner()
{
    const Report report = reportOn(branching());
    const GroupTree tree = groupNodes(*report.program.graph);

    const GraphPicture picture = pictureOf(report, tree, Expansion(tree.groups.size(), 1));

    QCOMPARE(arrows(picture),
             QStringList({"Abs>z", "Exp>If", "If>Abs", "Neg>If", "Relu>Exp", "cond>If", "x>Neg", "x>Relu"}));
}

void TestGraphPicture::openBranchesHaveFramesWithTheirNames()
{
    const Report report = reportOn(branching());
    const GroupTree tree = groupNodes(*report.program.graph);

    const GraphPicture picture = pictureOf(report, tree, Expansion(tree.groups.size(), 1));

    QCOMPARE(picture.frames.size(), std::size_t {2});
    QCOMPARE(picture.frames[0].title, std::string("if · then_branch"));
    QCOMPARE(picture.frames[1].title, std::string("if · else_branch"));
    for (const GraphBox& box : picture.boxes) {
        const bool inThen = box.title == "Relu" || box.title == "Exp";
        QCOMPARE(box.frame, inThen ? 0 : box.title == "Neg" ? 1 : -1);
    }
}

void TestGraphPicture::closedBranchesShowAsTheirOwner()
{
    const Report report = reportOn(branching());
    const GroupTree tree = groupNodes(*report.program.graph);
    Expansion open(tree.groups.size(), 0);
    open[0] = 1;

    const GraphPicture picture = pictureOf(report, tree, open);

    QCOMPARE(arrows(picture), QStringList({"Abs>z", "If>Abs", "cond>If", "x>If"}));
    QCOMPARE(picture.boxOfNode[1], picture.boxOfNode[0]);
}

void TestGraphPicture::manyOwnersOfBranchesOpenClosed_data()
{
    QTest::addColumn<int>("owners");
    QTest::addColumn<bool>("open");
    QTest::newRow("a few") << 3 << true;
    QTest::newRow("many") << 4 << false;
}

void TestGraphPicture::manyOwnersOfBranchesOpenClosed()
{
    QFETCH(int, owners);
    QFETCH(bool, open);
    const Report report = reportOn(branching(owners));
    const GroupTree tree = groupNodes(*report.program.graph);

    const GraphPicture picture = pictureOf(report, tree, defaultExpansion(tree));

    QCOMPARE(titles(picture).count(QStringLiteral("Exp")), open ? owners : 0);
    QCOMPARE(titles(picture).count(QStringLiteral("If")), owners);
    if (!open) QCOMPARE(picture.boxes[2].subtitle, std::string("if0"));
    if (!open) QCOMPARE(picture.boxes[2].count, std::string("3 nodes"));
}

void TestGraphPicture::revealOpensTheWayToANode()
{
    const GroupTree tree = groupNodes(chain({"enc/l0/a", "enc/l0/b", "enc/l1/a", "enc/l1/b", "head"}));
    Expansion open(tree.groups.size(), 0);
    open[0] = 1;
    const NodeId node(std::size_t {2});

    reveal(tree, open, node);

    for (GroupId group = tree.ofNode[node.index()]; group.valid(); group = tree[group].parent)
        QVERIFY(open[group.index()]);
    QVERIFY(!open[tree.ofNode[0].index()]);
}

void TestGraphPicture::repeatedOperatorsAreFound_data()
{
    QTest::addColumn<QByteArray>("letters");
    QTest::addColumn<QString>("expected"); // begin x period x count
    QTest::newRow("none") << QByteArray("abcdefghijklmnopqrstuvwxyz") << "";
    QTest::newRow("plain") << QByteArray("xyabcdabcdabcdabcdz") << "2x4x4";
    QTest::newRow("two stages") << QByteArray("abcdabcdabcdabcdQRefghiefghiefghiefghiZ") << "0x4x4 18x5x4";
    QTest::newRow("all alike") << QByteArray("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") << "";
    QTest::newRow("empty") << QByteArray("") << "";
}

void TestGraphPicture::repeatedOperatorsAreFound()
{
    QFETCH(QByteArray, letters);
    QFETCH(QString, expected);

    QStringList found;
    for (const RepeatedBlocks& blocks : findRepeatedBlocks(operators(letters.constData()))) {
        found << QStringLiteral("%1x%2x%3").arg(blocks.begin).arg(blocks.period).arg(blocks.count);
    }

    QCOMPARE(found.join(QLatin1Char(' ')), expected);
}

/// Residual blocks of 20 to 24 nodes, no two neighbours alike: each ends with an addition of where it began.
void TestGraphPicture::flatGraphsAreCutWhereLittleFlows()
{
    static const char* const Ops[] = {"Conv", "Relu", "Exp", "Neg", "Abs", "Tanh", "Sqrt"};
    GraphBuilder builder("residual");
    ValueId last = builder.addInput("x", SomeType);
    int number = 0;
    const auto add = [&](const char* op, const ValueIds& inputs) {
        const std::string name = "n" + std::to_string(number++);
        last = builder.output(builder.addNode({.name = name, .op = op}, inputs, {name + ".out"}), 0);
    };
    std::minstd_rand draw(1);
    std::vector<int> ends;
    for (int block = 0; block < 10; ++block) {
        const ValueId begin = last;
        for (int i = 0; i < 19 + block % 5; ++i)
            add(Ops[draw() % 7], {last});
        add("Add", {last, begin});
        ends.push_back(number);
    }
    builder.addOutput(last);

    const GroupTree tree = groupNodes(std::move(builder).build().value());

    std::vector<int> cuts;
    for (const Group& group : tree.groups)
        if (group.kind == GroupKind::Block) cuts.push_back(group.nodes.back().number() + 1);
    QVERIFY(!cuts.empty());
    for (const int cut : cuts)
        QVERIFY2(std::ranges::count(ends, cut) == 1, qPrintable(QString::number(cut)));
    QCOMPARE(tree.groups[1].name, std::string("block 1"));
    const auto chunks = std::ranges::count(tree.groups, GroupKind::Chunk, &Group::kind);
    QCOMPARE(chunks, 0);
}

void TestGraphPicture::closedGroupsSayWhatTheyHold()
{
    Graph graph = chain({"enc/a", "enc/b", "enc/c", "enc/d", "enc/e", "head"});
    graph.nodes[1].op = graph.nodes[2].op = "Conv";
    graph.nodes[4].op = "Tanh";
    const Report report = reportOn(std::move(graph));
    const GroupTree tree = groupNodes(*report.program.graph);

    const GraphPicture picture = pictureOf(report, tree, {1, 0});

    QCOMPARE(picture.boxes[1].title, std::string("enc"));
    QCOMPARE(picture.boxes[1].subtitle, std::string("Conv ×2, Relu ×2"));
    QCOMPARE(picture.boxes[1].count, std::string("5 nodes"));
}

void TestGraphPicture::flatGraphsOpenWithFewBoxes_data()
{
    QTest::addColumn<int>("nodes");
    QTest::newRow("small") << 100;
    QTest::newRow("large") << 3000;
    QTest::newRow("very large") << 100'000;
}

void TestGraphPicture::flatGraphsOpenWithFewBoxes()
{
    QFETCH(int, nodes);
    QStringList names;
    for (int i = 0; i < nodes; ++i)
        names << QStringLiteral("n%1").arg(i);
    const Report report = reportOn(chain(names));
    const GroupTree tree = groupNodes(*report.program.graph);

    const GraphPicture picture = pictureOf(report, tree, defaultExpansion(tree));

    if (nodes == 100) QCOMPARE(picture.boxes.size(), std::size_t {102});
    QVERIFY2(nodes > 10'000 || picture.boxes.size() <= 302, qPrintable(QString::number(picture.boxes.size())));
    QVERIFY(picture.boxes.size() < 3000);
}

void TestGraphPicture::everyNodeStandsInOneGroup()
{
    QStringList names;
    for (int i = 0; i < 500; ++i)
        names << QStringLiteral("%1n%2").arg(i % 3 ? "deep/er/" : "").arg(i);
    const GroupTree tree = groupNodes(chain(names));

    std::vector<int> seen(500, 0);
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
        for (NodeId node : tree.groups[g].nodes) {
            ++seen[node.index()];
            QVERIFY(tree.ofNode[node.index()] == GroupId(g));
        }
        if (g > 0) QVERIFY(tree.groups[g].parent.index() < g);
    }
    QVERIFY(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    QCOMPARE(tree.groups[0].nodeCount, std::size_t {500});
}

void TestGraphPicture::groupsNeverSpanBodies_data()
{
    QTest::addColumn<int>("nodes");
    QTest::newRow("equal names in both branches") << 6;
    QTest::newRow("so many that they are searched for repeats") << 60;
    QTest::newRow("so many that they are cut in chunks") << 300;
}

void TestGraphPicture::groupsNeverSpanBodies()
{
    QFETCH(int, nodes);
    const Graph graph = scopesInBranches(nodes);

    const GroupTree tree = groupNodes(graph);

    for (const Group& group : tree.groups) {
        if (group.kind == GroupKind::Bodies) continue;
        for (NodeId node : group.nodes)
            QVERIFY2(graph[node].body == group.body, group.name.c_str());
    }
}

void TestGraphPicture::everyOpenBodyHasAllItsBoxes_data()
{
    QTest::addColumn<bool>("scopesOpen");
    QTest::newRow("scopes closed") << false;
    QTest::newRow("all open") << true;
}

void TestGraphPicture::everyOpenBodyHasAllItsBoxes()
{
    QFETCH(bool, scopesOpen);
    const Report report = reportOn(scopesInBranches(8));
    const Graph& graph = *report.program.graph;
    const GroupTree tree = groupNodes(graph);
    Expansion open(tree.groups.size(), 1);
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (tree.groups[i].kind == GroupKind::Path && !scopesOpen) open[i] = 0;
    }

    const GraphPicture picture = pictureOf(report, tree, open);

    QCOMPARE(std::ranges::count(picture.frames, false, &GraphFrame::wraps), 2);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const std::int32_t frame = picture.boxes[static_cast<std::size_t>(picture.boxOfNode[i])].frame;
        QCOMPARE(frame < 0 ? TopBody : picture.frames[static_cast<std::size_t>(frame)].body, graph.nodes[i].body);
    }
}

void TestGraphPicture::valuesKnowTheirBoxes()
{
    const Report report = reportOn(branching());
    const GroupTree tree = groupNodes(*report.program.graph);
    Expansion open(tree.groups.size(), 0);
    open[0] = 1;

    const GraphPicture picture = pictureOf(report, tree, open);

    const auto boxOf = [&](const char* value) {
        const std::int32_t box = picture.boxOfValue[findValue(*report.program.graph, value).index()];
        return box < 0 ? std::string() : picture.boxes[static_cast<std::size_t>(box)].title;
    };
    QCOMPARE(boxOf("x"), std::string("x"));
    QCOMPARE(boxOf("z"), std::string("Abs"));
    QCOMPARE(boxOf("y"), std::string("If"));
    QCOMPARE(boxOf("if/then_branch/b.out"), std::string("If")); // closed: it shows as its owner
}

void TestGraphPicture::expandedGraphsKeepEveryArrow()
{
    const Report report = test::randomReport(200, 5);
    const GroupTree tree = groupNodes(*report.program.graph);

    const GraphPicture picture = pictureOf(report, tree, Expansion(tree.groups.size(), 1));

    std::set<std::pair<std::int32_t, std::int32_t>> expected;
    for (std::size_t i = 0; i < report.program.graph->nodes.size(); ++i) {
        for (ValueId input : report.program.graph->nodes[i].inputs) {
            const NodeId from = (*report.program.graph)[input].producer;
            if (from.index() != i) expected.insert({picture.boxOfNode[from.index()], picture.boxOfNode[i]});
        }
    }
    QCOMPARE(picture.arrows.size(), expected.size());
    QVERIFY(titles(picture).contains(QStringLiteral("Conv")));
}

void TestGraphPicture::manyInputsAreWeights_data()
{
    QTest::addColumn<int>("weights");
    QTest::addColumn<bool>("handedBack");
    QTest::addColumn<QStringList>("inputs");
    QTest::addColumn<int>("outputs");
    QTest::newRow("a few") << 2 << true << QStringList({"x", "w0", "w1"}) << 3;
    QTest::newRow("state") << 30 << true << QStringList({"x"}) << 1;
    QTest::newRow("no saying which") << 30 << false << QStringList() << 1;
}

void TestGraphPicture::manyInputsAreWeights()
{
    QFETCH(int, weights);
    QFETCH(bool, handedBack);
    GraphBuilder builder("weights");
    ValueId last = builder.addInput("x", SomeType);
    ValueIds inputs;
    for (int i = 0; i < weights; ++i)
        inputs.push_back(builder.addInput("w" + std::to_string(i), SomeType));
    for (int i = 0; i < weights; ++i) {
        const std::string name = "n" + std::to_string(i);
        last = builder.output(builder.addNode({.name = name, .op = "Add"}, {last, inputs[i]}, {name + ".out"}), 0);
    }
    builder.addOutput(last);
    for (int i = 0; i < weights && handedBack; ++i)
        builder.addOutput(inputs[i]);
    const Report report = reportOn(std::move(builder).build().value());
    const GroupTree tree = groupNodes(*report.program.graph);
    const GraphPicture picture = pictureOf(report, tree, Expansion(tree.groups.size(), 1));

    QStringList boxes;
    for (const GraphBox& box : picture.boxes)
        if (box.kind == BoxKind::Input) boxes << QString::fromStdString(box.title);
    QTEST(boxes, "inputs");
    QTEST(static_cast<int>(std::ranges::count(picture.boxes, BoxKind::Output, &GraphBox::kind)), "outputs");
}

QTEST_APPLESS_MAIN(TestGraphPicture)
#include "tst_graph_picture.moc"
