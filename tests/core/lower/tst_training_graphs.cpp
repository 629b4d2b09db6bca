#include "core/facts/english/english.h"
#include "core/lower/call_sequence.h"
#include "core/lower/donation.h"
#include "core/lower/gradient/recompute.h"
#include "core/lower/gradient/repeat_backward.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/saving.h"
#include "tests/core/lower/graph_order.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using test::orderOf;

namespace {

Result<JointGraph> withBackward(const QByteArray& text)
{
    Graph graph = inferTypes(test::graphFromText(text.toStdString()), {}, {}).value().graph;
    auto joint = addBackward(std::move(graph), derivatives26(), SavingRule::Guarded, {});
    if (!joint.ok()) return joint;
    Graph& made = joint.value().graph;
    const auto backward = [&](NodeId node) { return isBackward(made, node); };
    const auto first = std::ranges::find_if(made.top().nodes, backward);
    if (first != made.top().nodes.end()) made.boundary.firstBackward = *first;
    return joint;
}

/// "x -> backward:a" of each tensor that is kept and its reader.
QString keptIn(const Graph& graph, const std::vector<SavedTensor>& saved)
{
    QStringList kept;
    for (const SavedTensor& one : saved)
        kept += QString::fromStdString(graph[one.value].name + " -> " + graph[one.readBy].name);
    return kept.join(QStringLiteral(", "));
}

QString notesOf(const std::vector<Message>& notes)
{
    QStringList ids;
    for (const Message& note : notes)
        ids += QString::fromUtf8(note.id);
    return ids.join(u' ');
}

/// z = Σ x * w
constexpr const char* Product = "input x float32[2]\nparam w float32[2]\ngrad w\nm: y = Mul(x, w)\nr: z = ReduceSum(y) "
                                "keepdims=0\noutput z\nloss z\n";
/// z = Σ exp(tanh(x * w))
constexpr const char* Chain = "input x float32[8]\nparam w float32[8]\ngrad w\nm: p = Mul(x, w)\nt: q = Tanh(p)\n"
                              "e: s = Exp(q)\nr: z = ReduceSum(s) keepdims=0\noutput z\nloss z\n";

std::vector<Call> callsIn(const QByteArray& letters)
{
    std::vector<Call> calls;
    for (const char letter : letters)
        calls.push_back(letter == 'F' ? Call::Forward : letter == 'B' ? Call::Backward : Call::Infer);
    return calls;
}

} // namespace

/// Graphs with their gradients: what backward reads, how often it runs, and what it may write over.
class TrainingGraphs : public QObject
{
    Q_OBJECT

private slots:
    void gradientsAreAddedBehindTheGraph_data();
    void gradientsAreAddedBehindTheGraph();
    void gradientsThatCannotBe_data();
    void gradientsThatCannotBe();
    void contributionsAreSummedOrAccumulated_data();
    void contributionsAreSummedOrAccumulated();
    void callsFollowEachOther_data();
    void callsFollowEachOther();
    void backwardRunsAgain_data();
    void backwardRunsAgain();
    void whatIsKeptMayBeWrittenOver_data();
    void whatIsKeptMayBeWrittenOver();
    void cheapTensorsAreComputedAnew_data();
    void cheapTensorsAreComputedAnew();
};

