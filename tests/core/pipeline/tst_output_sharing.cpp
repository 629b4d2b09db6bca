#include "core/facts/english/english.h"
#include "core/facts/words/names.h"
#include "core/facts/words/pair_reason.h"
#include "core/graph/never_made.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

const QByteArray Seed = "input x float32[4]\nxc = Identity(x)\ny0 = Identity(xc)\ny1 = Identity(xc)\noutput y0 y1\n";

/// "id=value id=value"; alignment 1 and the reference backend besides.
Report planned(const QByteArray& graph, const QByteArray& choices = {})
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.backend = BackendPolicy::Reference;
    test::chooseFromText(request.policies, choices.constData());
    return analyse(test::graphFromText(graph.constData()), request, {}).value();
}

/// "a b | c": storages of the plan; "[x] a" are values in the bytes of the caller's x, "[]" in those that he brings.
QString groups(const Report& report)
{
    QStringList all;
    for (const Storage& storage : report.program.storages) {
        QStringList names;
        for (const ValueId value : storage.values) {
            const ValueId host = report.program.map.values[value.index()].host;
            const bool own = !storage.arena.valid() && !host.valid();
            if (host == value) names.prepend(QStringLiteral("[]"));
            if (own)
                names.prepend(QStringLiteral("[%1]").arg(QString::fromStdString((*report.program.graph)[value].name)));
            else
                names.append(QString::fromStdString((*report.program.graph)[value].name));
        }
        if (storage.arena.valid() || names.size() > 1) all.append(names.join(QLatin1Char(' ')));
    }
    return all.join(QStringLiteral(" | "));
}

/// "rule severity" of all findings but the advice on what could share.
QString findings(const Report& report)
{
    QStringList all;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.rule == Rule::MissedSharing || finding.rule == Rule::DeadOutput) continue;
        const std::string_view severity = severityName(finding.severity);
        const std::string_view rule = ruleId(finding.rule);
        all.append(QString::fromStdString(std::string(rule) + " " + std::string(severity)));
    }
    return all.join(QStringLiteral(", "));
}

/// "out0: refused, with out1; in0: …": what a write through each handle does.
QString handles(const Report& report)
{
    const auto name = [&](std::size_t index) {
        const Handle& handle = report.program.handles[index];
        return (handle.kind == Handle::Kind::Output ? QStringLiteral("out%1") : QStringLiteral("in%1"))
            .arg(handle.index);
    };
    QStringList all;
    for (std::size_t i = 0; i < report.program.handles.size(); ++i) {
        const Handle& handle = report.program.handles[i];
        QString text = name(i) + (!handle.writable  ? QStringLiteral(": refused")
                                  : handle.detaches ? QStringLiteral(": detaches %1").arg(handle.detachBytes)
                                                    : QStringLiteral(": goes through"));
        for (const std::size_t other : handle.together)
            text += QStringLiteral(", is ") + name(other);
        for (const std::size_t other : handle.aliases)
            text += QStringLiteral(", with ") + name(other);
        all.append(text);
    }
    return all.join(QStringLiteral("; "));
}

} // namespace

/// What may share with what, as users of MXNet have met it: the numbers are those of the behaviours in the research
/// notes on apache/mxnet issue 16685.
class tst_OutputSharing : public QObject
{
    Q_OBJECT

private slots:
    void valuesShareAsThePoliciesSay_data();
    void valuesShareAsThePoliciesSay();
    void aWriteDoesWhatThePolicySays_data();
    void aWriteDoesWhatThePolicySays();
    void copyOnWriteSaysWhatDetachingTakes();
    void repeatsAreMergedAndOutputsStayApart_data();
    void repeatsAreMergedAndOutputsStayApart();
    void thePairIsExplainedInOneSentence_data();
    void thePairIsExplainedInOneSentence();
    void whatPoliciesCostIsListedLargestFirst();
    void aPlanWithGuestsIsReadBack();

private:
    template <typename Row>
    static void addLivenessRows(const Row& row);
};

