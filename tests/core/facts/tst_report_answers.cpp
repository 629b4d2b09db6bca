#include "core/advice/what_if.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/facts/words/verdict.h"
#include "core/pipeline/pipeline.h"
#include "core/report/writers.h"
#include "tests/support/document_cells.h"
#include "tests/support/graph_text.h"
#include "tests/support/planned.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

Storage storage(std::int32_t arena, std::int64_t bytes, Interval live)
{
    Storage made;
    made.arena = ArenaId(arena);
    made.bytes = bytes;
    made.live.add(live);
    return made;
}

/// big is 4,000 bytes that follow from w alone, and alive beside y.
const std::string Foldable = "input x float32[10,100]\nconst w float32[10,1] = 1 2 3 4 5 6 7 8 9 10\n"
                             "const wide int64[2] = 10 100\n"
                             "n0: big = Expand(w, wide)\nn1: y = Relu(x)\nn2: z = Add(y, big)\noutput z\n";

} // namespace

/// What a report answers in one line: where the peak is, what is left out, what another policy would save.
class ReportAnswers : public QObject
{
    Q_OBJECT

private slots:
    void eachArenaHasAPeakOfItsOwn()
    {
        Report report;
        report.program.map.arenas = {{"cpu", 4096, 64, {}}, {"cuda:0", 8192, 64, {}}, {"sram", 0, 64, {}}};
        report.program.storages = {storage(0, 2048, {0, 3}), storage(0, 2000, {2, 4}), storage(1, 8192, {3, 5})};

        report.memory.peaks = arenaPeaks(report.program);
        QCOMPARE(report.memory.peaks.at(0).step, std::int64_t {2});
        QCOMPARE(report.memory.peaks.at(0).liveBytes, std::int64_t {4096});
        QCOMPARE(report.memory.peaks.at(2).step, std::int64_t {-1});
        QCOMPARE(english(peakPlaces(report)),
                 std::string("(8.00 KiB in cuda:0 at step 3 + 4.00 KiB in cpu at step 2)"));
        report.program.storages.pop_back();
        report.memory.peaks = arenaPeaks(report.program);
        QCOMPARE(english(peakPlaces(report)), std::string("at step 2"));
        report.program.storages.clear();
        report.memory.peaks = arenaPeaks(report.program);
        QVERIFY(peakPlaces(report).empty());
    }

    /// Something is kept high up while little is alive; most is alive later, far below.
    void thePeakIsWhereTheTopIsInUse()
    {
        Report report;
        report.program.map.arenas = {{"cpu", 8192, 64, {}}};
        report.memory.liveBytes = {64, 64, 4096};
        report.program.storages = {storage(0, 64, {0, 2}), storage(0, 4096, {2, 3})};
        report.program.storages[0].offset = 8128;
        report.memory.peaks = arenaPeaks(report.program);

        QCOMPARE(english(peakPlaces(report)), std::string("at step 0"));
        QCOMPARE(report.memory.peaks.at(0).liveBytes, std::int64_t {64});
        QCOMPARE(peakStep(report), std::int64_t {0});
    }

    /// A scalar ends at the top later, and with more beside it, than a vector that is a few bytes longer.
    void bytesThatNoArenaIsSmallerWithoutAreNoTop()
    {
        Report report;
        report.program.map.arenas = {{"cpu", 8192, 64, {}}};
        report.program.storages = {storage(0, 32, {0, 2}), storage(0, 8, {3, 4}), storage(0, 8128, {3, 4})};
        report.program.storages[0].offset = report.program.storages[1].offset = 8128;

        QCOMPARE(arenaPeaks(report.program).at(0).step, std::int64_t {3});
        QCOMPARE(arenaPeaks(report.program).at(0).liveBytes, std::int64_t {8192});
    }

