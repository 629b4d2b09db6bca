#include "app/views/live_range_canvas.h"

#include "tests/core/picture/picture_samples.h"

#include <QSignalSpy>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

Q_DECLARE_METATYPE(plimsoll::Focus)

class TestLiveRangeCanvas : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_canvas.reset(); }

    void aClickPicksTheRow();
    void arrowsGoFromRowToRow();
    void valuesAndStoragesTakeTurns();
    void barsLieOverTheirSteps();
    void scrollingStopsAtTheEnds();
    void aRowThatIsPickedCanBeBroughtIntoView();
    void aPickedRowIsWholeInEverySize();
    void stepsAreTakenAndAnnouncedOnce();
    void stepsShownElsewhereAreThereWhenItIsSeen();
    void aNarrowRowKeepsTheNumberOfItsStorage();
    void aPinnedRowStaysAtTheTop();
    void hiddenRowsAreCountedAndComeBack();
    void rowsStandUnderTheirModules();
    void withoutModulesThatIsSaid();
    void withoutAReportNothingHappens();

private:
    [[nodiscard]] QPoint middleOf(std::int32_t row) const { return m_canvas->rowRect(row).center().toPoint(); }
    void give(Report report);

    std::unique_ptr<LiveRangeCanvas> m_canvas;
};

void TestLiveRangeCanvas::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_canvas = std::make_unique<LiveRangeCanvas>();
    m_canvas->resize(800, 400);
    give(test::reportOf({{"late", {5, 8}, 64, 0, 0}, {"early", {0, 5}, 64, 0, 0}, {"middle", {2, 4}, 64, 64}}));
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
}

void TestLiveRangeCanvas::give(Report report)
{
    const auto shared = std::make_shared<const Report>(std::move(report));
    m_canvas->setReport(shared, test::coloursOf(*shared));
}

void TestLiveRangeCanvas::aClickPicksTheRow()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(0));
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(2));

    QVERIFY(spy[0][0].value<Focus>() == Focus::on(ValueId(std::size_t {1})));
    QVERIFY(spy[1][0].value<Focus>() == Focus::on(ValueId(std::size_t {0})));
}

void TestLiveRangeCanvas::arrowsGoFromRowToRow()
{
    m_canvas->setSelection(Focus::on(ValueId(std::size_t {1})));
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::keyClick(m_canvas.get(), Qt::Key_Down);

    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][0].value<Focus>() == Focus::on(ValueId(std::size_t {2})));
}

void TestLiveRangeCanvas::valuesAndStoragesTakeTurns()
{
    QTest::keyClick(m_canvas.get(), Qt::Key_T);

    QCOMPARE(m_canvas->rowKind(), RowKind::Storage);
    QCOMPARE(m_canvas->picture().rows.size(), std::size_t {2});
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(1));
    QVERIFY(spy[0][0].value<Focus>() == Focus::on(StorageId(std::size_t {1})));
}

void TestLiveRangeCanvas::barsLieOverTheirSteps()
{
    const QImage image = m_canvas->grab().toImage();
    const QColor ground = toColor(m_canvas->looks().palette->background);
    const int y = middleOf(1).y() + 4;

    const auto colourAt = [&](double step) {
        return image.pixelColor(static_cast<int>(m_canvas->viewport().xOf(step)) + 4, y);
    };

    QCOMPARE(colourAt(1), ground);
    QVERIFY(colourAt(2) != ground);
    QVERIFY(colourAt(3) != ground);
    QCOMPARE(colourAt(4), ground);
}

void TestLiveRangeCanvas::scrollingStopsAtTheEnds()
{
    give(test::randomReport(300, 1));

    for (int i = 0; i < 40; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_PageDown);
    QVERIFY(m_canvas->rowRect(299).bottom() <= m_canvas->height());
    QVERIFY(m_canvas->rowRect(299).top() > 0);

    for (int i = 0; i < 40; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_PageUp);
    QVERIFY(m_canvas->rowRect(0).top() >= 0 && m_canvas->rowRect(0).top() < 60);
}

void TestLiveRangeCanvas::aRowThatIsPickedCanBeBroughtIntoView()
{
    give(test::randomReport(300, 1));
    m_canvas->setSelection(Focus::on(ValueId(std::size_t {200})));
    const std::int32_t row = m_canvas->picture().rowOfValue[200];

    m_canvas->frameSelection();

    QVERIFY(QRectF(m_canvas->rect()).contains(m_canvas->rowRect(row).center()));
    QVERIFY(m_canvas->viewport().steps.span < 300);
}