void TrainingGraphs::gradientsAreAddedBehindTheGraph_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QString>("notes");
    const auto row = [](const char* name, const QByteArray& text, const char* order, const char* kept,
                        const char* notes) {
        QTest::newRow(name) << text << QString::fromUtf8(order) << QString::fromUtf8(kept) << QString::fromUtf8(notes);
    };
    row("a product", Product,
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z grad:w",
        "x -> backward:m", "");
    row("both factors", QByteArray(Product).replace("grad w", "grad x w"),
        "y = Mul(x, w); z = ReduceSum(y); "
        "grad:y = backward:r(grad:z); "
        "grad:x, grad:w = backward:m(grad:y, w, x) -> z grad:x grad:w",
        "w -> backward:m, x -> backward:m", "");
    row("no loss", "input x float32[2]\ny = Relu(x)\noutput y\n", "y = Relu(x) -> y", "", "");
    row("nothing requires a gradient", QByteArray(Product).replace("grad w\n", ""),
        "y = Mul(x, w); "
        "z = ReduceSum(y) -> z",
        "", "note.no-gradients");
    row("the loss does not depend on it",
        "input x float32[2]\nparam w float32[2]\nparam v float32[2]\ngrad w v\nm: y = Mul(x, w)\n"
        "r: z = ReduceSum(y) keepdims=0\noutput z\nloss z\n",
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z grad:w",
        "x -> backward:m", "note.no-gradient");
    row("results that are kept", Chain,
        "p = Mul(x, w); q = Tanh(p); s = Exp(q); z = ReduceSum(s); "
        "grad:s = backward:r(grad:z); grad:q = backward:e(grad:s, s); grad:p = backward:t(grad:q, q); "
        "grad:w = backward:m(grad:p, x) -> z grad:w",
        "s -> backward:e, q -> backward:t, x -> backward:m", "");
    row("a result that is handed out, too",
        "input x float32[2]\nparam w float32[2]\ngrad w\nm: y = Mul(x, w)\nt: q = Tanh(y)\n"
        "r: z = ReduceSum(q) keepdims=0\noutput z q\nloss z\n",
        "y = Mul(x, w); q = Tanh(y); z = ReduceSum(q); grad:q = backward:r(grad:z); "
        "grad:y = backward:t(grad:q, q); "
        "grad:w = backward:m(grad:y, x) -> z q grad:w",
        "q -> backward:t, x -> backward:m", "");
    row("a stretched factor",
        "input x float32[3,2]\nparam w float32[2]\ngrad w\nm: y = Mul(x, w)\nr: z = ReduceSum(y) keepdims=0\n"
        "output z\nloss z\n",
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z grad:w",
        "x -> backward:m", "");
}

void TrainingGraphs::gradientsAreAddedBehindTheGraph()
{
    QFETCH(const QByteArray, text);
    const auto joint = withBackward(text);
    QVERIFY(joint.ok());
    QTEST(orderOf(joint.value().graph), "order");
    QTEST(keptIn(joint.value().graph, joint.value().saved), "kept");
    QTEST(notesOf(joint.value().notes), "notes");
}

void TrainingGraphs::gradientsThatCannotBe_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QByteArray& text, const char* error) {
        QTest::newRow(name) << text << QString::fromUtf8(error);
    };
    const QByteArray head = "input x float32[2]\nparam w float32[2]\ngrad w\n";
    row("a loss of two numbers", head + "m: y = Mul(x, w)\noutput y\nloss y\n",
        "loss 'y': A loss is one real number of the graph itself, not float32[2].");
    row("a loss of integers",
        head + "m: y = Mul(x, w)\nc: k = Cast(y) to=7\nr: z = ReduceSum(k) keepdims=0\noutput z\nloss z\n",
        "loss 'z': A loss is one real number of the graph itself, not int64[].");
    row("no derivative",
        head + "m: y = my::Op(x, w)\nvalue y float32[2]\nr: z = ReduceSum(y) keepdims=0\noutput z\nloss z\n",
        "node 'm' (my::Op): The loss depends on it, and there is no derivative for it. A file of derivatives can add "
        "one.");
    row("axes that are data",
        "input a int64[1]\n" + head +
            "m: y = Mul(x, w)\nr: z = ReduceSum(y, a) keepdims=0\nvalue z float32[]\noutput z\nloss z\n",
        "node 'r' (ReduceSum): Its axes have to be known before the run for a backward graph.");
}

void TrainingGraphs::gradientsThatCannotBe()
{
    QFETCH(const QByteArray, text);
    const auto joint = withBackward(text);
    QVERIFY(!joint.ok());
    QTEST(QString::fromStdString(joint.error().where + ": " + english(joint.error().message)), "error");
}

void TrainingGraphs::contributionsAreSummedOrAccumulated_data()
{
    QTest::addColumn<int>("contributions");
    QTest::addColumn<int>("sums");
    QTest::addColumn<int>("accumulated");
    QTest::newRow("one") << 1 << 0 << 0;
    QTest::newRow("two") << 2 << 1 << 0;
    QTest::newRow("seven") << 7 << 1 << 0;
    QTest::newRow("eight") << 8 << 0 << 7;
    QTest::newRow("twelve") << 12 << 0 << 11;
}

