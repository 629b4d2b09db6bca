#include "app/views/graph/graph_canvas.h"

#include "tests/core/picture/picture_samples.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

Q_DECLARE_METATYPE(plimsoll::Focus)

namespace {

constexpr int Patience = 20'000;

/// A chain of 60 nodes, of which those in the middle have a name path in common.
Report oneGroup()
{
    std::vector<test::Row> rows;
    for (int i = 0; i < 60; ++i)
        rows.push_back({"v" + std::to_string(i), {i, std::min(i + 2, 60)}, 64, 64 * (i % 2)});
    Report report = test::reportOf(rows);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    for (std::size_t i = 0; i < 60; ++i)
        graph->nodes[i].name = (i < 10 || i >= 50 ? "n" : "enc/n") + std::to_string(i);
    report.program.graph = graph;
    return report;
}

} // namespace

/// The frames of groups that are open, and what closes them.
class TestGraphGroups : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void cleanup() { m_canvas.reset(); }

    void anOpenGroupHasAFrameInEveryLayout_data();
    void anOpenGroupHasAFrameInEveryLayout();
    void theMinusOfAFrameClosesItsGroup();
    void plusAndThenMinusIsAsBefore();
    void aTitleThatIsClickedPicksTheGroup();
    void aClosedGroupThatIsClickedIsPicked();
    void whatElseIsPickedEndsTheGroup();
    void whatIsLookedAtBecomesAGroup();

private:
    [[nodiscard]] const GraphDrawing& drawing() const { return *m_canvas->drawing(); }
    [[nodiscard]] std::size_t boxes() const { return drawing().picture.boxes.size(); }
    void layOut(const std::function<void()>& change);
    void clickAt(QPointF at) { QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at.toPoint()); }
    [[nodiscard]] FrameHandle handle() const;

    std::unique_ptr<GraphCanvas> m_canvas;
};

void TestGraphGroups::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_canvas = std::make_unique<GraphCanvas>();
    m_canvas->setAnimated(false);
    m_canvas->resize(1600, 1200);
    const auto report = std::make_shared<const Report>(oneGroup());
    m_canvas->setReport(report, test::coloursOf(*report));
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
    QTRY_VERIFY_WITH_TIMEOUT(m_canvas->drawing(), Patience);
    m_canvas->fit();
}

void TestGraphGroups::layOut(const std::function<void()>& change)
{
    QSignalSpy spy(m_canvas.get(), &GraphCanvas::laidOut);
    change();
    QVERIFY(!spy.isEmpty() || spy.wait(Patience));
    m_canvas->fit();
}

FrameHandle TestGraphGroups::handle() const
{
    return handleOf(drawing().frames.front(), m_canvas->viewport());
}

void TestGraphGroups::anOpenGroupHasAFrameInEveryLayout_data()
{
    QTest::addColumn<FlowDirection>("flow");
    QTest::addColumn<bool>("severalParts");
    QTest::newRow("in columns") << FlowDirection::Fitting << true;
    QTest::newRow("downwards") << FlowDirection::Down << false;
    QTest::newRow("to the right") << FlowDirection::Right << false;
}

void TestGraphGroups::anOpenGroupHasAFrameInEveryLayout()
{
    QFETCH(FlowDirection, flow);
    QFETCH(bool, severalParts);
    GraphLook look = m_canvas->look();
    look.flow = flow;
    if (look != m_canvas->look()) layOut([&] { m_canvas->setLook(look); });

    QCOMPARE(drawing().frames.size() > 1, severalParts);
    QVERIFY(!drawing().frames.empty() && !drawing().frames.front().goesOn);
    for (std::size_t box = 0; box < boxes(); ++box) {
        const NodeId node = drawing().picture.boxes[box].node;
        const bool inside = node.index() >= 10 && node.index() < 50;
        QCOMPARE(!drawing().frameAround(box).isEmpty(), inside);
        for (const FramePart& part : drawing().frames)
            QVERIFY(inside || !part.rect.intersects(drawing().boxRects[box]));
    }
}

