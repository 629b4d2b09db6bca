#include "core/plan/live_ranges.h"

#include <QtTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

std::string describe(const LiveRanges& live)
{
    std::string text;
    for (const Interval steps : live.intervals())
        text += "[" + std::to_string(steps.begin) + "," + std::to_string(steps.end) + ")";
    return text;
}

LiveRanges ranges(std::initializer_list<Interval> steps)
{
    LiveRanges live;
    for (const Interval one : steps)
        live.add(one);
    return live;
}

} // namespace

class LiveRangesTest : public QObject
{
    Q_OBJECT

private slots:
    void whatTouchesIsJoined_data()
    {
        QTest::addColumn<QList<int>>("steps"); // begin, end, begin, end, …
        QTest::addColumn<QString>("joined");
        QTest::newRow("apart") << QList<int> {0, 2, 4, 6} << "[0,2)[4,6)";
        QTest::newRow("in any order") << QList<int> {4, 6, 0, 2} << "[0,2)[4,6)";
        QTest::newRow("touching") << QList<int> {0, 2, 2, 4} << "[0,4)";
        QTest::newRow("the gap filled") << QList<int> {0, 2, 4, 6, 2, 4} << "[0,6)";
        QTest::newRow("swallowed") << QList<int> {1, 2, 4, 5, 0, 9} << "[0,9)";
        QTest::newRow("inside") << QList<int> {0, 9, 2, 3} << "[0,9)";
        QTest::newRow("empty") << QList<int> {3, 3, 5, 4} << "";
    }
    void whatTouchesIsJoined()
    {
        QFETCH(QList<int>, steps);
        QFETCH(QString, joined);
        LiveRanges live;
        for (qsizetype i = 0; i < steps.size(); i += 2)
            live.add({steps[i], steps[i + 1]});

        QCOMPARE(QString::fromStdString(describe(live)), joined);
    }

    void aGapCanHoldAnother()
    {
        const LiveRanges outer = ranges({{0, 2}, {5, 8}});

        QVERIFY(!overlaps(outer, ranges({{2, 5}})));
        QVERIFY(overlaps(outer, ranges({{2, 6}})));
        QVERIFY(!outer.contains(2));
        QVERIFY(outer.contains(5));
        QVERIFY(outer.hull() == (Interval {0, 8}));
        QVERIFY(LiveRanges().hull().empty());
    }

    void rangesAgreeWithSetsOfSteps()
    {
        const unsigned seed = 11;
        std::mt19937 random(seed);
        for (int round = 0; round < 2000; ++round) {
            LiveRanges live[2];
            std::set<std::int64_t> steps[2];
            for (int side = 0; side < 2; ++side) {
                for (int i = 0; i < 4; ++i) {
                    const auto begin = static_cast<std::int64_t>(random() % 20);
                    const auto end = begin + static_cast<std::int64_t>(random() % 4);
                    live[side].add({begin, end});
                    for (auto s = begin; s < end; ++s)
                        steps[side].insert(s);
                }
            }
            bool shared = false;
            for (const auto step : steps[0])
                shared = shared || steps[1].contains(step);
            const QByteArray where = QByteArray("seed 11, round ") + QByteArray::number(round);
            QVERIFY2(overlaps(live[0], live[1]) == shared, where);
            for (std::int64_t s = 0; s < 25; ++s)
                QVERIFY2(live[0].contains(s) == steps[0].contains(s), where);
            for (std::size_t i = 1; i < live[0].intervals().size(); ++i)
                QVERIFY2(live[0].intervals()[i - 1].end < live[0].intervals()[i].begin, where);
        }
    }
};

QTEST_APPLESS_MAIN(LiveRangesTest)
#include "tst_live_ranges.moc"
