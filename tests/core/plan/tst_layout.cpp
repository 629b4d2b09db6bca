#include "core/plan/layout.h"

#include <QTest>

using namespace plimsoll;

class tst_Layout : public QObject
{
    Q_OBJECT

private slots:
    void namesAreReadAndWritten_data();
    void namesAreReadAndWritten();
    void namesThatMeanNothingAreRefused_data();
    void namesThatMeanNothingAreRefused();
    void bytesCountPadLanes_data();
    void bytesCountPadLanes();
    void bytesThatDoNotFitAreNone();
    void stridesFollowTheBlocks();
};

void tst_Layout::namesAreReadAndWritten_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<int>("rank");
    QTest::addColumn<bool>("image");
    for (const char* name : {"plain", "nhwc", "nChw8c", "nChw16c", "NChw16n16c"})
        QTest::newRow(name) << std::string(name) << 4 << true;
    QTest::newRow("nCw8c") << std::string("nCw8c") << 3 << true;
    QTest::newRow("nCdhw16c") << std::string("nCdhw16c") << 5 << true;
    QTest::newRow("ABcd16b16a") << std::string("ABcd16b16a") << 4 << false;
    QTest::newRow("aBCde8c8b") << std::string("aBCde8c8b") << 5 << false;
    QTest::newRow("ba") << std::string("ba") << 2 << false;
    QTest::newRow("ABcd4b16a4b") << std::string("ABcd4b16a4b") << 4 << false;
}

void tst_Layout::namesAreReadAndWritten()
{
    QFETCH(std::string, name);
    QFETCH(int, rank);
    QFETCH(bool, image);
    const auto layout = layoutFromName(name, static_cast<std::size_t>(rank));
    QVERIFY(layout);
    QCOMPARE(layoutName(*layout, image), name);
}

void tst_Layout::namesThatMeanNothingAreRefused_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"", "nchw8c", "nChw", "nChw8", "nChw8h", "nnhw", "nChw0c", "nChw99999999999999999999c",
                             "nch", "nchwd", "abc", "wino", "nChw8c8"})
        QTest::newRow(name) << std::string(name);
}

void tst_Layout::namesThatMeanNothingAreRefused()
{
    QFETCH(std::string, name);
    QVERIFY(!layoutFromName(name, 4));
}

void tst_Layout::bytesCountPadLanes_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<qint64>("bytes");
    const Shape tensor = {1, 22, 46, 34};
    QTest::newRow("plain, 22 channels") << std::string("plain") << tensor << qint64(137'632);
    QTest::newRow("nhwc, 22 channels") << std::string("nhwc") << tensor << qint64(137'632);
    QTest::newRow("nChw8c, 22 channels") << std::string("nChw8c") << tensor << qint64(150'144);
    QTest::newRow("nChw16c, 22 channels") << std::string("nChw16c") << tensor << qint64(200'192);
    const Shape joined = {1, 33, 512, 512};
    QTest::newRow("plain, 33 channels") << std::string("plain") << joined << qint64(34'603'008);
    QTest::newRow("nChw8c, 33 channels") << std::string("nChw8c") << joined << qint64(41'943'040);
    QTest::newRow("nChw16c, 33 channels") << std::string("nChw16c") << joined << qint64(50'331'648);
    QTest::newRow("two blocks of one axis") << std::string("ABcd4b16a4b") << Shape {17, 3, 1, 1} << qint64(32 * 16 * 4);
}

void tst_Layout::bytesCountPadLanes()
{
    QFETCH(std::string, name);
    QFETCH(Shape, shape);
    QFETCH(qint64, bytes);
    QCOMPARE(layoutBytes(*layoutFromName(name, 4), DType::Float32, shape), std::optional<std::int64_t>(bytes));
}

void tst_Layout::bytesThatDoNotFitAreNone()
{
    const Layout blocked = *layoutFromName("nChw8c", 4);
    QVERIFY(!layoutBytes(blocked, DType::Float32, {1, std::numeric_limits<std::int64_t>::max(), 1, 1}));
    QVERIFY(!layoutBytes(blocked, DType::Int4, {1, 8, 1, 1}));
    QVERIFY(!layoutBytes(blocked, DType::String, {1, 8, 1, 1}));
}

/// nChw4c of 1 x 6 x 2 x 3: a column is 4 elements on, a row 12, a block of channels 24, an image 48.
void tst_Layout::stridesFollowTheBlocks()
{
    const Layout layout = *layoutFromName("nChw4c", 4);
    QCOMPARE(paddedShape(layout, {1, 6, 2, 3}), std::optional(Shape {1, 8, 2, 3}));
    QCOMPARE(blockStrides(layout, {1, 8, 2, 3}), (std::vector<std::int64_t> {48, 24, 12, 4}));
    QCOMPARE(blockStrides(*layoutFromName("nhwc", 4), {1, 6, 2, 3}), (std::vector<std::int64_t> {36, 1, 18, 6}));
}

QTEST_GUILESS_MAIN(tst_Layout)
#include "tst_layout.moc"
