#include "app/views/graph/graph_painter.h"
#include "app/views/plan/plan_scene.h"
#include "core/picture/layout/side_routes.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/graph_text.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <numeric>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// l and m are the branch of stream 1; j waits for it.
Report planned()
{
    const Graph graph = test::graphFromText("input x float32[64]\np: vp = Exp(x)\na: va = Sin(vp)\nb: vb = Cos(va)\n"
                                            "l: vl = Sin(vp)\nm: vm = Cos(vl)\nj: vj = Add(vb, vm)\noutput vj\n");
    PlanRequest request;
    request.policies.streams = 2;
    request.policies.inplace = InplacePolicy::Off;
    return analyse(graph, request, {}).value();
}

QImage blank()
{
    QImage image(700, 700, QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
}

std::shared_ptr<const GraphDrawing> drawingOf(const Report& report)
{
    const auto shared = std::make_shared<const Report>(report);
    return drawGraph({shared, std::make_shared<const StorageColours>(colourStorages(report.program)), {}, {}}, {});
}

NodeId nodeNamed(const Report& report, const char* name)
{
    const auto& nodes = report.program.graph->nodes;
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.name == name; });
    return NodeId(static_cast<std::size_t>(found - nodes.begin()));
}

/// The arrow between two nodes; fails the test where there is none.
GraphArrow arrowOf(const GraphPicture& picture, const Report& report, const char* from, const char* to)
{
    for (const GraphArrow& arrow : picture.arrows) {
        if (arrow.from == picture.boxOfNode[nodeNamed(report, from).index()] &&
            arrow.to == picture.boxOfNode[nodeNamed(report, to).index()])
            return arrow;
    }
    QTest::qFail("no such arrow", __FILE__, __LINE__);
    return {};
}

QImage pictureOfGraph(const Report& report)
{
    const auto drawing = drawingOf(report);
    QImage image = blank();
    QPainter painter(&image);
    GraphViewport view {QRectF(image.rect()), {}, 1};
    view.fit(drawing->bounds());
    paintGraph(painter, *drawing, view, {}, makeStyle(Theme::Light, QFont()));
    return image;
}

QImage pictureOfPlan(const Report& report, bool waits)
{
    PlanScene scene;
    scene.report = std::make_shared<const Report>(report);
    scene.picture = makePlanPicture(report, colourStorages(report.program));
    if (!waits) scene.picture.waits.clear();
    scene.emphasis = emphasise(report, {});
    QImage image = blank();
    QPainter painter(&image);
    const Style style = makeStyle(Theme::Light, QFont());
    const PlanRegions regions = planRegions(QRectF(image.rect()), scene, style);
    PlanViewport view;
    view.area = regions.bars;
    view.setWorld(double(scene.picture.steps), double(scene.picture.heightBytes));
    view.fit();
    paintPlan(painter, regions, scene, view, style);
    return image;
}

} // namespace

/// Events and waits are seen.
class tst_StreamPictures : public QObject
{
    Q_OBJECT

private slots:
    void eventsAreArrowsInTheGraph()
    {
        Report report = planned();
        const QImage with = pictureOfGraph(report);
        report.program.streams.events.pop_back();
        QVERIFY(pictureOfGraph(report) != with);
    }

    void eventsGoAlongTheirValue()
    {
        const Report report = planned();
        const GraphPicture picture = drawingOf(report)->picture;
        QVERIFY(arrowOf(picture, report, "p", "l").waits); // of another stream, and it reads vp
        QVERIFY(!arrowOf(picture, report, "p", "a").waits);
        for (const GraphArrow& arrow : picture.arrows)
            QVERIFY(arrow.values == 1 && arrow.value.valid());
    }

    void eventsWithoutAValueGoRoundTheBoxes()
    {
        Report report = planned();
        report.program.streams.events = {{nodeNamed(report, "p"), nodeNamed(report, "j")}};
        const auto drawing = drawingOf(report);
        const GraphArrow event = arrowOf(drawing->picture, report, "p", "j");
        QVERIFY(event.waits && event.values == 0 && !event.value.valid());
        std::vector<std::size_t> all(drawing->picture.arrows.size());
        std::iota(all.begin(), all.end(), 0);
        QVERIFY(edgesOverBoxes(drawing->picture.layoutProblem(), all, drawing->layout).empty());
    }

    void waitsAreLinesInThePlan()
    {
        const Report report = planned();
        QVERIFY(pictureOfPlan(report, true) != pictureOfPlan(report, false));
    }
};

QTEST_MAIN(tst_StreamPictures)
#include "tst_stream_pictures.moc"