void tst_OutputSharing::valuesShareAsThePoliciesSay_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<QString>("groups");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("findings");
    const auto row = [](const char* name, const QByteArray& graph, const char* policies, const char* groups,
                        qint64 bytes, const char* findings = "") {
        QTest::newRow(name) << graph << QByteArray(policies) << QString::fromLatin1(groups) << bytes
                            << QString::fromLatin1(findings);
    };
    row("B01 the seed under MXNet's rule", Seed, "outputs=shared", "xc y0 y1", 16, "output-aliasing warning");
    row("B02 independent", Seed, "outputs=independent", "xc y0 | y1", 32);
    row("B02 an internal copy may stay in the input", Seed, "inputs=share-identity", "[x] xc | y0 | y1", 32);
    row("B03 read-only", Seed, "outputs=read-only", "xc y0 y1", 16, "output-aliasing advice");
    row("B03 read-only is never worse for sharing inputs", Seed, "outputs=read-only inputs=share-identity", "xc y0 y1",
        16, "output-aliasing advice");
    row("B04 copy-on-write", Seed, "outputs=copy-on-write", "xc y0 y1", 16, "output-aliasing advice");
    row("B05 external", Seed, "outputs=external", "xc | [] y0 | [] y1", 16);
    const QByteArray twice = "input x float32[4]\np = Identity(x)\noutput p p\n";
    row("B06 one entry twice", twice, "", "p", 16);
    row("B06 under external it is copied", twice, "outputs=external", "[] p | [] p:copy", 0);
    row("B06 thrice: copies are numbered", twice + "output p\n", "outputs=external", "[] p | [] p:copy | [] p:copy#2",
        0);
    const QByteArray passThrough = "input x float32[4]\ny = Identity(x)\noutput x y\n";
    row("B08 an input and its copy", passThrough, "inputs=share-identity", "y", 16);
    row("B08 MXNet's rule and shared inputs", passThrough, "outputs=shared inputs=share-identity", "[x] y", 0,
        "output-aliases-input warning");
    row("B08 external copies the input", passThrough, "outputs=external", "[] y | [] x:copy", 0);
    const QByteArray chain =
        "input x float32[4]\nh = Softmax(x)\na = Identity(h)\nb = Identity(a)\ny = Identity(b)\noutput y\n";
    row("B09 a chain of identities", chain, "", "h a b y", 16);
    const QByteArray both = "input x float32[4]\nh = Softmax(x)\ny = Identity(h)\noutput h y\n";
    row("B10 a value and its copy", both, "", "h | y", 32);
    row("B10 under MXNet's rule", both, "outputs=shared", "h y", 16, "output-aliasing warning");
    addLivenessRows(row);
}

