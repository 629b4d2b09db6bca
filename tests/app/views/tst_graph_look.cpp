#include "app/views/graph/graph_canvas.h"
#include "app/views/graph/graph_figures.h"

#include "core/facts/arena_peaks.h"
#include "tests/core/picture/picture_samples.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr int Patience = 20'000;

/// Ten nodes, the value of each read by the next, in two groups of names.
Report chain()
{
    std::vector<test::Row> rows;
    for (int i = 0; i < 10; ++i)
        rows.push_back({"v" + std::to_string(i), {i, std::min(i + 2, 10)}, 64, 64 * (i % 2)});
    Report report = test::reportOf(rows);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    for (std::size_t i = 0; i < 10; ++i)
        graph->nodes[i].from.edit().source = "model.py:" + std::to_string(10 + i) + " in Block.forward";
    for (std::size_t i = 0; i < 10; ++i)
        graph->nodes[i].name = (i < 5 ? "enc/n" : "dec/n") + std::to_string(i);
    report.program.graph = graph;
    return report;
}

/// 64 bytes more, above all others, at one step alone.
void peakAt(std::int64_t step, Report& report)
{
    report.program.storages.push_back(
        {ArenaId(std::size_t {0}), 1024, 64, LiveRanges(Interval {step, step + 1}), {}, {}});
    report.memory.peakBytes = 128;
    report.memory.peaks = arenaPeaks(report.program);
}

} // namespace

/// What of the graph is looked at, by keys and clicks.
class GraphLookTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_canvas.reset(); }

    void keysLookAround_data();
    void keysLookAround();
    void theRestIsDimmedOrHidden();
    void hidingTheRestOpensGroupsAndGivesThemBack();
    void aPathGoesFromMarkToClick();
    void shiftAndClickMakeAPath();
    void whereThereIsNoPathAllIsShown();
    void nothingPickedIsSaid();
    void figuresStandOnNodes();
    void timesOfARunStandInPlaceOfEstimates();
    void closedGroupsSumTheFiguresOfTheirNodes();
    void aFilterDimsWhatItLeavesOut_data();
    void aFilterDimsWhatItLeavesOut();
    void aFilterHidesTheRestIfThatIsWished();
    void aFilterThatCannotBeMeantIsTold();
    void theFilterCoversNoBox();
    void theBeginningOfAPathIsTold();
    void otherColoursMoveNothing();
    void tipsSayWhereInTheSource();
    void aGraphToTheRightGoesAlongByTheKeysOfThatWay();
    void anotherGraphIsLookedAtAsAWhole();

private:
    void pick(int node);
    void press(int key, Qt::KeyboardModifiers modifiers = {});
    [[nodiscard]] QString lit() const; ///< The nodes that are not dimmed.
    [[nodiscard]] QPoint middleOf(int node) const;
    void settle() const { QTRY_VERIFY_WITH_TIMEOUT(m_canvas->drawing() && !m_busy, Patience); }

    std::unique_ptr<GraphCanvas> m_canvas;
    bool m_busy = false;
};

void GraphLookTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_canvas = std::make_unique<GraphCanvas>();
    m_canvas->setAnimated(false);
    m_canvas->resize(800, 900);
    connect(m_canvas.get(), &Canvas::statusChanged, this, [this](const QString& text) { m_busy = !text.isEmpty(); });
    connect(m_canvas.get(), &Canvas::picked, m_canvas.get(), &Canvas::setSelection);
    const auto report = std::make_shared<const Report>(chain());
    m_canvas->setReport(report, test::coloursOf(*report));
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
    settle();
    m_canvas->fit();
    m_canvas->setFocus();
}

void GraphLookTest::pick(int node)
{
    m_canvas->setSelection(Focus::on(NodeId(static_cast<std::size_t>(node))));
}

void GraphLookTest::press(int key, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(m_canvas.get(), static_cast<Qt::Key>(key), modifiers);
    settle();
}

