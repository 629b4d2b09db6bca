#include "kernels/cuda/cuda_walk.h"
#include "kernels/cuda/divisor.h"

#include <QTest>

#include <array>
#include <random>

using namespace plimsoll;
using namespace plimsoll::kernels::cuda::loops;

/// Divisions by what many threads divide by, and walks that lean on them.
class TestCudaIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDivisorDividesLikeADivision_data();
    void aDivisorDividesLikeADivision();
    void aWalkFindsEveryElement();
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

QTEST_APPLESS_MAIN(TestCudaIndex)
#include "tst_cuda_index.moc"
