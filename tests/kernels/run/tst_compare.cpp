#include "kernels/run/step/compare.h"

#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"

#include <QTest>

#include <bit>
#include <cstring>
#include <limits>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

template <typename T>
RuntimeValue tensor(DType dtype, const std::vector<T>& numbers)
{
    HostTensor made(dtype, {static_cast<std::int64_t>(numbers.size())});
    std::memcpy(made.view().data, numbers.data(), numbers.size() * sizeof(T));
    return tensorValue(std::move(made));
}

RuntimeValue reals(const std::vector<float>& numbers)
{
    return tensor(DType::Float32, numbers);
}

constexpr float Infinite = std::numeric_limits<float>::infinity();

} // namespace

class tst_Compare : public QObject
{
    Q_OBJECT

private slots:
    /// Whatever its sign and payload.
    void notANumberIsNotANumber()
    {
        const auto quiet = std::numeric_limits<float>::quiet_NaN();
        const RuntimeValue other = tensor<std::uint32_t>(DType::Float32, {0xFFC00001U, 0x7FA00000U});
        QVERIFY(!compareWithin(other, reals({quiet, quiet}), {}));
        QVERIFY(!compareWithin(reals({quiet, quiet}), other, {}));
        QVERIFY(compareWithin(reals({quiet, 1}), reals({quiet, quiet}), {}).has_value());
        QVERIFY(compareWithin(reals({1, quiet}), reals({1, 1}), {}).has_value());
        QVERIFY(compareExactly(other, reals({quiet, quiet})).has_value());
    }

    void aNumberIsNotInfinite()
    {
        QVERIFY(!compareWithin(reals({Infinite, -Infinite}), reals({Infinite, -Infinite}), {}));
        QVERIFY(compareWithin(reals({5}), reals({Infinite}), {}).has_value());
        QVERIFY(compareWithin(reals({Infinite}), reals({5}), {}).has_value());
        QVERIFY(compareWithin(reals({Infinite}), reals({-Infinite}), {}).has_value());
    }

    /// 2^-23 of the largest, as sums of float32 keep it; what is not finite says nothing.
    void whatCancelsKeepsTheRoundingOfTheLargest()
    {
        const RuntimeValue wanted = reals({4, 4e-7F, Infinite});
        const RuntimeValue found = reals({4, 0, Infinite});
        QVERIFY(compareWithin(found, wanted, {}).has_value());
        QVERIFY(!compareWithin(found, wanted, withRounding({}, wanted)));
        QVERIFY(compareWithin(reals({4, 2e-6F, Infinite}), wanted, withRounding({}, wanted)).has_value());
        const RuntimeValue integers = tensor<std::int64_t>(DType::Int64, {1 << 30});
        QCOMPARE(withRounding({}, integers).absolute, Tolerance().absolute);
    }

    void integersBeyond53BitsAreToldApart()
    {
        constexpr std::int64_t Large = 9007199254740992; // 2^53
        const RuntimeValue a = tensor<std::int64_t>(DType::Int64, {Large, Large + 1});
        const RuntimeValue b = tensor<std::int64_t>(DType::Int64, {Large + 1, Large});
        const auto difference = compareExactly(a, b);
        QVERIFY(difference.has_value());
        QCOMPARE(difference->maxAbsDiff, 1.0);
        QVERIFY(!compareWithin(a, b, {0, 0, 1}));
        QVERIFY(compareWithin(a, tensor<std::int64_t>(DType::Int64, {Large + 2, Large}), {0, 0, 1}).has_value());
        const RuntimeValue most = tensor<std::uint64_t>(DType::UInt64, {~std::uint64_t {0}});
        QVERIFY(compareWithin(most, tensor<std::uint64_t>(DType::UInt64, {~std::uint64_t {0} - 2}), {0, 0, 1}));
    }

    void elementsAreReadAndShownExactly()
    {
        const RuntimeValue large = tensor<std::int64_t>(DType::Int64, {INT64_MAX, INT64_MIN, 9007199254740993});
        QCOMPARE(readInteger(large.tensor, 0), INT64_MAX);
        QCOMPARE(readInteger(large.tensor, 1), INT64_MIN);
        QCOMPARE(elementText(large.tensor, 2), std::string("9007199254740993"));
        const RuntimeValue beyond = tensor<std::uint64_t>(DType::UInt64, {~std::uint64_t {0}});
        QCOMPARE(readInteger(beyond.tensor, 0), INT64_MAX);
        QCOMPARE(elementText(beyond.tensor, 0), std::string("18446744073709551615"));
        QCOMPARE(readInteger(reals({-2.75F}).tensor, 0), -2);
        const RuntimeValue truths = tensor<std::uint8_t>(DType::Bool, {0, 1, 0xA5}); // a spoiled one is none
        QCOMPARE(elementText(truths.tensor, 0), std::string("false"));
        QCOMPARE(elementText(truths.tensor, 1), std::string("true"));
        QCOMPARE(elementText(truths.tensor, 2), std::string("true (165)"));
    }
};

QTEST_APPLESS_MAIN(tst_Compare)
#include "tst_compare.moc"
