#include "app/session/carry_over.h"

#include "tests/app/support/app_samples.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

/// What is picked, under another plan.
class CarryOverTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesDecide()
    {
        const auto from = test::planned(test::smallGraph());
        Policies other;
        other.inplace = InplacePolicy::Off;
        const auto to = test::planned(test::smallGraph(), other);
        const ValueId b = findValue(*from->program.graph, "b");

        QVERIFY(carryOver(Focus::on(b), *from, *to).value == b);
        const StorageId before = from->program.values[b.index()].storage;
        const Focus storage = carryOver(Focus::on(before), *from, *to);
        const ValueId first = from->program.storages[before.index()].values.front();
        QCOMPARE(storage.storage.number(), to->program.values[first.index()].storage.number());
        QCOMPARE(carryOver(Focus::atStep(1000), *from, *to).step, to->program.schedule.length() - 1);

        Report moved = *to;
        moved.program.map.arenas.insert(moved.program.map.arenas.begin(), {.space = "sram", .bytes = 64});
        const PlanArea area {ArenaId(0), {0, to->program.map.arenas[0].bytes + 64}, {1, 1000}};
        const PlanArea carried = carryOver(Focus::on(area), *to, moved).area;
        QCOMPARE(carried.arena.number(), 1);
        QCOMPARE(carried.bytes, (Interval {0, to->program.map.arenas[0].bytes})); // what there is of it
        QCOMPARE(carried.steps, (Interval {1, to->program.schedule.length()}));
        QVERIFY(!carryOver(Focus::on(PlanArea {ArenaId(0), {0, 8}}), moved, *to).picked()); // there is no such memory
    }

    void whereInAThingWasPointedAtIsDroppedWhenItMoves()
    {
        const auto to = test::planned(test::smallGraph());
        const ValueId b = findValue(*to->program.graph, "b");
        Focus byte = Focus::on(b);
        const std::int64_t offset = to->program.values[b.index()].offset;
        byte.area = {ArenaId(0), {offset, offset + 1}};
        QCOMPARE(carryOver(byte, *to, *to).area, byte.area);
        Report moved = *to;
        moved.program.values[b.index()].offset += 4096;
        QVERIFY(!carryOver(byte, *to, moved).area.valid());
        QVERIFY(carryOver(byte, *to, moved).value == b);
    }

    void theCursorGoesWithItsNode()
    {
        const auto from = test::planned(test::smallGraph());
        Report moved = *from;
        const NodeId node = moved.program.schedule.steps.front().node;
        moved.program.schedule.nodes[node.index()] = {2, 3};
        Focus focus = Focus::on(node);
        focus.step = 0;
        QCOMPARE(carryOver(focus, *from, moved).step, 2);
        focus.step = 1; // it stands at another node
        QCOMPARE(carryOver(focus, *from, moved).step, 1);
    }
};

QTEST_APPLESS_MAIN(CarryOverTest)
#include "tst_carry_over.moc"