    /// Of what was there before, between and behind the top only what is alive with it counts.
    void betweenTwoTopsIsNoPeak()
    {
        Report report;
        report.program.map.arenas = {{"cpu", 8192, 64, {}}};
        report.program.storages = {storage(0, 64, {10, 12}), storage(0, 64, {16, 18}), storage(0, 4096, {13, 15}),
                                   storage(0, 128, {0, 11}), storage(0, 256, {17, 30})};
        report.program.storages[0].offset = report.program.storages[1].offset = 8128;

        QCOMPARE(arenaPeaks(report.program).at(0).step, std::int64_t {17});
        QCOMPARE(arenaPeaks(report.program).at(0).liveBytes, std::int64_t {64 + 256});
    }

    void aBoundCountsUnlessTheSharingIsNotLegal()
    {
        Report report = planned(Foldable);
        QVERIFY(boundCounts(report));
        report.verdict.findings = {{.rule = Rule::BeyondCapacity}};
        QVERIFY(boundCounts(report)); // a lower plan might fit
        report.verdict.findings.push_back({.rule = Rule::Overlap});
        QVERIFY(!boundCounts(report));
        report.verdict.findings.back().severity = Severity::Warning;
        QVERIFY(boundCounts(report));
        report.verdict.leftOut[static_cast<std::size_t>(Severity::Error)] = 1; // by any rule
        QVERIFY(!boundCounts(report));
    }

    void valuesWithoutASizeMakeAPlanIncomplete()
    {
        const Report report = planned("input x float32[4]\na: y = my::Op(x)\nb: z = Relu(y)\noutput z\n");
        QCOMPARE(english(incompleteText(report)),
                 std::string("2 of 3 values have no size (operator my::Op is not known and the file gives no type)"));
        QVERIFY(english(verdictText(report)).starts_with("Incomplete: 2 of 3 values have no size"));
        QVERIFY(english(verdictText(report)).find("lower bound") == std::string::npos);
        QVERIFY(report.planning.search->end == SearchEnd::Partial);
        QCOMPARE(english(incompleteText(planned(Foldable))), std::string());
    }

    /// A weight's bytes are the caller's. Where nothing else depends on its shape, all that a plan places has a size.
    void aWeightWithoutAShapeLeavesThePlanComplete()
    {
        const std::string text = "input x float32[4]\nparam w float32[...]\na: y = my::Op(x, w)\nvalue y float32[4]\n"
                                 "output y\n";
        const Report report = planned(text);
        QCOMPARE(english(incompleteText(report)), std::string());
        const auto notes = english(report.notes);
        QCOMPARE(std::ranges::count(notes, "The file gives no shape for 'w': externalBytes is without it."), 1);
        QVERIFY(!english(incompleteText(planned(text + "b: z = Relu(w)\noutput z\n"))).empty());
    }

    /// No size that is tried fits 100.
    void sizesThatCannotBeAssumedAreLacking()
    {
        const Report report = planned("input x float32[4,100]\ninput w float32[m,8]\nn: y = MatMul(x, w)\n"
                                      "z = Relu(y)\noutput z\n");
        const std::string line = english(incompleteLine(report));
        QVERIFY2(line.starts_with("incomplete: 2 of 4 values have no size"), line.c_str());
        QVERIFY2(line.ends_with("give sizes that fit with --dim or --shape"), line.c_str());
    }

    /// The file says what y would be, and that cannot be with the size that is given.
    void aSizeThatWouldBeNegativeIsLacking()
    {
        PlanRequest request;
        request.shapes.dims["n"] = 4;
        const Report report =
            planned("input x float32[n]\na: y = my::Op(x)\nvalue y float32[n-6]\noutput y\n", request);
        QCOMPARE(english(incompleteLine(report)),
                 std::string("incomplete: 1 of 2 values has no size (its dimension 'n-6' is no "
                             "size with n = 4); give sizes that fit with --dim or --shape"));
    }