/// x·w + x·w + …: each product brings one.
void TrainingGraphs::contributionsAreSummedOrAccumulated()
{
    QFETCH(const int, contributions);
    QByteArray text = "input x float32[2]\nparam w float32[2]\ngrad w\n";
    QByteArray all;
    for (int i = 0; i < contributions; ++i) {
        const QByteArray n = QByteArray::number(i);
        text += "m" + n + ": y" + n + " = Mul(x, w)\n";
        all += (i > 0 ? ", y" : "y") + n;
    }
    const auto joint =
        withBackward(text + "s: y = Sum(" + all + ")\nr: z = ReduceSum(y) keepdims=0\noutput z\nloss z\n");
    QVERIFY(joint.ok());
    const Graph& graph = joint.value().graph;
    int accumulated = 0;
    int sums = 0;
    for (const Node& node : graph.nodes) {
        if (node.domain != GradientDomain) continue;
        sums += node.op == "Sum" && node.name.starts_with("sum:") ? 1 : 0;
        const auto adds = [](const AliasTrait& trait) { return trait.kind == AliasKind::Mutates; };
        accumulated += static_cast<int>(std::ranges::count_if(*node.declared->traits, adds));
    }
    QTEST(sums, "sums");
    QTEST(accumulated, "accumulated");
    QCOMPARE(graph.boundary.gradients, std::size_t(1));
    QCOMPARE(graph[graph.top().outputs.back()].name, std::string("grad:w"));
}

void TrainingGraphs::callsFollowEachOther_data()
{
    QTest::addColumn<QByteArray>("calls");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("notes");
    const auto row = [](const char* name, const char* calls, const char* order, const char* notes) {
        QTest::newRow(name) << QByteArray(calls) << QString::fromUtf8(order) << QString::fromUtf8(notes);
    };
    row("none: once each", "",
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z grad:w",
        "");
    row("one training step", "FB",
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z grad:w",
        "");
    row("two steps", "FBFB",
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x); y@2 = Mul(x@2, w); z@2 = ReduceSum(y@2); "
        "grad:y@2 = backward:r@2(grad:z); grad:w@2 = backward:m@2(grad:y@2, x@2) -> z z@2 grad:w grad:w@2",
        "");
    row("two forwards wait", "FFBB",
        "y = Mul(x, w); z = ReduceSum(y); y@2 = Mul(x@2, w); z@2 = ReduceSum(y@2); "
        "grad:y@2 = backward:r@2(grad:z); grad:w@2 = backward:m@2(grad:y@2, x@2); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z z@2 grad:w@2 grad:w",
        "note.waiting");
    row("inference before", "IFB",
        "y@1 = Mul(x@1, w); z@1 = ReduceSum(y@1); y = Mul(x, w); z = ReduceSum(y); "
        "grad:y = backward:r(grad:z); grad:w = backward:m(grad:y, x) -> z@1 z grad:w",
        "");
    row("inference only", "II",
        "y = Mul(x, w); z = ReduceSum(y); y@2 = Mul(x@2, w); "
        "z@2 = ReduceSum(y@2) -> z z@2",
        "");
    row("a forward without its backward", "F", "y = Mul(x, w); z = ReduceSum(y) -> z", "");
}

void TrainingGraphs::callsFollowEachOther()
{
    QFETCH(const QByteArray, calls);
    auto repeated = repeatCalls(withBackward(Product).value(), callsIn(calls));
    QVERIFY(repeated.ok());
    QTEST(orderOf(repeated.value().graph), "order");
    QTEST(notesOf(repeated.value().notes), "notes");
}

void TrainingGraphs::backwardRunsAgain_data()
{
    QTest::addColumn<int>("times");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("kept");
    const auto row = [](const char* name, int times, const char* order, const char* kept) {
        QTest::newRow(name) << times << QString::fromUtf8(order) << QString::fromUtf8(kept);
    };
    row("once", 1,
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w = backward:m(grad:y, x) -> z grad:w",
        "x -> backward:m");
    row("twice", 2,
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w#1 = backward:m(grad:y, x); grad:y#2 = backward:r#2(grad:z); "
        "grad:w#1#2 = backward:m#2(grad:y#2, x); "
        "grad:w = Accumulate_(grad:w#1, grad:w#1#2) -> z grad:w",
        "x -> backward:m#2");
    row("three times", 3,
        "y = Mul(x, w); z = ReduceSum(y); grad:y = backward:r(grad:z); "
        "grad:w#1 = backward:m(grad:y, x); grad:y#2 = backward:r#2(grad:z); "
        "grad:w#1#2 = backward:m#2(grad:y#2, x); grad:w#sum = Accumulate_(grad:w#1, grad:w#1#2); "
        "grad:y#3 = backward:r#3(grad:z); grad:w#1#3 = backward:m#3(grad:y#3, x); "
        "grad:w = Accumulate_(grad:w#sum, grad:w#1#3) -> z grad:w",
        "x -> backward:m#3");
}