template <typename Row>
void tst_OutputSharing::addLivenessRows(const Row& row)
{
    const QByteArray reluChain =
        "input x float32[4]\na = Softmax(x)\nb = Relu(a)\nc = Relu(b)\nd = Relu(c)\noutput d\n";
    row("B14 in place along a chain", reluChain, "", "a b c d", 16);
    const QByteArray trained =
        "input x float32[4]\nh = Exp(x)\ny = Identity(h)\nl = ReduceSum(h) keepdims=0\noutput y l\n"
        "grad x\nloss l\n";
    row("B12 an output apart from what is kept for backward", trained, "", "h | y | l | [grad:l] grad:h | grad:x", 52);
    row("B12 copy-on-write", trained, "outputs=copy-on-write", "h | y | l | [grad:l] grad:h | grad:x", 52);
    const QByteArray view = "input x1 float32[4]\ninput x2 float32[4]\na = Add(x1, x2)\ny = Exp(a)\n"
                            "l = ReduceSum(y) keepdims=0\noutput l\ngrad x1 x2\nloss l\n";
    row("a gradient that is a view keeps its name where it is copied for the caller", view, "outputs=external",
        "a y | [] l | [grad:l] grad:y | grad:a grad:x1#1 grad:x2#1 | [] grad:x2 | [] grad:x1", 32);
    row("B12 read-only", trained, "outputs=read-only", "h y | l | [grad:l] grad:h | grad:x", 36);
    row("B12 under MXNet's rule", trained, "outputs=shared", "h y | l | [grad:l] grad:h | grad:x", 36);
    row("B14 the last one goes to the caller", reluChain, "outputs=external", "a b c | [] d", 16);
    row("B14 without in place", reluChain, "inplace=off", "a | b | c | d", 32);
    row("B15 two readers", "input x float32[4]\na = Softmax(x)\nc = Relu(a)\ne = Add(c, a)\noutput e\n", "", "a | c e",
        32);
    row("B16 an output and what is made of it", "input x float32[4]\nh = Softmax(x)\nr = Relu(h)\noutput h r\n", "",
        "h | r", 32);
    row("B16 a copy and what is made of it",
        "input x float32[4]\nh = Softmax(x)\nr = Relu(h)\ni = Identity(h)\noutput i r\n", "outputs=shared", "h i | r",
        32);
    const QByteArray top = "input x float32[4]\ny = Relu(x)\noutput y\n";
    row("B17 a visible input is never written", top, "inputs=donate", "y", 16);
    const QByteArray branch =
        "input x float32[4]\ninput k bool[]\nh = Softmax(x)\nn: y = If(k)\nbody then_branch\n"
        "  a = Relu(h)\n  output a\nend\nbody else_branch\n  b = Neg(h)\n  output b\nend\noutput y";
    row("B17 a branch writes over what nobody needs any more", branch + "\n", "", "h n/then_branch/a y n/else_branch/b",
        16);
    row("B17 a branch leaves what is read later", branch + "\nz = Softmax(h)\noutput z\n", "",
        "h z | n/then_branch/a y n/else_branch/b", 32);
    const QByteArray eight =
        "input x float32[8]\nk = Add(x, x)\nr = Reshape(k, s)\ns2 = Add(r, k)\nt = Add(s2, s2)\noutput t\n";
    row("B18 NNVM's own test", "const s int64[1] = 8\n" + eight, "", "k r s2 t", 32);
    row("B20 a cast of equal width",
        "input x float32[16]\nh = Softmax(x)\nc = Cast(h) to=6\ny = Cast(c) to=10\noutput y\n", "", "h c | y", 96);
    row("B20 a cast of equal width with another reader",
        "input x float32[16]\nh = Softmax(x)\nc = Cast(h) to=6\ny = my::F(c, h)\nvalue y float32[16]\noutput y\n", "",
        "h | c | y", 192);
    row("B21 dead outputs are free from the next node on",
        "input x float32[64]\no, m, v = my::BN(x)\nvalue o float32[64]\nvalue m float32[4]\nvalue v float32[4]\n"
        "p = my::Small(o)\nvalue p float32[4]\noutput p\n",
        "", "o | m | v | p", 288);
    const QByteArray zeros = "input x float32[16]\nh = Softmax(x)\nz = my::Zeros(h) ignores=[0]\nvalue z float32[16]\n";
    row("B22 what ignores its input", zeros + "output z\n", "", "h | z", 64);
    row("B22 with another reader", zeros + "k = Softmax(h)\ny = Add(k, z)\noutput y\n", "", "h k y | z", 128);
    row("B23 in place over what it ignores while another reader waits",
        "input x float32[4]\nh = Softmax(x)\nw = my::W(h, x) ignores=[0] alias=0:in-place:0\nvalue w float32[4]\n"
        "m = Softmax(h)\noutput w m\n",
        "", "h m | w", 32);
    const QByteArray loop = "input x float32[4]\ninput t int64[]\nn: r = Loop(t, _, x)\nbody body\n  input i int64[]\n"
                            "  input c bool[]\n  input s float32[4]\n";
    row("B37 state that is updated in place takes one block", loop + "  u = Relu(s)\n  output c u\nend\noutput r\n", "",
        "n/body/s n/body/u r | n/body/i | n/body/c", 25);
    row("B37 state that is not takes two, the result among them",
        loop + "  u = my::F(s)\n  value u float32[4]\n  output c u\nend\noutput r\n", "",
        "n/body/s r | n/body/i | n/body/c | n/body/u", 41);
    row("B37 state that is handed back is copied once, at the Enter", loop + "  output c s\nend\noutput r\n", "",
        "n/body/s r | n/body/i | n/body/c", 25);
}

