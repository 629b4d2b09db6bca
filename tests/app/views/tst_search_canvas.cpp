#include "app/views/search_canvas.h"

#include "tests/app/support/app_samples.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

SearchRecord record()
{
    SearchRecord record;
    record.algorithm = "best";
    record.end = SearchEnd::Limit;
    record.history = {
        {0.001, 10, 2000, 1000, "sweep"}, {0.01, 100, 1500, 1000, "merging"}, {0.1, 1000, 1200, 1100, "exact"}};
    record.boundBytes = 1100;
    record.seconds = 1;
    return record;
}

QImage painted(const SearchRecord& of, Theme theme, QSize size = {600, 300})
{
    QImage image(size, QImage::Format_RGB32);
    SearchCanvas canvas;
    canvas.setRecord(std::make_shared<const SearchRecord>(of), 0);
    QPainter painter(&image);
    canvas.paint(painter, QRectF(QPointF(0, 0), QSizeF(size)), makeStyle(theme, canvas.font()));
    return image;
}

int pixelsOf(const QImage& image, Rgb colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == toColor(colour) ? 1 : 0;
    }
    return count;
}

} // namespace

class SearchCanvasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeIsInDecadesAndBytesGrowUpwards();
    void aLongerTimeIsAtTheRightEnd();
    void theLineEndsWhereTheSearchEnded();
    void bestAndBoundAreDrawnInBothThemes();
    void aProofIsMarked();
    void anythingIsPaintedAtAnySize();
    void keysAndClicksGoFromPlanToPlan();
};

void SearchCanvasTest::timeIsInDecadesAndBytesGrowUpwards()
{
    const SearchPlot plot = plotOf(record(), 0, {0, 0, 600, 300}, makeStyle(Theme::Light, QFont()));

    const double decade = plot.xOf(0.1) - plot.xOf(0.01);
    QVERIFY(qAbs((plot.xOf(1) - plot.xOf(0.1)) - decade) < 0.01);
    QVERIFY(plot.yOf(1000) > plot.yOf(2000));
    QVERIFY(plot.area.contains(QPointF(plot.xOf(0.05), plot.yOf(1000))));
    QVERIFY(plot.area.contains(QPointF(plot.xOf(0.05), plot.yOf(2000))));
    QVERIFY(qAbs(plot.secondsAt(plot.xOf(0.05)) - 0.05) < 1e-9);
}

void SearchCanvasTest::aLongerTimeIsAtTheRightEnd()
{
    const Style style = makeStyle(Theme::Light, QFont());
    const SearchPlot plot = plotOf(record(), 20, {0, 0, 600, 300}, style);

    QVERIFY(qAbs(plot.xOf(20) - plot.area.right()) < 0.01);
}

/// The axis has a decade at least; what is not searched yet stays empty.
void SearchCanvasTest::theLineEndsWhereTheSearchEnded()
{
    SearchRecord brief;
    brief.history = {{0.010, 1, 2000, 1000, "sweep"}, {0.020, 2, 1500, 1000, "sweep"}};
    brief.seconds = 0.021;
    const SearchPlot plot = plotOf(brief, 0, {0, 0, 600, 300}, makeStyle(Theme::Light, QFont()));
    QVERIFY(plot.xOf(0.021) < plot.area.right() - 100);
    const QImage image = painted(brief, Theme::Light);
    const Rgb curve = palette(Theme::Light).curve;
    const int y = qRound(plot.yOf(1500));
    QCOMPARE(image.pixelColor(qRound(plot.xOf(0.0205)), y), toColor(curve));
    QVERIFY(image.pixelColor(qRound(plot.area.right()) - 20, y) != toColor(curve));
}

void SearchCanvasTest::bestAndBoundAreDrawnInBothThemes()
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        const QImage image = painted(record(), theme);
        QVERIFY(pixelsOf(image, palette(theme).curve) > 400); // a line of two pixels across
        QVERIFY(pixelsOf(image, palette(theme).bound) > 100); // a dashed one
    }
}

void SearchCanvasTest::aProofIsMarked()
{
    SearchRecord proved = record();
    proved.end = SearchEnd::Optimal;
    proved.history.push_back({0.5, 5000, 1100, 1100, "exact"});
    SearchRecord open = proved;
    open.end = SearchEnd::Limit;

    const QImage marked = painted(proved, Theme::Light);
    const QImage plain = painted(open, Theme::Light);

    // A diamond at the right end of the line.
    const SearchPlot plot = plotOf(proved, 0, {0, 0, 600, 300}, makeStyle(Theme::Light, QFont()));
    const QPoint at = QPointF(plot.xOf(proved.seconds) + 3, plot.yOf(1100)).toPoint();
    QCOMPARE(marked.pixelColor(at), toColor(palette(Theme::Light).bound));
    QVERIFY(plain.pixelColor(at) != toColor(palette(Theme::Light).bound));
}

void SearchCanvasTest::anythingIsPaintedAtAnySize()
{
    SearchRecord odd;
    QVERIFY(!painted(odd, Theme::Light).isNull());
    odd.history = {{0, 0, 0, 0, "sweep"}};
    for (const QSize size : {QSize(1, 1), QSize(40, 20), QSize(160, 120), QSize(4000, 900)})
        QVERIFY(!painted(odd, Theme::Dark, size).isNull());
    odd.history.push_back({1e6, 1, std::numeric_limits<std::int64_t>::max(), 0, "exact"});
    QVERIFY(!painted(odd, Theme::Dark).isNull());
}

void SearchCanvasTest::keysAndClicksGoFromPlanToPlan()
{
    SearchCanvas canvas;
    canvas.resize(600, 300);
    canvas.setReport(test::planned(test::smallGraph()), nullptr);
    canvas.setRecord(std::make_shared<const SearchRecord>(record()), 0);
    const auto said = [&](const char* words) { return canvas.accessibleDescription().contains(QLatin1String(words)); };
    const auto press = [&](Qt::Key key) {
        QTest::keyClick(&canvas, key);
        return canvas.point();
    };
    QVERIFY(said("Arrow keys"));
    QCOMPARE(press(Qt::Key_Right), 0);
    QVERIFY(said("found by sweep"));
    QCOMPARE(press(Qt::Key_Right), 1);
    QCOMPARE(press(Qt::Key_Right), 2);
    QCOMPARE(press(Qt::Key_Right), 2);
    QVERIFY(said("found by exact"));
    QCOMPARE(press(Qt::Key_Left), 1);

    const SearchPlot plot = plotOf(record(), 0, canvas.rect(), makeStyle(Theme::Light, canvas.font()));
    const int between = int(plot.xOf(0.02));
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::NoModifier, {between, int(plot.area.bottom()) - 2});
    QCOMPARE(canvas.point(), 1); // the best plan by then
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::NoModifier, {int(plot.xOf(0.5)), 20});
    QCOMPARE(canvas.point(), 2);
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::NoModifier, {2, 20});
    QCOMPARE(canvas.point(), -1); // none by then
    QVERIFY(said("Arrow keys"));

    QCOMPARE(press(Qt::Key_Right), 0);
    SearchRecord more = record();
    more.history.push_back({0.5, 5000, 1100, 1100, "exact"});
    canvas.setRecord(std::make_shared<const SearchRecord>(more), 0);
    QCOMPARE(canvas.point(), 0); // the same search, which goes on
    more.history.front().seconds = 0.002;
    canvas.setRecord(std::make_shared<const SearchRecord>(more), 0);
    QCOMPARE(canvas.point(), -1);
}

QTEST_MAIN(SearchCanvasTest)
#include "tst_search_canvas.moc"
