#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "tests/core/facts/table_lines.h"

#include <QTest>

using namespace plimsoll;
using test::compare;
using test::linesOf;
using test::planned;

namespace {

/// b is written over a, and c over b.
constexpr std::string_view Chain = "graph g\ninput x float32[4,256]\nparam w float32[4,256]\n"
                                   "first: a = Add(x, w)\nsecond: b = Relu(a)\nthird: c = Mul(b, x)\noutput c\n";
/// One of its outputs has no size before the run.
constexpr std::string_view Counting = "input x float32[64]\nn0: i = NonZero(x)\nn1: y = Relu(x)\noutput i y\n";
constexpr std::string_view Training = "input x float32[8,4]\nparam w float32[4,2]\n"
                                      "n0: h = MatMul(x, w)\nn1: r = Exp(h)\nn2: l = ReduceSum(r) keepdims=0\n"
                                      "output l\ngrad w\nloss l\n";
constexpr std::string_view Symbolic = "input x float32[batch,16]\nn0: y = Relu(x)\noutput y\n";
constexpr std::string_view Shared = "input x float32[16]\na: p = Relu(x)\nb: q = Identity(p)\noutput p q\n";
constexpr std::string_view Ladder = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(a)\nn2: c = Exp(b)\n"
                                    "n3: d = Add(a, c)\nn4: e = Concat(d, c) axis=0\noutput e\n";
constexpr std::string_view Beside = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(x)\nn2: c = Exp(a)\n"
                                    "n3: d = Exp(b)\nn4: e = Add(c, d)\noutput e\n";
/// Nothing shares: each value lies above the one before.
constexpr std::string_view Stacked = "placement=no-reuse inplace=off capacity=cpu=512";

/// What a table says of a plan, a line for each row.
struct Case
{
    std::string_view graph;
    std::string_view choices;
    std::string_view table;
    std::string_view lines; ///< Behind a line break.
};

constexpr Case Cases[] = {
    {Chain, "", "totals", R"(
peak | 4,096 (4.00 KiB) | at step 0, the lower bound
lower bound | 4,096 (4.00 KiB) | no plan with this sharing and these implementations is lower
waste | 0 | 0.0 % above the lower bound
no reuse | 4,096 (4.00 KiB) | 100.0 % of it is used
external | 8,192 (8.00 KiB) | inputs, parameters and constants, beside the plan
parameters | 4,096 (4.00 KiB) | part of external
)"},
    {Chain, "", "storages", R"(
s0 | caller's bytes | 4,096 (4.00 KiB) |  | [0, 3) | 1 | x
s1 | caller's bytes | 4,096 (4.00 KiB) |  | [0, 3) | 1 | w
s2 | cpu | 4,096 (4.00 KiB) | 0 | [0, 3) | 3 | a, b, c
)"},
    {Chain, "", "values", R"(
x | float32[4,256] | input | s0 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) |  | [0, 3)
w | float32[4,256] | parameter | s1 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) |  | [0, 3)
a | float32[4,256] | intermediate | s2 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 0 | [0, 2) |  | first
b | float32[4,256] | intermediate | s2 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 0 | [1, 3) | in-place | second
c | float32[4,256] | output | s2 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 0 | [2, 3) | in-place | third
)"},
    {Chain, "", "nodes", R"(
0 |  | first | Add | reference |  |  | 4,096 (4.00 KiB)
1 |  | second | Relu | reference |  |  | 4,096 (4.00 KiB)
2 |  | third | Mul | reference |  |  | 4,096 (4.00 KiB)
)"},
    {Chain, "", "peak", R"(
cpu | alive at step 0 | s2 | 4,096 (4.00 KiB) | 0 | [0, 3) | the caller looks at 'c' | a
)"},
    {Chain, "", "implementations", R"(
reference |  | 3 |  | first
)"},
    {Chain, "", "decision-counts", R"(
in-place | no | input-protected | 3 | 12,288 (12.0 KiB)
in-place | yes | last-reader | 2 | 8,192 (8.00 KiB)
)"},
    {Chain, "", "values-file", R"(
x | input | float32 | [4,256] |  | 0 |  |  |  | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 0 | 3 | [0, 3) | yes
w | parameter | float32 | [4,256] |  | 1 |  |  |  | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 0 | 3 | [0, 3) | no
a | intermediate | float32 | [4,256] | first | 2 | 0 | cpu | 0 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 0 | 2 | [0, 2) | no
b | intermediate | float32 | [4,256] | second | 2 | 0 | cpu | 0 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 1 | 3 | [1, 3) | no | in-place
c | intermediate | float32 | [4,256] | third | 2 | 0 | cpu | 0 | 4,096 (4.00 KiB) | 4,096 (4.00 KiB) | 2 | 3 | [2, 3) | yes | in-place
)"},
    {Training, "", "totals", R"(
peak | 192 | at step 4, the lower bound
lower bound | 192 | no plan with this sharing and these implementations is lower
waste | 0 | 0.0 % above the lower bound
no reuse | 256 | 75.0 % of it is used
boundary | 64 | kept from forward to backward, part of the peak
external | 164 | inputs, parameters and constants, beside the plan
parameters | 32 | part of external
)"},
    {Training, "", "saved", R"(
r | 64 | 64 | n1 | backward:n1 | h | output | possible
x | 0 | 128 | n0 | backward:n0 | w | needed | is an input
)"},
    {Training, "", "gradients", R"(
w | write | grad:w |  | 32
)"},
    {Training, "", "storages", R"(
s0 | caller's bytes | 128 |  | [0, 6) | 1 | x
s1 | caller's bytes | 32 |  | [0, 6) | 1 | w
s2 | cpu | 64 | 0 | [0, 5) | 2 | h, r
s3 | cpu | 4 | 64 | [2, 6) | 1 | l
s4 | caller's bytes | 4 |  | [0, 6) | 2 | grad:l, grad:r
s5 | cpu | 64 | 128 | [4, 6) | 1 | grad:h
s6 | cpu | 32 | 0 | [5, 6) | 1 | grad:w
)"},
    {Training, "recompute=cheap", "decisions", R"(
save | r | n1 | yes | It is kept for 'backward:n1', which reads it for the gradient of 'h'. | 64
save | x | n0 | yes | It is kept for 'backward:n0', which reads it for the gradient of 'w'. | 128
recompute | r | n1 | no | 'r' is kept: to compute it anew, as many bytes would be kept. | 64
alias | grad:r | grad:l | yes | It is a part of 'grad:l' and has no bytes of its own. | 4
in-place | r | h | yes | 'n1' is the last to read 'h', so it may write 'r' over it. | 64
)"},
    {Counting, "", "unplanned", R"(
i | depends on data: NonZero | 512
)"},
    {Shared, "outputs=shared", "findings", R"(
warning | Outputs 'p' and 'q' share bytes [0, 64) during steps [1, 2): writing to one changes the other. | The policy outputs=independent gives each output bytes of its own. | [1, 2) | [0, 64) | output-aliasing
)"},
    {Shared, "outputs=shared", "decisions", R"(
in-place | p | x | no | The bytes of 'x' are not the plan's to share. | 64
identity | q | p | yes | 'q' repeats the bytes of 'p', and nothing writes them while either is read. | 64
)"},
    {Symbolic, "", "bindings", R"(
batch | 1 | assumed: it was not given
)"},
    {Ladder, Stacked, "findings", R"(
error | Arena 0 (cpu) needs 1,536 bytes, 1,024 more than its capacity of 512: bytes above it are in use during steps [2, 5), at step 4 with the most in use by 'e', 'c', 'd'; with this sharing 1,024 bytes are in use at that step. | Try another placement, allow more sharing, or raise the capacity. | [2, 5) | [512, 1,536) | beyond-capacity
advice | 'a' takes 256 bytes that it could share with 'x'. The policy inplace does not allow it. | inplace=on would allow it. | [0, 1) |  | missed-sharing
advice | 'b' takes 256 bytes that it could share with 'a'. The policy inplace does not allow it. | inplace=on would allow it. | [1, 2) |  | missed-sharing
advice | 'c' takes 256 bytes that it could share with 'b'. The policy inplace does not allow it. | inplace=on would allow it. | [2, 3) |  | missed-sharing
advice | 'd' takes 256 bytes that it could share with 'a'. The policy inplace does not allow it. | inplace=on would allow it. | [3, 4) |  | missed-sharing
advice | 'd' takes 256 bytes that it could share with 'c'. The policy inplace does not allow it. | inplace=on would allow it. | [3, 4) |  | missed-sharing
)"},
    {Ladder, Stacked, "arenas", R"(
0 | cpu | 1,536 (1.50 KiB) | 1,024 (1.00 KiB) | 64 | 512
)"},
    {Ladder, Stacked, "peak", R"(
cpu | alive at step 4 | s5 | 512 | 1,024 | [4, 5) | the caller looks at it | e
cpu | alive at step 4 | s3 | 256 | 512 | [2, 5) | 'n4' reads it at step 4 | c
cpu | alive at step 4 | s4 | 256 | 768 | [3, 5) | 'n4' reads it at step 4 | d
cpu | in the tower to the top | s5 | 512 | 1,024 | [4, 5) | the caller looks at it | e
cpu | in the tower to the top | s4 | 256 | 768 | [3, 5) | 'n4' reads it at step 4 | d
cpu | in the tower to the top | s3 | 256 | 512 | [2, 5) | 'n4' reads it at step 4 | c
cpu | in the tower to the top | s2 | 256 | 256 | [1, 3) | 'n2' reads it at step 2 | b
cpu | in the tower to the top | s1 | 256 | 0 | [0, 4) | 'n3' reads it at step 3 | a
)"},
    {Ladder, Stacked, "holes", R"(
1 | cpu | 512 | 0 | 512 | [4, 5) | 512 | 6.7 %
2 | cpu | 256 | 256 | 512 | [3, 4) | 256 | 3.3 %
)"},
};

