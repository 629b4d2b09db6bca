#include "app/views/style.h"
#include "core/picture/plan_picture.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::app;

/// Patterns look alike on screens of any density.
class TestStyle : public QObject
{
    Q_OBJECT

private slots:
    void aPatternIsAsDenseOnEveryScreen_data();
    void aPatternIsAsDenseOnEveryScreen();
};

namespace {

/// The share of a square that the pattern covers, and how often it begins in the row where that is most often.
std::pair<double, int> coverage(Pattern pattern, double ratio)
{
    constexpr int Side = 64;
    QImage image(QSize(Side, Side) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.fillRect(0, 0, Side, Side, patternBrush(pattern, Qt::black, painter.device()->devicePixelRatioF()));
    painter.end();
    double ink = 0;
    int begins = 0;
    for (int y = 0; y < image.height(); ++y) {
        int inRow = 0;
        for (int x = 0; x < image.width(); ++x) {
            ink += 1 - image.pixelColor(x, y).lightnessF();
            const bool dark = image.pixelColor(x, y).lightness() < 160;
            inRow += dark && x > 0 && image.pixelColor(x - 1, y).lightness() >= 160;
        }
        begins = std::max(begins, inRow);
    }
    return {ink / image.width() / image.height(), begins};
}

} // namespace

void TestStyle::aPatternIsAsDenseOnEveryScreen_data()
{
    QTest::addColumn<int>("pattern");
    for (const Pattern pattern :
         {Pattern::InPlace, Pattern::View, Pattern::Padding, Pattern::Scratch, Pattern::Rounding})
        QTest::addRow("%d", static_cast<int>(pattern)) << static_cast<int>(pattern);
}

void TestStyle::aPatternIsAsDenseOnEveryScreen()
{
    QFETCH(int, pattern);
    const auto [ink, begins] = coverage(static_cast<Pattern>(pattern), 1);
    for (const double ratio : {2.0, 3.0}) {
        const auto [dense, denseBegins] = coverage(static_cast<Pattern>(pattern), ratio);
        QVERIFY2(qAbs(dense - ink) < 0.06, qPrintable(QStringLiteral("%1: %2, %3").arg(ratio).arg(ink).arg(dense)));
        QVERIFY2(qAbs(denseBegins - begins) <= 1,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(ratio).arg(begins).arg(denseBegins)));
    }
}

QTEST_MAIN(TestStyle)
#include "tst_style.moc"