void tst_OutputSharing::valuesShareAsThePoliciesSay()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);
    const Report report = planned(graph, policies);

    QTEST(groups(report), "groups");
    QTEST(qint64(report.memory.peakBytes), "bytes");
    QTEST(findings(report), "findings");
}

void tst_OutputSharing::aWriteDoesWhatThePolicySays_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<QString>("handles");
    const auto row = [](const char* name, const QByteArray& graph, const char* policies, const char* handles) {
        QTest::newRow(name) << graph << QByteArray(policies) << QString::fromLatin1(handles);
    };
    row("shared", Seed, "outputs=shared",
        "out0: goes through, with out1; out1: goes through, with out0; in0: goes through");
    row("independent", Seed, "", "out0: goes through; out1: goes through; in0: goes through");
    row("read-only", Seed, "outputs=read-only",
        "out0: refused, with out1; out1: refused, with out0; in0: goes through");
    row("copy-on-write", Seed, "outputs=copy-on-write",
        "out0: detaches 16, with out1; out1: detaches 16, with out0; in0: goes through");
    const QByteArray pass = "input x float32[4]\ny = Relu(x)\noutput x x y\n";
    row("pass-through", pass, "",
        "out0: goes through, is out1, is in0; out1: goes through, is out0, is in0; out2: goes through; "
        "in0: goes through, is out0, is out1");
    row("a pass-through stays writable through the input", pass, "outputs=read-only",
        "out0: refused, is out1, is in0; out1: refused, is out0, is in0; out2: refused; "
        "in0: goes through, is out0, is out1");
    row("external parts them", pass, "outputs=external",
        "out0: goes through; out1: goes through; out2: goes through; in0: goes through");
}

void tst_OutputSharing::aWriteDoesWhatThePolicySays()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);

    QTEST(handles(planned(graph, policies)), "handles");
}

void tst_OutputSharing::copyOnWriteSaysWhatDetachingTakes()
{
    const Report report = planned(Seed, "outputs=copy-on-write");

    QCOMPARE(report.memory.peakBytes, 16);
    QCOMPARE(report.memory.detachBytes, 16); // the last one keeps the block
    QCOMPARE(planned(Seed).memory.detachBytes, 0);
}

void tst_OutputSharing::repeatsAreMergedAndOutputsStayApart_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<qint64>("nodes");
    QTest::addColumn<QString>("groups");
    const auto row = [](const char* name, const char* graph, const char* policies, qint64 nodes, const char* groups) {
        QTest::newRow(name) << "input a float32[4]\ninput b float32[4]\n" + QByteArray(graph) << QByteArray(policies)
                            << nodes << QString::fromLatin1(groups);
    };
    const char* outputs = "d = Relu(a)\ny0 = Mul(a, d)\ny1 = Mul(a, d)\noutput y0 y1\n";
    row("off", outputs, "cse=off", 3, "d y1 | y0");
    row("B11 the copy that keeps outputs apart survives planning", outputs, "cse=on", 3, "d y0 | y1");
    row("B11 under MXNet's rule it does not", outputs, "cse=on outputs=shared", 3, "d y0 y1");
    row("a sum", "s = Add(a, b)\nt = Add(a, b)\ny = Mul(s, t)\noutput y\n", "cse=on", 2, "s y");
    row("to a fixed point", "s = Add(a, b)\nt = Add(a, b)\nu = Mul(s, a)\nv = Mul(t, a)\ny = Sub(u, v)\noutput y\n",
        "cse=on", 3, "s u y");
    row("other attributes", "s = Softmax(a) axis=0\nt = Softmax(a) axis=-1\ny = Add(s, t)\noutput y\n", "cse=on", 3,
        "s y | t");
    row("random numbers", "s = RandomNormalLike(a)\nt = RandomNormalLike(a)\ny = Add(s, t)\noutput y\n", "cse=on", 3,
        "s y | t");
    row("unknown operators",
        "s = my::F(a)\nt = my::F(a)\nvalue s float32[4]\nvalue t float32[4]\ny = Add(s, t)\noutput y\n", "cse=on", 3,
        "s y | t");
    row("B07 one entry twice beside a mergeable pair",
        "p = Identity(a)\ns = Add(a, b)\nt = Add(a, b)\ny = Mul(s, t)\noutput p p y\n", "cse=on", 3, "p | s y");
}

