#include "kernels/run/memory/bytes_in_use.h"
#include "tests/kernels/run/run_support.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// Two arenas of one space with three values and a temporary of node n:
///
///     arena 0   [0, 40) a   [40, 50) b, over a's end   [128, 132) n's temporary, in pieces of 64
///     arena 1   [0, 8) c
Report example()
{
    Report report =
        test::plannedForReference("input x float32[4]\nn: a = Relu(x)\nm: b = Exp(a)\no: c = Neg(b)\noutput c\n");
    report.program.map.arenas = {{"cpu", 256, 64, {}}, {"cpu", 8, 1, {}}};
    report.program.map.scratch = {{findNode(*report.program.graph, "n"), {ArenaId(0), 128, 4}}};
    const auto put = [&](const char* name, ValuePlacement where) {
        report.program.map.values[findValue(*report.program.graph, name).index()] = where;
    };
    put("a", {ArenaId(0), 0, 40});
    put("b", {ArenaId(0), 40, 10});
    put("c", {ArenaId(1), 0, 8});
    return report;
}

} // namespace

class tst_BytesInUse : public QObject
{
    Q_OBJECT

private slots:
    void sharedBytesCountOnce()
    {
        const Report report = example();
        const auto value = [&](const char* name) { return findValue(*report.program.graph, name); };
        const auto node = [&](const char* name) { return findNode(*report.program.graph, name); };
        kernels::BytesInUse inUse(report.program);
        inUse.begins(value("x")); // lies in no arena
        inUse.begins(value("a"));
        inUse.note(0, node("n"));
        inUse.begins(value("b"));
        inUse.note(1, node("m"));
        inUse.ends(value("a"));
        inUse.begins(value("c"));
        inUse.note(2, node("o"));
        const std::vector<std::int64_t> expected {64 + 64, 104, 64 + 8};
        QCOMPARE(inUse.bySpace().at("cpu"), expected);
    }

    /// b lies inside a, and c in a's end.
    void bytesInsideOthersCountOnce()
    {
        Report report = example();
        report.program.map.arenas[1] = report.program.map.arenas[0];
        const auto put = [&](const char* name, std::int64_t offset, std::int64_t bytes) {
            report.program.map.values[findValue(*report.program.graph, name).index()] = {ArenaId(0), offset, bytes};
        };
        put("a", 0, 192);
        put("b", 64, 64);
        put("c", 128, 64);
        kernels::BytesInUse inUse(report.program);
        for (const char* name : {"a", "b", "c"})
            inUse.begins(findValue(*report.program.graph, name));
        inUse.note(1, findNode(*report.program.graph, "m"));
        QCOMPARE(inUse.bySpace().at("cpu")[1], 192);
    }

    void ofSeveralTripsTheMostCounts()
    {
        const Report report = example();
        kernels::BytesInUse inUse(report.program);
        inUse.begins(findValue(*report.program.graph, "a"));
        inUse.note(1, findNode(*report.program.graph, "m"));
        inUse.ends(findValue(*report.program.graph, "a"));
        inUse.note(1, findNode(*report.program.graph, "m"));
        QCOMPARE(inUse.bySpace().at("cpu")[1], 64);
    }
};

QTEST_APPLESS_MAIN(tst_BytesInUse)
#include "tst_bytes_in_use.moc"
