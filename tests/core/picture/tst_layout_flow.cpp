#include "core/picture/layout/layered_layout.h"
#include "core/picture/layout/layout_clusters.h"
#include "core/picture/layout/layout_flow.h"

#include <QtTest>

#include <algorithm>

using namespace plimsoll;

namespace {

constexpr LayoutBox View {900, 600};

LayoutProblem chainOf(std::int32_t boxes, std::vector<LayoutEdge> more = {})
{
    LayoutProblem problem;
    problem.boxes.assign(static_cast<std::size_t>(boxes), {100, 40});
    for (std::int32_t i = 1; i < boxes; ++i)
        problem.edges.push_back({i - 1, i});
    problem.edges.insert(problem.edges.end(), more.begin(), more.end());
    return problem;
}

GraphLayout drawn(const LayoutProblem& problem, FlowDirection direction, LayoutBox view = View)
{
    Result<GraphLayout> layout = layoutClustered(standing(problem, direction), {});
    return layout.ok() ? directed(problem, std::move(layout).value(), direction, view) : GraphLayout();
}

bool inside(const GraphLayout& layout, Point point)
{
    return point.x >= 0 && point.y >= 0 && point.x <= layout.width && point.y <= layout.height;
}

std::ptrdiff_t wraps(const GraphLayout& layout)
{
    return std::ranges::count(layout.wraps, 1);
}

} // namespace

class TestLayoutFlow : public QObject
{
    Q_OBJECT

private slots:
    void aLongChainIsSetInColumns();
    void columnsAreReadDownwardsOneAfterTheOther();
    void whatFitsStaysInOneColumn_data();
    void whatFitsStaysInOneColumn();
    void columnsPartWhereFewEdgesCross();
    void noCutGoesThroughAFrame();
    void aFrameThatWrapsHasAPartInEachColumn();
    void edgesBetweenColumnsRunBesideBoxes();
    void edgesToTheRightJoinTheSidesOfTheirBoxes();
};

void TestLayoutFlow::aLongChainIsSetInColumns()
{
    const GraphLayout layout = drawn(chainOf(40), FlowDirection::Fitting);
    const GraphLayout down = drawn(chainOf(40), FlowDirection::Down);

    const auto scaleOf = [](const GraphLayout& of) { return std::min(View.width / of.width, View.height / of.height); };
    QVERIFY(wraps(layout) >= 3);
    QVERIFY(scaleOf(layout) > 2.5 * scaleOf(down));
    for (const Point& centre : layout.centres)
        QVERIFY(inside(layout, centre));
    for (const auto& route : layout.routes)
        QVERIFY(std::ranges::all_of(route, [&](Point point) { return inside(layout, point); }));
}

void TestLayoutFlow::columnsAreReadDownwardsOneAfterTheOther()
{
    const GraphLayout layout = drawn(chainOf(40), FlowDirection::Fitting);

    for (std::size_t i = 1; i < layout.centres.size(); ++i) {
        const bool below =
            layout.centres[i].x == layout.centres[i - 1].x && layout.centres[i].y > layout.centres[i - 1].y;
        const bool onTop =
            layout.centres[i].x > layout.centres[i - 1].x + 100 && layout.centres[i].y == layout.centres[0].y;
        QVERIFY(layout.wraps[i - 1] ? onTop : below);
    }
}

void TestLayoutFlow::whatFitsStaysInOneColumn_data()
{
    QTest::addColumn<int>("boxes");
    QTest::addColumn<FlowDirection>("direction");
    QTest::newRow("short") << 6 << FlowDirection::Fitting;
    QTest::newRow("downwards, as is wanted") << 40 << FlowDirection::Down;
    QTest::newRow("one box") << 1 << FlowDirection::Fitting;
    QTest::newRow("none") << 0 << FlowDirection::Fitting;
}

void TestLayoutFlow::whatFitsStaysInOneColumn()
{
    QFETCH(int, boxes);
    QFETCH(FlowDirection, direction);
    const LayoutProblem problem = chainOf(boxes);

    const GraphLayout layout = drawn(problem, direction);

    const GraphLayout plain = layoutLayered(problem, {}).value();
    QCOMPARE(wraps(layout), 0);
    QVERIFY(layout.centres == plain.centres);
    QVERIFY(layout.routes == plain.routes);
}

