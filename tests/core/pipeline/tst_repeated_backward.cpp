#include "core/facts/english/english.h"
#include "core/ops/op_traits.h"
#include "core/pipeline/pipeline.h"
#include "core/verify/verifier.h"

#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

using test::Choices;

PlanRequest request(const Choices& policies)
{
    PlanRequest request;
    test::choose(request.policies, policies);
    return request;
}

/// Exact bytes; nothing in place unless \p policies say so.
Report planned(const std::string& text, Choices policies)
{
    policies.insert(policies.begin(), {{"inplace", "off"}, {"alignment", "1"}});
    Result<Report> report = analyse(test::graphFromText(text), request(policies), {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

QString names(const Graph& graph, std::span<const ValueId> values)
{
    QStringList list;
    for (const ValueId value : values)
        list += QString::fromStdString(graph[value].name);
    return list.join(u' ');
}

/// "h donated, m is an input"
QString donations(const Report& report)
{
    QStringList lines;
    for (const SavedReport& saved : report.training.saved)
        lines += QString::fromStdString((*report.program.graph)[saved.tensor.value].name) + u' ' +
                 QString::fromUtf8(donationId(saved.donation).data());
    lines.removeDuplicates();
    lines.sort();
    return lines.join(QStringLiteral(", "));
}

QString errors(const std::vector<Finding>& findings)
{
    QStringList lines;
    for (const Finding& finding : findings) {
        if (finding.severity == Severity::Error)
            lines += QString::fromUtf8(ruleId(finding.rule).data()) + QStringLiteral(": ") +
                     QString::fromStdString(english(finding.message));
    }
    return lines.join(u'\n');
}

Interval rangeOf(const Report& report, std::string_view value)
{
    return report.program.values[findValue(*report.program.graph, value).index()].live.hull();
}

ValueId oldVersion(const Graph& graph, ValueId value)
{
    const NodeId producer = graph[value].producer;
    for (const AliasTrait& trait : aliasTraits(graph, producer)) {
        if (trait.kind == AliasKind::Mutates && trait.output == graph[value].producerOutput)
            return graph[producer].inputs[static_cast<std::size_t>(trait.input)];
    }
    return value;
}

/// h and k, of 1,000 bytes each, are kept for the two products behind them.
const std::string Products = "input x float32[250]\nparam m float32[250]\nparam v float32[250]\n"
                             "n0: h = Neg(x)\nn1: k = Mul(h, m)\nn2: y = Mul(k, v)\n"
                             "n3: z = ReduceSum(y) keepdims=0\noutput z\ngrad m v\nloss z\n";

/// exp keeps its result, for a gradient of the same size; o is kept, too, and is an output.
const std::string Exponents = "input x float32[250]\nn0: h = Exp(x)\nn1: o = Exp(h)\nn2: y = Exp(o)\n"
                              "n3: z = ReduceSum(y) keepdims=0\noutput z o\ngrad x\nloss z\n";

} // namespace

/// Graphs that are kept for another backward pass, and tensors that are given to the only one.
class RepeatedBackward : public QObject
{
    Q_OBJECT

private slots:
    void aSecondPassTakesARetainedGraph();
    void whatKeepsNothingRunsAgain();
    void passesFollowOneAnother();
    void passesAddToTheCallersBuffers();
    void aRetainedGraphKeepsToTheEnd_data();
    void aRetainedGraphKeepsToTheEnd();
    void whatMayBeDonated_data();
    void whatMayBeDonated();
    void donatedBytesAreWrittenOver();
    void theVerifierJudgesWhatIsDonated_data();
    void theVerifierJudgesWhatIsDonated();
};

void RepeatedBackward::aSecondPassTakesARetainedGraph()
{
    const Result<Report> report = analyse(test::graphFromText(Products), request({{"backwards", "2"}}), {});

    QVERIFY(!report.ok());
    QCOMPARE(QString::fromStdString(describe(report.error())),
             QStringLiteral("policy backwards: Backward pass 2 would read 3 tensors (2,000 bytes of the plan) that "
                            "the first pass lets go once it has read them. The policy retain-graph=on keeps them."));
}

void RepeatedBackward::whatKeepsNothingRunsAgain()
{
    const Report report = planned("input x float32[250]\ny = Neg(x)\nz = ReduceSum(y) keepdims=0\noutput z\ngrad x\n"
                                  "loss z\n",
                                  {{"backwards", "2"}});

    QCOMPARE(report.training.saved.size(), std::size_t(0));
    QCOMPARE(errors(report.verdict.findings), QString());
}

void RepeatedBackward::passesFollowOneAnother()
{
    const Report report = planned(Products, {{"backwards", "3"}, {"retain-graph", "on"}});

    QStringList order;
    for (const NodeId node : report.program.graph->top().nodes)
        order += QString::fromStdString((*report.program.graph)[node].name);
    QCOMPARE(order.join(u' '),
             QStringLiteral("n0 n1 n2 n3 backward:n3 backward:n2 backward:n1 backward:n3#2 backward:n2#2 "
                            "backward:n1#2 add-to:grad:m#sum add-to:grad:v#sum backward:n3#3 backward:n2#3 "
                            "backward:n1#3 add-to:grad:m add-to:grad:v retain_graph"));
    QCOMPARE(names(*report.program.graph, report.program.graph->top().outputs), QStringLiteral("z grad:m grad:v"));
    QCOMPARE(errors(report.verdict.findings), QString());
    QCOMPARE(report.training.boundaryBytes, std::int64_t(2000));
    const SavedReport& first = report.training.saved.front();
    QCOMPARE(QString::fromStdString((*report.program.graph)[first.tensor.readBy].name),
             QStringLiteral("backward:n2#3"));
}

void RepeatedBackward::passesAddToTheCallersBuffers()
{
    const Report report = planned(Products, {{"backwards", "3"}, {"retain-graph", "on"}, {"gradients", "add"}});

    const Graph& graph = *report.program.graph;
    QCOMPARE(names(graph, graph.top().outputs), QStringLiteral("z grad:m grad:v"));
    for (const std::string_view name : {"grad:m", "grad:v"}) {
        ValueId value = findValue(graph, name);
        for (int pass = 0; pass < 3; ++pass) // each a version of the one before
            value = oldVersion(graph, value);
        QCOMPARE(graph[value].name, std::string(name) + ":before");
    }
    QCOMPARE(errors(report.verdict.findings), QString());
}

void RepeatedBackward::aRetainedGraphKeepsToTheEnd_data()
{
    QTest::addColumn<QByteArray>("retain");
    QTest::addColumn<QByteArray>("passes");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("h");
    QTest::newRow("let go as they are read") << QByteArray("off") << QByteArray("1") << 6 << 7;
    QTest::newRow("retained") << QByteArray("on") << QByteArray("1") << 8 << 8;
    QTest::newRow("retained for two") << QByteArray("on") << QByteArray("2") << 13 << 13;
}

void RepeatedBackward::aRetainedGraphKeepsToTheEnd()
{
    QFETCH(QByteArray, retain);
    QFETCH(QByteArray, passes);

    const Report report =
        planned(Products, {{"retain-graph", retain.toStdString()}, {"backwards", passes.toStdString()}});

    QTEST(int(rangeOf(report, "k").end), "k");
    QTEST(int(rangeOf(report, "h").end), "h");
    QCOMPARE(errors(report.verdict.findings), QString());
}

void RepeatedBackward::whatMayBeDonated_data()
{
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<Choices>("policies");
    QTest::addColumn<QString>("donations");
    QTest::addColumn<QString>("donated");
    const Choices on = {{"donation", "on"}};
    QTest::newRow("off") << Products << Choices {} << "h possible, k possible, v is an input"
                         << "";
    QTest::newRow("on") << Products << on << "h donated, k donated, v is an input"
                        << "k h";
    QTest::newRow("retained") << Products << Choices {{"donation", "on"}, {"retain-graph", "on"}}
                              << "h is retained, k is retained, v is an input"
                              << "";
    QTest::newRow("an output") << Exponents << on << "h donated, o is an output, y donated"
                               << "y h";
    QTest::newRow("a view of an output")
        << std::string("input x float32[250]\nconst c int64[2] = 10 25\nh = Exp(x)\nv = my::View(h) alias=0:view:0\n"
                       "value v float32[10,25]\nz = ReduceSum(h) keepdims=0\noutput z v\ngrad x\nloss z\n")
        << on << "h is an output"
        << "";
}

void RepeatedBackward::whatMayBeDonated()
{
    QFETCH(std::string, graph);
    QFETCH(Choices, policies);

    const Report report = planned(graph, policies);

    QTEST(donations(report), "donations");
    QTEST(names(*report.program.graph, report.program.graph->boundary.donated), "donated");
    QCOMPARE(errors(report.verdict.findings), QString());
}

/// Each backward node writes its gradient over the result that it has read.
void RepeatedBackward::donatedBytesAreWrittenOver()
{
    std::string text = Exponents;
    text.replace(text.find("output z o"), 10, "output z");
    const Report normal = planned(text, {{"inplace", "on"}});
    const Report given = planned(text, {{"inplace", "on"}, {"donation", "on"}});

    const auto storage = [](const Report& report, std::string_view value) {
        return report.program.values[findValue(*report.program.graph, value).index()].storage;
    };
    QVERIFY(storage(normal, "grad:o") != storage(normal, "y"));
    QVERIFY(storage(given, "grad:o") == storage(given, "y"));
    QCOMPARE(normal.memory.peakBytes, std::int64_t(4004));
    QCOMPARE(given.memory.peakBytes, std::int64_t(3004));
    QCOMPARE(errors(given.verdict.findings), QString());
}

void RepeatedBackward::theVerifierJudgesWhatIsDonated_data()
{
    QTest::addColumn<QByteArray>("donated");
    QTest::addColumn<bool>("retained");
    QTest::addColumn<QString>("errors");
    QTest::newRow("nothing") << QByteArray() << true << "";
    QTest::newRow("what is kept only") << QByteArray("h") << false << "";
    QTest::newRow("under a graph that is kept")
        << QByteArray("h") << true
        << "donation: 'h' is given to the backward graph to write over, but the graph is kept, and another backward "
           "pass may read it.";
    QTest::newRow("an output") << QByteArray("o") << false
                               << "donation: 'o' is given to the backward graph to write over, but the output 'o' is "
                                  "in the same bytes.";
    QTest::newRow("an input") << QByteArray("x") << false
                              << "donation: 'x' is given to the backward graph to write over, but its bytes are the "
                                 "caller's, of 'x'.";
    QTest::newRow("a gradient") << QByteArray("grad:x") << false
                                << "donation: 'grad:x' is given to the backward graph to write over, but the gradient "
                                   "'grad:x' is in the same bytes.";
}

void RepeatedBackward::theVerifierJudgesWhatIsDonated()
{
    QFETCH(QByteArray, donated);
    QFETCH(bool, retained);
    const Report report = planned(Exponents, {{"retain-graph", retained ? "on" : "off"}});
    Graph graph = *report.program.graph;
    if (!donated.isEmpty()) graph.boundary.donated = {findValue(graph, donated.toStdString())};
    Program program = report.program;
    program.graph = std::make_shared<const Graph>(std::move(graph));
    QTEST(errors(verify({program, report.program.map}, {})), "errors");
}

QTEST_APPLESS_MAIN(RepeatedBackward)
#include "tst_repeated_backward.moc"

#include <span>