void tst_OutputSharing::repeatsAreMergedAndOutputsStayApart()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);
    const Report report = planned(graph, policies);

    QTEST(qint64(report.program.schedule.length()), "nodes");
    QTEST(groups(report), "groups");
    QCOMPARE(report.program.graph->nodes.size(), planned(graph).program.graph->nodes.size());
    for (std::size_t i = 0; i < report.program.values.size(); ++i) {
        // What nothing makes has no bytes, the caller's neither.
        const bool made = !isNeverMade(*report.program.graph, ValueId(i));
        QCOMPARE(report.program.values[i].storage.valid(), made);
        if (!made) QCOMPARE(whereText(report, ValueId(i)), std::string("never made"));
    }
}

void tst_OutputSharing::thePairIsExplainedInOneSentence_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("the seed") << Seed << QByteArray()
                              << "'y0' and 'y1' do not share: between 'y1' and 'xc', two graph outputs would share: a "
                                 "write to one would show in the other (16 B, rule output-independence).";
    QTest::newRow("MXNet's rule")
        << Seed << QByteArray("outputs=shared")
        << "'y0' and 'y1' share: 'y0' repeats the bytes of 'xc', and nothing writes them while "
           "either is read; 'y1' repeats the bytes of 'xc', and nothing writes them while either "
           "is read.";
    QTest::newRow("strangers")
        << QByteArray("input x float32[4]\ny0 = my::F(x)\ny1 = my::F(x)\nvalue y0 float32[4]\nvalue y1 float32[4]\n"
                      "output y0 y1\n")
        << QByteArray()
        << "'y0' and 'y1' do not share: no identity, in-place option or pass-through leads from "
           "one to the other.";
}

void tst_OutputSharing::thePairIsExplainedInOneSentence()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);
    const Report report = planned(graph, policies);

    const std::string sentence =
        english(pairReason(report, findValue(*report.program.graph, "y0"), findValue(*report.program.graph, "y1")));

    QTEST(QString::fromStdString(sentence), "sentence");
}

void tst_OutputSharing::whatPoliciesCostIsListedLargestFirst()
{
    const Report report =
        planned("input x float32[4]\ninput z float32[8]\nh = Softmax(x)\ny = Identity(h)\nk = Softmax(z)\n"
                "v = Identity(k)\noutput h y k v\n");
    QStringList missed;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.rule != Rule::MissedSharing) continue;
        QCOMPARE(finding.severity, Severity::Advice);
        missed.append(QString::fromStdString((*report.program.graph)[finding.values.front()].name));
    }

    QCOMPARE(missed.join(QLatin1Char(' ')), QStringLiteral("v y"));
}

void tst_OutputSharing::aPlanWithGuestsIsReadBack()
{
    const Report report = planned(Seed, "inputs=share-identity");
    PlanRequest request;
    request.policies = report.program.policies;
    request.givenPlan = sharedPlan(planOf(report));

    const Report again = analyse(test::graphFromText(Seed.constData()), request, {}).value();

    QCOMPARE(groups(again), groups(report));
    QCOMPARE(findings(again), QString());
}

QTEST_APPLESS_MAIN(tst_OutputSharing)
#include "tst_output_sharing.moc"
