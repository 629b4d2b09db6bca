#include "core/facts/english/english.h"
#include "core/facts/peak_causes.h"
#include "core/facts/words/names.h"
#include "core/facts/words/pair_reason.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/policy_effect.h"
#include "core/facts/words/run_sentences.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/terms_text.h"
#include "core/facts/words/verdict.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/planned.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view Chain = "input x float32[4,256]\nparam w float32[4,256]\n"
                                   "first: a = Add(x, w)\nsecond: b = Relu(a)\nthird: c = Mul(b, x)\noutput c\n";
constexpr std::string_view Beside = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(x)\nn2: c = Exp(a)\n"
                                    "n3: d = Exp(b)\nn4: e = Add(c, d)\noutput e\n";
constexpr std::string_view Shared = "input x float32[16]\na: p = Relu(x)\nb: q = Identity(p)\noutput p q\n";

HandleName output(std::size_t index, const char* value)
{
    return {true, index, value};
}

ProbeWrite write(HandleName handle, ProbeWrite::Outcome outcome = ProbeWrite::Outcome::Written)
{
    ProbeWrite made;
    made.handle = std::move(handle);
    made.outcome = outcome;
    return made;
}

void compare(const Texts& there, const Texts& expected)
{
    std::string lines;
    for (const std::string& text : there)
        lines += text + "\n";
    QVERIFY2(there == expected, lines.c_str());
}

void compare(const std::vector<Message>& there, const Texts& expected)
{
    compare(english(there), expected);
}

void compare(const std::string& there, const std::string& expected)
{
    QVERIFY2(there == expected, there.c_str());
}

/// Of an arena of 1,024 bytes under a value that ends at 2,048.
Report gapped()
{
    Report report = planned(Chain);
    report.program.map.arenas = {{"cpu", 2048, 64, {}}};
    report.memory.arenas = {{1024, 4096}};
    report.memory.lowerBoundBytes = 1024;
    return report;
}

PeakCauses gapAt(std::int64_t step)
{
    PeakCauses causes;
    causes.arena = ArenaId(std::int32_t {0});
    causes.peakBytes = 2048;
    causes.lowerBoundBytes = 1024;
    causes.highestStep = step;
    causes.liveThere = 1536;
    causes.onTop = {StorageId(std::int32_t {2})};
    return causes;
}

} // namespace

/// What is said in a sentence of a run, of two values, of streams and of a plan as a whole.
class SentencesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProbeTellsWhatEachWriteDid();
    void handlesOfOneNameAreToldApart();
    void aProbeTellsWhatASecondRunRefreshed();
    void aRunThatWasCutNamesItsLoops();
    void aRunOnADeviceTellsWhatItHeldAndTook();
    void replaysNameTheOutputsThatChanged();
    void twoValuesShareForAReasonOrDoNot();
    void aGapEndsWithWhatIsKnownOfIt_data();
    void aGapEndsWithWhatIsKnownOfIt();
    void policiesWithoutEffectSayWhy();
    void streamsAreCounted();
    void aVerdictNamesRulesAndTheFirstWarning();
    void aRefusalIsNoBrokenRule();
    void aPlanAboveItsBoundSaysWhatIsProved();
    void storagesAreWhereTheyLie();
    void aReasonThatIsASentenceEndsOnce();
};

