#include "core/graph/number_formats.h"
#include "kernels/cuda/launch/cuda_walk.h"
#include "kernels/cuda/launch/divisor.h"
#include "kernels/cuda/launch/groups.h"
#include "kernels/cuda/launch/number.h"
#include "kernels/cuda/launch/region.h"
#include "kernels/cuda/launch/sliding.h"

#include <QTest>

#include <array>
#include <cmath>
#include <random>

using namespace plimsoll;
using namespace plimsoll::kernels::cuda::loops;

Q_DECLARE_METATYPE(plimsoll::kernels::Windows)

/// Divisions by what many threads divide by, and walks that lean on them.
class TestCudaIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDivisorDividesLikeADivision_data();
    void aDivisorDividesLikeADivision();
    void aWalkFindsEveryElement();
    void windowsAndPlacesAreTheInverseOfEachOther_data();
    void windowsAndPlacesAreTheInverseOfEachOther();
    void lanesShareOutTheThreadsOfABlock_data();
    void lanesShareOutTheThreadsOfABlock();
    void numbersOfSixteenBitsAreThoseOfTheReference_data();
    void numbersOfSixteenBitsAreThoseOfTheReference();
    void groupsOfAChannelSkipTheOthers();
    void aCopyThatTransposesIsFound_data();
    void aCopyThatTransposesIsFound();
};

void TestCudaIndex::aDivisorDividesLikeADivision_data()
{
    QTest::addColumn<std::int64_t>("count"); // dividends lie below
    constexpr std::int64_t Small = std::int64_t {1} << 31U;
    QTest::newRow("by multiplication") << Small;
    QTest::newRow("in 64 bits") << Small * 1000;
}

void TestCudaIndex::aDivisorDividesLikeADivision()
{
    QFETCH(const std::int64_t, count);
    std::mt19937_64 random(20250602);
    std::vector<std::int64_t> sizes {1, 2, 3, 5, 7, 31, 32, 33, 1000, 65535, 65536, 65537, count / 2, count - 1};
    for (int i = 0; i < 500; ++i)
        sizes.push_back(1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count >> random() % 30U)));
    for (const std::int64_t size : sizes) {
        const Divisor by(size, count);
        std::vector<std::int64_t> dividends {0, 1, size - 1, size, size + 1, 2 * size - 1, 2 * size, count - 1};
        const std::int64_t multiple = (count - 1) / size * size;
        dividends.insert(dividends.end(), {multiple, multiple - 1});
        for (int i = 0; i < 200; ++i)
            dividends.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count)));
        for (const std::int64_t dividend : dividends) {
            if (dividend < 0 || dividend >= count) continue;
            QVERIFY2(dividend / by == dividend / size && dividend % by == dividend % size,
                     qPrintable(QStringLiteral("%1 by %2").arg(dividend).arg(size)));
        }
    }
}

/// Against offsets that are counted up dimension by dimension.
void TestCudaIndex::aWalkFindsEveryElement()
{
    const Shape shape {3, 1, 5, 7, 2};
    const std::array<Shape, 2> strides {Shape {70, 70, 14, 2, 1}, Shape {0, 9, 1, 50, 400}};
    const auto walk = walkOver<2>(shape, strides);
    QVERIFY(walk.has_value());
    std::int64_t i = 0;
    for (std::int64_t a = 0; a < 3; ++a) {
        for (std::int64_t c = 0; c < 5; ++c) {
            for (std::int64_t d = 0; d < 7; ++d) {
                for (std::int64_t e = 0; e < 2; ++e, ++i) {
                    const Offsets<2> at = walk->at(i);
                    QCOMPARE(at[0], i);
                    QCOMPARE(at[1], c + d * 50 + e * 400);
                }
            }
        }
    }
    QCOMPARE(walk->count, i);
}

