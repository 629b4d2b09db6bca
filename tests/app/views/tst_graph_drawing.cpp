#include "app/views/graph/graph_drawing.h"

#include "tests/core/picture/picture_samples.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Two nodes side by side, whose values a third reads; a fourth reads its value.
///
///     n0   n1
///       \ /
///       n2
///       n3
std::shared_ptr<const GraphDrawing> drawing()
{
    Report report = test::reportOf({{"a", {0, 3}, 64, 0}, {"b", {1, 3}, 64, 64}, {"c", {2, 4}, 64, 128}});
    const auto colours = std::make_shared<const StorageColours>(colourStorages(report.program));
    return drawGraph({std::make_shared<const Report>(std::move(report)), colours, nullptr, {}}, {});
}

std::size_t boxOf(const GraphDrawing& drawing, int node)
{
    return static_cast<std::size_t>(drawing.picture.boxOfNode[static_cast<std::size_t>(node)]);
}

} // namespace

/// What is asked of a drawing of the graph: what lies at a place, and what lies beside it.
class GraphDrawingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void upAndDownGoAlongTheEdges();
    void leftAndRightStayAtTheSameHeight();
    void aBoxIsFoundAtItsPlace();
    void anArrowIsFoundWithinADistance();
    void aNodeStandsForWhatIsPicked();
};

void GraphDrawingTest::upAndDownGoAlongTheEdges()
{
    const auto graph = drawing();
    QVERIFY(graph);

    QCOMPARE(graph->besideBox(boxOf(*graph, 0), Qt::Key_Down), boxOf(*graph, 2));
    QCOMPARE(graph->besideBox(boxOf(*graph, 1), Qt::Key_Down), boxOf(*graph, 2));
    QCOMPARE(graph->besideBox(boxOf(*graph, 3), Qt::Key_Up), boxOf(*graph, 2));
    QVERIFY(!graph->besideBox(boxOf(*graph, 0), Qt::Key_Up));
}

void GraphDrawingTest::leftAndRightStayAtTheSameHeight()
{
    const auto graph = drawing();
    const std::size_t first = boxOf(*graph, 0);
    const std::size_t second = boxOf(*graph, 1);
    const bool ordered = graph->boxRects[first].left() < graph->boxRects[second].left();

    QCOMPARE(graph->besideBox(first, ordered ? Qt::Key_Right : Qt::Key_Left), second);
    QVERIFY(!graph->besideBox(first, ordered ? Qt::Key_Left : Qt::Key_Right));
    QVERIFY(!graph->besideBox(boxOf(*graph, 2), Qt::Key_Right));
}

void GraphDrawingTest::aBoxIsFoundAtItsPlace()
{
    const auto graph = drawing();
    for (std::size_t i = 0; i < graph->boxRects.size(); ++i)
        QCOMPARE(graph->boxAt(graph->boxRects[i].center()), i);
    QVERIFY(!graph->boxAt({-50, -50}));
}

void GraphDrawingTest::anArrowIsFoundWithinADistance()
{
    const auto graph = drawing();
    const std::vector<Point>& route = graph->layout.routes[0];
    const QPointF start(route.front().x, route.front().y);

    QCOMPARE(graph->arrowAt(start, 3), std::size_t {0});
    QCOMPARE(graph->arrowAt(start - QPointF(2.5, 0), 3), std::size_t {0});
    QVERIFY(!graph->arrowAt(start - QPointF(0, 20), 3));
}

void GraphDrawingTest::aNodeStandsForWhatIsPicked()
{
    const auto graph = drawing();
    QCOMPARE(graph->nodeFor(Focus::on(NodeId(std::size_t {1}))), NodeId(std::size_t {1}));
    QCOMPARE(graph->nodeFor(Focus::on(ValueId(std::size_t {2}))), NodeId(std::size_t {2})); // writes it
    QVERIFY(!graph->nodeFor(Focus()).valid());
    QVERIFY(!graph->nodeFor(Focus::on(NodeId(std::size_t {99}))).valid());
}

QTEST_GUILESS_MAIN(GraphDrawingTest)
#include "tst_graph_drawing.moc"
