#include "app/views/plan/plan_scene.h"
#include "tests/core/picture/picture_samples.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

#include <random>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A few less than what several threads look at, each at its part of the picture.
constexpr std::int64_t Few = 99'990;

/// Short ones that begin one after the other, and now and then one that is long and high.
std::vector<PlanBar> manyBars(std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto upTo = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
    std::vector<PlanBar> bars;
    for (std::int64_t i = 0; i < Few; ++i) {
        const bool large = i % 9'000 == 17;
        const std::int64_t steps = large ? 20'000 : 1 + upTo(i % 100 == 0 ? 4'000 : 20);
        const std::int64_t bytes = large ? 5'000 : 64 * (1 + upTo(8));
        const std::int64_t offset = upTo(60'000);
        bars.push_back({.steps = {i, i + steps}, .storage = StorageId(std::size_t {i % 2 == 0 ? 0U : 1U})});
        bars.back().bytes = bars.back().at = {offset, offset + bytes};
        bars.back().colour = static_cast<ColourIndex>(i % StorageColourCount);
    }
    return bars;
}

QImage painted(PlanScene scene, std::vector<PlanBar> bars, const PlanViewport& view, double scale)
{
    scene.picture.bars = std::move(bars);
    std::vector<Interval> steps;
    for (const PlanBar& bar : scene.picture.bars)
        steps.push_back(bar.steps);
    scene.picture.barIndex = IntervalIndex(steps);
    QImage image((QSizeF(820, 420) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintBars(painter, scene, view, makeStyle(Theme::Light, QFont()));
    return image;
}

int mostDifference(const QImage& a, const QImage& b)
{
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb one = a.pixel(x, y);
            const QRgb other = b.pixel(x, y);
            most = std::max({most, std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                             std::abs(qBlue(one) - qBlue(other))});
        }
    return most;
}

} // namespace

class TestPlanBars : public QObject
{
    Q_OBJECT

private slots:
    void manyMakeThePictureThatFewMake_data();
    void manyMakeThePictureThatFewMake();
};

void TestPlanBars::manyMakeThePictureThatFewMake_data()
{
    QTest::addColumn<double>("scale");
    QTest::addColumn<double>("shown");
    QTest::addColumn<bool>("picked");
    for (const double scale : {1.0, 1.25, 2.0})
        for (const double shown : {1.0, 0.01}) {
            QTest::addRow("scale %g, %g of the steps", scale, shown) << scale << shown << false;
            QTest::addRow("scale %g, %g of the steps, picked", scale, shown) << scale << shown << true;
        }
}

/// Bars that are not seen change nothing, and yet make others be painted in parts.
void TestPlanBars::manyMakeThePictureThatFewMake()
{
    QFETCH(double, scale);
    QFETCH(double, shown);
    QFETCH(bool, picked);
    PlanScene scene;
    scene.report = std::make_shared<const Report>(test::reportOf({{"a", {0, 2}, 65'536, 0}, {"b", {2, 4}, 64, 0}}));
    scene.picture = makePlanPicture(*scene.report, {});
    scene.emphasis = {.any = picked, .storages = {1, 0}, .values = std::vector<ValueMark>(2, ValueMark::None)};
    PlanViewport view;
    view.setWorld(double(Few), 65'536);
    view.setArea({10, 10, 800, 400});
    view.fit();
    view.showSteps({0.4 * double(Few), shown * double(Few)});
    constexpr std::uint32_t Seed = 7;
    const std::vector<PlanBar> few = manyBars(Seed);
    std::vector<PlanBar> many = few;
    many.resize(100'010, PlanBar {.steps = {10 * Few, 10 * Few + 1}, .bytes = {0, 64}, .at = {0, 64}});

    const QImage whole = painted(scene, few, view, scale);
    const QImage inParts = painted(scene, many, view, scale);

    QVERIFY2(mostDifference(whole, inParts) <= 2, qPrintable(QString::number(mostDifference(whole, inParts))));
    QImage empty = painted(scene, {}, view, scale);
    QVERIFY(mostDifference(whole, empty) > 50);
}

QTEST_MAIN(TestPlanBars)
#include "tst_plan_bars.moc"
