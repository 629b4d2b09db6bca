#include "core/base/narrow.h"

#include <QTest>

#include <cstdint>

using namespace plimsoll;

class tst_Narrow : public QObject
{
    Q_OBJECT

private slots:
    void whatFitsStaysWhatItIs()
    {
        static_assert(narrow<int>(std::size_t {2'147'483'647}) == 2'147'483'647);
        static_assert(narrow<std::uint8_t>(255) == 255);
        QCOMPARE(narrow<std::int32_t>(std::int64_t {-5}), -5);
    }

    void whatDoesNotFitIsNoOtherNumber()
    {
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(narrow<int>(std::size_t {1} << 31)), std::range_error);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(narrow<std::uint32_t>(-1)), std::range_error);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(narrow<std::int8_t>(128U)), std::range_error);
    }

    void theNearestNumberIsShown()
    {
        QCOMPARE(saturated<int>(std::size_t {1} << 40), 2'147'483'647);
        QCOMPARE(saturated<std::uint8_t>(-3), std::uint8_t {0});
        QCOMPARE(saturated<std::int8_t>(-1000), std::int8_t {-128});
        QCOMPARE(saturated<int>(std::int64_t {7}), 7);
    }
};

QTEST_APPLESS_MAIN(tst_Narrow)
#include "tst_narrow.moc"