void SentencesTest::aProbeTellsWhatEachWriteDid()
{
    compare(probeSentences({}), {"there is nothing to write"});
    WriteProbe probe;
    probe.writes = {write(output(0, "a")), write(output(1, "b")), write({false, 0, "x"}, ProbeWrite::Outcome::Refused),
                    write(output(2, "s"), ProbeWrite::Outcome::Skipped),
                    write(output(3, "d"), ProbeWrite::Outcome::Detached)};
    probe.writes[0].changed = {{output(1, "b"), 16, true}, {output(3, "d"), 2048, false}, {{false, 0, "x"}, 4, true}};
    probe.writes[1].unchanged = {output(0, "a")};
    probe.writes[2].reason = Message("outputs are read-only");
    probe.writes[3].reason = Message("it is a sequence");
    probe.writes[4].detachedBytes = 1024;
    probe.writes[4].changed = {{output(0, "a"), 8, false}};
    probe.liveBytes = 4096;
    probe.writes[4].liveBytes = 5120;

    compare(probeSentences(probe),
            {"writing 'a' changed 'b' (16 B), 'd' (2.00 KiB, against the plan) and 'x' (4 B)",
             "writing 'b' changed nothing else; 'a' did not change, although the plan says so",
             "writing 'x' is refused: outputs are read-only", "'s' is not written: it is a sequence",
             "writing 'd' detached it: 1.00 KiB more; it changed 'a' (8 B, against the plan)",
             "the outputs held 4.00 KiB, and hold 5.00 KiB after the writes"});
}

void SentencesTest::handlesOfOneNameAreToldApart()
{
    WriteProbe probe;
    probe.writes = {write(output(0, "y")), write(output(2, "y")), write({false, 1, "x"})};
    probe.writes[0].changed = {{output(2, "y"), 4, true}, {{false, 1, "x"}, 4, true}};

    compare(probeSentences(probe), {"writing 'y' (output 0) changed 'y' (output 2) (4 B) and 'x' (4 B)",
                                    "writing 'y' (output 2) changed nothing else", "writing 'x' changed nothing else"});
}

void SentencesTest::aProbeTellsWhatASecondRunRefreshed()
{
    WriteProbe probe;
    probe.writes = {write(output(0, "y"))};
    probe.writes[0].after = {{output(0, "y"), DType::Float32, {"0.5", "nan"}, {}},
                             {output(1, "long"), DType::Float32, Texts(9, "1"), {}},
                             {output(2, "none"), DType::Float32, {}, "ab"}};
    probe.refreshedOutputs = 2;
    compare(probeSentences(probe), {"writing 'y' changed nothing else", "in the end 'y' reads 0.5 nan",
                                    "a second run refreshed every output"});

    probe.writes[0].after.clear();
    probe.stale = {{output(1, "z"), Message("4 of 4 elements differ")}};
    probe.between = WriteProbe::Between {{write(output(0, "y")), write(output(1, "z"), ProbeWrite::Outcome::Refused)},
                                         {{output(2, "g"), {}}, {output(3, "h"), {}}},
                                         false};
    probe.between->writes[1].reason = Message("it is kept");
    compare(probeSentences(probe),
            {"writing 'y' changed nothing else", "a second run did not refresh 'z': 4 of 4 elements differ",
             "before the backward graph, writing 'z' is refused: it is kept",
             "writing outputs between forward and backward changed 'g' and 'h', against the plan"});
    probe.between->expected = true;
    QVERIFY(english(probeSentences(probe).back()).ends_with("changed 'g' and 'h'"));
    probe.between->changed.clear();
    QVERIFY(english(probeSentences(probe).back()).ends_with("changed no gradient"));
}

void SentencesTest::aRunThatWasCutNamesItsLoops()
{
    RunResult run;
    run.nodes = 40;
    run.ranNodes = 40;
    compare(scopeSentences(run), {});
    run.ranNodes = 12;
    run.cut = {100'000, {{"l", 50'000}, {"m", 1}}};
    compare(scopeSentences(run),
            {"The run was cut: loops may execute 100,000 nodes together (--max-trips); 'l' after 50,000 iterations and "
             "'m' after 1 iteration did not end within that.",
             "Ran 12 of 40 nodes: the others are in loops and branches that were not entered."});
    run.cut.loops = {{"a", 2}, {"b", 2}, {"c", 2}, {"d", 2}};
    QVERIFY(english(scopeSentences(run)[0]).find("'c' after 2 iterations and 1 other loop did") != std::string::npos);
    run.cut.loops.push_back({"e", 2});
    QVERIFY(english(scopeSentences(run)[0]).find(" and 2 other loops did not end") != std::string::npos);
}

