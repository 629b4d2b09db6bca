#include "core/facts/english/english.h"
#include "core/picture/layout/dot_layout.h"
#include "core/picture/layout/layered_layout.h"
#include "core/picture/layout/layout_clusters.h"
#include "core/picture/layout/side_routes.h"

#include <QProcess>
#include <QtTest>

#include <random>

using namespace plimsoll;

namespace {

LayoutProblem problemOf(std::size_t boxes, std::vector<LayoutEdge> edges)
{
    LayoutProblem problem;
    for (std::size_t i = 0; i < boxes; ++i)
        problem.boxes.push_back({80.0 + double(i % 3) * 30, 40});
    problem.edges = std::move(edges);
    return problem;
}

/// A chain of blocks of four with a skip around each, as in residual networks.
LayoutProblem residual(std::int32_t boxes)
{
    std::vector<LayoutEdge> edges;
    for (std::int32_t i = 1; i < boxes; ++i)
        edges.push_back({i - 1, i});
    for (std::int32_t i = 0; i + 4 < boxes; i += 4)
        edges.push_back({i, i + 4});
    return problemOf(static_cast<std::size_t>(boxes), edges);
}

/// Forward and backward: every box of the first half feeds its mirror image.
LayoutProblem training(std::int32_t boxes)
{
    std::vector<LayoutEdge> edges;
    for (std::int32_t i = 1; i < boxes; ++i)
        edges.push_back({i - 1, i});
    for (std::int32_t i = 0; i < boxes / 2; ++i)
        edges.push_back({i, boxes - 1 - i});
    return problemOf(static_cast<std::size_t>(boxes), edges);
}

LayoutProblem randomProblem(std::uint32_t seed, std::int32_t boxes, bool cycles)
{
    std::mt19937 random(seed);
    std::vector<LayoutEdge> edges;
    for (std::int32_t i = 1; i < boxes; ++i) {
        const int count = static_cast<int>(random() % 3);
        for (int k = 0; k < count; ++k) {
            const std::int32_t back = std::min(i, static_cast<std::int32_t>(1 + random() % 20));
            edges.push_back({i - back, i});
        }
        if (cycles && random() % 10 == 0) edges.push_back({i, static_cast<std::int32_t>(random() % boxes)});
    }
    return problemOf(static_cast<std::size_t>(boxes), edges);
}

GraphLayout layoutOf(const LayoutProblem& problem)
{
    Result<GraphLayout> layout = layoutLayered(problem, {});
    return layout.ok() ? std::move(layout).value() : GraphLayout();
}

bool boxesOverlap(const LayoutProblem& problem, const GraphLayout& layout)
{
    std::vector<std::size_t> order(problem.boxes.size());
    std::iota(order.begin(), order.end(), 0);
    const auto& centres = layout.centres;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(centres[a].y, centres[a].x) < std::pair(centres[b].y, centres[b].x);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const std::size_t a = order[i - 1];
        const std::size_t b = order[i];
        if (centres[a].y != centres[b].y) continue;
        if (centres[b].x - centres[a].x < (problem.boxes[a].width + problem.boxes[b].width) / 2 - 1e-6) return true;
    }
    return false;
}

/// Edges with a point in the inside of a box that is not one of their ends, bends included.
std::vector<std::size_t> boxesUnderEdges(const LayoutProblem& problem, const GraphLayout& layout)
{
    std::vector<std::size_t> all(problem.edges.size());
    std::iota(all.begin(), all.end(), 0);
    return edgesOverBoxes(problem, all, layout);
}

} // namespace

class TestLayeredLayout : public QObject
{
    Q_OBJECT

private slots:
    void clustersStandApart_data();
    void clustersStandApart();
    void aChainIsAStraightLine();
    void aDiamondIsSymmetric();
    void residualNetworksDoNotDriftSideways();
    void inputsAndOutputsDoNotBendTheSpine();
    void edgesGoDownAndBoxesStayApart_data();
    void edgesGoDownAndBoxesStayApart();
    void onlyEdgesOfCyclesGoUp();
    void theSameProblemGivesTheSameLayout();
    void routesJoinTheirBoxes();
    void aStopIsObeyed();
    void nothingIsLaidOutAsNothing();
    void largeGraphsAreLaidOut_data();
    void largeGraphsAreLaidOut();
    void whatOnlySourcesFeedStandsAboveItsReader();
    void edgesPassBesideBoxes_data();
    void edgesPassBesideBoxes();
    void edgesOutOfClustersPassBesideBoxes();
    void framesHoldTheirEdges();
    void longEdgesAreKeptFromDot();
    void longEdgesOfDotPassBesideBoxes();
    void dotLeavesRoomForFrames();
    void plainAnswersAreRead();
    void damagedAnswersAreRefused_data();
    void damagedAnswersAreRefused();
};

