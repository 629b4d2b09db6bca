#include "core/record/content_map.h"

#include <QTest>

#include <limits>
#include <numeric>

using namespace plimsoll;

namespace {

ContentMap mapOf(const Shape& shape, const std::vector<float>& elements, std::int64_t at = 0)
{
    const auto bytes = std::as_bytes(std::span(elements));
    return contentMap(DType::Float32, shape, bytes, summarise(DType::Float32, bytes), at);
}

using Levels = std::vector<std::uint8_t>;

} // namespace

class ContentMapTest : public QObject
{
    Q_OBJECT

private slots:
    void theLastTwoDimensionsAreRowsAndColumns()
    {
        const ContentMap map = mapOf({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 1);
        QCOMPARE(map.rows, 2);
        QCOMPARE(map.columns, 3);
        QCOMPARE(map.count, 2);
        QCOMPARE(map.levels, (Levels {138, 161, 184, 207, 230, 254})); // 254 · element / 11
    }

    void oneDimensionIsASquare()
    {
        const ContentMap map = mapOf({5}, {0, 1, 2, 3, 4});
        QCOMPARE(map.rows, 2);
        QCOMPARE(map.columns, 3);
        QCOMPARE(map.count, 1);
        QCOMPARE(map.levels, (Levels {0, 63, 127, 190, 254, ContentMap::NotFinite}));
    }

    void whatIsNotFiniteStandsOut()
    {
        constexpr float Inf = std::numeric_limits<float>::infinity();
        QCOMPARE(mapOf({1, 3}, {1, -Inf, 2}).levels, (Levels {0, ContentMap::NotFinite, 254}));
    }

    void equalElementsAreOfOneLevel() { QCOMPARE(mapOf({1, 2}, {7, 7}).levels, (Levels {127, 127})); }

    void aLargeOneIsThinnedOut()
    {
        std::vector<float> elements(1024 * 3);
        std::iota(elements.begin(), elements.end(), 0.F);
        const ContentMap map = mapOf({1024, 3}, elements);
        QCOMPARE(map.rows, ContentMap::MostPixels);
        QCOMPARE(map.columns, 3);
        QCOMPARE(std::ssize(map.levels), ContentMap::MostPixels * 3);
        QVERIFY(std::ranges::is_sorted(map.levels));
    }

    void whatHasLessThanTwoElementsHasNone()
    {
        QVERIFY(mapOf({}, {1}).levels.empty());
        QVERIFY(mapOf({0, 3}, {}).levels.empty());
    }

    void aMapBeyondTheLastIsTheLast()
    {
        QCOMPARE(mapOf({2, 1, 2}, {0, 1, 2, 3}, 9).levels, mapOf({2, 1, 2}, {0, 1, 2, 3}, 1).levels);
    }
};

QTEST_APPLESS_MAIN(ContentMapTest)
#include "tst_content_map.moc"