void SentencesTest::aRunOnADeviceTellsWhatItHeldAndTook()
{
    RunResult run;
    compare(deviceSentences(run), {});
    run.held = {{"cuda:0", 64, 8704, 512, 1536, {}, {9216, 9728}}};
    run.copies = {{"cpu", "cuda:0", 1, 512, 0.01}, {"cuda:0", "cpu", 1234, 2048, 12.345}};
    run.launched = RunResult::Launched {2, 3, 0.5, 1, 0.25, 0.125, Message("Not all was captured.")};
    compare(
        deviceSentences(run),
        {"cuda:0 held 9.50 KiB at most: 8.50 KiB for arenas of 64 B planned (the rest is guard zones and rounding), "
         "512 B copied there ahead of the run or not planned, 512 B of its own; beside it the oracle held 1.50 KiB",
         "1 copy from cpu to cuda:0: 512 B in 0.01 ms", "1,234 copies from cuda:0 to cpu: 2.00 KiB in 12.3 ms",
         "launched 3 times in 2 stretches without a wait between nodes: 0.5 ms at best",
         "captured as 2 graphs in 0.25 ms and replayed 1 time: 0.125 ms at best", "Not all was captured."});
    run.launched = RunResult::Launched {1, 1, 1234.5, 0, 0, 0, {}};
    QCOMPARE(english(deviceSentences(run).back()),
             std::string("launched 1 time without a wait between nodes: 1.23e+03 ms at best"));
}

void SentencesTest::replaysNameTheOutputsThatChanged()
{
    RunResult run;
    compare(replaySentences(run), {});
    run.replayed.emplace();
    compare(replaySentences(run), {"the second replay changed no output of the first"});
    run.replayed = {{output(0, "y"), Message("4 of 4 elements differ")}};
    compare(replaySentences(run), {"'y' of the first replay was changed by the second: 4 of 4 elements differ"});
}

void SentencesTest::twoValuesShareForAReasonOrDoNot()
{
    const auto said = [](const Report& report, const char* a, const char* b) {
        return english(pairReason(report, findValue(*report.program.graph, a), findValue(*report.program.graph, b)));
    };
    const Report chain = planned(Chain);
    compare(said(chain, "a", "a"), "'a' is one entry, whatever the number of its names.");
    compare(said(chain, "a", "c"),
            "'a' and 'c' share: 'second' is the last to read 'a', so it may write 'b' over it; 'third' is the last to "
            "read 'b', so it may write 'c' over it.");
    compare(said(chain, "w", "c"),
            "'w' and 'c' do not share: between 'a' and 'w', the bytes of 'w' are not the plan's to share (4,096 B, "
            "rule input-protected).");
    compare(said(planned(Beside), "a", "b"), "'a' and 'b' do not share: between 'e' and 'd', 'e' already has its bytes "
                                             "from another sharing (256 B, rule already-shared).");
    const std::string apart = "input x float32[16]\ninput z float32[16]\nn0: a = Relu(x)\nn1: b = Concat(a, a) axis=0\n"
                              "n2: c = Relu(z)\nn3: d = Concat(c, c) axis=0\noutput b d\n";
    compare(said(planned(apart, "subbuffers=off"), "a", "c"),
            "'a' and 'c' do not share: no identity, in-place option or pass-through "
            "leads from one to the other. Both lie on bytes [0, 64) of cpu, one after "
            "the other.");
    Report broken = planned(apart, "placement=no-reuse subbuffers=off");
    const ValueId b = findValue(*broken.program.graph, "b");
    const ValueId d = findValue(*broken.program.graph, "d");
    broken.program.map.values[d.index()] = broken.program.map.values[b.index()];
    QVERIFY(
        said(broken, "b", "d").ends_with(" Both lie on bytes [64, 192) of cpu, and both are alive in common steps."));
    Finding finding;
    finding.rule = Rule::Overlap;
    finding.message = Message("They overlap.");
    finding.values = {d, b};
    finding.severity = Severity::Error;
    broken.verdict.findings = {finding};
    QVERIFY(said(broken, "b", "d").ends_with(" But both lie on bytes [64, 192) of cpu. overlap: They overlap."));
}

