#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "core/lower/gradient/min_cut.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"
#include "tests/support/saved_names.h"
#include "tests/support/training_networks.h"

#include <QTest>

using namespace plimsoll;
using test::kept;
using test::nameOf;

namespace {

PlanRequest request(const test::Choices& policies)
{
    PlanRequest request;
    request.policies.backend = BackendPolicy::Reference;
    test::choose(request.policies, policies);
    return request;
}

/// Under the reference accounting.
Report planned(const std::string& text, std::string_view recompute, std::vector<std::string> names = {})
{
    PlanRequest wanted = request({{"inplace", "off"}, {"alignment", "1"}, {"recompute", recompute}});
    wanted.constraints.recomputed = std::move(names);
    Result<Report> report = analyse(test::graphFromText(text), wanted, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

QString recomputed(const Report& report)
{
    QStringList names;
    for (const RecomputedReport& one : report.training.recomputed)
        names += nameOf(report, one.tensor.value);
    names.sort();
    return names.join(u' ');
}

/// "z no-less": why what backward reads is not computed anew.
QString refusals(const Report& report)
{
    QStringList lines;
    for (const Decision& decision : report.decisions) {
        if (decision.kind == DecisionKind::Recompute && !decision.accepted)
            lines += QString::fromStdString(decision.subject + " " + decision.rule);
    }
    return lines.join(QStringLiteral(", "));
}

QString inputsOf(const Report& report, std::string_view node)
{
    QStringList names;
    for (const ValueId input : (*report.program.graph)[findNode(*report.program.graph, node)].inputs)
        names += nameOf(report, input);
    return names.join(u' ');
}

const std::string Rnn = "input x float32[1,64]\ninput y float32[1,64]\nparam w float32[64,64]\nparam v float32[64,64]\n"
                        "f = MatMul(x, w)\ng = MatMul(y, v)\na = Add(f, g)\nz = Tanh(a)\n"
                        "l = ReduceSum(z) keepdims=0\noutput l\ngrad x y w v\nloss l\n";

/// x of 5 × 4,096 and five rows, each added to it.
std::string attention()
{
    std::string text = "input x float32[5,4096]\n";
    std::string sum;
    std::string wanted = "grad x";
    for (int i = 0; i < 5; ++i) {
        const std::string n = std::to_string(i);
        text += "input y" + n + " float32[1,4096]\na" + n + " = Add(x, y" + n + ")\nz" + n + " = Tanh(a" + n + ")\n";
        sum += (i == 0 ? "z" : ", z") + n;
        wanted += " y" + n;
    }
    return text + "s = Sum(" + sum + ")\nl = ReduceSum(s) keepdims=0\noutput l\n" + wanted + "\nloss l\n";
}

const std::string TwoTanh = "input x float32[8,64]\nparam w float32[64,64]\n"
                            "t1: y = Tanh(x)\nt2: z = Tanh(y)\nfc: f = MatMul(z, w)\n"
                            "sum: l = ReduceSum(f) keepdims=0\noutput l\ngrad x w\nloss l\n";

/// So many times tanh behind one another.
std::string chain(int length)
{
    std::string text = "input x float32[250]\nparam m float32[250]\nv0 = Mul(x, m)\n";
    for (int i = 1; i <= length; ++i)
        text += "v" + std::to_string(i) + " = Tanh(v" + std::to_string(i - 1) + ")\n";
    return text + "l = ReduceSum(v" + std::to_string(length) + ") keepdims=0\noutput l\ngrad x m\nloss l\n";
}

} // namespace

/// What backward computes anew instead of keeping it.
class Recompute : public QObject
{
    Q_OBJECT

private slots:
    void theCutIsTheLeastAndTheNearest_data();
    void theCutIsTheLeastAndTheNearest();
    void cheapChainsAreComputedAnewWhereLessIsKept_data();
    void cheapChainsAreComputedAnewWhereLessIsKept();
    void everyReaderReadsTheCopy();
    void aResNetKeepsLessThanSixTenths();
    void rowsOfWhatFollowsFromEachOtherAreShort();
    void valuesAreComputedAnewByName();
    void theReportSaysWhatItCosts();
};

void Recompute::theCutIsTheLeastAndTheNearest_data()
{
    QTest::addColumn<CutProblem>("problem");
    QTest::addColumn<QString>("cut");
    using Edges = std::vector<std::pair<std::size_t, std::size_t>>;
    const auto row = [](const char* name, std::vector<std::int64_t> weights, Edges edges, std::size_t wanted,
                        const char* cut) {
        CutProblem problem {std::move(weights), std::move(edges), {}, {}};
        problem.there.resize(problem.weights.size());
        problem.wanted.resize(problem.weights.size());
        problem.there[0] = true;
        problem.wanted[wanted] = true;
        QTest::newRow(name) << problem << QString::fromUtf8(cut);
    };
    row("of equal ones the nearest", {4, 4, 4}, {{0, 1}, {1, 2}}, 2, "..#");
    row("a waist", {9, 3, 4}, {{0, 1}, {1, 2}}, 2, ".#.");
    row("what is there and small", {2, 3, 4}, {{0, 1}, {1, 2}}, 2, "#..");
    row("two ways", {9, 3, 4, 8}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, 3, ".##.");
    row("two ways that meet again", {9, 3, 4, 7}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, 3, "...#");
    row("a way back is taken", {9, 1, 1, 1, 1, 9}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 4}, {3, 5}, {4, 5}}, 5,
        "...##.");
    row("no way", {1, 1}, {}, 1, "..");
}

