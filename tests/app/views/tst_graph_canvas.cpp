#include "app/views/graph/graph_canvas.h"

#include "tests/core/picture/picture_samples.h"

#include <QPainter>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

Q_DECLARE_METATYPE(plimsoll::Focus)

namespace {

constexpr int Patience = 20'000;

/// Twenty nodes in two groups of names, the value of each read by the next.
Report twoGroups()
{
    std::vector<test::Row> rows;
    for (int i = 0; i < 20; ++i)
        rows.push_back({"v" + std::to_string(i), {i, std::min(i + 2, 20)}, 64, 64 * (i % 2)});
    Report report = test::reportOf(rows);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    for (std::size_t i = 0; i < 20; ++i)
        graph->nodes[i].name = (i < 10 ? "enc/n" : "dec/n") + std::to_string(i);
    report.program.graph = graph;
    return report;
}

} // namespace

class TestGraphCanvas : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_canvas.reset(); }

    void theLayoutArrivesLater();
    void aClickPicksTheNode();
    void whatIsFramedBeforeItIsShownIsLegible();
    void aClickOnAnEdgePicksItsValue();
    void groupsCloseAndOpen();
    void aDoubleClickOpensAGroup();
    void aNewerReportReplacesAnOlderOne();
    void takingTheReportAwayDropsTheLayout();
    void arrowsFollowTheEdges();
    void theWheelZoomsAboutThePointer();
    void dotTidiesThePicture();
    void troubleWithDotKeepsOurLayout_data();
    void troubleWithDotKeepsOurLayout();
    void cancelledTidyingChangesNothing();
    void replanningKeepsTheView();
    void findingsShowOnTheirNodes();
    void largeGraphsOpenLegiblyWithAMap();
    void theNodeOfTheStepCursorIsOutlined();
    void whatIsPickedElsewhereComesIntoView();
    void aSelectionBeforeTheLayoutComesIntoView();
    void aPickedNodeOpensItsGroups_data();
    void aPickedNodeOpensItsGroups();
    void aStorageMarksTheClosedGroupsThatHoldIt();
    void aClickOpensNoGroup();
    void picturesOpenAtTheirTop();
    void theCountOfAClosedGroupIsNeverCut();

private:
    void give(Report report);
    [[nodiscard]] QPoint middleOf(std::size_t box) const;
    void closeAll();

    std::unique_ptr<GraphCanvas> m_canvas;
};

void TestGraphCanvas::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_canvas = std::make_unique<GraphCanvas>();
    m_canvas->setAnimated(false);
    m_canvas->resize(800, 600);
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    give(twoGroups());
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
    QVERIFY(!spy.isEmpty() || spy.wait(Patience));
    m_canvas->fit();
}

void TestGraphCanvas::give(Report report)
{
    const auto shared = std::make_shared<const Report>(std::move(report));
    m_canvas->setReport(shared, test::coloursOf(*shared));
}

QPoint TestGraphCanvas::middleOf(std::size_t box) const
{
    return m_canvas->viewport().toScreen(m_canvas->drawing()->boxRects[box].center()).toPoint();
}

void TestGraphCanvas::closeAll()
{
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    m_canvas->collapseAll();
    QVERIFY(spy.wait(Patience));
    m_canvas->fit();
}

void TestGraphCanvas::theLayoutArrivesLater()
{
    GraphCanvas canvas;
    QSignalSpy laidOut(&canvas, &GraphCanvas::laidOut);
    QSignalSpy status(&canvas, &Canvas::statusChanged);
    const auto report = std::make_shared<const Report>(twoGroups());

    canvas.setReport(report, test::coloursOf(*report));

    QVERIFY(canvas.drawing() == nullptr);
    QVERIFY(!status.isEmpty() && !status.first()[0].toString().isEmpty());
    QVERIFY(laidOut.wait(Patience));
    QCOMPARE(canvas.drawing()->picture.boxes.size(), std::size_t {20});
    QCOMPARE(status.last()[0].toString(), QString());
}

void TestGraphCanvas::aClickPicksTheNode()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(7));

    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0][0].value<Focus>().node, NodeId(std::size_t {7}));
    QCOMPARE(spy[0][0].value<Focus>().step, std::int64_t {7});
}

void TestGraphCanvas::whatIsFramedBeforeItIsShownIsLegible()
{
    GraphCanvas canvas;
    canvas.setReport(m_canvas->report(), test::coloursOf(*m_canvas->report()));
    QTRY_VERIFY(canvas.drawing());
    canvas.setSelection(Focus::on(NodeId(std::size_t {4})));
    canvas.frameSelection();
    canvas.resize(900, 600);
    canvas.show();
    QVERIFY(canvas.viewport().scale > 0.5);
}