void SentencesTest::aGapEndsWithWhatIsKnownOfIt_data()
{
    QTest::addColumn<int>("end");
    QTest::addColumn<qint64>("bound");
    QTest::addColumn<QString>("reason");
    const auto row = [](SearchEnd end, qint64 bound, const char* reason) {
        QTest::addRow("%d above %lld", static_cast<int>(end), bound) << static_cast<int>(end) << bound << reason;
    };
    row(SearchEnd::Optimal, 2048, "No plan with this sharing is lower: the search has proved it.");
    row(SearchEnd::OnePlan, 1024, "placement=sweep makes one plan; best would search for a lower one.");
    row(SearchEnd::Partial, 1024, "The plan is incomplete, so nothing is proved.");
    row(SearchEnd::Limit, 1024, "Whether a lower plan exists is open; a longer search may find one.");
    row(SearchEnd::Stopped, 1536,
        "No plan is below 1.50 KiB with this sharing, as the search has proved; between, it is open.");
}

void SentencesTest::aGapEndsWithWhatIsKnownOfIt()
{
    QFETCH(int, end);
    QFETCH(qint64, bound);
    QFETCH(QString, reason);
    Report report = gapped();
    report.planning.search->algorithm = "sweep";
    report.planning.search->end = static_cast<SearchEnd>(end);
    report.planning.search->boundBytes = bound;
    const std::string above = "100.0 % above the bound: at step 1,200 'a' ends at 2.00 KiB while 1.50 KiB are alive, "
                              "so 512 B lie free beneath.";

    compare(english(gapSentence(report, gapAt(1200))), above + " " + reason.toStdString());

    report.program.map.arenas.push_back({"sram", 64, 64, {}});
    if (end == static_cast<int>(SearchEnd::Stopped))
        QVERIFY(english(gapSentence(report, gapAt(0))).find("All arenas together are never below 1.50 KiB") !=
                std::string::npos);
    report.planning.search.reset();
    compare(english(gapSentence(report, gapAt(1200))), above);
    PeakCauses full = gapAt(3);
    full.liveThere = 2048;
    QVERIFY(english(gapSentence(report, full)).ends_with(" while 2.00 KiB are alive."));
    full.peakBytes = full.lowerBoundBytes;
    QVERIFY(gapSentence(report, full).empty());
}

void SentencesTest::policiesWithoutEffectSayWhy()
{
    const auto why = [](const Report& report, const char* policy) {
        return english(whyWithoutEffect(report.program, report.program.policies, *findPolicy(policy)));
    };
    const Report chain = planned(Chain);
    compare(why(chain, "saved"), "the graph has no loss to go back from");
    compare(why(chain, "recompute"), "the file names no loss, and no node as the first of a backward half");
    compare(why(chain, "sparse"), "no tensor of the graph is sparse");
    compare(why(chain, "dynamic"), "every tensor has a size before the run");
    compare(why(planned("input x float32[4]\na = NonZero(x)\noutput a\n"), "dynamic"), "");
    compare(why(chain, "match-range"), "only with placement=storage-reuse");
    compare(why(chain, "inplace"), "");
    compare(why(planned(Chain, "placement=storage-reuse"), "match-range"), "");
    Report table = planned(Chain);
    Graph rows = *table.program.graph;
    rows.file.format = "packing table";
    table.program.graph = std::make_shared<const Graph>(std::move(rows));
    for (const char* policy : {"outputs", "inplace", "cse", "fold", "streams", "backend", "sparse", "dynamic"})
        compare(why(table, policy), "the steps of a table of buffers compute nothing");
    table.program.policies.backend = BackendPolicy::Captured; // as its terms are
    QVERIFY(whyChosenWithoutEffect(table.program, *findPolicy("backend")).empty());
    for (const char* policy : {"placement", "alignment", "capacity"})
        compare(why(table, policy), "");
    const auto chosen = [](const Report& report, const char* policy) {
        return english(whyChosenWithoutEffect(report.program, *findPolicy(policy)));
    };
    compare(chosen(chain, "saved"), "");
    compare(chosen(planned(Chain, "saved=save-all"), "saved"), "the graph has no loss to go back from");
    QVERIFY(!chosen(planned(Chain, "streams=captured"), "streams").empty());
    compare(chosen(planned(Chain, "streams=2"), "streams"), "");
}