void Recompute::theCutIsTheLeastAndTheNearest()
{
    QFETCH(CutProblem, problem);

    QString cut;
    for (const bool taken : nearestLeastCut(problem))
        cut += taken ? u'#' : u'.';
    QTEST(cut, "cut");
}

/// The cases of MXNet's tests of its cost rule, and what is never computed anew.
void Recompute::cheapChainsAreComputedAnewWhereLessIsKept_data()
{
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<QString>("recomputed");
    QTest::addColumn<QString>("refusals");
    QTest::addColumn<int>("boundary");
    const auto row = [](const char* name, const std::string& graph, const char* recomputed, const char* refusals,
                        int boundary) {
        QTest::newRow(name) << graph << QString::fromUtf8(recomputed) << QString::fromUtf8(refusals) << boundary;
    };
    row("add and tanh behind two products", Rnn, "", "z no-less", 256);
    row("five sums and tanh that share an input", attention(), "z0 z1 z2 z3 z4", "", 0);
    row("tanh, tanh, product", TwoTanh, "z", "y no-less", 2048);
    const auto tail = [](const std::string& body) {
        return "input x float32[250]\nparam m float32[250]\n" + body +
               "l = ReduceSum(y) keepdims=0\noutput l\ngrad x m\nloss l\n";
    };
    row("what a product makes",
        "input x float32[8,8]\nparam m float32[8,8]\nh = MatMul(x, m)\ny = Exp(h)\n"
        "e = Exp(y)\nl = ReduceSum(e) keepdims=0\noutput l\ngrad x m\nloss l\n",
        "e", "y no-less", 256);
    row("what is random", tail("h = Neg(x)\nconst r float32[] = 0.5\nconst t bool[] = 1\ny = Dropout(h, r, t)\n"), "",
        "Dropout_1:mask random", 250);
    row("what is written in place", tail("h = Neg(x)\ne = Exp(h)\nk = plimsoll::Mul_(h, m)\ny = Mul(e, k)\n"), "",
        "k changed-bytes, e changed-bytes, h:before changed-bytes", 3000);
    row("what is an output", tail("h = Neg(x)\ne = Exp(h)\ny = Exp(e)\noutput e\n"), "y", "e an-output", 1000);
}

void Recompute::cheapChainsAreComputedAnewWhereLessIsKept()
{
    QFETCH(std::string, graph);
    QFETCH(int, boundary);

    const Report report = planned(graph, "cheap");

    QTEST(recomputed(report), "recomputed");
    QTEST(refusals(report), "refusals");
    QCOMPARE(report.training.boundaryBytes, std::int64_t(boundary));
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
    QCOMPARE(recomputed(planned(graph, "off")), QString());
}

void Recompute::everyReaderReadsTheCopy()
{
    const Report report = planned(TwoTanh, "cheap");

    QVERIFY2(inputsOf(report, "backward:fc").contains(QStringLiteral("z:again")),
             qPrintable(inputsOf(report, "backward:fc")));
    QVERIFY(inputsOf(report, "backward:t2").contains(QStringLiteral("z:again")));
    QCOMPARE(inputsOf(report, "recompute:t2"), QStringLiteral("y"));
    const Graph& graph = *report.program.graph;
    const NodeId original = graph.decided[findNode(graph, "recompute:t2")].recomputes;
    QCOMPARE(nameOf(report, graph[original].outputs[0]), QStringLiteral("z"));
    QStringList order;
    for (const NodeId node : report.program.graph->top().nodes)
        order += QString::fromStdString((*report.program.graph)[node].name);
    QCOMPARE(order.join(u' '),
             QStringLiteral("t1 t2 fc sum backward:sum recompute:t2 backward:fc backward:t2 backward:t1"));
    QCOMPARE(kept(report), QStringLiteral("w y"));
}