const FactTable& tableNamed(std::string_view id)
{
    for (const TableUse& use : TableUses)
        if (use.table().id == id) return use.table();
    return valuesFile();
}

} // namespace

/// Each table of small plans, held against its text.
class TableRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tablesOfPlans_data();
    void tablesOfPlans();
    void aTableHasANoteAboutItsPlan();
    void searchesAndTheirPlans();
    void sizesAreGivenAssumedOrThePlans();
    void offersSayWhyTheyWereLeft();
    void whatOneOtherPolicySaves();
    void timeAgainstPeakNamesTheCapacityOfEachPoint();
    void changesNameBothPlaces();
    void twoPlansAreComparedInNumbers();
    void whatWasNotAskedForHasNoRows();
    void aNodeIsFoundByItsStep();
    void programsReadPlainNumbers();
};

void TableRows::tablesOfPlans_data()
{
    QTest::addColumn<std::size_t>("number");
    for (const Case& one : Cases)
        QTest::addRow("%td %s", &one - Cases, one.table.data()) << static_cast<std::size_t>(&one - Cases);
}

void TableRows::tablesOfPlans()
{
    QFETCH(std::size_t, number);
    const auto& [graph, choices, table, lines] = Cases[number];
    compare(linesOf(tableNamed(table), {planned(graph, choices)}), std::string(lines));
}