/// A canvas behind another tab is small until it is shown, and a pane below may take half of it.
void TestLiveRangeCanvas::aPickedRowIsWholeInEverySize()
{
    LiveRangeCanvas canvas;
    canvas.resize(100, 30);
    const auto report = std::make_shared<const Report>(test::randomReport(300, 7));
    canvas.setReport(report, test::coloursOf(*report));
    canvas.show();
    const std::int32_t row = canvas.picture().rowOfValue[150];
    canvas.setSelection(Focus::on(ValueId(std::size_t {150})));
    for (const int height : {600, 231, 118, 400}) {
        canvas.resize(500, height);
        QCoreApplication::processEvents();
        const QRectF shown = canvas.rowRect(row);
        QImage image(canvas.size(), QImage::Format_RGB32);
        canvas.render(&image);
        const QColor beside = image.pixelColor(3, static_cast<int>(shown.top()) + 1);
        const QColor below = image.pixelColor(3, static_cast<int>(shown.bottom()) - 2);
        QCOMPARE(beside, below); // the band of a picked row, from its top to its bottom
        QVERIFY(beside != toColor(canvas.looks().palette->panel));
    }
}

void TestLiveRangeCanvas::stepsAreTakenAndAnnouncedOnce()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::stepsShown);
    QTest::keyClick(m_canvas.get(), Qt::Key_W);
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0][0].value<AxisWindow>(), m_canvas->viewport().steps);

    m_canvas->showSteps({1, 3});
    QCOMPARE(m_canvas->viewport().steps, (AxisWindow {1, 3}));
    QCOMPARE(spy.size(), 1);
}

/// The picture of a large report is made when it is first looked at.
void TestLiveRangeCanvas::stepsShownElsewhereAreThereWhenItIsSeen()
{
    m_canvas->hide();
    give(test::randomReport(6000, 7));
    QSignalSpy announced(m_canvas.get(), &Canvas::stepsShown);
    m_canvas->showSteps({100, 50});
    QVERIFY(m_canvas->picture().rows.empty());

    m_canvas->show();

    QTRY_VERIFY(!m_canvas->picture().rows.empty());
    QCOMPARE(m_canvas->viewport().seenSteps(), (AxisWindow {100, 50}));
    const auto& rows = m_canvas->picture().rows;
    const auto there = std::ranges::find_if(rows, [](const LiveRow& row) { return row.spans[0].steps.begin >= 100; });
    QVERIFY(there != rows.begin());
    const auto row = static_cast<std::int32_t>(there - rows.begin());
    QVERIFY2(m_canvas->rect().contains(middleOf(row)), qPrintable(QString::number(middleOf(row).y())));
    QVERIFY(announced.empty());
    give(test::randomReport(6100, 7)); // of other steps
    QTRY_VERIFY(!m_canvas->picture().rows.empty());
    QCOMPARE(m_canvas->viewport().seenSteps().first, 0.0);
}

void TestLiveRangeCanvas::aNarrowRowKeepsTheNumberOfItsStorage()
{
    const QString name = QStringLiteral("a/very/long/path/of/some/layer/that/ends/in/out");
    const QFontMetricsF metrics(m_canvas->looks().font);
    give(test::reportOf({{name.toStdString(), {0, 3}, 64, 0}, {"b", {3, 5}, 64, 64}}));
    m_canvas->setRowKind(RowKind::Storage);
    const QString shown = m_canvas->rowName(0, metrics, metrics.horizontalAdvance(name) / 2);
    QVERIFY2(shown.startsWith(QStringLiteral("s0 …")) && shown.endsWith(QStringLiteral("/out")), qPrintable(shown));
}

