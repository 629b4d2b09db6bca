#include "core/facts/english/english.h"
#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

namespace {

constexpr const char* Chain = "input x uint8[64]\n"
                              "na: a = my::Op(x)\n"
                              "nb: b = my::Op(a) alias=0:in-place:0\n"
                              "nc: c = my::Op(b) alias=0:identity:0\n"
                              "nd: d = my::Op(c)\n"
                              "output d\n";

constexpr const char* TwoOutputs = "input x uint8[64]\n"
                                   "na: a = my::Op(x)\n"
                                   "nb: b = my::Op(a)\n"
                                   "output a b\n";

/// One finding, or none: "rule severity values / nodes / steps / bytes" and what would mend it.
void addColumns()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QByteArray>("findings");
}

void row(const char* name, const char* graph, const QByteArray& plan, const char* findings)
{
    QTest::newRow(name) << QByteArray(graph) << plan << QByteArray(findings);
}

} // namespace

/// Policies that restrict a plan are part of the law.
class tst_PolicyRules : public QObject
{
    Q_OBJECT

private slots:
    void inputsAreNotWritten_data()
    {
        addColumns();
        const char* const graph = "input x uint8[64]\nna: a = my::Op(x) alias=0:in-place:0\n"
                                  "nb: y = my::Op(a)\noutput y\n";
        const QByteArray inside = "arena 64\nhosted a 0 x\ny 0\n";
        row("visible", graph, inside, "input-overwritten x a / na / [0, 1) / [0, 64)");
        row("hidden, but not given away", graph, inside + "hidden x\n",
            "input-overwritten x a / na / [0, 1) / [0, 64)");
        row("hidden and donated", graph, inside + "hidden x\npolicy inputs donate\n", "");
        row("visible and donated", graph, inside + "policy inputs donate\n",
            "input-overwritten x a / na / [0, 1) / [0, 64)");
        row("a hidden one that the plan brings into an arena", graph, "arena 128\nx 0\na 0\ny 64\nhidden x\n", "");
        row("a visible one that the plan brings into an arena", graph, "arena 128\nx 0\na 0\ny 64\n",
            "input-overwritten x a / na / [0, 1) / [0, 64)");
        row("by a scratchpad over what the plan keeps in an arena",
            "param w uint8[64]\ninput x uint8[64]\nna: a = my::Op(x, w)\nnb: y = my::Op(a)\noutput y\n",
            "arena 256\nw 0\na 64\ny 128\nscratch nb 32:16\n", "input-overwritten w / nb / [1, 2) / [32, 48)");
        row("what only lies there",
            "input x uint8[64]\nna: a = my::Op(x) alias=0:identity:0\n"
            "nb: y = my::Op(a)\noutput y\n",
            inside + "hidden x\n", "");
        row("written over later, in a part of it",
            "input x uint8[64]\nna: a = my::Op(x)\nnb: b = my::Op(a)\nnc: y = my::Op(b)\noutput y\n",
            "arena 128\ntype b uint8[16]\na 0\nhosted b 32 x\ny 64\nhidden x\n",
            "input-overwritten x b / nb / [1, 2) / [32, 48)");
    }
    void inputsAreNotWritten() { judge(); }

    void inPlaceIsForbidden_data()
    {
        addColumns();
        const QByteArray shared = "arena 128\na 0\nb 0\nc 0\nd 64\n";
        row("on", Chain, shared, "");
        row("identities alone", Chain, shared + "policy inplace identity-only\n",
            "written-in-place a b / nb / [1, 2) / [0, 64)");
        row("off", Chain, shared + "policy inplace off\n",
            "written-in-place a b / nb / [1, 2) / [0, 64)\nwritten-in-place b c / nc / [2, 3) / [0, 64)");
        row("off, and all apart", Chain, "arena 256\na 0\nb 64\nc 128\nd 192\npolicy inplace off\n", "");
        row("a view is no choice of the plan",
            "input x uint8[64]\nna: a = my::Op(x)\nnb: b = my::Op(a) alias=0:view:0\n"
            "nc: c = my::Op(b)\noutput c\n",
            "arena 128\na 0\nb 0\nc 64\npolicy inplace off\n", "");
    }
    void inPlaceIsForbidden() { judge(); }

