#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

constexpr std::string_view Chain = "input x float32[4,4]\na: h = Neg(x)\nb: y = MatMul(h, h)\noutput y\n";

/// Puts a value into the bytes of another, which belong to the caller.
Report hosted(Report report, std::string_view value, std::string_view host)
{
    MemoryMap& map = report.program.map;
    const ValueId id = findValue(*report.program.graph, value);
    map.values[id.index()] = {ArenaId(), 0, map.values[id.index()].bytes, findValue(*report.program.graph, host)};
    return report;
}

/// The caller cannot look at the input afterwards.
Report hidden(Report report, std::string_view input)
{
    Graph graph = *report.program.graph;
    graph[findValue(graph, input)].visible = false;
    report.program.graph = std::make_shared<const Graph>(std::move(graph));
    return report;
}

/// "rule value node step note" of each.
QString found(const Report& report)
{
    const auto outcome = executed(report);
    if (!outcome.ok()) return QString::fromStdString(describe(outcome.error()));
    QStringList all;
    for (const RunResult::Mismatch& one : outcome.value().result.mismatches)
        all << QString::fromStdString(std::string(ruleId(one.rule)) + " " + one.value + " " + one.node + " " +
                                      std::to_string(one.step) + ": " + english(one.note));
    return all.join(u'\n');
}

} // namespace

/// After a run the caller finds what it gave, unless it gave it away.
class KeptInputsTest : public QObject
{
    Q_OBJECT

private slots:
    void anInputThatWasWrittenShows()
    {
        const QString written =
            QStringLiteral("input-overwritten x a 0: 16 bytes of 64, which the caller did not give away, are not what "
                           "was given; overwritten by 'h' at step 0");
        const Report visible = hosted(plannedForReference(Chain), "h", "x");
        QCOMPARE(found(visible), written);
        Report given = hidden(visible, "x");
        QCOMPARE(found(given), written);
        given.program.policies.inputs = InputsPolicy::Donate;
        QCOMPARE(found(given), QString());
    }

    void aParameterToo()
    {
        const Report report = hosted(plannedForReference("input x float32[4]\nparam w float32[4]\na: h = Mul(x, w)\n"
                                                         "b: y = Sin(h)\noutput y\n"),
                                     "h", "w");
        QVERIFY(found(report).startsWith(QStringLiteral("input-overwritten w a 0: ")));
    }

    void anInputInAnArenaToo()
    {
        Report report = plannedForReference(Chain);
        MemoryMap& map = report.program.map;
        const std::int64_t end = map.arenas.front().bytes;
        map.arenas.front().bytes += 128;
        map.values[findValue(*report.program.graph, "x").index()] = {ArenaId(0), end, 64, {}};
        QCOMPARE(found(report), QString());
        moveValue(report, "h", end + 16);
        map.values[findValue(*report.program.graph, "y").index()].offset = end; // x and h are read by then
        QVERIFY2(found(report).contains(QStringLiteral("input-overwritten x ")), qPrintable(found(report)));
        QVERIFY(!found(hidden(report, "x")).contains(QStringLiteral("input-overwritten")));
    }

    /// Data that happen to be the same hide no write.
    void aWriteOfEqualBytesShows()
    {
        const Report report = hosted(
            plannedForReference("input x float32[4]\ninput q float32[4]\na: h = Abs(x)\nb: y = Sin(h)\noutput y\n"),
            "h", "q");
        const auto outcome = executed(report, {{"x", {1, -2, 3, 4}}, {"q", {1, 2, 3, 4}}});
        QVERIFY(outcome.ok());
        QCOMPARE(outcome.value().result.mismatches.size(), std::size_t(1));
        const RunResult::Mismatch& one = outcome.value().result.mismatches.front();
        QCOMPARE(ruleId(one.rule), std::string_view("input-overwritten"));
        QCOMPARE(one.value + " " + one.node, std::string("q a"));
        QVERIFY(english(one.note).starts_with("the caller did not give it away, and it was written"));

        const Report inPlace =
            hosted(plannedForReference("input x float32[4]\na: h = Abs(x)\nb: y = Sin(h)\noutput y\n"), "h", "x");
        QCOMPARE(executed(inPlace, {{"x", {1, 2, 3, 4}}}).value().result.mismatches.size(), std::size_t(1));
    }

    /// So does a kernel that reads no further than the plan reserves.
    void anInputWithTooFewBytesShows()
    {
        Report report = plannedForReference(Chain);
        MemoryMap& map = report.program.map;
        const std::int64_t end = map.arenas.front().bytes;
        map.arenas.front().bytes += 128;
        map.values[findValue(*report.program.graph, "x").index()] = {ArenaId(0), end, 64, {}};
        QCOMPARE(found(report), QString());
        map.values[findValue(*report.program.graph, "x").index()].bytes = 60;
        QVERIFY2(found(report).contains(QStringLiteral(" x a 0: ")), qPrintable(found(report)));
    }

    /// Whether the plan says so of its arena or the request of that memory.
    void reservedBytesAreLeftAlone()
    {
        Report report = plannedForReference(Chain);
        PlannedArena& arena = report.program.map.arenas.front();
        const ReservedBytes behind {{arena.bytes, arena.bytes + 64}, "boot loader"};
        arena.bytes += 64;
        arena.reserved = {behind};
        QCOMPARE(found(report), QString());
        moveValue(report, "h", behind.bytes.begin);
        const QString written =
            QStringLiteral("wrong-value  a 0: reserved bytes of arena 0 were written, from byte %1 on");
        QCOMPARE(found(report), written.arg(behind.bytes.begin));
        report.program.map.arenas.front().reserved.clear();
        QCOMPARE(found(report), QString());
        report.program.policies.reserved[report.program.map.arenas.front().space] = {behind};
        QCOMPARE(found(report), written.arg(behind.bytes.begin));
    }

    void whatOnlyLiesThereChangesNothing()
    {
        const Report report =
            hosted(plannedForReference("input x float32[4]\na: h = Identity(x)\nb: y = Sin(h)\noutput y\n"), "h", "x");
        QCOMPARE(found(report), QString());
    }

    void whatTheGraphChangesIsItsOwnWish()
    {
        QCOMPARE(found(plannedForReference("input x float32[4]\na: h = plimsoll::Relu_(x)\nb: y = Sin(h)\noutput y\n")),
                 QString());
    }
};

QTEST_APPLESS_MAIN(KeptInputsTest)
#include "tst_kept_inputs.moc"