void SentencesTest::streamsAreCounted()
{
    compare(english(streamsSentence(planned(Beside))), "");
    const Report report = planned(Beside, "streams=2");
    const Graph& graph = *report.program.graph;
    compare(english(streamsSentence(report)), "2 streams of 3 and 2 nodes, 1 event");
    QCOMPARE(waitsFor(report, findNode(graph, "n4")), std::vector {findNode(graph, "n3")});
    QCOMPARE(waitedForBy(report, findNode(graph, "n3")), std::vector {findNode(graph, "n4")});
    QVERIFY(waitsFor(report, findNode(graph, "n2")).empty());
    compare(english(waitSentence(report, {})), "");
    StreamOrder::Wait wait;
    wait.until = 4;
    wait.stream = 1;
    wait.node = findNode(graph, "n2");
    compare(english(waitSentence(report, wait)),
            "Stream 1 may write here from step 4 on: until then it does not wait for 'n2' of stream 0.");
    wait.until = report.program.schedule.length();
    compare(english(waitSentence(report, wait)), "Stream 1 never waits for 'n2' of stream 0.");
}

void SentencesTest::aVerdictNamesRulesAndTheFirstWarning()
{
    Report report = planned(Shared, "outputs=shared");
    compare(english(verdictText(report)),
            "No rule is broken under this policy, but 1 warning: outputs p and q share bytes; "
            "writing one changes the other. Peak 64 B at step 0, which is the lower bound.");
    QVERIFY(verdictLevel(report) == VerdictLevel::Warned);
    Finding finding;
    finding.severity = Severity::Warning;
    finding.rule = Rule::MissedSharing;
    finding.message = Message("It is so.");
    report.verdict.findings.insert(report.verdict.findings.begin(), finding);
    compare(english(warningText(report)), "2 warnings, first: it is so");
    for (const Rule rule : {Rule::Undersized, Rule::Overlap, Rule::Overlap}) {
        finding.severity = Severity::Error;
        finding.rule = rule;
        report.verdict.findings.push_back(finding);
    }
    compare(english(legalityText(report)), "Not legal: 3 errors (overlap, undersized).");
    QVERIFY(verdictLevel(report) == VerdictLevel::Broken);
    QVERIFY(english(verdictText(report)).find("bound") == std::string::npos); // of what may not share at all
    report.run.emplace().mismatches.resize(3);
    report.run->mismatches[1].follows = report.run->mismatches[2].follows = true;
    compare(english(legalityText(report)), "Not legal: 3 errors (overlap, undersized).");
    compare(english(comparedSentence(*report.run)),
            "0 values (0 B) compared with the oracle: 1 fault, 2 values differ after it");
    finding.rule = Rule::WrongValue;
    finding.message = say("wrong-value", "a", 1, Message(), Message());
    report.verdict.findings.insert(report.verdict.findings.begin(), finding);
    finding.severity = Severity::Warning;
    report.verdict.findings.insert(report.verdict.findings.begin() + 1, 2, finding);
    compare(english(legalityText(report)),
            "Not legal: 4 errors (overlap, undersized, wrong-value). 2 values differ after that.");
    report.verdict.findings.erase(report.verdict.findings.begin(), report.verdict.findings.begin() + 3);
    report.run.reset();
    report.program.ownPlan = false;
    compare(english(legalityText(report)), "The given plan is not legal: 3 errors (overlap, undersized).");
    report.verdict.findings.clear();
    compare(english(legalityText(report)), "The given plan is legal.");
    report.planning.edited = true;
    compare(english(legalityText(report)), "The edited plan is legal.");
}