void TableRows::aTableHasANoteAboutItsPlan()
{
    const auto note = [](const FactTable& table, const Report& report) {
        return english(documentTable(table, report, AllRows).note);
    };
    const Report chain = planned(Chain);
    compare(note(totalsTable(), chain), "3 nodes, 5 values, 1 storage, 3 steps.");
    compare(note(peakTable(), chain), "1 storage of 4.00 KiB alive at step 0, the biggest first.");
    compare(note(totalsTable(), planned(Training)),
            "3 nodes and 3 more that were added, 9 values, 4 storages, 6 steps.");
    const Report stacked = planned(Ladder, Stacked);
    compare(note(peakTable(), stacked),
            "3 storages of 1.00 KiB alive at step 4, the biggest first. 50.0 % above the bound: at step 4 "
            "'e' ends at 1.50 KiB while 1.00 KiB are alive, so 512 B lie free beneath. "
            "placement=no-reuse makes one plan; best would search for a lower one.");
    compare(note(holesTable(), stacked), "The largest (bytes × steps) first.");
}

void TableRows::searchesAndTheirPlans()
{
    Report report;
    compare(linesOf(searchTable(), {report}), "\n");
    report.planning.search =
        SearchRecord {.algorithm = "best",
                      .end = SearchEnd::Limit,
                      .history = {{0.25, 10, 4096, 1024, "sweep"}, {1.5, 2000, 2048, 1024, "windows"}},
                      .boundBytes = 1024,
                      .seed = 7,
                      .workLimit = 5000,
                      .secondsLimit = 2,
                      .work = 4321,
                      .seconds = 1.75};
    compare(linesOf(searchTable(), {report}), R"(
Algorithm | best
Found by | windows
Why it ended | the limit came before a proof
Proved: no plan with this sharing is below | 1,024 (1.00 KiB)
Work, in units of about 10 ns | 4,321
Time | 1.75 s
Seed | 7
Limit of work | 5,000
Limit of time | 2 s
)");
    compare(linesOf(searchHistoryTable(), {report}), R"(
250 ms | 10 | 4,096 (4.00 KiB) | 1,024 (1.00 KiB) | sweep
1.5 s | 2,000 | 2,048 (2.00 KiB) | 1,024 (1.00 KiB) | windows
)");
    compare(fullText(documentTable(searchHistoryTable(), report, 1).rows.front().back()), "windows");
    report.verdict.completeness.gaps.emplace_back();
    QVERIFY(linesOf(searchTable(), {report}).find("\nNo plan of what has a size is below | 1,024") !=
            std::string::npos);
    report.planning.search->history.pop_back();
    compare(linesOf(searchHistoryTable(), {report}), "\n");
}

