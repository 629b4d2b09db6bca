#include "core/facts/english/english.h"
#include "core/facts/words/request_kind.h"
#include "core/facts/words/run_sentences.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

Result<Report> analysed(const std::string& graph, const std::map<std::string, GradientRequest>& requests,
                        std::optional<PlanFile> plan = {}, OutputsPolicy outputs = OutputsPolicy::Independent)
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.backend = BackendPolicy::Reference;
    request.policies.outputs = outputs;
    request.constraints.gradients = requests;
    if (plan) request.givenPlan = sharedPlan(*std::move(plan));
    return analyse(test::graphFromText(graph), request, {});
}

Report planned(const std::string& graph, const std::map<std::string, GradientRequest>& requests)
{
    Result<Report> report = analysed(graph, requests);
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

kernels::RunOutcome run(const Report& report, const test::Numbers& inputs, bool probe = false)
{
    kernels::RunRequest request;
    request.mode = kernels::RunMode::Numeric;
    request.writeProbe = probe;
    Result<kernels::RunOutcome> outcome = test::executed(report, inputs, std::move(request));
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return std::move(outcome).value();
}

std::vector<float> gradientOf(const Report& report, const kernels::RunOutcome& outcome, std::string_view variable)
{
    const auto& outputs = report.program.graph->top().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if ((*report.program.graph)[outputs[i]].name != "grad:" + std::string(variable)) continue;
        const std::vector<double> numbers = test::numbersOf(outcome.outputs[i]);
        return {numbers.begin(), numbers.end()};
    }
    return {};
}

/// z = Σ (i · x): the gradient of x has that many contributions, and is the sum of all i.
std::string contributions(int count)
{
    std::string text = "input x float32[4]\ngrad x\n";
    std::string sum = "z0";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text += "const k" + n + " float32[4] = " + std::to_string(i + 1) + " 1 1 1\nm" + n + ": y" + n + " = Mul(x, k" +
                n + ")\nr" + n + ": z" + n + " = ReduceSum(y" + n + ") keepdims=0\n";
        if (i > 0) text += "s" + n + ": t" + n + " = Add(" + sum + ", z" + n + ")\n";
        if (i > 0) sum = "t" + n;
    }
    return text + "output " + sum + "\nloss " + sum + "\n";
}

QStringList rulesOf(const Report& report)
{
    QStringList found;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity != Severity::Advice) found << QString::fromStdString(std::string(ruleId(finding.rule)));
    }
    return found;
}

const std::string TwoVariables = "input x float32[4]\nparam w float32[4]\np = Mul(x, w)\nq = Tanh(p)\n"
                                 "z = ReduceSum(q) keepdims=0\noutput z\ngrad x w\nloss z\n";

/// What the caller sees of h before the backward graph reads it again.
const std::string Exposed = "input x float32[4]\nh = Exp(x)\ny = Identity(h)\nz = ReduceSum(h) keepdims=0\n"
                            "output y z\ngrad x\nloss z\n";
const std::string Handed = "input x float32[4]\nh = Exp(x)\nz = ReduceSum(h) keepdims=0\noutput h z\ngrad x\nloss z\n";

} // namespace

/// What becomes of gradients: written, added to what the caller has, or not computed; and what he may do to outputs
/// before they are.
class GradientRequests : public QObject
{
    Q_OBJECT

private slots:
    void everyNumberOfContributionsIsWrittenAndAdded_data();
    void everyNumberOfContributionsIsWrittenAndAdded();
    void whatIsNullChangesNoOther();
    void nothingAskedIsNoBackwardGraph();
    void requestsHaveAnOrderOfPrecedence();
    void aSumThatLeavesItsBufferIsFound();
    void aBufferIsTheCallersUnderEveryPolicy_data();
    void aBufferIsTheCallersUnderEveryPolicy();
    void writesBetweenForwardAndBackwardReachNoGradient_data();
    void writesBetweenForwardAndBackwardReachNoGradient();
};

void GradientRequests::everyNumberOfContributionsIsWrittenAndAdded_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("adds");
    QTest::addColumn<qint64>("gradientBytes"); ///< Of the arena: contributions and their sum.
    QTest::addColumn<qint64>("peak");
    for (int count = 1; count <= 10; ++count) {
        // One is computed where it belongs, few are kept until their sum, which lies over one of them, of many the
        // first gathers the others.
        const int kept = count == 1 || count >= 8 ? 0 : 16 * count;
        const int written = std::max(kept, 16);
        const int forward = count == 1 ? 20 : 24;
        QTest::addRow("B34: %d, write", count)
            << count << false << qint64(written) << qint64(std::max(forward, written + 4));
        QTest::addRow("B34: %d, add", count) << count << true << qint64(kept) << qint64(std::max(forward, kept + 4));
    }
}

