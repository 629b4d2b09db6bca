#include "core/base/bytes.h"

#include <QtTest>

#include <limits>

using namespace plimsoll;

namespace {
constexpr std::int64_t Max = std::numeric_limits<std::int64_t>::max();
}

class BytesTest : public QObject
{
    Q_OBJECT

private slots:
    void sumsAndProductsThatDoNotFitAreEmpty()
    {
        QCOMPARE(checkedAdd(Max - 1, 1), std::optional(Max));
        QVERIFY(!checkedAdd(Max, 1));
        QVERIFY(!checkedAdd(-1, 5));
        QCOMPARE(checkedMultiply(Max, 1), std::optional(Max));
        QCOMPARE(checkedMultiply(Max, 0), std::optional<std::int64_t>(0));
        QVERIFY(!checkedMultiply(std::int64_t {1} << 32, std::int64_t {1} << 31));
        QVERIFY(!checkedMultiply(-2, -3));
    }

    void alignmentRoundsUpOnly_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("alignment");
        QTest::addColumn<qint64>("rounded");
        QTest::newRow("nothing") << 0LL << 64LL << 0LL;
        QTest::newRow("one byte") << 1LL << 64LL << 64LL;
        QTest::newRow("exact") << 128LL << 64LL << 128LL;
        QTest::newRow("no power of two") << 10LL << 12LL << 12LL;
        QTest::newRow("by one") << 13LL << 1LL << 13LL;
    }
    void alignmentRoundsUpOnly()
    {
        QFETCH(qint64, bytes);
        QFETCH(qint64, alignment);
        QFETCH(qint64, rounded);

        QCOMPARE(alignUp(bytes, alignment), rounded);
        QCOMPARE(checkedAlignUp(bytes, alignment), std::optional<std::int64_t>(rounded));
    }

    void alignmentBeyondTheLimitIsEmpty()
    {
        QVERIFY(!checkedAlignUp(Max - 10, 64));
        QVERIFY(!checkedAlignUp(-1, 64));
    }

    void sizesAreWrittenInThreeDigits_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0LL << "0 B";
        QTest::newRow("bytes") << 1023LL << "1023 B";
        QTest::newRow("two decimals") << 1536LL << "1.50 KiB";
        QTest::newRow("one decimal") << 12800LL << "12.5 KiB";
        QTest::newRow("none") << (512LL << 20) << "512 MiB";
        QTest::newRow("never four digits") << (1000LL << 10) << "0.98 MiB";
        QTest::newRow("largest") << qint64 {Max} << "8.00 EiB";
        QTest::newRow("negative") << -2048LL << "-2.00 KiB";
    }
    void sizesAreWrittenInThreeDigits()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);

        QCOMPARE(QString::fromStdString(formatBytes(bytes)), text);
    }

    void countsAreGroupedByThree()
    {
        QCOMPARE(formatCount(1234567), std::string("1,234,567"));
        QCOMPARE(formatCount(-1000), std::string("-1,000"));
        QCOMPARE(formatCount(999), std::string("999"));
    }

    void sizesAreReadWithTheirUnits_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        QTest::newRow("plain") << "4096" << 4096LL;
        QTest::newRow("binary") << "64KiB" << 65536LL;
        QTest::newRow("space and fraction") << "1.5 GiB" << 1610612736LL;
        QTest::newRow("decimal") << "2MB" << 2000000LL;
        QTest::newRow("lower case k") << "1k" << 1024LL;
        QTest::newRow("exact beyond 53 bits") << "9007199254740993" << 9007199254740993LL;
        QTest::newRow("hexadecimal") << "0x36000" << 221184LL;
        QTest::newRow("the last") << "0x7fffffffffffffff" << qint64 {Max};
        QTest::newRow("hexadecimal, too large") << "0x8000000000000000" << -1LL;
        QTest::newRow("hexadecimal, negative") << "0x-1" << -1LL;
        QTest::newRow("no digit") << "0x" << -1LL;
        QTest::newRow("hexadecimal with a unit") << "0x10 KiB" << -1LL;
        QTest::newRow("negative") << "-1" << -1LL;
        QTest::newRow("unit unknown") << "3 apples" << -1LL;
        QTest::newRow("empty") << "" << -1LL;
        QTest::newRow("too large") << "9000000000000 TiB" << -1LL;
        QTest::newRow("not a number") << "nan" << -1LL;
        QTest::newRow("infinite") << "inf" << -1LL;
    }
    void sizesAreReadWithTheirUnits()
    {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);

        QCOMPARE(parseBytes(text.toStdString()).value_or(-1), bytes);
    }
};

QTEST_APPLESS_MAIN(BytesTest)
#include "tst_bytes.moc"