void TableRows::sizesAreGivenAssumedOrThePlans()
{
    Report report;
    report.captured.bindings = {{"batch", 8}, {"length", 1, true}, {"heads", 4, false, true}};
    compare(linesOf(bindingsTable(), {report}), R"(
batch | 8 | given
length | 1 | assumed: it was not given
heads | 4 | as the sizes of the plan say
)");
}

void TableRows::offersSayWhyTheyWereLeft()
{
    PlanRequest request;
    auto catalogue = std::make_shared<Catalogue>();
    Implementation fast;
    fast.backend = "lib";
    fast.name = "fast";
    fast.scratchpadBytes = 128;
    fast.inPlaceKnown = true;
    fast.timeMs = 0.5;
    fast.provenance = "measured";
    Implementation slow = fast;
    slow.name = "slow";
    slow.inPlace = {{0, 0}};
    slow.timeMs = 2;
    catalogue->offers["second"] = {slow, fast};
    request.catalogue = catalogue;
    Report report = analyse(test::graphFromText(Chain), request, {}).value();
    catalogue = std::make_shared<Catalogue>(*catalogue);
    catalogue->offers["second"].front().prepared = {{1, "blocked", 4096, {}, {}}, {0, "blocked", 64, {}, {}}};
    Implementation both = slow; // told apart by that alone
    both.fuses = {"third", "fourth"};
    catalogue->offers["second"].push_back(both);
    report.planning.catalogue = catalogue;

    compare(linesOf(offersTable(), {report}), R"(
second |  | lib | slow | plain → plain |  |  | 4,096 (4.00 KiB) | 4,160 (4.06 KiB) | 128 | 0 over 0 | 2 ms | plain → plain: 2 ms with the reorders around it, 1.5 ms more than what was taken; 128 B of padding and scratchpad.
second | taken | lib | fast | plain → plain |  |  | 4,096 (4.00 KiB) |  | 128 | never | 500 µs | plain → plain: 0.5 ms with the reorders around it; 128 B of padding and scratchpad.
second |  | lib | slow | plain → plain | 'third', 'fourth' |  | 4,096 (4.00 KiB) |  | 128 | 0 over 0 | 2 ms | What it would compute, too, is computed elsewhere.
)");
    compare(linesOf(implementationsTable(), {report}), R"(
lib | fast | 1 | 128 | second
reference |  | 2 |  | first
)");
    compare(linesOf(backendUseTable(), {report}), R"(
lib | 1
reference | 2
reorders | 0
time, measured | 500 µs
of it for reorders and copies | 0 s
)");
    compare(english(documentTable(paddedTable(), report, AllRows).note), "Every value takes its logical bytes.");
    const FactTable& offers = offersTable();
    const auto open = offers.open({report});
    QCOMPARE(open->rowOf(Focus::on(findNode(*report.program.graph, "second"))), std::optional<std::size_t>(1));
    QCOMPARE(tipText(open->cell(1, offers.column("Time"))), std::string("measured"));
}