void TestCudaIndex::windowsAndPlacesAreTheInverseOfEachOther_data()
{
    QTest::addColumn<kernels::Windows>("windows");
    // input, kernel, strides, dilations, pads in front and behind, windows
    QTest::newRow("one axis") << kernels::Windows {{7}, {3}, {1}, {1}, {0}, {0}, {5}};
    QTest::newRow("padded") << kernels::Windows {{5}, {3}, {2}, {1}, {1}, {1}, {3}};
    QTest::newRow("dilated") << kernels::Windows {{9}, {3}, {1}, {2}, {2}, {0}, {7}};
    QTest::newRow("hanging over") << kernels::Windows {{6}, {2}, {3}, {1}, {0}, {0}, {3}};
    QTest::newRow("two axes") << kernels::Windows {{4, 5}, {2, 3}, {1, 2}, {1, 1}, {1, 0}, {0, 2}, {4, 3}};
    QTest::newRow("three axes") << kernels::Windows {{3, 2, 4}, {2, 2, 1}, {1, 1, 3}, {2, 1, 1},
                                                     {1, 1, 0}, {1, 0, 0}, {3, 2, 2}};
}

void TestCudaIndex::windowsAndPlacesAreTheInverseOfEachOther()
{
    QFETCH(const kernels::Windows, windows);
    const auto sliding = slidingOf(windows, 1);
    QVERIFY(sliding.has_value());
    const auto kernel = static_cast<std::int32_t>(kernels::productOf(windows.kernel));
    const auto count = static_cast<std::int32_t>(kernels::productOf(windows.output));
    const auto plane = static_cast<std::int32_t>(kernels::productOf(windows.input));
    std::vector<std::int64_t> sources; // as the reference has them
    kernels::windowSources(windows, 0, count, sources);
    for (std::int32_t element = 0; element < kernel; ++element) {
        std::int32_t inside = 0;
        for (std::int32_t window = 0; window < count; ++window) {
            const std::int32_t source = sliding->source(window, element);
            QCOMPARE(std::int64_t {source}, sources[static_cast<std::size_t>(element * count + window)]);
            if (source < 0) continue;
            ++inside;
            QCOMPARE(sliding->windowAt(source, element), window);
        }
        for (std::int32_t place = 0; place < plane; ++place)
            inside -= sliding->windowAt(place, element) >= 0 ? 1 : 0;
        QCOMPARE(inside, 0); // no place has a window that does not look at it
    }
}

void TestCudaIndex::lanesShareOutTheThreadsOfABlock_data()
{
    QTest::addColumn<qint64>("rows");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<bool>("along");
    for (const bool along : {true, false}) {
        for (const auto& [rows, count] :
             std::initializer_list<std::pair<int, int>> {{1, 1}, {1, 5000}, {3, 33}, {1000, 2}, {1000, 1000}})
            QTest::addRow("%d rows of %d, %s", rows, count, along ? "along" : "across")
                << qint64 {rows} << qint64 {count} << along;
    }
}

void TestCudaIndex::lanesShareOutTheThreadsOfABlock()
{
    QFETCH(const qint64, rows);
    QFETCH(const qint64, count);
    QFETCH(const bool, along);
    constexpr int Threads = 256;
    const Lanes lanes = lanesFor(rows, count, along, Threads);
    QCOMPARE(lanes.lanes() * lanes.rows(), Threads);
    std::vector<int> taken(Threads, 0);
    for (int t = 0; t < Threads; ++t) {
        QVERIFY(lanes.laneOf(t) < lanes.lanes() && lanes.rowOf(t) < lanes.rows());
        ++taken[static_cast<std::size_t>(lanes.slotOf(t))];
    }
    QCOMPARE(taken, std::vector<int>(Threads, 1));
}

void TestCudaIndex::numbersOfSixteenBitsAreThoseOfTheReference_data()
{
    QTest::addColumn<int>("dtype");
    QTest::newRow("float16") << static_cast<int>(DType::Float16);
    QTest::newRow("bfloat16") << static_cast<int>(DType::BFloat16);
}