/// By its name, so that another plan keeps it; while others scroll, and again no longer.
void TestLiveRangeCanvas::aPinnedRowStaysAtTheTop()
{
    give(test::randomReport(300, 1));
    const ValueId last = m_canvas->picture().rows.back().value;
    m_canvas->setSelection(Focus::on(last));
    QSignalSpy chosen(m_canvas.get(), &LiveRangeCanvas::choiceChanged);

    QTest::keyClick(m_canvas.get(), Qt::Key_Y);

    QCOMPARE(chosen.count(), 1);
    QCOMPARE(m_canvas->picture().rows.front().value, last);
    QCOMPARE(m_canvas->picture().rows.size(), std::size_t {300});
    const QRectF top = m_canvas->rowRect(0);
    QTest::keyClick(m_canvas.get(), Qt::Key_PageDown);
    QCOMPARE(m_canvas->rowRect(0), top);
    QVERIFY(m_canvas->rowRect(1).top() < top.bottom()); // it has gone beneath
    QSignalSpy picked(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, top.center().toPoint());
    QVERIFY(picked.back()[0].value<Focus>() == Focus::on(last));
    give(test::randomReport(300, 2));
    QCOMPARE(m_canvas->picture().pinned, std::size_t {1});
    m_canvas->setSelection(Focus::on(m_canvas->picture().rows.front().value));
    QTest::keyClick(m_canvas.get(), Qt::Key_Y);
    QCOMPARE(m_canvas->picture().pinned, std::size_t {0});
}

void TestLiveRangeCanvas::hiddenRowsAreCountedAndComeBack()
{
    m_canvas->setSelection(Focus::on(ValueId(std::size_t {1})));
    QTest::keyClick(m_canvas.get(), Qt::Key_Delete);
    QCOMPARE(m_canvas->picture().rows.size(), std::size_t {2});
    QCOMPARE(m_canvas->picture().hidden, std::size_t {1});
    QTest::keyClick(m_canvas.get(), Qt::Key_Delete); // what is selected has no row
    QCOMPARE(m_canvas->picture().hidden, std::size_t {1});
    const QRectF first = m_canvas->rowRect(0);
    const int left = static_cast<int>(m_canvas->viewport().area.left()) + 12;
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, QPoint(left, static_cast<int>(first.top()) - 8));
    QCOMPARE(m_canvas->picture().rows.size(), std::size_t {3});
    m_canvas->setChoice({.hidden = {"late", "early", "middle"}});
    QVERIFY(m_canvas->picture().rows.empty());
    QTest::keyClick(m_canvas.get(), Qt::Key_Insert);
    QCOMPARE(m_canvas->picture().rows.size(), std::size_t {3});
}

/// The modules as they come to life; keys pass over their headings.
void TestLiveRangeCanvas::rowsStandUnderTheirModules()
{
    Report report =
        test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {1, 5}, 64, 64}, {"c", {2, 6}, 64, 128}, {"d", {3, 7}, 64, 192}});
    auto graph = std::make_shared<Graph>(*report.program.graph);
    for (const auto& [value, module] : {std::pair(0, "net.conv"), std::pair(1, "net.fc"), std::pair(2, "net.conv")})
        graph->nodes[graph->values[static_cast<std::size_t>(value)].producer.index()].from.edit().module = module;
    report.program.graph = graph;
    give(std::move(report));

    m_canvas->groupByModule(true);

    QStringList rows;
    for (const LiveRow& row : m_canvas->picture().rows)
        rows << QString::fromStdString(rowLabel(*m_canvas->report(), row));
    QCOMPARE(rows.join(u' '), QStringLiteral("net/conv (2) a c net/fc (1) b no module (1) d"));
    m_canvas->setSelection(Focus::on(ValueId(std::size_t {2})));
    QSignalSpy picked(m_canvas.get(), &Canvas::picked);
    QTest::keyClick(m_canvas.get(), Qt::Key_Down);
    QVERIFY(picked.back()[0].value<Focus>() == Focus::on(ValueId(std::size_t {1})));
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, middleOf(3)); // a heading
    QCOMPARE(picked.count(), 1);
    m_canvas->setChoice({.pinned = {"d"}, .byModule = true});
    QCOMPARE(m_canvas->picture().rows.front().value, ValueId(std::size_t {3}));
}

void TestLiveRangeCanvas::withoutModulesThatIsSaid()
{
    const QImage before = m_canvas->grab().toImage();
    m_canvas->groupByModule(true);
    QVERIFY(!m_canvas->picture().modules);
    QCOMPARE(m_canvas->picture().rows.size(), std::size_t {3});
    QVERIFY(m_canvas->grab().toImage() != before);
}

void TestLiveRangeCanvas::withoutAReportNothingHappens()
{
    m_canvas->setReport(nullptr, nullptr);
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::keyClick(m_canvas.get(), Qt::Key_Down);
    QTest::mouseMove(m_canvas.get(), QPoint(300, 200));
    m_canvas->grab();

    QVERIFY(spy.isEmpty());
}

QTEST_MAIN(TestLiveRangeCanvas)
#include "tst_live_range_canvas.moc"