void TestGraphCanvas::aClickOnAnEdgePicksItsValue()
{
    m_canvas->setSelection(Focus::on(NodeId(std::size_t {4})));
    m_canvas->frameSelection();
    const auto& drawing = *m_canvas->drawing();
    const auto edge = std::find_if(drawing.picture.arrows.begin(), drawing.picture.arrows.end(),
                                   [](const GraphArrow& arrow) { return arrow.from == 4; });
    const auto& route = drawing.layout.routes[static_cast<std::size_t>(edge - drawing.picture.arrows.begin())];
    const QPointF middle((route.front().x + route.back().x) / 2, (route.front().y + route.back().y) / 2);
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, m_canvas->viewport().toScreen(middle).toPoint());
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, QPoint(5, 300));

    QCOMPARE(spy.size(), 2);
    QCOMPARE(spy[0][0].value<Focus>().value, ValueId(std::size_t {4}));
    QVERIFY(spy[1][0].value<Focus>() == Focus());
}

void TestGraphCanvas::groupsCloseAndOpen()
{
    closeAll();
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {2});
    QCOMPARE(m_canvas->drawing()->picture.arrows.size(), std::size_t {1});

    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    m_canvas->expandAll();
    QVERIFY(spy.wait(Patience));

    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {20});
}

void TestGraphCanvas::aDoubleClickOpensAGroup()
{
    closeAll();
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    const QPoint where = middleOf(1);

    QTest::mouseDClick(m_canvas.get(), Qt::LeftButton, {}, where);
    QVERIFY(spy.wait(Patience));

    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {11});
    QVERIFY((middleOf(1) - where).manhattanLength() <= 3); // its first node stands where the group stood
}

void TestGraphCanvas::aNewerReportReplacesAnOlderOne()
{
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);

    give(test::randomReport(3000, 1));
    give(test::randomReport(30, 1));
    QVERIFY(spy.wait(Patience));
    QTest::qWait(50);

    QCOMPARE(spy.size(), 1);
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {30});
}

void TestGraphCanvas::takingTheReportAwayDropsTheLayout()
{
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    give(test::randomReport(2000, 1));

    m_canvas->setReport(nullptr, nullptr);
    QTest::qWait(200);
    m_canvas->grab();

    QVERIFY(spy.isEmpty());
    QVERIFY(m_canvas->drawing() == nullptr);
}

void TestGraphCanvas::arrowsFollowTheEdges()
{
    m_canvas->setSelection(Focus::on(NodeId(std::size_t {3})));
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::keyClick(m_canvas.get(), Qt::Key_Down);
    QTest::keyClick(m_canvas.get(), Qt::Key_Up);

    QCOMPARE(spy[0][0].value<Focus>().node, NodeId(std::size_t {4}));
    QCOMPARE(spy[1][0].value<Focus>().node, NodeId(std::size_t {3}));
}

void TestGraphCanvas::theWheelZoomsAboutThePointer()
{
    const QPointF pointer(300, 200);
    const QPointF under = m_canvas->viewport().toDrawing(pointer);
    QWheelEvent event(pointer, m_canvas->mapToGlobal(pointer), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);

    QCoreApplication::sendEvent(m_canvas.get(), &event);

    QVERIFY((m_canvas->viewport().toScreen(under) - pointer).manhattanLength() < 1e-6);
}

void TestGraphCanvas::dotTidiesThePicture()
{
    if (QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty()) QSKIP("Graphviz is not installed");
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);

    QTest::keyClick(m_canvas.get(), Qt::Key_G);
    QVERIFY(spy.wait(Patience));

    QVERIFY(m_canvas->drawing()->layout.curved);
    for (const GraphArrow& arrow : m_canvas->drawing()->picture.arrows) {
        const Point from = m_canvas->drawing()->layout.centres[static_cast<std::size_t>(arrow.from)];
        const Point to = m_canvas->drawing()->layout.centres[static_cast<std::size_t>(arrow.to)];
        QVERIFY(from.y < to.y || from.x + 100 < to.x); // further down, or in the next column
    }
}

void TestGraphCanvas::troubleWithDotKeepsOurLayout_data()
{
    QTest::addColumn<QString>("program");
    QTest::newRow("not installed") << QStringLiteral("/nowhere/dot");
    QTest::newRow("fails") << QStringLiteral("/bin/false");
    QTest::newRow("says nothing") << QStringLiteral("/bin/true");
    QTest::newRow("hangs") << QStringLiteral("/usr/bin/yes");
}