void TableRows::whatOneOtherPolicySaves()
{
    Report report;
    report.memory.peakBytes = 4096;
    report.memory.externalBytes = 1024;
    const auto change = [](const char* policy, const char* value, std::int64_t peak, std::int64_t external) {
        PolicyChange made {policy, value, {}};
        made.cost.peakBytes = peak;
        made.cost.externalBytes = external;
        return made;
    };
    report.policyChanges = {change("inplace", "off", 8192, 1024), change("fold", "all", 4000, 2048),
                            change("inputs", "donate", 3072, 1024), change("cse", "on", 4096, 1024)};
    report.policyChanges[2].cost.kernelMs = 3;

    compare(linesOf(whatIfTable(), {report}), R"(
inputs=donate | 3,072 (3.00 KiB) | −1,024 (−1.00 KiB) | −1,024 (−1.00 KiB) | 3 ms | inputs that the caller cannot look at are written over after their last read
)");
    compare(english(documentTable(whatIfTable(), report, AllRows).note),
            "Of 4 single changes that act on this graph 1 leave the peak of 4.00 KiB as it is and 1 make it higher; 1 "
            "lower it by no more bytes than the caller brings for it.");
    report.policyChanges.resize(1);
    compare(english(documentTable(whatIfTable(), report, AllRows).note),
            "No single change saves bytes. Of 1 single changes that act on this graph 0 leave the peak of 4.00 KiB as "
            "it is and 1 make it higher.");
}

void TableRows::timeAgainstPeakNamesTheCapacityOfEachPoint()
{
    Report report;
    report.memory.peakBytes = 4096;
    report.tradeOffs = {{{4096, 512, 2, false}, "cpu=4096"}, {{1024, 256, 3, false}, "cpu=1024"}};
    compare(linesOf(tradeOffsTable(), {report}), R"(
2 ms | 0.0 % | 4,096 (4.00 KiB) | same | 512 | capacity=cpu=4096
3 ms | 50.0 % | 1,024 (1.00 KiB) | −3,072 (−3.00 KiB) | 256 | capacity=cpu=1024
)");
    compare(english(documentTable(tradeOffsTable(), report, AllRows).note),
            "choose=fastest-within and the capacity of a row make its plan.");
}

void TableRows::changesNameBothPlaces()
{
    const Report before = planned(Ladder, "inplace=off alignment=1");
    const Report after = planned(Ladder, "outputs=external alignment=1");
    compare(linesOf(changesTable(), {after, &before}), R"(
e | 512 | [4, 5) | [4, 5) | −512 B | cpu → the caller
c | 256 | [2, 5) | [2, 5) | same | cpu | none → b | 'n2' is the last to read 'b', so it may write 'c' over it.
d | 256 | [3, 5) | [3, 5) | same | cpu | none → a | 'n3' is the last to read 'a', so it may write 'd' over it.
)");
    const auto open = changesTable().open({after, &before});
    QCOMPARE(sumOf(changesTable(), *open).number, after.memory.peakBytes - before.memory.peakBytes);
    compare(linesOf(changesTable(), {after, &after}), "\n");
    compare(linesOf(changesTable(), {after}), "\n");
}