void TestCudaIndex::numbersOfSixteenBitsAreThoseOfTheReference()
{
    QFETCH(const int, dtype);
    const bool half = static_cast<DType>(dtype) == DType::Float16;
    const FloatFormat& format = *floatFormat(static_cast<DType>(dtype));
    const auto rounded = [half](float x) { return half ? roundedToHalf(x).bits : roundedToBFloat16(x).bits; };
    for (std::uint32_t code = 0; code < 65536; ++code) {
        const auto bits = static_cast<std::uint16_t>(code);
        const float number = half ? load(Half {bits}) : load(BFloat16 {bits});
        const double expected = decodeFloat(code, format);
        if (std::isnan(expected)) {
            QVERIFY(std::isnan(number));
            continue;
        }
        QCOMPARE(static_cast<double>(number), expected);
        QCOMPARE(rounded(number), bits);
        // Between two neighbours, at the middle and a little beside it.
        const float next = half ? load(Half {static_cast<std::uint16_t>(bits + 1)})
                                : load(BFloat16 {static_cast<std::uint16_t>(bits + 1)});
        if (!std::isfinite(number) || !std::isfinite(next)) continue;
        const float middle = number / 2 + next / 2;
        for (const float between : {middle, std::nextafter(middle, number), std::nextafter(middle, next)})
            QCOMPARE(std::uint32_t {rounded(between)}, encodeFloat(between, format, false));
    }
}

void TestCudaIndex::groupsOfAChannelSkipTheOthers()
{
    // Channel 1 of [2, 3, 4]: elements 4 to 7 and 16 to 19.
    const Groups groups = groupsOf(3, 2, 4, 12);
    QCOMPARE(groups.size(), std::int64_t {8});
    QCOMPARE(groups.at(1, 0), std::int64_t {4});
    QCOMPARE(groups.at(1, 3), std::int64_t {7});
    QCOMPARE(groups.at(1, 4), std::int64_t {16});
    QCOMPARE(groups.at(2, 7), std::int64_t {23});
}

void TestCudaIndex::aCopyThatTransposesIsFound_data()
{
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<QList<int>>("from"); // strides
    QTest::addColumn<QList<int>>("to");
    QTest::addColumn<int>("dense");  // the dimension along which it is dense where it is read, innermost first
    QTest::addColumn<int>("others"); // elements of what is left beside the tiles
    QTest::newRow("a matrix") << QList<int> {16, 32} << QList<int> {1, 16} << QList<int> {32, 1} << 1 << 1;
    QTest::newRow("matrices in a batch") << QList<int> {5, 16, 32} << QList<int> {512, 1, 16} << QList<int> {512, 32, 1}
                                         << 1 << 5;
    QTest::newRow("channels last") << QList<int> {2, 8, 8, 9} << QList<int> {576, 8, 1, 64}
                                   << QList<int> {576, 72, 9, 1} << 1 << 2;
    QTest::newRow("too few rows for tiles") << QList<int> {4, 32} << QList<int> {1, 4} << QList<int> {32, 1} << -1 << 0;
    QTest::newRow("in order") << QList<int> {16, 32} << QList<int> {32, 1} << QList<int> {32, 1} << -1 << 0;
    QTest::newRow("every other element") << QList<int> {32} << QList<int> {2} << QList<int> {1} << -1 << 0;
}

void TestCudaIndex::aCopyThatTransposesIsFound()
{
    QFETCH(const QList<int>, sizes);
    QFETCH(const QList<int>, from);
    QFETCH(const QList<int>, to);
    QFETCH(const int, dense);
    QFETCH(const int, others);
    const auto shape = [](const QList<int>& numbers) { return Shape(numbers.begin(), numbers.end()); };
    const auto walk = walkOver<2>(shape(sizes), {shape(from), shape(to)});
    QVERIFY(walk);
    QCOMPARE(transposedDimension(*walk), dense);
    if (dense < 0) return;
    const Walk<2> rest = withoutDimensions(*walk, 0, dense);
    QCOMPARE(rest.count, std::int64_t {others});
    QCOMPARE(rest.at(others - 1)[0], std::int64_t {others - 1} * from.front());
    QCOMPARE(rest.count * walk->sizes[0] * walk->sizes[dense], walk->count);
}

QTEST_APPLESS_MAIN(TestCudaIndex)
#include "tst_cuda_index.moc"
