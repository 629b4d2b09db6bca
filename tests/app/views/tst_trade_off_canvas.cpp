#include "app/views/trade_off_canvas.h"

#include "tests/app/support/app_samples.h"

#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Three choices, and the plan of the sample between them.
std::shared_ptr<const Report> sample()
{
    auto report = std::make_shared<Report>(*test::planned(test::smallGraph()));
    const std::int64_t peak = report->memory.peakBytes;
    report->tradeOffs = {
        {{peak * 2, 0, 1.5, false}, "cpu=3"}, {{peak, 0, 2.5, true}, "cpu=2"}, {{peak / 2, 0, 9, false}, "cpu=1"}};
    return report;
}

struct Shown
{
    std::shared_ptr<const Report> report = sample();
    TradeOffCanvas canvas;
    QSignalSpy picked {&canvas, &TradeOffCanvas::pointPicked};
    QSignalSpy taken {&canvas, &TradeOffCanvas::pointTaken};

    Shown()
    {
        canvas.resize(600, 300);
        canvas.setReport(report, nullptr);
        canvas.show();
        (void)QTest::qWaitForWindowExposed(&canvas);
    }
    [[nodiscard]] QPoint at(std::size_t point) const
    {
        return tradeOffPlot(*report, canvas.rect(), canvas.looks()).at(report->tradeOffs[point].cost).toPoint();
    }
};

int pixelsOf(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    }
    return count;
}

} // namespace

class TradeOffCanvasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fewerBytesAreLeftAndMoreTimeIsAbove();
    void aClickPicksAndADoubleClickTakes();
    void keysGoFromPointToPoint();
    void thePointerTellsWhatAPointIs();
    void curveAndPlanAreDrawnInBothThemes();
    void anythingIsPaintedAtAnySize();
};

void TradeOffCanvasTest::fewerBytesAreLeftAndMoreTimeIsAbove()
{
    const Shown shown;
    QVERIFY(shown.at(2).x() < shown.at(1).x() && shown.at(1).x() < shown.at(0).x());
    QVERIFY(shown.at(2).y() < shown.at(1).y() && shown.at(1).y() < shown.at(0).y());
    const TradeOffPlot plot = tradeOffPlot(*shown.report, shown.canvas.rect(), shown.canvas.looks());
    for (std::size_t point = 0; point < 3; ++point)
        QVERIFY(plot.area.contains(shown.at(point)));
    // The curve goes through the corner that the slower point makes with the faster one, not through the other.
    QImage image(600, 300, QImage::Format_RGB32);
    QPainter painter(&image);
    TradeOffCanvas canvas;
    canvas.setReport(shown.report, nullptr);
    canvas.paint(painter, QRectF(0, 0, 600, 300), shown.canvas.looks());
    painter.end();
    const QColor curve = toColor(shown.canvas.looks().palette->curve);
    QCOMPARE(image.pixelColor(shown.at(0).x(), shown.at(1).y()), curve);
    QVERIFY(image.pixelColor(shown.at(1).x(), shown.at(0).y()) != curve);
}

void TradeOffCanvasTest::aClickPicksAndADoubleClickTakes()
{
    Shown shown;
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(1) + QPoint(5, -5));
    QCOMPARE(shown.canvas.point(), 1);
    QCOMPARE(shown.picked.count(), 1);
    QCOMPARE(shown.picked.last().first().toInt(), 1);
    QVERIFY(shown.canvas.accessibleDescription().contains(QStringLiteral("slower than the fastest")));
    QVERIFY(shown.taken.isEmpty());
    QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {}, shown.at(2));
    QCOMPARE(shown.taken.count(), 1);
    QCOMPARE(shown.taken.last().first().toInt(), 2);
    QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {}, QPoint(300, 40)); // nothing is there
    QCOMPARE(shown.taken.count(), 1);
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, QPoint(300, 40));
    QCOMPARE(shown.canvas.point(), -1);
}

void TradeOffCanvasTest::keysGoFromPointToPoint()
{
    Shown shown;
    QTest::keyClick(&shown.canvas, Qt::Key_Return); // nothing is picked
    QVERIFY(shown.taken.isEmpty());
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    QCOMPARE(shown.canvas.point(), 0);
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    QCOMPARE(shown.canvas.point(), 2);
    QTest::keyClick(&shown.canvas, Qt::Key_Right);
    QCOMPARE(shown.canvas.point(), 1);
    QTest::keyClick(&shown.canvas, Qt::Key_Return);
    QCOMPARE(shown.taken.count(), 1);
    QCOMPARE(shown.taken.last().first().toInt(), 1);
    auto fewer = std::make_shared<Report>(*shown.report);
    fewer->tradeOffs.resize(1);
    shown.canvas.setReport(fewer, nullptr); // the point that was picked is gone
    QCOMPARE(shown.canvas.point(), -1);
}

void TradeOffCanvasTest::thePointerTellsWhatAPointIs()
{
    Shown shown;
    const QImage plain = shown.canvas.grab().toImage();
    QTest::mouseMove(&shown.canvas, QPoint(300, 40));
    QCOMPARE(shown.canvas.grab().toImage(), plain);
    QTest::mouseMove(&shown.canvas, shown.at(1));
    const QImage told = shown.canvas.grab().toImage();
    QVERIFY(pixelsOf(told, toColor(shown.canvas.looks().palette->accent)) >
            pixelsOf(plain, toColor(shown.canvas.looks().palette->accent)));
}

void TradeOffCanvasTest::curveAndPlanAreDrawnInBothThemes()
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        Shown shown;
        shown.canvas.setTheme(theme);
        shown.canvas.setPoint(0);
        const QImage image = shown.canvas.grab().toImage();
        QVERIFY(pixelsOf(image, toColor(palette(theme).background)) > 20'000);
        QVERIFY(pixelsOf(image, toColor(palette(theme).curve)) > 400);
        QVERIFY(pixelsOf(image, toColor(palette(theme).accent)) > 40); // what is picked
        QVERIFY(pixelsOf(image, toColor(palette(theme).bound)) > 10);  // this plan
    }
}

void TradeOffCanvasTest::anythingIsPaintedAtAnySize()
{
    auto odd = std::make_shared<Report>(*sample());
    const std::vector<std::vector<TradeOff>> curves = {
        {},
        {{{0, 0, 0, false}, {}}},
        {{{std::numeric_limits<std::int64_t>::max() / 4, 0, 1e9, false}, "cpu=1"}, {{1, 0, 2e9, false}, {}}}};
    for (const std::vector<TradeOff>& curve : curves) {
        odd->tradeOffs = curve;
        TradeOffCanvas canvas;
        canvas.setReport(odd, nullptr);
        for (const QSize size : {QSize(1, 1), QSize(40, 20), QSize(160, 120), QSize(3000, 900)}) {
            QImage image(size, QImage::Format_RGB32);
            QPainter painter(&image);
            canvas.paint(painter, QRectF(QPointF(0, 0), QSizeF(size)), makeStyle(Theme::Dark, canvas.font()));
        }
        canvas.resize(300, 200);
        QVERIFY(!canvas.grab().isNull());
    }
}

QTEST_MAIN(TradeOffCanvasTest)
#include "tst_trade_off_canvas.moc"
