#include "core/picture/graph_scope.h"

#include "core/graph/graph_builder.h"

#include <QtTest>

#include <map>
#include <memory>

using namespace plimsoll;

namespace {

/// A report on the graph "b=a c=ab": each node is a letter before the letters that it reads; what no node makes is an
/// input, and the last node's value the output.
Report reportOn(const QString& nodes)
{
    const TensorType type = TensorType::dense(DType::Float32, {4});
    GraphBuilder builder("letters");
    std::map<QChar, ValueId> values;
    const QStringList all = nodes.split(u' ');
    for (const QString& node : all) {
        ValueIds inputs;
        for (const QChar letter : node.mid(2)) {
            if (!values.contains(letter)) values[letter] = builder.addInput(QString(letter).toStdString(), type);
            inputs.push_back(values[letter]);
        }
        const std::string name = node.left(1).toStdString();
        const NodeId id = builder.addNode({.name = name, .op = "Sum"}, inputs, {name + ".out"});
        values[node.at(0)] = builder.output(id, 0);
    }
    builder.addOutput(values[all.back().at(0)]);
    Graph graph = std::move(builder).build().value();
    Report report;
    report.program.schedule = scheduleInCapturedOrder(graph);
    report.program.values.resize(graph.values.size());
    report.program.graph = std::make_shared<const Graph>(std::move(graph));
    return report;
}

GraphPicture openPicture(const Report& report)
{
    const GroupTree tree = groupNodes(*report.program.graph);
    return makeGraphPicture(report, {}, tree, Expansion(tree.groups.size(), 1));
}

GraphPlace placeOf(const Graph& graph, const QString& name)
{
    const std::string text = name.toStdString();
    return {findNode(graph, text), findNode(graph, text).valid() ? ValueId() : findValue(graph, text)};
}

/// What is kept, by the names in the picture, an output as "out".
QString namesOf(const GraphPicture& picture, const std::vector<char>& kept)
{
    QStringList names;
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
        const GraphBox& box = picture.boxes[i];
        const std::string& name = box.node.valid() ? box.subtitle : box.title;
        if (kept[i]) names << (box.kind == BoxKind::Output ? QStringLiteral("out") : QString::fromStdString(name));
    }
    names.sort();
    return names.join(u' ');
}

constexpr const char* Diamond = "a=x b=a c=a d=bc e=dy f=e";

} // namespace

/// What of a graph is looked at:
///
///     x → a → b → d → e → f → out
///          ↘  c ↗    ↗
///                   y
class GraphScopeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNear_data();
    void whatIsNear();
    void eventsAreNoWay();
    void aClosedGroupStandsForItsNodes();
    void whatIsCutOutKeepsItsArrows();
};

void GraphScopeTest::whatIsNear_data()
{
    QTest::addColumn<ScopeKind>("kind");
    QTest::addColumn<int>("hops");
    QTest::addColumn<QString>("at");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("expected");
    QTest::newRow("all") << ScopeKind::Whole << 1 << "d"
                         << ""
                         << "a b c d e f out x y";
    QTest::newRow("one hop") << ScopeKind::Around << 1 << "d"
                             << ""
                             << "b c d e";
    QTest::newRow("two hops") << ScopeKind::Around << 2 << "d"
                              << ""
                              << "a b c d e f y";
    QTest::newRow("an input") << ScopeKind::Around << 1 << "y"
                              << ""
                              << "e y";
    QTest::newRow("what it comes from") << ScopeKind::Sources << 1 << "d"
                                        << ""
                                        << "a b c d x";
    QTest::newRow("what uses it") << ScopeKind::Uses << 1 << "d"
                                  << ""
                                  << "d e f out";
    QTest::newRow("what uses an input") << ScopeKind::Uses << 1 << "y"
                                        << ""
                                        << "e f out y";
    QTest::newRow("a path, both ways round the diamond") << ScopeKind::Path << 1 << "a"
                                                         << "e"
                                                         << "a b c d e";
    QTest::newRow("a path from its end") << ScopeKind::Path << 1 << "e"
                                         << "a"
                                         << "a b c d e";
    QTest::newRow("no path") << ScopeKind::Path << 1 << "b"
                             << "c"
                             << "";
    QTest::newRow("a path without an end") << ScopeKind::Path << 1 << "b"
                                           << ""
                                           << "a b c d e f out x y";
}

