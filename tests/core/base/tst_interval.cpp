#include "core/base/interval_list.h"

#include <QtTest>

using namespace plimsoll;

class IntervalTest : public QObject
{
    Q_OBJECT

private slots:
    void rangesOverlapWhereTheyShareAPoint_data()
    {
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("end");
        QTest::addColumn<bool>("expected"); // with [2, 5)
        QTest::newRow("before") << 0 << 1 << false;
        QTest::newRow("touching before") << 0 << 2 << false;
        QTest::newRow("first point") << 0 << 3 << true;
        QTest::newRow("inside") << 3 << 4 << true;
        QTest::newRow("around") << 0 << 9 << true;
        QTest::newRow("last point") << 4 << 9 << true;
        QTest::newRow("touching after") << 5 << 9 << false;
        QTest::newRow("empty inside") << 3 << 3 << false;
        QTest::newRow("turned round") << 4 << 3 << false;
    }
    void rangesOverlapWhereTheyShareAPoint()
    {
        QFETCH(int, begin);
        QFETCH(int, end);
        QFETCH(bool, expected);
        const Interval fixed {2, 5};
        const Interval other {begin, end};

        QCOMPARE(overlaps(fixed, other), expected);
        QCOMPARE(overlaps(other, fixed), expected);
        QCOMPARE(!intersection(fixed, other).empty(), expected);
    }

    void theEndIsNotContained()
    {
        QVERIFY((Interval {2, 5}).contains(2));
        QVERIFY(!(Interval {2, 5}).contains(5));
        QCOMPARE((Interval {5, 2}).length(), std::int64_t(0));
    }

    void aRangeIsTakenOutOfAList()
    {
        using List = std::vector<Interval>;
        const List list {{0, 4}, {4, 8}, {10, 12}};
        QVERIFY(without(list, {2, 11}) == List({{0, 2}, {11, 12}}));
        QVERIFY(without(list, {5, 6}) == List({{0, 4}, {4, 5}, {6, 8}, {10, 12}}));
        QVERIFY(without(list, {8, 10}) == list);
        QVERIFY(without(list, {6, 6}) == list);
        QVERIFY(without(list, {0, 12}).empty());
    }

    void inclusiveEndsAreConvertedAtTheBorder()
    {
        QVERIFY(Interval::fromInclusive(2, 4) == (Interval {2, 5}));
        QCOMPARE(Interval::fromInclusive(3, 3).length(), std::int64_t(1));
    }
};

QTEST_APPLESS_MAIN(IntervalTest)
#include "tst_interval.moc"