void TestLayeredLayout::aChainIsAStraightLine()
{
    const GraphLayout layout = layoutOf(problemOf(3, {{0, 1}, {1, 2}}));

    QCOMPARE(layout.centres[0].x, layout.centres[1].x);
    QCOMPARE(layout.centres[1].x, layout.centres[2].x);
    QVERIFY(layout.centres[0].y < layout.centres[1].y && layout.centres[1].y < layout.centres[2].y);
}

void TestLayeredLayout::aDiamondIsSymmetric()
{
    LayoutProblem problem = problemOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    for (LayoutBox& box : problem.boxes)
        box = {80, 40};

    const GraphLayout layout = layoutOf(problem);

    QCOMPARE(layout.centres[0].x, layout.centres[3].x);
    QCOMPARE(layout.centres[0].x - layout.centres[1].x, layout.centres[2].x - layout.centres[0].x);
    QCOMPARE(layout.centres[1].y, layout.centres[2].y);
}

void TestLayeredLayout::residualNetworksDoNotDriftSideways()
{
    const GraphLayout layout = layoutOf(residual(2000));

    QVERIFY2(layout.width < 400, qPrintable(QString::number(layout.width)));
}

void TestLayeredLayout::inputsAndOutputsDoNotBendTheSpine()
{
    // Blocks in a row, each with an input and an output of its own.
    constexpr std::int32_t Blocks = 20;
    std::vector<LayoutEdge> edges;
    for (std::int32_t i = 0; i < Blocks; ++i) {
        if (i > 0) edges.push_back({i - 1, i});
        edges.push_back({Blocks + i, i});
        edges.push_back({i, 2 * Blocks + i});
    }

    const GraphLayout layout = layoutOf(problemOf(3 * Blocks, edges));

    for (std::int32_t i = 1; i < Blocks; ++i)
        QCOMPARE(layout.centres[i].x, layout.centres[0].x);
    QVERIFY2(layout.width < 600, qPrintable(QString::number(layout.width)));
}

void TestLayeredLayout::edgesGoDownAndBoxesStayApart_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 30; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void TestLayeredLayout::edgesGoDownAndBoxesStayApart()
{
    QFETCH(int, seed);
    const LayoutProblem problem = randomProblem(static_cast<std::uint32_t>(seed), 150, false);

    const GraphLayout layout = layoutOf(problem);

    for (const LayoutEdge& edge : problem.edges)
        QVERIFY(layout.centres[edge.from].y < layout.centres[edge.to].y);
    QVERIFY(!boxesOverlap(problem, layout));
    for (std::size_t i = 0; i < problem.boxes.size(); ++i) {
        QVERIFY(layout.centres[i].x - problem.boxes[i].width / 2 >= -1e-6);
        QVERIFY(layout.centres[i].x + problem.boxes[i].width / 2 <= layout.width + 1e-6);
    }
}

void TestLayeredLayout::onlyEdgesOfCyclesGoUp()
{
    const LayoutProblem problem = randomProblem(5, 120, true);
    const Ranking ranking = rankBoxes(problem);
    const GraphLayout layout = layoutOf(problem);

    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        const auto [from, to] = problem.edges[i];
        if (!ranking.closesCycle[i]) QVERIFY(layout.centres[from].y < layout.centres[to].y);
    }
    QVERIFY(!boxesOverlap(problem, layout));
    QCOMPARE(rankBoxes(problemOf(2, {{0, 1}, {1, 0}, {1, 1}})).closesCycle, (std::vector<char> {0, 1, 1}));
}

void TestLayeredLayout::theSameProblemGivesTheSameLayout()
{
    const LayoutProblem problem = randomProblem(9, 300, true);

    QVERIFY(layoutOf(problem).centres == layoutOf(problem).centres);
}