    void tensorsInsideOfOthersAreForbidden_data()
    {
        addColumns();
        const char* const joined = "input x uint8[32]\nna: a = my::Op(x)\nnb: b = my::Op(x)\n"
                                   "ny: y = Concat(a, b) axis=0\noutput y\n";
        const QByteArray types = "type a uint8[32]\ntype b uint8[32]\n";
        const QByteArray inside = types + "arena 64\na 0\nb 32\ny 0\n";
        row("on", joined, inside, "");
        row("off", joined, inside + "policy subbuffers off\n",
            "written-in-place a y / ny / [2, 3) / [0, 64)\nwritten-in-place b y / ny / [2, 3) / [0, 64)");
        row("nothing stays where it is", joined, inside + "policy inplace off\n",
            "written-in-place a y / ny / [2, 3) / [0, 64)\nwritten-in-place b y / ny / [2, 3) / [0, 64)");
        row("off, and apart", joined, types + "arena 128\na 0\nb 32\ny 64\npolicy subbuffers off\n", "");
        for (const char* op : {"tflite::CONCATENATION(a, b)", "xla::concatenate(a, b) dimensions=\"{0}\"",
                               "mxnet::Concat(a, b) dim=0", "aten::cat.out(a, b)"}) {
            const QByteArray graph =
                QByteArray("input x uint8[32]\nna: a = my::Op(x)\nnb: b = my::Op(x)\nny: y = ") + op + "\noutput y\n";
            const QByteArray plan = "type a int8[32]\ntype b int8[32]\ntype y int8[64]\narena 64\ny 0\n";
            row(op, graph.constData(), plan + "a 0\nb 32\n", "");
            row((QByteArray(op) + ", exchanged").constData(), graph.constData(), plan + "a 32\nb 0\n",
                "overlap a y / ny / [2, 3) / [32, 64)\noverlap b y / ny / [2, 3) / [0, 32)");
        }
        const char* const stacked = "input x uint8[32]\nna: a = my::Op(x)\nnb: b = my::Op(x)\n"
                                    "ny: y = mxnet::stack(a, b)\noutput y\n";
        row("stacked", stacked, inside + "type y uint8[2,32]\n", "");
        row("stacked, exchanged", stacked, types + "type y uint8[2,32]\narena 64\na 32\nb 0\ny 0\n",
            "overlap a y / ny / [2, 3) / [32, 64)\noverlap b y / ny / [2, 3) / [0, 32)");
        row("in the other's place", joined, types + "arena 64\na 32\nb 0\ny 0\n",
            "overlap a y / ny / [2, 3) / [32, 64)\noverlap b y / ny / [2, 3) / [0, 32)");
        row("one byte off", joined, types + "arena 72\na 0\nb 33\ny 0\n", "overlap b y / ny / [2, 3) / [33, 64)");
        row("a part is read later",
            "input x uint8[32]\nna: a = my::Op(x)\nnb: b = my::Op(x)\nny: y = Concat(a, b) axis=0\n"
            "nc: c = my::Op(a)\noutput y c\n",
            inside + "type c uint8[64]\narena 64\nc 1@0\n", "");
        row("written over where a part is read later",
            "input x uint8[32]\nna: a = my::Op(x)\nnb: b = my::Op(x)\nny: y = Concat(a, b) axis=0\n"
            "nc: c = my::Op(y)\nnd: d = my::Op(a, c)\noutput d\n",
            inside + "type c uint8[16]\ntype d uint8[8]\narena 64\nc 0\nd 1@0\n",
            "overlap y c / nc / [3, 4) / [0, 16)\nclobbered-read a c / nd nc / [3, 5) / [0, 16)");
        row("one part over the other's bytes while they are needed",
            "input x uint8[32]\nna: a = my::Op(x)\nny: y = Concat(a, a) axis=0\noutput y\n",
            "arena 64\ntype a uint8[32]\na 0\ny 0\n", "");
        row("a part that either branch has made",
            "input x uint8[32]\ninput k bool[]\nn: o = If(k)\nbody then_branch\n  np: p = my::Op(x)\n  output p\nend\n"
            "body else_branch\n  nq: q = my::Op(x)\n  output q\nend\nnb: b = my::Op(x)\n"
            "ny: y = Concat(o, b) axis=0\noutput y\n",
            "type n/then_branch/p uint8[32]\ntype n/else_branch/q uint8[32]\ntype o uint8[32]\ntype b uint8[32]\n"
            "arena 64\nn/then_branch/p 0\nn/else_branch/q 0\no 0\nb 32\ny 0\n",
            "");
        const char* const split = "input x uint8[64]\nnz: z = my::Op(x)\nns: p, q = Split(z) axis=0 num_outputs=2\n"
                                  "nr: r = my::Op(q)\nnt: t = my::Op(p, r)\noutput t\n";
        const QByteArray halves = "type p uint8[32]\ntype q uint8[32]\ntype r uint8[32]\n";
        row("halves in their places", split, halves + "arena 160\nz 0\np 0\nq 32\nr 64\nt 96\n", "");
        row("halves exchanged", split, halves + "arena 160\nz 0\np 32\nq 0\nr 64\nt 96\n",
            "overlap z p / ns / [1, 2) / [32, 64)\noverlap z q / ns / [1, 2) / [0, 32)");
        row("a half is written over too early", split, halves + "arena 160\nz 0\np 0\nq 32\nr 0\nt 96\n",
            "clobbered-read z r p / nt nr / [2, 4) / [0, 32)");
        row("both halves in one place, of which nobody reads the first",
            "input x uint8[64]\nnz: z = my::Op(x)\nns: p, q = Split(z) axis=0 num_outputs=2\noutput q\n",
            "type z uint8[64]\ntype p uint8[32]\ntype q uint8[32]\narena 128\nz 64\np 0\nq 0\n",
            "overlap p q / ns / [1, 2) / [0, 32)\ndead-output advice p / ns / [1, 2) / [0, 32)");
        row("halves, off", split, halves + "arena 160\nz 0\np 0\nq 32\nr 64\nt 96\npolicy subbuffers off\n",
            "written-in-place z p / ns / [1, 2) / [0, 32)\nwritten-in-place z q / ns / [1, 2) / [32, 64)");
    }
    void tensorsInsideOfOthersAreForbidden() { judge(); }