void Recompute::aResNetKeepsLessThanSixTenths()
{
    const Graph graph = test::graphFromText(test::preactivationResNet152(32, 224));

    const Report normal = analyse(graph, request({{"placement", "sweep"}}), {}).value();
    const Report cheap = analyse(graph, request({{"placement", "sweep"}, {"recompute", "cheap"}}), {}).value();

    qInfo("boundary %lld of %lld, peak %lld of %lld, %zu recomputed, %.0f ms", (long long)cheap.training.boundaryBytes,
          (long long)normal.training.boundaryBytes, (long long)cheap.memory.peakBytes,
          (long long)normal.memory.peakBytes, cheap.training.recomputed.size(), cheap.planning.ms);
    QCOMPARE(countFindings(cheap, Severity::Error), std::size_t(0));
    QVERIFY(static_cast<double>(cheap.memory.peakBytes) < 0.6 * static_cast<double>(normal.memory.peakBytes));
    QVERIFY(static_cast<double>(cheap.training.boundaryBytes) <
            0.6 * static_cast<double>(normal.training.boundaryBytes));
}

/// Backward needs the last of a chain first: if all followed from the first one, all would be there again at once.
void Recompute::rowsOfWhatFollowsFromEachOtherAreShort()
{
    const Report normal = planned(chain(40), "off");
    const Report cheap = planned(chain(40), "cheap");

    QCOMPARE(normal.training.boundaryBytes, std::int64_t(40'000));
    QCOMPARE(cheap.training.recomputed.size(), std::size_t(32));
    QCOMPARE(cheap.training.boundaryBytes, std::int64_t(8'000));
    QVERIFY2(cheap.memory.peakBytes < 16'000, QByteArray::number(qint64(cheap.memory.peakBytes)).data());
}

void Recompute::valuesAreComputedAnewByName()
{
    const Report byName = planned(TwoTanh, "off", {"y"});
    QCOMPARE(recomputed(byName), QStringLiteral("y"));
    QCOMPARE(kept(byName), QStringLiteral("w x z"));
    QCOMPARE(byName.training.boundaryBytes, std::int64_t(2048));

    const Report product = planned("input x float32[8,8]\nparam m float32[8,8]\nh = MatMul(x, m)\ny = Exp(h)\n"
                                   "k = MatMul(h, m)\nt = Add(y, k)\nl = ReduceSum(t) keepdims=0\noutput l\n"
                                   "grad x m\nloss l\n",
                                   "off", {"h"});
    QCOMPARE(recomputed(product), QStringLiteral("h"));

    const Report absent = planned(TwoTanh, "off", {"x", "nothing"});
    QCOMPARE(recomputed(absent), QString());
    QCOMPARE(QString::fromStdString(english(absent.notes).at(0)),
             QStringLiteral("'x' is not computed anew in backward: callers."));
    QCOMPARE(QString::fromStdString(english(absent.notes).at(1)),
             QStringLiteral("'nothing' is not computed anew in backward: there is none."));
}

void Recompute::theReportSaysWhatItCosts()
{
    const Report report = planned(attention(), "cheap");

    const RecomputedReport& last = report.training.recomputed.front(); // backward of the sum comes first, z0 in it
    QCOMPARE(last.bytes, std::int64_t(81'920));
    QCOMPARE(last.tensor.nodes.size(), std::size_t(2));
    QCOMPARE(last.tensor.movedBytes, std::int64_t(81'920 + 16'384 + 3 * 81'920));
    const auto accepted = std::count_if(report.decisions.begin(), report.decisions.end(), [](const Decision& decision) {
        return decision.kind == DecisionKind::Recompute && decision.accepted && decision.bytes == 81'920;
    });
    QCOMPARE(accepted, std::ptrdiff_t(5));
    const auto saves = std::count_if(report.decisions.begin(), report.decisions.end(),
                                     [](const Decision& decision) { return decision.kind == DecisionKind::Save; });
    QCOMPARE(saves, std::ptrdiff_t(0));
}

QTEST_APPLESS_MAIN(Recompute)
#include "tst_recompute.moc"