void TestLayeredLayout::routesJoinTheirBoxes()
{
    const LayoutProblem problem = residual(40);
    const GraphLayout layout = layoutOf(problem);

    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        const auto [from, to] = problem.edges[i];
        QCOMPARE(layout.routes[i].front().x, layout.centres[from].x);
        QCOMPARE(layout.routes[i].front().y, layout.centres[from].y + 20);
        QCOMPARE(layout.routes[i].back().x, layout.centres[to].x);
        QCOMPARE(layout.routes[i].back().y, layout.centres[to].y - 20);
        for (std::size_t k = 1; k < layout.routes[i].size(); ++k) {
            QVERIFY(layout.routes[i][k - 1].y <= layout.routes[i][k].y);
        }
    }
}

void TestLayeredLayout::aStopIsObeyed()
{
    std::stop_source source;
    source.request_stop();

    const Result<GraphLayout> layout = layoutLayered(residual(100), Context {source.get_token(), {}});

    QVERIFY(!layout.ok());
    QCOMPARE(layout.error().code, ErrorCode::Stopped);
}

void TestLayeredLayout::nothingIsLaidOutAsNothing()
{
    const Result<GraphLayout> layout = layoutLayered({}, {});

    QVERIFY(layout.ok());
    QVERIFY(layout.value().centres.empty());
}

void TestLayeredLayout::largeGraphsAreLaidOut_data()
{
    QTest::addColumn<int>("boxes");
    QTest::addColumn<bool>("train");
    QTest::newRow("residual, 3,000") << 3000 << false;
    QTest::newRow("residual, 100,000") << 100'000 << false;
    QTest::newRow("training, 3,000") << 3000 << true;
    QTest::newRow("training, 100,000") << 100'000 << true;
}

void TestLayeredLayout::largeGraphsAreLaidOut()
{
    QFETCH(int, boxes);
    QFETCH(bool, train);
    const LayoutProblem problem = train ? training(boxes) : residual(boxes);
    QElapsedTimer timer;
    timer.start();
    const GraphLayout layout = layoutOf(problem);
    qInfo("%d boxes in %lld ms, %.0f wide", boxes, timer.elapsed(), layout.width);

    QVERIFY(!boxesOverlap(problem, layout));
}

void TestLayeredLayout::whatOnlySourcesFeedStandsAboveItsReader()
{
    // A chain 0 … 9; 10 → { 11, 13 } → 9; and 0 → 12 → 9, which begins in the chain and stays at its top.
    std::vector<LayoutEdge> edges = {{10, 11}, {10, 13}, {11, 9}, {13, 9}, {0, 12}, {12, 9}};
    for (std::int32_t i = 1; i < 10; ++i)
        edges.push_back({i - 1, i});

    const Ranking ranking = rankBoxes(problemOf(14, edges));

    QCOMPARE(ranking.rank[11], 8);
    QCOMPARE(ranking.rank[13], 8);
    QCOMPARE(ranking.rank[10], 7);
    QCOMPARE(ranking.rank[12], 1);
}

void TestLayeredLayout::edgesPassBesideBoxes_data()
{
    QTest::addColumn<int>("boxes");
    QTest::newRow("with dummies") << 24;
    QTest::newRow("too long for dummies") << 120;
}

void TestLayeredLayout::edgesPassBesideBoxes()
{
    QFETCH(int, boxes);
    LayoutProblem problem = residual(boxes);
    problem.edges.push_back({0, boxes - 1});
    problem.edges.push_back({3, boxes - 2});
    problem.boxes[static_cast<std::size_t>(boxes) / 2].height = 200; // beside it, nothing may bend

    QVERIFY(boxesUnderEdges(problem, layoutOf(problem)).empty());
}

void TestLayeredLayout::edgesOutOfClustersPassBesideBoxes()
{
    // 0 → cluster { 1 → 2 → 3 → 4 } → 5, and from outside to the last, from the first to outside.
    LayoutProblem problem = problemOf(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 4}, {1, 5}});
    problem.clusterOf = {-1, 0, 0, 0, 0, -1};
    problem.clusterParents = {-1};

    const GraphLayout layout = layoutClustered(problem, {}).value();

    QVERIFY(boxesUnderEdges(problem, layout).empty());
    QVERIFY(layout.routes[5].size() > 2);
}