/// Skips over three boxes each: between two of them only one edge crosses.
void TestLayoutFlow::columnsPartWhereFewEdgesCross()
{
    std::vector<LayoutEdge> skips;
    for (std::int32_t i = 0; i + 4 < 60; i += 4)
        skips.push_back({i, i + 4});

    const GraphLayout layout = drawn(chainOf(60, skips), FlowDirection::Fitting);

    QVERIFY(wraps(layout) > 0);
    for (std::size_t i = 0; i < 59; ++i)
        QVERIFY2(!layout.wraps[i] || i % 4 == 0, qPrintable(QString::number(i)));
}

void TestLayoutFlow::noCutGoesThroughAFrame()
{
    LayoutProblem problem = chainOf(40);
    problem.clusterParents = {-1};
    problem.clusterOf.assign(40, -1);
    for (std::size_t i = 8; i < 16; ++i)
        problem.clusterOf[i] = 0;

    const GraphLayout layout = drawn(problem, FlowDirection::Fitting);

    QVERIFY(wraps(layout) > 0);
    for (std::size_t i = 8; i < 16; ++i)
        QCOMPARE(layout.centres[i].x, layout.centres[8].x);
}

void TestLayoutFlow::aFrameThatWrapsHasAPartInEachColumn()
{
    LayoutProblem problem = chainOf(40);
    problem.clusterParents = {-1, 0};
    problem.clusterWraps = {1, 1};
    problem.clusterOf.assign(40, -1);
    for (std::size_t i = 2; i < 38; ++i)
        problem.clusterOf[i] = i < 20 ? 0 : 1;

    const GraphLayout layout = drawn(problem, FlowDirection::Fitting);

    const std::vector<LayoutFrame> parts = framePartsOf(problem, layout);
    QVERIFY(wraps(layout) > 0 && parts.size() > 3);
    for (std::size_t i = 0; i < 40; ++i) {
        const auto around = [&](const LayoutFrame& part) {
            const auto [x, y] = layout.centres[i];
            const auto [left, top] = part.topLeft;
            return left < x && x < left + part.size.width && top < y && y < top + part.size.height;
        };
        QCOMPARE(std::ranges::count_if(parts, around), problem.clusterOf[i] + 1);
    }
    for (const LayoutFrame& part : parts)
        QVERIFY(part.topLeft.y >= 0 && part.topLeft.y + part.size.height <= layout.height);
}

void TestLayoutFlow::edgesBetweenColumnsRunBesideBoxes()
{
    const LayoutProblem problem = chainOf(60, {{2, 50}, {5, 30}});

    const GraphLayout layout = drawn(problem, FlowDirection::Fitting);

    for (std::size_t edge = 0; edge < problem.edges.size(); ++edge) {
        if (!layout.wraps[edge]) continue;
        for (std::size_t k = 1; k < layout.routes[edge].size(); ++k) {
            const Point a = layout.routes[edge][k - 1];
            const Point b = layout.routes[edge][k];
            for (const Point& box : layout.centres) {
                const bool across = std::max(a.x, b.x) > box.x - 49 && std::min(a.x, b.x) < box.x + 49;
                const bool down = std::max(a.y, b.y) > box.y - 19 && std::min(a.y, b.y) < box.y + 19;
                QVERIFY2(!(across && down), qPrintable(QString::number(edge)));
            }
        }
    }
}

void TestLayoutFlow::edgesToTheRightJoinTheSidesOfTheirBoxes()
{
    const LayoutProblem problem = chainOf(5, {{0, 3}});

    const GraphLayout layout = drawn(problem, FlowDirection::Right);

    QVERIFY(layout.rightwards);
    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        const auto [from, to] = problem.edges[i];
        QCOMPARE(layout.routes[i].front().x, layout.centres[static_cast<std::size_t>(from)].x + 50);
        QCOMPARE(layout.routes[i].back().x, layout.centres[static_cast<std::size_t>(to)].x - 50);
    }
    QVERIFY(layout.width > layout.height);
}

QTEST_GUILESS_MAIN(TestLayoutFlow)
#include "tst_layout_flow.moc"