void GradientRequests::everyNumberOfContributionsIsWrittenAndAdded()
{
    QFETCH(int, count);
    QFETCH(bool, adds);
    const Report report = planned(contributions(count), {{"x", adds ? GradientRequest::Add : GradientRequest::Write}});

    std::int64_t bytes = 0;
    for (const Storage& storage : report.program.storages) {
        const bool gradient =
            !storage.values.empty() && (*report.program.graph)[storage.values[0]].name.starts_with("grad:x");
        if (gradient && storage.arena.valid()) bytes += storage.bytes;
    }
    QTEST(qint64(bytes), "gradientBytes");
    QTEST(qint64(report.memory.peakBytes), "peak");
    QCOMPARE(report.memory.peakBytes, report.memory.lowerBoundBytes);
    const ValueId gradient = findValue(*report.program.graph, "grad:x");
    QCOMPARE(QString::fromUtf8(requestName(requestKinds(report)[gradient.index()]).data()),
             adds || count >= 8 ? QStringLiteral("add-to")
             : count > 1        ? QStringLiteral("write-in-place")
                                : QStringLiteral("write"));
    QCOMPARE(rulesOf(report), QStringList());

    const float sum = static_cast<float>(count * (count + 1)) / 2;
    const auto n = static_cast<float>(count);
    const std::vector<float> before = {100, 200, 300, 400};
    test::Numbers inputs = {{"x", {1, 2, 3, 4}}};
    if (adds) inputs["grad:x:before"] = before;
    std::vector<float> expected = adds ? before : std::vector<float>(4, 0.0F);
    for (int again = 0; again < 2; ++again) {
        const kernels::RunOutcome outcome = run(report, inputs);
        QVERIFY(outcome.result.mismatches.empty());
        if (!adds) std::fill(expected.begin(), expected.end(), 0.0F);
        for (std::size_t i = 0; i < 4; ++i)
            expected[i] += i == 0 ? sum : n;
        QCOMPARE(gradientOf(report, outcome, "x"), expected);
        if (adds) inputs["grad:x:before"] = gradientOf(report, outcome, "x"); // the same buffer, as it was left
    }
}

void GradientRequests::whatIsNullChangesNoOther()
{
    const test::Numbers inputs = {{"x", {1, -2, 3, -4}}, {"w", {0.5F, 0.25F, -1, 2}}};
    const Report both = planned(TwoVariables, {});
    const Report one = planned(TwoVariables, {{"x", GradientRequest::Null}});

    const std::vector<float> expected = gradientOf(both, run(both, inputs), "w");
    const kernels::RunOutcome outcome = run(one, inputs);

    QVERIFY(!expected.empty());
    QCOMPARE(gradientOf(one, outcome, "w"), expected);
    QCOMPARE(one.program.graph->boundary.gradients, std::size_t(1));
    QVERIFY(!findValue(*one.program.graph, "grad:x").valid());
    QVERIFY(one.program.schedule.length() <= both.program.schedule.length());
}

void GradientRequests::nothingAskedIsNoBackwardGraph()
{
    const Report report = planned(TwoVariables, {{"x", GradientRequest::Null}, {"w", GradientRequest::Null}});

    QCOMPARE(report.program.graph->boundary.gradients, std::size_t(0));
    QCOMPARE(report.training.boundaryBytes, 0);
    QCOMPARE(report.program.schedule.length(), 3);
}

/// By name, then as the file says, then as the policy says.
void GradientRequests::requestsHaveAnOrderOfPrecedence()
{
    Graph graph = test::graphFromText(TwoVariables);
    graph[findValue(graph, "x")].gradientRequest = GradientRequest::Null;
    PlanRequest request;
    request.policies.gradients = GradientRequest::Add;

    const Result<Report> byFile = analyse(graph, request, {});
    request.constraints.gradients["x"] = GradientRequest::Write;
    const Result<Report> byName = analyse(graph, request, {});
    request.constraints.gradients = {{"p", GradientRequest::Write}};
    const Result<Report> wrong = analyse(graph, request, {});

    QVERIFY(byFile.ok() && byName.ok());
    QCOMPARE(byFile.value().program.graph->boundary.gradients, std::size_t(1));
    QVERIFY(findValue(*byFile.value().program.graph, "grad:w:before").valid());
    QCOMPARE(byName.value().program.graph->boundary.gradients, std::size_t(2));
    QVERIFY(!findValue(*byName.value().program.graph, "grad:x:before").valid());
    QVERIFY(!wrong.ok());
    QCOMPARE(QString::fromStdString(english(wrong.error().message)),
             QStringLiteral("Gradients are of inputs and parameters of floating point, and 'p' is none."));
}