void GraphScopeTest::whatIsNear()
{
    QFETCH(ScopeKind, kind);
    QFETCH(int, hops);
    QFETCH(QString, at);
    QFETCH(QString, other);
    const Report report = reportOn(QString::fromLatin1(Diamond));
    const Graph& graph = *report.program.graph;
    const GraphPicture picture = openPicture(report);
    GraphScope scope {.kind = kind, .hops = hops, .at = placeOf(graph, at)};
    if (!other.isEmpty()) scope.other = placeOf(graph, other);

    QTEST(namesOf(picture, boxesInScope(picture, scope)), "expected");
}

void GraphScopeTest::eventsAreNoWay()
{
    const Report report = reportOn(QStringLiteral("a=x b=y c=b"));
    GraphPicture picture = openPicture(report);
    picture.arrows.push_back({picture.boxOfNode[0], picture.boxOfNode[1], {}, 0, NoColour, true});

    const auto kept = boxesInScope(picture, {.kind = ScopeKind::Uses, .at = {NodeId(std::size_t {0}), {}}});

    QCOMPARE(namesOf(picture, kept), QStringLiteral("a"));
}

void GraphScopeTest::aClosedGroupStandsForItsNodes()
{
    Report report = reportOn(QString::fromLatin1(Diamond));
    auto graph = std::make_shared<Graph>(*report.program.graph);
    for (const std::size_t node : {0, 1, 2})
        graph->nodes[node].name = "g/" + graph->nodes[node].name; // a, b, c
    report.program.graph = graph;
    const GraphPicture open = openPicture(report);
    const GroupTree tree = groupNodes(*graph);
    const GraphPicture shown = makeGraphPicture(report, {}, tree, {1, 0});
    const auto kept = boxesInScope(
        open, {.kind = ScopeKind::Path, .at = {NodeId(std::size_t {1}), {}}, .other = {NodeId(std::size_t {4}), {}}});

    const auto standing = boxesStandingFor(open, kept, shown);

    QStringList titles;
    for (std::size_t i = 0; i < standing.size(); ++i)
        if (standing[i]) titles << QString::fromStdString(shown.boxes[i].title + shown.boxes[i].subtitle);
    QCOMPARE(titles.join(u' '), QStringLiteral("gSum ×3 Sumd Sume"));
    QVERIFY(boxesStandingFor(open, boxesInScope(open, {}), shown) == std::vector<char>(shown.boxes.size(), 1));
}

void GraphScopeTest::whatIsCutOutKeepsItsArrows()
{
    const Report report = reportOn(QString::fromLatin1(Diamond));
    const GraphPicture picture = openPicture(report);
    const auto kept = boxesInScope(picture, {.kind = ScopeKind::Around, .at = {NodeId(std::size_t {3}), {}}});

    const GraphPicture rest = onlyBoxes(picture, kept);

    QCOMPARE(namesOf(rest, std::vector<char>(rest.boxes.size(), 1)), QStringLiteral("b c d e"));
    QStringList arrows;
    for (const GraphArrow& arrow : rest.arrows)
        arrows << QString::fromStdString(rest.boxes[arrow.from].subtitle + rest.boxes[arrow.to].subtitle);
    QCOMPARE(arrows.join(u' '), QStringLiteral("bd cd de"));
    QCOMPARE(rest.boxOfNode[0], -1);
    QCOMPARE(rest.boxes[rest.boxOfNode[4]].subtitle, std::string("e"));
    QCOMPARE(rest.boxOfValue[0], -1); // x
}

QTEST_APPLESS_MAIN(GraphScopeTest)
#include "tst_graph_scope.moc"