void TestGraphCanvas::troubleWithDotKeepsOurLayout()
{
    QFETCH(QString, program);
    if (!program.startsWith(QStringLiteral("/nowhere")) && !QFile::exists(program)) QSKIP("this program is not here");
    m_canvas->dot().setProgram(program);
    m_canvas->dot().setTimeLimit(300);
    const GraphDrawing* before = m_canvas->drawing();
    QSignalSpy notice(m_canvas.get(), &Canvas::noticed);
    QSignalSpy status(m_canvas.get(), &Canvas::statusChanged);

    m_canvas->tidy();
    QVERIFY(!notice.isEmpty() || notice.wait(Patience));

    QVERIFY(notice[0][0].toString().contains(QStringLiteral("our own layout")));
    QCOMPARE(status.last()[0].toString(), QString());
    QVERIFY(m_canvas->drawing() == before);
    QVERIFY(!m_canvas->dot().busy());
}

void TestGraphCanvas::cancelledTidyingChangesNothing()
{
    if (QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty()) QSKIP("Graphviz is not installed");
    m_canvas->tidy();
    QVERIFY(m_canvas->dot().busy());

    closeAll();
    QTest::qWait(300);

    QVERIFY(!m_canvas->dot().busy());
    QVERIFY(!m_canvas->drawing()->layout.curved);
}

void TestGraphCanvas::replanningKeepsTheView()
{
    closeAll();
    QTest::keyClick(m_canvas.get(), Qt::Key_W);
    const QPointF origin = m_canvas->viewport().origin;
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);

    give(twoGroups());
    QVERIFY(spy.wait(Patience));

    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {2});
    QVERIFY((m_canvas->viewport().origin - origin).manhattanLength() < 1e-6);
}

void TestGraphCanvas::findingsShowOnTheirNodes()
{
    Report report = twoGroups();
    report.verdict.findings.push_back({.rule = Rule::ClobberedRead, .nodes = {NodeId(std::size_t {12})}});
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    give(std::move(report));
    QVERIFY(spy.wait(Patience));
    closeAll();

    QVERIFY(m_canvas->drawing()->alarms == (std::vector<std::int8_t> {0, 2}));
    const QImage image = m_canvas->grab().toImage();
    const QColor red = toColor(m_canvas->looks().palette->violation);
    bool seen = false;
    for (int y = 0; y < image.height() && !seen; ++y) {
        for (int x = 0; x < image.width() && !seen; ++x)
            seen = image.pixelColor(x, y) == red;
    }
    QVERIFY(seen);
}

void TestGraphCanvas::largeGraphsOpenLegiblyWithAMap()
{
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    give(test::randomReport(150, 3));
    QVERIFY(spy.wait(Patience));
    QVERIFY(m_canvas->viewport().scale >= 0.9);
    const auto& rects = m_canvas->drawing()->boxRects;
    const auto first = std::min_element(rects.begin(), rects.end(),
                                        [](const QRectF& a, const QRectF& b) { return a.top() < b.top(); });
    QVERIFY(m_canvas->viewport().visible().contains(*first));
    const auto [picture, map] = graphParts(m_canvas->rect(), *m_canvas->drawing(), m_canvas->viewport());
    QVERIFY(!map.isEmpty() && !picture.intersects(map) && m_canvas->viewport().area == picture); // it covers nothing
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, QPointF(map.center().x(), map.bottom() - 8).toPoint());

    QVERIFY(m_canvas->viewport().visible().bottom() > m_canvas->drawing()->layout.height * 0.9);
    m_canvas->fit();
    QCOMPARE(m_canvas->viewport().area, QRectF(m_canvas->rect())); // all shows, and there is no map
}

void TestGraphCanvas::theNodeOfTheStepCursorIsOutlined()
{
    const auto around = [&] {
        const QRectF rect = m_canvas->viewport().toScreen(m_canvas->drawing()->boxRects[7]);
        return m_canvas->grab(rect.adjusted(-4, -4, 4, 4).toAlignedRect()).toImage();
    };
    const QImage before = around();

    m_canvas->setSelection(Focus::atStep(7));
    const QImage at = around();
    m_canvas->setSelection(Focus::atStep(8));
    const QImage after = around();

    QVERIFY(before != at);
    QVERIFY(before == after);
}

void TestGraphCanvas::whatIsPickedElsewhereComesIntoView()
{
    const QPointF origin = m_canvas->viewport().origin;
    m_canvas->setSelection(Focus::on(NodeId(std::size_t {18})));
    QCOMPARE(m_canvas->viewport().origin, origin); // seen already
    for (int i = 0; i < 9; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_W);
    const double scale = m_canvas->viewport().scale;
    QVERIFY(!m_canvas->viewport().visible().contains(m_canvas->drawing()->boxRects[19].center()));

    m_canvas->setSelection(Focus::on(ValueId(std::size_t {19})));

    QVERIFY(m_canvas->viewport().visible().contains(m_canvas->drawing()->boxRects[19].center()));
    QCOMPARE(m_canvas->viewport().scale, scale);
}