QString GraphLookTest::lit() const
{
    const GraphDrawing& drawing = *m_canvas->drawing();
    QString found;
    for (std::size_t i = 0; i < drawing.picture.boxOfNode.size(); ++i) {
        const std::int32_t box = drawing.picture.boxOfNode[i];
        if (box >= 0 && (drawing.lit.empty() || drawing.lit[static_cast<std::size_t>(box)]))
            found += QString::number(i);
    }
    return found;
}

QPoint GraphLookTest::middleOf(int node) const
{
    const auto box = static_cast<std::size_t>(m_canvas->drawing()->picture.boxOfNode[static_cast<std::size_t>(node)]);
    return m_canvas->viewport().toScreen(m_canvas->drawing()->boxRects[box].center()).toPoint();
}

void GraphLookTest::keysLookAround_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<bool>("shift");
    QTest::addColumn<QString>("expected");
    QTest::newRow("one hop") << int(Qt::Key_1) << false << "345";
    QTest::newRow("two hops") << int(Qt::Key_2) << false << "23456";
    QTest::newRow("what it comes from") << int(Qt::Key_U) << false << "01234";
    QTest::newRow("what uses it") << int(Qt::Key_U) << true << "456789";
    QTest::newRow("all") << int(Qt::Key_0) << false << "0123456789";
}

void GraphLookTest::keysLookAround()
{
    QFETCH(int, key);
    QFETCH(bool, shift);
    pick(4);

    press(key, shift ? Qt::ShiftModifier : Qt::NoModifier);

    QTEST(lit(), "expected");
}

void GraphLookTest::theRestIsDimmedOrHidden()
{
    pick(4);
    press(Qt::Key_1);
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {10});
    const GraphEmphasis dimmed = emphasise(*m_canvas->drawing(), {}, {});
    QVERIFY(dimmed.any);
    QCOMPARE(int(dimmed.boxes[3]), 1);
    QCOMPARE(int(dimmed.boxes[7]), 0);

    QSignalSpy look(m_canvas.get(), &GraphCanvas::lookChanged);
    press(Qt::Key_X);

    QCOMPARE(look.size(), 1);
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {3});
    QCOMPARE(m_canvas->drawing()->picture.arrows.size(), std::size_t {2});
    press(Qt::Key_0);
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {10});
}

void GraphLookTest::hidingTheRestOpensGroupsAndGivesThemBack()
{
    m_canvas->collapseAll();
    settle();
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {2});
    GraphLook look;
    look.hideRest = true;
    look.scope = {.kind = ScopeKind::Around, .at = {NodeId(std::size_t {4}), {}}};

    m_canvas->setLook(look);
    settle();

    QCOMPARE(lit(), QStringLiteral("345"));
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {3});
    m_canvas->lookAtAll();
    settle();
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {2}); // as closed as before
}

void GraphLookTest::aPathGoesFromMarkToClick()
{
    pick(2);
    press(Qt::Key_M);
    QCOMPARE(lit(), QStringLiteral("0123456789")); // no end yet
    press(Qt::Key_Down);
    press(Qt::Key_Down); // on the way there by keys, no end either
    QCOMPARE(lit(), QStringLiteral("0123456789"));

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(6));
    settle();

    QCOMPARE(lit(), QStringLiteral("23456"));
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(8)); // the path stays
    settle();
    QCOMPARE(lit(), QStringLiteral("23456"));
    press(Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(lit(), QStringLiteral("2345678"));
}

void GraphLookTest::shiftAndClickMakeAPath()
{
    pick(7);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, middleOf(5));
    settle();
    QCOMPARE(lit(), QStringLiteral("567"));
    QCOMPARE(m_canvas->selection().node, NodeId(std::size_t {5}));
}

void GraphLookTest::whereThereIsNoPathAllIsShown()
{
    QSignalSpy notices(m_canvas.get(), &Canvas::noticed);
    GraphLook look;
    look.scope = {.kind = ScopeKind::Around, .at = {NodeId(std::size_t {99}), {}}};

    m_canvas->setLook(look);
    settle();

    QCOMPARE(lit(), QStringLiteral("0123456789"));
    QCOMPARE(notices.size(), 1);
    QVERIFY(m_canvas->look().scope.whole());
}