    /// Inputs come first, although w is declared before: its type may follow from theirs. y counts with the first of
    /// its inputs.
    void whatIsLackingOfAnIncompletePlanIsNamed()
    {
        const Report report = planned("param w float32[...]\ninput s string[4]\ninput x float32[...]\n"
                                      "n: y = Add(w, x)\no: z = my::Op(s)\noutput y z\n");
        std::string gaps;
        for (const Gap& gap : report.verdict.completeness.gaps)
            gaps += (*report.program.graph)[gap.value].name + " " + std::to_string(gap.values) + ": " +
                    english(remedyFor(*report.program.graph, gap)) + "\n";
        QCOMPARE(gaps, std::string("x 1: give one with --shape x=…\nw 2: give one with --shape w=…\n"
                                   "z 1: say the type of 'z' in the file\n"));
        QCOMPARE(report.verdict.completeness.unsized, std::size_t {4});
    }

    void sizesThatOnlyTheRunKnowsAreNoGap_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<int>("unplanned");
        QTest::newRow("NonZero") << QByteArray("input x float32[4]\ni = NonZero(x)\nj = Identity(i)\noutput j\n") << 2;
        QTest::newRow("a shape that is data")
            << QByteArray("input x float32[4]\ninput s int64[2]\ny = Reshape(x, s)\nz = Relu(y)\noutput z\n") << 2;
        QTest::newRow("text") << QByteArray("input s string[4]\nt = Identity(s)\noutput t\n") << 1;
        QTest::newRow("a Loop that goes on as data says")
            << QByteArray("input m int64[]\ninput s float32[2]\nl: r, c = Loop(m, _, s)\nbody body\n  input i int64[]\n"
                          "  input go bool[]\n  input v float32[2]\n  on = Identity(go)\n  w = Relu(v)\n"
                          "  u = Neg(v)\n  output on w u\nend\noutput c\n")
            << 1;
    }

    void sizesThatOnlyTheRunKnowsAreNoGap()
    {
        QFETCH(QByteArray, graph);
        QFETCH(int, unplanned);
        Report report = planned(graph.toStdString());
        QCOMPARE(static_cast<int>(report.memory.unplanned.size()), unplanned);
        QVERIFY2(report.verdict.completeness.complete(), english(incompleteLine(report)).c_str());
        addIncompleteFinding(report);
        QCOMPARE(countFindings(report, Severity::Error), std::size_t {0});
    }

    void withoutNodesAndOutputsNothingIsJudged()
    {
        Report report = planned("input x float32[4]\n");
        QCOMPARE(english(incompleteText(report)), std::string("nothing to plan was found (the graph has no node)"));
        QCOMPARE(english(verdictText(report)), "Incomplete: " + english(incompleteText(report)) + ".");
        addIncompleteFinding(report);
        QVERIFY(report.verdict.findings.front().rule == Rule::Incomplete);
        QVERIFY(planned("input x float32[4]\noutput x\n").verdict.completeness.complete());
    }

    /// Of tensors without elements.
    void aPlanWithoutBytesIsCompleteAndCounted()
    {
        const Report report = planned("input x float32[0,4]\ny = Relu(x)\noutput y\n");
        QVERIFY(report.verdict.completeness.complete());
        QVERIFY(!report.notes.empty());
        QCOMPARE(english(report.notes).back(),
                 std::string("Nothing in this graph needs planned bytes: 1 value outside the arenas (inputs, weights, "
                             "constants and what lies in them), 1 without bytes, 0 of a size that is known at run time "
                             "only."));
    }

    void findingsBeyondTheFirstThousandAreCounted()
    {
        std::string graph = "input in uint8[64]\n";
        for (int i = 0; i < 1200; ++i)
            graph += "v" + std::to_string(i) + " = Relu(in)\noutput v" + std::to_string(i) + "\n";
        PlanRequest request;
        PlanFile given;
        given.arenas = {{"cpu", 64, 64, {}}};
        request.givenPlan = sharedPlan(std::move(given));
        const Report report = planned(graph, request);

        QCOMPARE(report.verdict.findings.size(), std::size_t {1000});
        QCOMPARE(countFindings(report, Severity::Error), std::size_t {1200});
        QCOMPARE(english(leftOutNote(report)), std::string("The first 1,000 of 1,200 are listed and marked."));
        QCOMPARE(documentTable(findingsTable(), report, 100).total, std::size_t {1200});
        QVERIFY(leftOutNote(planned(Foldable)).empty());
    }

    void singleChangesArePlannedForReal()
    {
        PlanRequest request;
        Report report = planned(Foldable, request);
        QVERIFY(report.policyChanges.empty());
        QVERIFY(writeMarkdown(report).find("What one other policy would save") == std::string::npos);

        report.policyChanges = priceChanges(test::graphFromText(Foldable), request, {});

        const PolicyChange& best = report.policyChanges.front();
        QCOMPARE(best.policy + "=" + best.value, std::string("fold=all"));
        QCOMPARE(best.cost.peakBytes, report.memory.peakBytes - 4032); // 4,000 bytes by an alignment of 64
        const DocumentTable table = documentTable(whatIfTable(), report, AllRows);
        QCOMPARE(test::firstUnder(table, "Policy"), std::string("fold=all"));
        QCOMPARE(test::firstUnder(table, "Saved"), std::string("−4,032 (−3.94 KiB)"));
        QVERIFY(writeMarkdown(report).find("| fold=all |") != std::string::npos);
        QVERIFY(writeHtml(report).find("<td>fold=all</td>") != std::string::npos);
        QCOMPARE(test::firstUnder(table, "With the caller's"), std::string("−32 B")); // big is the caller's then
        QCOMPARE(test::firstUnder(table, "What it means"), std::string("everything that depends on constants alone"));
    }

    void changesThatLowerThePeakComeFirst()
    {
        const PlanRequest request;
        const std::int64_t peak = planned(Foldable, request).memory.peakBytes;
        const std::vector<PolicyChange> changes = priceChanges(test::graphFromText(Foldable), request, {});
        const auto key = [&](const PolicyChange& change) {
            return std::tuple(change.cost.peakBytes >= peak, change.cost.peakBytes + change.cost.externalBytes,
                              change.cost.peakBytes);
        };
        QVERIFY(changes.size() > 3);
        QVERIFY(std::ranges::is_sorted(changes, {}, key));
        for (const PolicyChange& change : changes) {
            QVERIFY2(policyValue(request.policies, change.policy) != change.value, change.policy.c_str());
            const auto policy = std::ranges::find(policyTable(), std::string_view(change.policy), &PolicyInfo::id);
            QVERIFY2(hasEffect(request.policies, *policy), change.policy.c_str());
        }
    }

    /// A given plan is of one choice; what others would save is planned anew.
    void aGivenPlanIsNoHindrance()
    {
        PlanRequest request;
        request.givenPlan = sharedPlan(planOf(planned(Foldable)));
        const std::vector<PolicyChange> changes = priceChanges(test::graphFromText(Foldable), request, {});
        QCOMPARE(changes.front().policy + "=" + changes.front().value, std::string("fold=all"));
    }

    /// Of one value in one place nothing can be shared, folded, merged or painted.
    void changesThatCannotActAreLeftOut()
    {
        for (const PolicyChange& change :
             priceChanges(test::graphFromText("input x float32[8]\ny = Relu(x)\noutput y\n"), {}, {}))
            QVERIFY2(change.policy == "outputs" || change.policy == "inputs",
                     (change.policy + "=" + change.value).c_str());
    }

    /// The caller would bring three buffers for what shares one now.
    void bytesThatTheCallerBringsAreNoSaving()
    {
        const std::string chain = "input x float32[256]\na = Relu(x)\nb = Neg(x)\noutput a b\n";
        Report report = planned(chain);
        report.policyChanges = priceChanges(test::graphFromText(chain), {}, {});
        const auto external = std::ranges::find(report.policyChanges, std::string("external"), &PolicyChange::value);
        QVERIFY(external != report.policyChanges.end());
        QVERIFY(external->cost.peakBytes < report.memory.peakBytes);
        const DocumentTable table = documentTable(whatIfTable(), report, AllRows);
        QVERIFY(std::ranges::none_of(table.rows,
                                     [](const auto& row) { return fullText(row.front()) == "outputs=external"; }));
        QVERIFY2(english(table.note).find("lower it by no more bytes than the caller brings for it") !=
                     std::string::npos,
                 english(table.note).c_str());
    }

    void changesThatSaveNothingAreCounted_data()
    {
        QTest::addColumn<QList<qint64>>("peaks"); ///< Of other policies, beside 1,000.
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("note");
        QTest::newRow("lower, same and higher")
            << QList<qint64> {900, 1000, 1000, 1001} << 1 << "fold=all"
            << "Of 4 single changes that act on this graph 2 leave the peak of 1000 B as it is and 1 make it higher.";
        QTest::newRow("none lower") << QList<qint64> {1000} << 0 << ""
                                    << "No single change saves bytes. Of 1 single changes that act on this graph 1 "
                                       "leave the peak of 1000 B as it is and 0 make it higher.";
    }

    void changesThatSaveNothingAreCounted()
    {
        QFETCH(QList<qint64>, peaks);
        QFETCH(QString, note);
        Report report;
        report.memory.peakBytes = 1000;
        for (const qint64 peak : peaks)
            report.policyChanges.push_back({"fold", "all", {peak, 0, 0, false}});
        const DocumentTable table = documentTable(whatIfTable(), report, AllRows);
        QTEST(static_cast<int>(table.rows.size()), "rows");
        QTEST(table.rows.empty() ? QString() : QString::fromStdString(fullText(table.rows.front().at(0))), "first");
        QCOMPARE(QString::fromStdString(english(table.note)), note);
    }

    /// big follows from constants, and b is computed twice.
    void pairsTakeLessThanEitherAlone()
    {
        const std::string twofold = "input x float32[10,100]\nconst w float32[10,1] = 1 2 3 4 5 6 7 8 9 10\n"
                                    "const wide int64[2] = 10 100\nn0: big = Expand(w, wide)\nn1: a = Sin(x)\n"
                                    "n2: b = Sin(x)\nn3: c = Add(a, b)\nn4: d = Add(c, big)\noutput d\n";
        Report report = planned(twofold);
        const Graph graph = test::graphFromText(twofold);
        report.policyChanges = priceChanges(graph, {}, {});
        const std::vector<PolicyChange> singles = report.policyChanges;
        const std::vector<PolicyChange> pairs = pricePairs(graph, {}, singles, report.memory.peakBytes, {});
        for (const PolicyChange& pair : pairs) {
            QCOMPARE(pair.also.size(), std::size_t {1});
            for (const PolicyChange& one : singles) {
                const bool part = (one.policy == pair.policy && one.value == pair.value) ||
                                  PolicyValue {one.policy, one.value} == pair.also.front();
                if (part)
                    QVERIFY(pair.cost.peakBytes + pair.cost.externalBytes <
                            one.cost.peakBytes + one.cost.externalBytes);
            }
        }
        const auto both = std::ranges::find_if(pairs, [](const PolicyChange& pair) {
            return pair.policy == "cse" && pair.also.front() == PolicyValue {"fold", "all"};
        });
        QVERIFY(both != pairs.end());
        report.policyChanges = {*both};
        const DocumentTable table = documentTable(helpsTable(), report, AllRows);
        QCOMPARE(test::firstUnder(table, "Policies"), std::string("cse=on, fold=all"));
    }

    void changesOfBackendsThatNobodyOffersAreLeftOut()
    {
        for (const PolicyChange& change : priceChanges(test::graphFromText(Foldable), {}, {}))
            QVERIFY2(change.policy != "backend" || change.value == "reference", change.value.c_str());
    }

    void aStopEndsThePricing()
    {
        std::stop_source stop;
        std::size_t begun = 0;
        const Context context {stop.get_token(), [&](std::string_view, double) {
                                   if (++begun == 3) stop.request_stop();
                               }};
        QVERIFY(priceChanges(test::graphFromText(Foldable), {}, context).size() <= 2);
        QCOMPARE(begun, std::size_t {3});
    }
};

QTEST_APPLESS_MAIN(ReportAnswers)
#include "tst_report_answers.moc"
