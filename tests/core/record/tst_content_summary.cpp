#include "core/record/content_summary.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace plimsoll;

namespace {

template <typename T>
ContentSummary of(DType dtype, const std::vector<T>& elements)
{
    return summarise(dtype, std::as_bytes(std::span(elements)));
}

} // namespace

class ContentSummaryTest : public QObject
{
    Q_OBJECT

private slots:
    void finiteElementsMakeTheFigures()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        const ContentSummary summary = of<float>(DType::Float32, {-1, nan, 0, 3, inf, -inf, 2});
        QCOMPARE(summary.elements, 7);
        QCOMPARE(summary.nans, 1);
        QCOMPARE(summary.infinities, 2);
        QCOMPARE(summary.zeros, 1);
        QCOMPARE(summary.least, -1.0);
        QCOMPARE(summary.most, 3.0);
        QCOMPARE(summary.mean, 1.0);
        QCOMPARE(summary.histogram.front(), 1);
        QCOMPARE(summary.histogram.back(), 1);
        QCOMPARE(std::accumulate(summary.histogram.begin(), summary.histogram.end(), std::int64_t {0}), 4);
    }

    void equalElementsStandInOneBin()
    {
        const ContentSummary summary = of<std::int8_t>(DType::Int8, {-7, -7, -7});
        QCOMPARE(summary.least, -7.0);
        QCOMPARE(summary.most, -7.0);
        QCOMPARE(summary.histogram.front(), 3);
    }

    void theEndsOfARangeDoNotOverflow()
    {
        const double most = std::numeric_limits<double>::max();
        const ContentSummary summary = of<double>(DType::Float64, {-most, most});
        QVERIFY(std::isfinite(summary.mean));
        QCOMPARE(summary.histogram.front(), 1);
        QCOMPARE(summary.histogram.back(), 1);
    }

    void elementsBelowAByteAreCounted()
    {
        const ContentSummary summary = of<std::uint8_t>(DType::UInt4, {0x21, 0x43});
        QCOMPARE(summary.elements, 4);
        QCOMPARE(summary.least, 1.0);
        QCOMPARE(summary.most, 4.0);
    }

    void whatHasNoElementsHasNoFigures()
    {
        QCOMPARE(of<float>(DType::Float32, {}).elements, 0);
        QCOMPARE(of<float>(DType::Unknown, {1}).elements, 0);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(of<float>(DType::Float32, {nan}).most, 0.0);
    }
};

QTEST_APPLESS_MAIN(ContentSummaryTest)
#include "tst_content_summary.moc"