void TableRows::twoPlansAreComparedInNumbers()
{
    const Report one = planned(Beside);
    const Report two = planned(Beside, "streams=2 alignment=1");
    compare(linesOf(comparedTable(), {one}) + linesOf(waitsTable(), {one}), "\n\n");
    compare(linesOf(comparedTable(), {one, &one}), R"(
peak | 512 | 512 | same
lower bound | 512 | 512 | same
no reuse | 512 | 512 | same
boundary | 0 | 0 | same
external | 256 | 256 | same
of it prepared ahead | 0 | 0 | same
)");
    compare(linesOf(waitsTable(), {one, &one}), "\n");
    const std::string compared = linesOf(comparedTable(), {two, &one});
    QVERIFY2(compared.find("streams | 1 stream | 2 streams of 3 and 2 nodes, 1 event\n") != std::string::npos,
             compared.c_str());
    compare(linesOf(waitsTable(), {two, &one}), "\nn4 | n3 | now\n");
    compare(linesOf(waitsTable(), {one, &two}), "\nn4 | n3 | before\n");
    const auto waits = waitsTable().open({two, &one});
    QCOMPARE(waits->rowOf(Focus::on(findNode(*two.program.graph, "n4"))), std::optional(std::size_t {0}));
}

void TableRows::whatWasNotAskedForHasNoRows()
{
    const Report report = planned(Chain);
    for (const char* id :
         {"findings",  "notes",       "run",    "mismatches", "search-history", "what-if", "time-against-peak",
          "bindings",  "gradients",   "saved",  "recomputed", "backends",       "holes",   "changes",
          "unplanned", "backend-use", "padded", "fallbacks",  "writes",         "outputs", "run-gradients"})
        QVERIFY2(linesOf(tableNamed(id), {report}) == "\n", id);
    QVERIFY(findingsTable().whyEmpty(report).empty());
    QCOMPARE(english(findingsTable().whyEmpty(planned("input x float32[...]\na: y = Relu(x)\noutput y\n"))),
             std::string("No findings about what has a size; the rest is not judged."));
}

/// An owner of nested graphs spans their steps, and is meant where it is picked at one of them.
void TableRows::aNodeIsFoundByItsStep()
{
    const Report report = planned(test::samples::Branches);
    const auto nodes = nodesTable().open({report});
    const auto& schedule = report.program.schedule;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step)
        QCOMPARE(nodes->rowOf(Focus::atStep(static_cast<std::int64_t>(step))),
                 std::optional(schedule.steps[step].node.index()));
    const auto owner =
        std::ranges::find_if(report.program.graph->nodes, [](const Node& node) { return !node.bodies.empty(); });
    const NodeId id(static_cast<std::size_t>(owner - report.program.graph->nodes.begin()));
    const Interval steps = schedule.nodes[id.index()];
    QVERIFY(steps.length() > 2);
    Focus focus = Focus::on(id);
    focus.step = steps.begin + 1;
    QCOMPARE(nodes->rowOf(focus), std::optional(id.index()));
    focus.step = steps.end;
    QCOMPARE(nodes->rowOf(focus), std::optional(schedule.steps[static_cast<std::size_t>(steps.end)].node.index()));
    QCOMPARE(nodes->rowOf(Focus::atStep(schedule.length())), std::nullopt);
}

void TableRows::programsReadPlainNumbers()
{
    const Report report = planned(Counting);
    const auto open = valuesFile().open({report});
    std::string line;
    for (std::size_t column = 0; column < valuesFile().columns.size(); ++column)
        line += plainText(open->cell(1, column)) + ",";
    compare(line, "i,intermediate,int64,[1,?],n0,,,,,,,0,2,[0, 2),yes,,,,,");
}

QTEST_GUILESS_MAIN(TableRows)
#include "tst_table_rows.moc"