void TestLayeredLayout::framesHoldTheirEdges()
{
    LayoutProblem problem = residual(60);
    problem.edges.push_back({0, 58}); // beside all boxes
    problem.clusterOf.assign(60, 0);
    problem.clusterOf[59] = -1;
    problem.clusterParents = {-1};

    const GraphLayout layout = layoutClustered(problem, {}).value();

    const LayoutFrame frame = framesOf(problem, layout)[0];
    for (const Point& point : layout.routes.back()) {
        QVERIFY(point.x >= frame.topLeft.x + FrameAir - 1);
        QVERIFY(point.x <= frame.topLeft.x + frame.size.width - FrameAir + 1);
    }
}

void TestLayeredLayout::longEdgesOfDotPassBesideBoxes()
{
    const LayoutProblem problem = training(60);
    std::string answer = "graph 1 2 99\n";
    for (int i = 0; i < 60; ++i) {
        answer += "node b" + std::to_string(i) + " 1 " + std::to_string(90 - 1.2 * i) + " 1 .5 \"\" solid\n";
    }
    const GraphLayout layout = readDotPlain(answer + "stop\n", problem).value();

    QVERIFY(boxesUnderEdges(problem, layout).empty());
    QVERIFY(layout.routes[59].size() > 10); // rounded
    for (const auto& route : layout.routes) {
        for (const Point& point : route)
            QVERIFY(point.x >= 0 && point.x <= layout.width);
    }
}

void TestLayeredLayout::dotLeavesRoomForFrames()
{
    LayoutProblem problem = problemOf(4, {{0, 2}, {1, 2}, {3, 2}});
    problem.clusterOf = {1, 2, 0, -1};
    problem.clusterParents = {-1, 0, 0};
    QProcess dot;
    dot.start(QStringLiteral("dot"), {QStringLiteral("-Tplain")});
    if (!dot.waitForStarted()) QSKIP("Graphviz is not installed");
    dot.write(QByteArray::fromStdString(writeDot(problem)));
    dot.closeWriteChannel();
    QVERIFY(dot.waitForFinished());

    const GraphLayout layout = readDotPlain(dot.readAllStandardOutput().toStdString(), problem).value();
    const std::vector<LayoutFrame> frames = framesOf(problem, layout.centres);

    const auto rectOf = [](const LayoutFrame& frame) {
        return QRectF(frame.topLeft.x, frame.topLeft.y, frame.size.width, frame.size.height);
    };
    QVERIFY(!rectOf(frames[1]).intersects(rectOf(frames[2])));
    QVERIFY(!rectOf(frames[0]).contains(layout.centres[3].x, layout.centres[3].y));
    QVERIFY(layout.centres[3].x - 40 > rectOf(frames[0]).right() ||
            layout.centres[3].x + 40 < rectOf(frames[0]).left());
    QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(rectOf(frames[0])));
}

void TestLayeredLayout::longEdgesAreKeptFromDot()
{
    const std::string text = writeDot(training(60));

    QVERIFY(text.find("b0 -> b1;") != std::string::npos);
    QVERIFY(text.find("b0 -> b59;") == std::string::npos);
    QVERIFY(text.find("b28 -> b31;") != std::string::npos);
}

void TestLayeredLayout::plainAnswersAreRead()
{
    const LayoutProblem problem = problemOf(2, {{0, 1}});
    const char* answer = "graph 1 2 3\n"
                         "node b0 1 2.5 1 .5 \"\" solid box black lightgrey\n"
                         "node b1 1 0.5 1 .5 \"\" solid box black lightgrey\n"
                         "edge b0 b1 4 1 2.2 1 1.8 1 1.2 1 0.8 solid black\n"
                         "stop\n";

    const Result<GraphLayout> layout = readDotPlain(answer, problem);

    QVERIFY2(layout.ok(), layout.ok() ? "" : describe(layout.error()).c_str());
    QCOMPARE(layout.value().centres[0], (Point {72, 36}));
    QCOMPARE(layout.value().centres[1], (Point {72, 180}));
    QCOMPARE(layout.value().routes[0].size(), std::size_t {17});
}

