#include "core/graph/number_formats.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace plimsoll;

namespace {

constexpr double Inf = std::numeric_limits<double>::infinity();

} // namespace

class TestNumberFormats : public QObject
{
    Q_OBJECT

private slots:
    void everyCodeSurvivesTheRoundTrip_data();
    void everyCodeSurvivesTheRoundTrip();
    void numbersRoundToTheNearestCode_data();
    void numbersRoundToTheNearestCode();
    void powersOfTwoRoundAsAsked();
    void packedElementsLieLowBitsFirst();
    void codesBelowAByteHaveSigns();
};

void TestNumberFormats::everyCodeSurvivesTheRoundTrip_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<int>("codes");
    for (const DType dtype : {DType::Float8E4M3FN, DType::Float8E4M3FNUZ, DType::Float8E5M2, DType::Float8E5M2FNUZ}) {
        QTest::newRow(std::string(dtypeName(dtype)).c_str()) << static_cast<int>(dtype) << 256;
    }
    QTest::newRow("float4") << static_cast<int>(DType::Float4E2M1) << 16;
    QTest::newRow("float16") << static_cast<int>(DType::Float16) << 65536;
    QTest::newRow("bfloat16") << static_cast<int>(DType::BFloat16) << 65536;
}

void TestNumberFormats::everyCodeSurvivesTheRoundTrip()
{
    QFETCH(const int, dtype);
    QFETCH(const int, codes);
    const FloatFormat& format = *floatFormat(static_cast<DType>(dtype));

    for (std::uint32_t code = 0; code < static_cast<std::uint32_t>(codes); ++code) {
        const double number = decodeFloat(code, format);
        const std::uint32_t back = encodeFloat(number, format, false);
        if (std::isnan(number)) {
            QVERIFY(std::isnan(decodeFloat(back, format)));
        } else {
            QCOMPARE(back, code);
        }
    }
}

void TestNumberFormats::numbersRoundToTheNearestCode_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<double>("number");
    QTest::addColumn<bool>("saturate");
    QTest::addColumn<double>("nearest");
    const auto row = [](const char* name, DType dtype, double number, bool saturate, double nearest) {
        QTest::newRow(name) << static_cast<int>(dtype) << number << saturate << nearest;
    };
    row("half: tie goes down to even", DType::Float16, 2049, false, 2048);
    row("half: tie goes up to even", DType::Float16, 2051, false, 2052);
    row("half: smallest subnormal", DType::Float16, std::ldexp(1, -24), false, std::ldexp(1, -24));
    row("half: half of it is zero", DType::Float16, std::ldexp(1, -25), false, 0);
    row("half: last finite", DType::Float16, 65519, false, 65504);
    row("half: beyond", DType::Float16, 65520, false, Inf);
    row("bfloat16: tie to even", DType::BFloat16, 257, false, 256);
    row("bfloat16: above the tie", DType::BFloat16, 257.5, false, 258);
    row("e4m3fn: saturates", DType::Float8E4M3FN, 1000, true, 448);
    row("e4m3fn: negative infinity saturates", DType::Float8E4M3FN, -Inf, true, -448);
    row("e4m3fn: no infinity", DType::Float8E4M3FN, 1000, false, std::nan(""));
    row("e4m3fn: rounds down to the largest", DType::Float8E4M3FN, 463, false, 448);
    row("e5m2: has infinity", DType::Float8E5M2, 1e6, false, Inf);
    row("e5m2: saturates", DType::Float8E5M2, 1e6, true, 57344);
    row("e4m3fnuz: largest", DType::Float8E4M3FNUZ, 300, true, 240);
    row("e4m3fnuz: no minus zero", DType::Float8E4M3FNUZ, -1e-9, true, 0);
    row("e2m1: tie to even", DType::Float4E2M1, 2.5, true, 2);
    row("e2m1: largest", DType::Float4E2M1, 100, false, 6);
}

void TestNumberFormats::numbersRoundToTheNearestCode()
{
    QFETCH(const int, dtype);
    QFETCH(const double, number);
    QFETCH(const bool, saturate);
    QFETCH(const double, nearest);
    const FloatFormat& format = *floatFormat(static_cast<DType>(dtype));

    const double got = decodeFloat(encodeFloat(number, format, saturate), format);

    QVERIFY2(got == nearest || (std::isnan(got) && std::isnan(nearest)), qPrintable(QString::number(got)));
}

void TestNumberFormats::powersOfTwoRoundAsAsked()
{
    for (int code = 0; code < 255; ++code) {
        const double power = decodeE8M0(static_cast<std::uint8_t>(code));
        QCOMPARE(encodeE8M0(power, E8M0Rounding::Up, true), static_cast<std::uint8_t>(code));
        QCOMPARE(encodeE8M0(power, E8M0Rounding::Down, true), static_cast<std::uint8_t>(code));
    }
    QCOMPARE(decodeE8M0(encodeE8M0(5, E8M0Rounding::Up, true)), 8.0);
    QCOMPARE(decodeE8M0(encodeE8M0(7, E8M0Rounding::Down, true)), 4.0);
    QCOMPARE(decodeE8M0(encodeE8M0(5, E8M0Rounding::Nearest, true)), 4.0);
    QCOMPARE(decodeE8M0(encodeE8M0(6, E8M0Rounding::Nearest, true)), 8.0);
    QVERIFY(std::isnan(decodeE8M0(255)));
}

void TestNumberFormats::packedElementsLieLowBitsFirst()
{
    std::uint8_t bytes[2] = {0, 0};
    setPackedCode<4>(bytes, 0, 0x3);
    setPackedCode<4>(bytes, 1, 0xA);
    setPackedCode<4>(bytes, 2, 0xF);
    QCOMPARE(bytes[0], std::uint8_t {0xA3});
    QCOMPARE(bytes[1], std::uint8_t {0x0F});
    setPackedCode<2>(bytes, 3, 1);
    QCOMPARE(bytes[0], std::uint8_t {0x63});
    QCOMPARE(packedCode<2>(bytes, 3), std::uint8_t {1});
}

void TestNumberFormats::codesBelowAByteHaveSigns()
{
    QCOMPARE(int(signedOf<4>(7)), 7);
    QCOMPARE(int(signedOf<4>(8)), -8);
    QCOMPARE(int(signedOf<4>(15)), -1);
    QCOMPARE(int(signedOf<2>(2)), -2);
}

QTEST_APPLESS_MAIN(TestNumberFormats)
#include "tst_number_formats.moc"