void SentencesTest::aRefusalIsNoBrokenRule()
{
    Report report = planned(Chain);
    Finding refused;
    refused.rule = Rule::OutOfMemory;
    refused.severity = Severity::Error;
    report.verdict.findings = {refused};
    compare(english(legalityText(report)), "Out of memory: a request was refused.");
    report.verdict.findings.push_back(refused);
    compare(english(legalityText(report)), "Out of memory: 2 requests were refused.");
    refused.rule = Rule::Overlap;
    report.verdict.findings.push_back(refused);
    compare(english(legalityText(report)), "Not legal: 3 errors (out-of-memory, overlap).");
}

void SentencesTest::aPlanAboveItsBoundSaysWhatIsProved()
{
    Report report = planned(Chain);
    compare(english(aboveBoundText(report)), "");
    report.memory.lowerBoundBytes = 2048;
    compare(english(aboveBoundText(report)),
            "100.0 % above the bound: no plan with this sharing is lower, as the search has proved");
    report.program.constraints.places = {{"a", 4096}};
    compare(english(aboveBoundText(report)),
            "100.0 % above the bound: no plan with this sharing and the places that are asked for is lower, as the "
            "search has proved");
    report.program.constraints.places.clear();
    report.planning.search->end = SearchEnd::OnePlan;
    report.planning.search->algorithm = "sweep";
    compare(english(aboveBoundText(report)), "100.0 % above the bound: sweep does not search");
    report.planning.search->end = SearchEnd::Limit;
    compare(english(aboveBoundText(report)), "100.0 % above the bound: whether a lower plan exists is open");
    report.planning.search.reset();
    compare(english(aboveBoundText(report)), "100.0 % above the bound");
    compare(english(verdictText(report)), "Legal. Peak 4.00 KiB at step 0, 100.0 % above the bound.");
    report.verdict.given = GivenPlanBounds {4096, 3072, 2560};
    QVERIFY(english(verdictText(report))
                .ends_with(" Our own plan: 3.00 KiB. No plan of this order and terms is below 2.50 KiB, "
                           "whatever shares."));
}

void SentencesTest::storagesAreWhereTheyLie()
{
    const Report report = planned(Chain);
    const Graph& graph = *report.program.graph;
    compare(whereText(report, findValue(graph, "x")), "caller's bytes");
    compare(whereText(report, findValue(graph, "a")), "cpu");
    compare(storageTitle(report, StorageId(std::int32_t {2})), "a");
    compare(storageText(StorageId()), "");
    const std::vector<ValueId> all = {ValueId(0), ValueId(1), ValueId(2)};
    compare(english(joinedNames(graph, all, 3)), "x, w, a");
    compare(english(joinedNames(graph, all, 1)), "x and 2 more");
    compare(english(joinedNames(graph, {}, 1)), "");
    compare(english(termsSentence(report)), "backend=auto: the fastest on offer here, reorders and copies counted");
}

void SentencesTest::aReasonThatIsASentenceEndsOnce()
{
    compare(english(say("offer.cannot-run", "cuda", say("device.no-kernels"))),
            "cuda cannot run here and was asked for nothing: CUDA cannot run here: this build has no kernels for "
            "devices; packaging/run.sh --cuda makes one.");
}

QTEST_GUILESS_MAIN(SentencesTest)
#include "tst_sentences.moc"