void GraphLookTest::nothingPickedIsSaid()
{
    QSignalSpy notices(m_canvas.get(), &Canvas::noticed);
    press(Qt::Key_1);
    press(Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(notices.size(), 2);
    QVERIFY(m_canvas->look().scope.whole());
}

void GraphLookTest::figuresStandOnNodes()
{
    Report report = chain();
    report.program.implementations.at(NodeId {4}).timeMs = 0.31;
    peakAt(4, report);
    const auto timed = std::make_shared<const Report>(std::move(report));
    m_canvas->setReport(timed, test::coloursOf(*timed));
    settle();
    const double before = m_canvas->drawing()->boxRects[4].height();

    press(Qt::Key_V);

    const GraphDrawing& drawing = *m_canvas->drawing();
    QCOMPARE(drawing.picture.boxes[4].figures, std::string("64 B · ~310 µs · 50.0 % peak"));
    QCOMPARE(drawing.picture.boxes[8].figures, std::string("64 B"));
    QCOMPARE(drawing.boxRects[4].height(), before + FiguresHeight);
}

void GraphLookTest::timesOfARunStandInPlaceOfEstimates()
{
    press(Qt::Key_V);
    RunResult run;
    run.stepMs.assign(10, 2.5);

    m_canvas->setRun(std::make_shared<const RunResult>(std::move(run)));
    settle();

    QCOMPARE(m_canvas->drawing()->picture.boxes[4].figures, std::string("64 B · 2.5 ms"));
}

void GraphLookTest::closedGroupsSumTheFiguresOfTheirNodes()
{
    Report report = chain();
    peakAt(3, report); // v2 and v3
    report.program.implementations.at(NodeId {1}).timeMs = 0.25;
    report.program.implementations.at(NodeId {2}).timeMs = 0.5;
    const auto timed = std::make_shared<const Report>(std::move(report));
    m_canvas->setReport(timed, test::coloursOf(*timed));
    settle();
    m_canvas->collapseAll();
    settle();

    press(Qt::Key_V);

    const GraphPicture& picture = m_canvas->drawing()->picture;
    QCOMPARE(picture.boxes.size(), std::size_t {2});
    QCOMPARE(picture.boxes[0].figures, std::string("320 B · ~750 µs · 100.0 % peak"));
    QCOMPARE(picture.boxes[1].figures, std::string("320 B"));
}

void GraphLookTest::aFilterDimsWhatItLeavesOut_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("expected");
    QTest::newRow("a word") << QStringLiteral("enc/") << QStringLiteral("01234");
    QTest::newRow("a column of nodes") << QStringLiteral("step>6") << QStringLiteral("789");
    QTest::newRow("a value's name") << QStringLiteral("v3") << QStringLiteral("3");
    QTest::newRow("nothing") << QStringLiteral("nowhere") << QString();
}

void GraphLookTest::aFilterDimsWhatItLeavesOut()
{
    QFETCH(QString, filter);
    m_canvas->find();
    auto* field = m_canvas->findChild<QLineEdit*>();
    QVERIFY(field->isVisible());

    QTest::keyClicks(field, filter);
    settle();

    QTEST(lit(), "expected");
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {10});
    QTest::keyClick(field, Qt::Key_Escape);
    settle();
    QCOMPARE(lit(), QStringLiteral("0123456789"));
    QVERIFY(!field->isVisible());
    QVERIFY(m_canvas->hasFocus());
}

void GraphLookTest::aFilterHidesTheRestIfThatIsWished()
{
    m_canvas->find();
    auto* field = m_canvas->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("dec/"));
    QTest::keyClick(field, Qt::Key_Return);
    press(Qt::Key_X);

    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {5});
    QVERIFY(field->isVisible()); // it says what is looked at
    press(Qt::Key_0);
    QCOMPARE(m_canvas->drawing()->picture.boxes.size(), std::size_t {10});
    QCOMPARE(field->text(), QString());
}