void TestGraphGroups::theMinusOfAFrameClosesItsGroup()
{
    QVERIFY(!handle().minus.isEmpty());
    QCOMPARE(boxes(), std::size_t {60});

    layOut([&] { clickAt(handle().minus.center()); });

    QCOMPARE(boxes(), std::size_t {21});
    QVERIFY(drawing().frames.empty());
}

/// By a filter; closed like any other, and gone without it.
void TestGraphGroups::whatIsLookedAtBecomesAGroup()
{
    QVERIFY(m_canvas->nodesToGroup().empty());
    GraphLook look = m_canvas->look();
    look.filter = "node~^n[0-4]$";
    layOut([&] { m_canvas->setLook(look); });
    NamedNodes head {"head", {}};
    for (const NodeId node : m_canvas->nodesToGroup())
        head.nodes.push_back((*drawing().made.report->program.graph)[node].name);
    QCOMPARE(head.nodes.size(), std::size_t {5});
    look.filter.clear();
    layOut([&] { m_canvas->setLook(look); });
    layOut([&] { m_canvas->setGroupsByHand({head}); });
    const auto made = std::ranges::find(drawing().made.tree->groups, std::string("head"), &Group::name);
    QVERIFY(made != drawing().made.tree->groups.end());
    const GroupId id(static_cast<std::size_t>(made - drawing().made.tree->groups.begin()));
    QCOMPARE(drawing().nodesIn(id).size(), std::size_t {5});
    QCOMPARE(boxes(), std::size_t {60}); // it is open
    layOut([&] { m_canvas->toggleGroup(id); });
    QCOMPARE(boxes(), std::size_t {56});
    layOut([&] { m_canvas->setGroupsByHand({}); });
    QCOMPARE(boxes(), std::size_t {60});
}

void TestGraphGroups::plusAndThenMinusIsAsBefore()
{
    layOut([&] { clickAt(handle().minus.center()); });
    clickAt(m_canvas->viewport().toScreen(drawing().boxRects[10].center()));

    layOut([&] { QTest::keyClick(m_canvas.get(), Qt::Key_Plus); });
    QCOMPARE(boxes(), std::size_t {60});
    layOut([&] { QTest::keyClick(m_canvas.get(), Qt::Key_Minus); });
    QCOMPARE(boxes(), std::size_t {21});

    // The same from a node of it, once the group is not picked any more.
    layOut([&] { QTest::keyClick(m_canvas.get(), Qt::Key_Plus); });
    QTest::keyClick(m_canvas.get(), Qt::Key_Right);
    layOut([&] { QTest::keyClick(m_canvas.get(), Qt::Key_Minus); });
    QCOMPARE(boxes(), std::size_t {21});
}

void TestGraphGroups::aTitleThatIsClickedPicksTheGroup()
{
    QSignalSpy groups(m_canvas.get(), &GraphCanvas::groupPicked);

    clickAt(QPointF(handle().title.right() - 10, handle().title.center().y()));

    QCOMPARE(groups.size(), 1);
    const auto group = groups[0][0].value<NodeGroup>();
    QCOMPARE(group.name, std::string("enc"));
    QCOMPARE(group.nodes.size(), std::size_t {40});
}

void TestGraphGroups::aClosedGroupThatIsClickedIsPicked()
{
    layOut([&] { clickAt(handle().minus.center()); });
    QSignalSpy groups(m_canvas.get(), &GraphCanvas::groupPicked);

    clickAt(m_canvas->viewport().toScreen(drawing().boxRects[10].center()));

    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups[0][0].value<NodeGroup>().nodes.size(), std::size_t {40});
}

void TestGraphGroups::whatElseIsPickedEndsTheGroup()
{
    clickAt(QPointF(handle().title.right() - 10, handle().title.center().y()));
    QSignalSpy groups(m_canvas.get(), &GraphCanvas::groupPicked);

    m_canvas->setSelection(Focus::on(NodeId(std::size_t {3})));

    QCOMPARE(groups.size(), 1);
    QVERIFY(groups[0][0].value<NodeGroup>().nodes.empty());
}

QTEST_MAIN(TestGraphGroups)
#include "tst_graph_groups.moc"
