#include "core/facts/words/number_text.h"

#include "core/base/plural.h"

#include <QTest>

using namespace plimsoll;

/// What every report, table and picture says of numbers.
class tst_Text : public QObject
{
    Q_OBJECT

private slots:
    void sharesAreToldToATenth_data()
    {
        QTest::addColumn<double>("fraction");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << "0.0 %";
        QTest::newRow("what would read as nothing") << 0.00049 << "under 0.1 %";
        QTest::newRow("what would not") << 0.00051 << "0.1 %";
        QTest::newRow("some") << 0.127 << "12.7 %";
        QTest::newRow("many times") << 9.9994 << "999.9 %";
        QTest::newRow("so many that they are parted") << 27.429 << "2,742.9 %";
        QTest::newRow("what is rounded to as many") << 9.9996 << "1,000.0 %";
    }
    void sharesAreToldToATenth()
    {
        QFETCH(double, fraction);
        QTEST(QString::fromStdString(percentText(fraction)), "text");
    }

    void aShareOfNothingIsNothing()
    {
        QCOMPARE(percentText(5, 0), std::string("0.0 %"));
        QCOMPARE(percentText(1, 8), std::string("12.5 %"));
        QCOMPARE(percentText(1, 1'000'000), std::string("under 0.1 %"));
    }

    void rangesAreHalfOpen()
    {
        LiveRanges live({0, 4});
        QCOMPARE(rangesText(live), std::string("[0, 4)"));
        live.add({1006, 2009});
        QCOMPARE(rangesText(live), std::string("[0, 4) [1,006, 2,009)"));
        QCOMPARE(rangesText({}), std::string("none"));
        QCOMPARE(rangeText({0, 90'000}), std::string("[0, 90,000)"));
    }

    void bytesAreExactAndReadable()
    {
        QCOMPARE(bytesText(1023), std::string("1,023"));
        QCOMPARE(bytesText(1'234'567), std::string("1,234,567 (1.18 MiB)"));
        QCOMPARE(bytesText(-1), std::string("unknown"));
    }

    void oneIsNoMany()
    {
        QCOMPARE(plural(0, "node"), std::string("0 nodes"));
        QCOMPARE(plural(1, "node"), std::string("1 node"));
        QCOMPARE(plural(1234, "node"), std::string("1,234 nodes"));
    }
};

QTEST_APPLESS_MAIN(tst_Text)
#include "tst_text.moc"