void TestGraphCanvas::aSelectionBeforeTheLayoutComesIntoView()
{
    GraphCanvas canvas;
    canvas.resize(300, 200);
    QSignalSpy laidOut(&canvas, &GraphCanvas::laidOut);
    const auto report = std::make_shared<const Report>(twoGroups());
    canvas.setReport(report, test::coloursOf(*report));
    canvas.setSelection(Focus::on(NodeId(std::size_t {15})));

    QVERIFY(laidOut.wait(Patience));
    canvas.grab(); // it gets its size only now

    QVERIFY(canvas.viewport().visible().contains(canvas.drawing()->boxRects[15].center()));
}

void TestGraphCanvas::aPickedNodeOpensItsGroups_data()
{
    QTest::addColumn<plimsoll::Focus>("focus");
    QTest::newRow("node") << Focus::on(NodeId(std::size_t {14}));
    QTest::newRow("value") << Focus::on(ValueId(std::size_t {14}));
}

void TestGraphCanvas::aPickedNodeOpensItsGroups()
{
    QFETCH(Focus, focus);
    closeAll();
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);

    m_canvas->setSelection(focus);
    QVERIFY(spy.wait(Patience));
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {11});
    const auto box = static_cast<std::size_t>(m_canvas->drawing()->picture.boxOfNode[14]);
    QVERIFY(m_canvas->viewport().visible().contains(m_canvas->drawing()->boxRects[box].center()));
}

void TestGraphCanvas::aStorageMarksTheClosedGroupsThatHoldIt()
{
    closeAll();
    const QRect around =
        m_canvas->viewport().toScreen(m_canvas->drawing()->boxRects[1]).adjusted(-4, -4, 4, 4).toAlignedRect();

    m_canvas->setSelection(Focus::on(m_canvas->report()->program.values[14].storage));

    const QImage image = m_canvas->grab(around).toImage();
    const QColor accent = toColor(m_canvas->looks().palette->accent);
    int ringed = 0;
    for (int y = 0; y < image.height(); ++y)
        ringed += image.pixelColor(image.width() / 2, y) == accent ? 1 : 0;
    QVERIFY2(ringed >= 2, qPrintable(QString::number(ringed)));
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {2});
}

void TestGraphCanvas::aClickOpensNoGroup()
{
    closeAll();
    connect(m_canvas.get(), &Canvas::picked, m_canvas.get(), &Canvas::setSelection);
    const auto& route = m_canvas->drawing()->layout.routes[0];
    const QPointF middle((route.front().x + route.back().x) / 2, (route.front().y + route.back().y) / 2);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, m_canvas->viewport().toScreen(middle).toPoint());
    QTest::qWait(100);
    QVERIFY(m_canvas->selection().value.valid());
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {2});
}

void TestGraphCanvas::picturesOpenAtTheirTop()
{
    // An input that is read late comes first, and stands far down.
    std::vector<test::Row> rows = {{"late", {0, 20}, 64, 0, -1, AliasKind::Fresh, true}};
    for (int i = 0; i < 20; ++i)
        rows.push_back({"v" + std::to_string(i), {i, std::min(i + 2, 20)}, 64, 64 * (i % 2)});
    Report report = test::reportOf(rows);
    GraphCanvas canvas;
    canvas.resize(400, 300);
    QSignalSpy laidOut(&canvas, &GraphCanvas::laidOut);
    const auto shared = std::make_shared<const Report>(std::move(report));
    canvas.setReport(shared, test::coloursOf(*shared));
    QVERIFY(laidOut.wait(Patience));
    canvas.grab();

    QVERIFY(canvas.drawing()->boxRects[0].top() > 0);
    QVERIFY(canvas.viewport().visible().top() <= 0);
}

void TestGraphCanvas::theCountOfAClosedGroupIsNeverCut()
{
    Report report = test::reportOf({{"v0", {0, 1}, 64, 0}});
    auto graph = std::make_shared<Graph>(*report.program.graph);
    graph->nodes[0].name = "a_name_that_is_much_too_long_for_any_box_of_the_picture";
    report.program.graph = graph;
    const auto drawing = drawGraph({std::make_shared<const Report>(report),
                                    std::make_shared<const StorageColours>(1, ColourIndex {0}),
                                    nullptr,
                                    {}},
                                   {});
    const auto paintedWith = [&](const char* count) {
        GraphDrawing closed = *drawing;
        closed.picture.boxes[0].kind = BoxKind::Group;
        closed.picture.boxes[0].count = count;
        QImage image(220, 60, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintGraph(painter, closed, {QRectF(image.rect()), {-5, -10}, 1}, {}, m_canvas->looks());
        return image;
    };

    QVERIFY(paintedWith("1234567890123 nodes") != paintedWith("2234567890123 nodes"));
    QVERIFY(paintedWith("34567890123 nodes") != paintedWith("1234567890123 nodes"));
}

QTEST_MAIN(TestGraphCanvas)
#include "tst_graph_canvas.moc"