void GradientRequests::aSumThatLeavesItsBufferIsFound()
{
    const std::map<std::string, GradientRequest> adds = {{"x", GradientRequest::Add}};
    const Report own = planned(contributions(3), adds);
    PlanFile plan = planOf(own);
    const Result<Report> same = analysed(contributions(3), adds, plan);
    plan.arenas[0].bytes += 16;
    for (PlanFile::Entry& entry : plan.entries) {
        if (entry.value == "grad:x") entry = {"grad:x", ArenaId(0), plan.arenas[0].bytes - 16, 16};
    }
    const Result<Report> damaged = analysed(contributions(3), adds, plan);

    QVERIFY(same.ok() && damaged.ok());
    QCOMPARE(rulesOf(same.value()), QStringList());
    QCOMPARE(rulesOf(damaged.value()), QStringList {QStringLiteral("false-identity")});
    QVERIFY(QString::fromStdString(english(damaged.value().verdict.findings.front().message))
                .contains(QStringLiteral("adds to 'grad:x:before', which the caller brings")));
}

void GradientRequests::aBufferIsTheCallersUnderEveryPolicy_data()
{
    QTest::addColumn<int>("outputs");
    for (int outputs = 0; outputs < 5; ++outputs)
        QTest::addRow("%d", outputs) << outputs;
}

void GradientRequests::aBufferIsTheCallersUnderEveryPolicy()
{
    QFETCH(int, outputs);
    const auto report = analysed(TwoVariables, {{"x", GradientRequest::Add}, {"w", GradientRequest::Add}}, {},
                                 static_cast<OutputsPolicy>(outputs));
    QVERIFY(report.ok());
    QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));

    const kernels::RunOutcome outcome = run(report.value(), {}, true);

    const auto& mismatches = outcome.result.mismatches;
    QVERIFY2(mismatches.empty(), mismatches.empty() ? "" : english(mismatches.front().note).c_str());
    QCOMPARE(outcome.result.gradients.front().name, std::string("grad:x"));
    QVERIFY(outcome.result.probe->stale.empty());
    QVERIFY(outcome.result.probe->between->changed.empty());
}

void GradientRequests::writesBetweenForwardAndBackwardReachNoGradient_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<int>("outputs");
    QTest::addColumn<QString>("reason"); ///< Why the first output is not written; empty: it is.
    QTest::addColumn<bool>("changes");
    const auto row = [](const char* name, const std::string& graph, OutputsPolicy outputs, const char* reason,
                        bool changes = false) {
        QTest::newRow(name) << QByteArray::fromStdString(graph) << static_cast<int>(outputs)
                            << QString::fromLatin1(reason) << changes;
    };
    row("B12 independent", Exposed, OutputsPolicy::Independent, "");
    row("B12 copy-on-write", Exposed, OutputsPolicy::CopyOnWrite, "");
    row("B12 external", Exposed, OutputsPolicy::External, "");
    row("B12 read-only", Exposed, OutputsPolicy::ReadOnly, "outputs are read-only");
    row("B12 as MXNet", Exposed, OutputsPolicy::Shared, "", true);
    row("the tensor itself, independent", Handed, OutputsPolicy::Independent, "'backward:Exp_0' still reads it");
    row("the tensor itself, copy-on-write", Handed, OutputsPolicy::CopyOnWrite, "'backward:Exp_0' still reads it");
    row("the tensor itself, as MXNet", Handed, OutputsPolicy::Shared, "", true);
}

void GradientRequests::writesBetweenForwardAndBackwardReachNoGradient()
{
    QFETCH(QByteArray, graph);
    QFETCH(int, outputs);
    QFETCH(bool, changes);
    const auto report = analysed(graph.toStdString(), {}, {}, static_cast<OutputsPolicy>(outputs));
    QVERIFY(report.ok());

    const kernels::RunOutcome outcome = run(report.value(), {{"x", {0, 0, 0, 0}}}, true);

    QVERIFY(outcome.result.mismatches.empty());
    QCOMPARE(gradientOf(report.value(), outcome, "x"), std::vector<float>(4, 1.0F));
    const WriteProbe::Between& between = *outcome.result.probe->between;
    QCOMPARE(between.writes.size(), std::size_t(2));
    QTEST(QString::fromStdString(english(between.writes[0].reason)), "reason");
    QCOMPARE(!between.changed.empty(), changes);
    QVERIFY(QString::fromStdString(english(probeSentences(*outcome.result.probe).back()))
                .endsWith(changes ? QStringLiteral("changed 'grad:x'") : QStringLiteral("changed no gradient")));
}

QTEST_APPLESS_MAIN(GradientRequests)
#include "tst_gradient_requests.moc"
