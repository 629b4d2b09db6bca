#include "core/facts/words/run_sentences.h"
#include "tests/core/facts/table_lines.h"

#include <cmath>

using namespace plimsoll;
using test::compare;
using test::linesOf;

namespace {

/// b is written over a, and c over b.
constexpr std::string_view Chain = "graph g\ninput x float32[4,256]\nparam w float32[4,256]\n"
                                   "first: a = Add(x, w)\nsecond: b = Relu(a)\nthird: c = Mul(b, x)\noutput c\n";

/// A write through an output, and what it changed in another.
ProbeWrite written(const char* value, std::size_t index, bool predicted)
{
    ProbeWrite write {.handle = {true, index, value}};
    write.changed = {{{false, 0, "x"}, 16, predicted}};
    return write;
}

} // namespace

/// What a run came to, in tables.
class RunTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsAndTheirMismatches();
    void writesThatSurpriseAreWrong();
    void outputsShowTheirFirstElements();
    void hashesAreNoNumbers();
};

void RunTables::runsAndTheirMismatches()
{
    Report report = test::planned(Chain);
    report.memory.peakBytes = 4160;
    compare(linesOf(runTable(), {report}) + linesOf(mismatchesTable(), {report}), "\n\n");
    RunResult& run = report.run.emplace();
    run.mode = "fingerprint";
    run.backend = "reference";
    run.fingerprintedNodes = 1234;
    run.nodes = 40;
    run.ranNodes = 12;
    run.measuredPeakBytes = 4096;
    run.measuredBySpace = {{"cpu", 4032}, {"cuda:0", 64}};
    run.comparedValues = 3;
    run.comparedBytes = 48;
    run.orders = {"captured", "stream 1 first"};
    run.replayed.emplace();
    run.copies = {{"cpu", "cuda:0", 2, 512, 0.0125}};
    run.stepMs = {1.5, 0.5};
    run.watched = {4096, 2, 0};
    run.notes = {say("text", "inputs are drawn")};
    run.mismatches = {{"b", "conv", 1200, 0.5, say("text", "4 of 4 elements differ"), Rule::WrongValue},
                      {"z", "add", 2, std::nan(""), say("text", "guard zone"), Rule::WrongValue}};

    compare(linesOf(runTable(), {report}), R"(
Not all was run | Ran 12 of 40 nodes: the others are in loops and branches that were not entered.
Mode | fingerprint
Backend | reference
Measured peak | 4,096 (4.00 KiB)
Planned peak | 4,160 (4.06 KiB)
Peak of what was not planned | 0
Time in kernels | 2 ms
Fingerprinted nodes | 1,234
Fingerprints | a hash of what a node reads: equal bytes still speak for the plan, but they are not the model's numbers
Values compared with the oracle | 3
Bytes compared with the oracle | 48
Mismatches | 2
Poison and guards | poison: 4.00 KiB filled; guards: 2 zones, none touched
Orders of its streams that were run | 2
Outputs that another replay changed | 0
Replay | the second replay changed no output of the first
Measured in cpu | 4,032 (3.94 KiB)
Measured in cuda:0 | 64
Device | 2 copies from cpu to cuda:0: 512 B in 0.0125 ms
Note | inputs are drawn
)");
    compare(linesOf(mismatchesTable(), {report}), R"(
b | conv | 1,200 | 0.5 | wrong-value | 4 of 4 elements differ
z | add | 2 | nan | wrong-value | guard zone
)");
    const auto open = mismatchesTable().open({report});
    QVERIFY(std::get<double>(sortKey(open->cell(1, 3))) < std::get<double>(sortKey(open->cell(0, 3))));
    QCOMPARE(open->focus(0).value, findValue(*report.program.graph, "b"));
    QCOMPARE(open->focus(0).step, 1200);
    QVERIFY(!open->focus(1).picked()); // nothing of the plan has that name
}

/// Sentences about all writes stand beneath them, without a handle.
void RunTables::writesThatSurpriseAreWrong()
{
    Report report = test::planned(Chain);
    compare(linesOf(writesTable(), report), "\n");
    WriteProbe& probe = report.run.emplace().probe.emplace();
    compare(linesOf(writesTable(), report), "\n |  | " + english(probeSentences(probe).front()) + "\n");
    probe.writes = {written("c", 0, true), written("gone", 1, false), {.handle = {false, 0, "x"}}};
    probe.writes[2].outcome = ProbeWrite::Outcome::Refused;
    probe.refreshedOutputs = 1;

    const std::vector<Message> said = probeSentences(probe);
    const auto open = writesTable().open(report);
    QCOMPARE(open->size(), said.size());
    QCOMPARE(fullText(open->cell(0, 0)), std::string("output 0, c"));
    QCOMPARE(fullText(open->cell(0, 1)), std::string("written, 1 changed"));
    QCOMPARE(fullText(open->cell(0, 2)), english(said[0]));
    QCOMPARE(fullText(open->cell(2, 0)), std::string("input 0, x"));
    QCOMPARE(fullText(open->cell(2, 1)), std::string("refused"));
    QVERIFY(!open->cell(0, 1).wrong && open->cell(1, 1).wrong && !open->cell(2, 1).wrong);
    QCOMPARE(fullText(open->cell(3, 0)), std::string());
    QCOMPARE(open->focus(0), Focus::on(findValue(*report.program.graph, "c")));
    QVERIFY(!open->focus(1).picked() && !open->focus(3).picked());
}

void RunTables::outputsShowTheirFirstElements()
{
    Report report = test::planned(Chain);
    compare(linesOf(outputsTable(), report) + linesOf(runGradientsTable(), report), "\n\n");
    RunResult& run = report.run.emplace();
    run.outputs = {{"c", DType::Float32, {2}, {"1", "2.5"}, "c0ffee"}, {"many", DType::Int8, {4096}, {}, "beef"}};
    run.gradients = {{"w", DType::Float32, {4, 8}, {"3"}, "f00d", StorageType::Csr, 1}};

    compare(linesOf(outputsTable(), report), R"(
c | float32[2] | 1  2.5
many | int8[4096] | digest beef
)");
    compare(linesOf(runGradientsTable(), report), R"(
w | csr(float32[4,8]), 1 kept | 3
)");
    const auto open = outputsTable().open(report);
    compare(tipText(open->cell(0, 2)), "1  2.5\ndigest of all bytes: c0ffee");
    QCOMPARE(open->focus(0), Focus::on(findValue(*report.program.graph, "c")));
    run.outputs[0].elements.assign(30, "7");
    QVERIFY(fullText(outputsTable().open(report)->cell(0, 2)).ends_with("7  …"));
}

void RunTables::hashesAreNoNumbers()
{
    Report report = test::planned(Chain);
    RunResult& run = report.run.emplace();
    run.fingerprintedNodes = 1;
    run.outputs = {{"c", DType::Float32, {1}, {"1"}, "c0ffee"}};
    compare(linesOf(outputsTable(), report),
            "\nc | float32[1] | bytes of a hash, read as float32, not what the model would say: 1\n");
}

QTEST_APPLESS_MAIN(RunTables)
#include "tst_run_tables.moc"