void TestLayeredLayout::damagedAnswersAreRefused_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QByteArray& answer, const char* said) {
        QTest::newRow(name) << answer << QString::fromLatin1(said);
    };
    const QByteArray placed = "graph 1 2 3\nnode b0 1 1\nnode b1 1 1\n";
    row("empty", {}, "line 0 of dot's answer: The text ends before 'stop'.");
    row("cut off", "graph 1 2 3\nnode b0 1 2.5 1 .5\n", "line 2 of dot's answer: The text ends before 'stop'.");
    row("a box is missing", "graph 1 2 3\nnode b0 1 2.5 1 .5\nstop\n", "line 3 of dot's answer: Box 1 was not placed.");
    row("unknown box", "graph 1 2 3\nnode b7 1 2.5 1 .5\nstop\n",
        "line 2 of dot's answer: A node is not a known box and two numbers.");
    row("a box of another name", "graph 1 2 3\nnode c0 1 2.5\nstop\n",
        "line 2 of dot's answer: A node is not a known box and two numbers.");
    row("no number", "graph 1 two 3\nstop\n", "line 1 of dot's answer: The size of the graph is not three numbers.");
    row("a number and more", "graph 1 2x 3\nstop\n",
        "line 1 of dot's answer: The size of the graph is not three numbers.");
    row("an edge to nowhere", placed + "edge b0 b2 2 1 1 2 2\nstop\n",
        "line 4 of dot's answer: An edge is not two known boxes and a number.");
    row("an edge without a count", placed + "edge b0 b1\nstop\n",
        "line 4 of dot's answer: An edge is not two known boxes and a number.");
    row("too few points", placed + "edge b0 b1 9999 1 1\nstop\n",
        "line 4 of dot's answer: An edge has too few points.");
}

void TestLayeredLayout::damagedAnswersAreRefused()
{
    QFETCH(QByteArray, answer);

    const Result<GraphLayout> layout = readDotPlain(answer.toStdString(), problemOf(2, {{0, 1}}));

    QVERIFY(!layout.ok());
    QTEST(QString::fromStdString(layout.error().where + ": " + english(layout.error().message)), "said");
}

void TestLayeredLayout::clustersStandApart_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 1; seed <= 20; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestLayeredLayout::clustersStandApart()
{
    QFETCH(std::uint32_t, seed);
    LayoutProblem problem = randomProblem(seed, 60, true);
    problem.clusterParents = {-1, 0, -1, 2, 3, -1}; // the last one stays empty
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < problem.boxes.size(); ++i)
        problem.clusterOf.push_back(static_cast<std::int32_t>(random() % 6) - 1);

    const GraphLayout layout = layoutClustered(problem, {}).value();
    const std::vector<LayoutFrame> frames = framesOf(problem, layout);

    const auto within = [&](std::int32_t inner, std::int32_t outer) {
        while (inner >= 0 && inner != outer)
            inner = problem.clusterParents[static_cast<std::size_t>(inner)];
        return inner == outer;
    };
    for (std::size_t box = 0; box < problem.boxes.size(); ++box) {
        const QRectF rect(layout.centres[box].x - problem.boxes[box].width / 2, layout.centres[box].y - 20,
                          problem.boxes[box].width, 40);
        QVERIFY(QRectF(-0.5, -0.5, layout.width + 1, layout.height + 1).contains(rect));
        for (std::size_t k = 0; k < frames.size(); ++k) {
            const QRectF frame(frames[k].topLeft.x, frames[k].topLeft.y, frames[k].size.width, frames[k].size.height);
            const bool inside = within(problem.clusterOf[box], static_cast<std::int32_t>(k));
            QVERIFY(inside ? frame.contains(rect) : !frame.intersects(rect));
        }
    }
    QCOMPARE(frames[5].size.width, 0.0);
    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        const auto [from, to] = problem.edges[i];
        if (from == to) continue;
        QCOMPARE(layout.routes[i].front().x, layout.centres[static_cast<std::size_t>(from)].x);
        QCOMPARE(layout.routes[i].back().y, layout.centres[static_cast<std::size_t>(to)].y - 20);
    }
}

QTEST_APPLESS_MAIN(TestLayeredLayout)
#include "tst_layered_layout.moc"