void GraphLookTest::aFilterThatCannotBeMeantIsTold()
{
    QSignalSpy notices(m_canvas.get(), &Canvas::noticed);
    m_canvas->find();
    QTest::keyClicks(m_canvas->findChild<QLineEdit*>(), QStringLiteral("colour=1"));
    settle();
    QVERIFY(!notices.empty());
    QCOMPARE(lit(), QStringLiteral("0123456789")); // and not none
}

void GraphLookTest::theFilterCoversNoBox()
{
    const auto strip = [&] { return m_canvas->viewport().area.top(); };
    QCOMPARE(strip(), 0.0);
    m_canvas->find();
    QVERIFY(strip() >= m_canvas->filterField()->parentWidget()->geometry().bottom());
    QTest::keyClick(m_canvas->filterField(), Qt::Key_Escape);
    QCOMPARE(strip(), 0.0);
    pick(4);
    press(Qt::Key_1); // what is said of that stands there, too
    QVERIFY(strip() > 0);
}

void GraphLookTest::theBeginningOfAPathIsTold()
{
    QSignalSpy notices(m_canvas.get(), &Canvas::noticed);
    pick(2);
    press(Qt::Key_M);
    QVERIFY(!notices.empty());
    QVERIFY(notices.back().front().toString().startsWith(QStringLiteral("Path:")));
    QVERIFY(m_canvas->viewport().area.top() > 0); // beneath "From 2 to …"
    pick(4);
    press(Qt::Key_M); // the other end
    QCOMPARE(lit(), QStringLiteral("234"));
}

void GraphLookTest::otherColoursMoveNothing()
{
    GraphLayout own = m_canvas->drawing()->layout;
    for (Point& centre : own.centres)
        centre.x += 7; // as Graphviz might
    Q_EMIT m_canvas->dot().finished(own);
    settle();
    QTRY_COMPARE(m_canvas->drawing()->layout.centres[0].x, own.centres[0].x);
    const auto before = m_canvas->drawing()->valueColours;
    GraphLook look = m_canvas->look();
    look.colours = ColourBy::Kind;

    m_canvas->setLook(look);
    settle();

    QVERIFY(m_canvas->drawing()->valueColours != before);
    QCOMPARE(m_canvas->drawing()->layout.centres[0].x, own.centres[0].x);
    m_canvas->setReport(m_canvas->report(), test::coloursOf(*m_canvas->report())); // as the window does after that
    settle();
    QCOMPARE(m_canvas->drawing()->layout.centres[0].x, own.centres[0].x);
}

void GraphLookTest::tipsSayWhereInTheSource()
{
    QSignalSpy hovered(m_canvas.get(), &Canvas::hovered);
    QTest::mouseMove(m_canvas.get(), middleOf(4));
    QTRY_VERIFY(!hovered.empty());
    QVERIFY(hovered.back().front().toString().contains(QStringLiteral("model.py:14 in Block.forward")));
}

void GraphLookTest::aGraphToTheRightGoesAlongByTheKeysOfThatWay()
{
    GraphLook look = m_canvas->look();
    look.flow = FlowDirection::Right;
    m_canvas->setLook(look);
    settle();
    pick(4);

    press(Qt::Key_Right);

    QCOMPARE(m_canvas->selection().node, NodeId(std::size_t {5}));
    QVERIFY(m_canvas->drawing()->layout.rightwards);
}

void GraphLookTest::anotherGraphIsLookedAtAsAWhole()
{
    pick(4);
    press(Qt::Key_1);
    const auto other = std::make_shared<const Report>(test::randomReport(30, 1));
    m_canvas->setReport(other, test::coloursOf(*other));
    settle();
    QVERIFY(m_canvas->look().scope.whole());
}

QTEST_MAIN(GraphLookTest)
#include "tst_graph_look.moc"