    void paddingIsForbidden_data()
    {
        addColumns();
        const QByteArray wide = "arena 256\na 0:96\nb 128\nneeds na 0 96\n";
        row("on", TwoOutputs, wide, "");
        row("off: what an implementation asks for", TwoOutputs, wide + "policy padding off\n",
            "padded a / na / [0, 2) / [0, 96)");
        row("off: what the plan reserves", TwoOutputs, "arena 256\na 0:96\nb 128:65\npolicy padding off\n",
            "padded a b / na nb / [0, 2) / [0, 64)");
        row("off: rounded up to the alignment", TwoOutputs,
            "arena 256 align=32\ntype a uint8[60]\na 0:64\nb 128\npolicy padding off\n", "");
        row("off: exact", TwoOutputs, "arena 128\na 0\nb 64\npolicy padding off\n", "");
    }
    void paddingIsForbidden() { judge(); }

    void outputsAreBrought_data()
    {
        addColumns();
        row("independent", TwoOutputs, "arena 128\na 0\nb 64\n", "");
        row("external, in an arena", TwoOutputs, "arena 128\na 0\nhosted b 0 b\npolicy outputs external\n",
            "output-in-arena a / na / [0, 2) / [0, 64)");
        row("external", TwoOutputs, "arena 0\nhosted a 0 a\nhosted b 0 b\npolicy outputs external\n", "");
    }
    void outputsAreBrought() { judge(); }

    void declaredIdentitiesThatTheOperatorContradicts_data()
    {
        addColumns();
        const auto graph = [](const char* node) {
            return QByteArray(
                       "input x float32[4]\ninput z float32[4]\nconst k float32[4] = 0 0 0 0\nna: a = Exp(x)\n") +
                   node + "\nnc: c = Exp(b)\noutput c\n";
        };
        const QByteArray plan = "arena 64\na 0\nb 0\nc 16\ntype a float32[4]\ntype b float32[4]\ntype c float32[4]\n";
        const auto declared = [&](const char* name, const char* node, const char* findings) {
            QTest::newRow(name) << graph(node) << plan + "declared -\n" << QByteArray(findings);
        };
        const char* const wrong = "false-identity b a / nb / [1, 2) / [0, 0)";
        declared("Relu", "nb: b = Relu(a) alias=0:identity:0", wrong);
        declared("a sum", "nb: b = Add(a, z) alias=0:identity:0", wrong);
        declared("a sum with a constant, which may be zero", "nb: b = Add(a, k) alias=0:identity:0", "");
        declared("an operator with an attribute", "nb: b = LeakyRelu(a) alpha=1.0 alias=0:identity:0", "");
        declared("Identity", "nb: b = Identity(a) alias=0:identity:0", "");
        declared("an unknown operator", "nb: b = my::Op(a) alias=0:identity:0", "");
        declared("in place is no identity", "nb: b = Relu(a) alias=0:in-place:0", "");
    }
    void declaredIdentitiesThatTheOperatorContradicts() { judge(); }

    void aRemedyIsSaid()
    {
        const test::Case c = test::parseCase("input x uint8[64]\nna: a = my::Op(x) alias=0:in-place:0\n"
                                             "nb: y = my::Op(a)\noutput y\n",
                                             "arena 64\nhosted a 0 x\ny 0\nhidden x\n");
        const std::vector<Finding> findings = c.judge();
        QCOMPARE(findings.size(), std::size_t {1});
        QCOMPARE(
            QString::fromStdString(english(findings.front().message)),
            QStringLiteral("At step 0 node 'na' writes 'a' over bytes [0, 64) of 'x', which belong to the caller."));
        QCOMPARE(QString::fromStdString(english(findings.front().fix)),
                 QStringLiteral("Place 'a' outside the bytes of 'x', or give those away with inputs=donate."));
    }

private:
    static void judge()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        QCOMPARE(QByteArray::fromStdString(test::verdict(graph.constData(), plan.constData())), findings);
    }
};

QTEST_APPLESS_MAIN(tst_PolicyRules)
#include "tst_policy_rules.moc"