void TrainingGraphs::backwardRunsAgain()
{
    QFETCH(const int, times);
    JointGraph joint = withBackward(Product).value();
    const Graph again = repeatBackward(std::move(joint.graph), times, joint.saved);
    QTEST(orderOf(again), "order");
    QTEST(keptIn(again, joint.saved), "kept");
}

void TrainingGraphs::whatIsKeptMayBeWrittenOver_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("retained");
    QTest::addColumn<QString>("donations");
    QTest::newRow("the result of a node") << QByteArray(Chain) << false << "s possible, q possible, x is an input";
    QTest::newRow("retained") << QByteArray(Chain) << true << "s is retained, q is retained, x is an input";
    QTest::newRow("it is handed out") << QByteArray(Chain).replace("output z", "output z q") << false
                                      << "s possible, q is an output, x is an input";
}

void TrainingGraphs::whatIsKeptMayBeWrittenOver()
{
    QFETCH(const QByteArray, text);
    QFETCH(const bool, retained);
    const JointGraph joint = withBackward(text).value();
    const auto donations = findDonations(joint.graph, joint.saved, retained);
    QStringList said;
    for (std::size_t i = 0; i < donations.size(); ++i)
        said += QString::fromStdString(joint.graph[joint.saved[i].value].name + " " +
                                       std::string(donationId(donations[i])));
    QTEST(said.join(QStringLiteral(", ")), "donations");
}

void TrainingGraphs::cheapTensorsAreComputedAnew_data()
{
    QTest::addColumn<QByteArray>("names");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("notes");
    QTest::newRow("wherever it is cheap")
        << QByteArray()
        << "p = Mul(x, w); q = Tanh(p); s = Exp(q); "
           "z = ReduceSum(s); grad:s = backward:r(grad:z); p:again = Mul(x, w); q:again = Tanh(p:again); "
           "s:again = Exp(q:again); grad:q = backward:e(grad:s, s:again); grad:p = backward:t(grad:q, q:again); "
           "grad:w = backward:m(grad:p, x) -> z grad:w"
        << "";
    QTest::newRow("by name") << QByteArray("s")
                             << "p = Mul(x, w); q = Tanh(p); s = Exp(q); z = ReduceSum(s); "
                                "grad:s = backward:r(grad:z); s:again = Exp(q); grad:q = backward:e(grad:s, s:again); "
                                "grad:p = backward:t(grad:q, q); grad:w = backward:m(grad:p, x) -> z grad:w"
                             << "";
    QTest::newRow("the name of an input")
        << QByteArray("x")
        << "p = Mul(x, w); q = Tanh(p); s = Exp(q); "
           "z = ReduceSum(s); grad:s = backward:r(grad:z); grad:q = backward:e(grad:s, s); "
           "grad:p = backward:t(grad:q, q); grad:w = backward:m(grad:p, x) -> z grad:w"
        << "anew.not";
    QTest::newRow("an unknown name")
        << QByteArray("nothing")
        << "p = Mul(x, w); q = Tanh(p); s = Exp(q); "
           "z = ReduceSum(s); grad:s = backward:r(grad:z); grad:q = backward:e(grad:s, s); "
           "grad:p = backward:t(grad:q, q); grad:w = backward:m(grad:p, x) -> z grad:w"
        << "anew.none";
}

void TrainingGraphs::cheapTensorsAreComputedAnew()
{
    QFETCH(const QByteArray, names);
    JointGraph joint = withBackward(Chain).value();
    RecomputeRequest request;
    request.cheap = names.isEmpty();
    if (!request.cheap) request.names = {names.toStdString()};
    const Recomputation made = recompute(std::move(joint.graph), std::move(joint.saved), request, {});
    QTEST(orderOf(made.graph), "order");
    QTEST(notesOf(made.notes), "notes");
}

QTEST_APPLESS_MAIN(TrainingGraphs)
#include "tst_training_graphs.moc"
