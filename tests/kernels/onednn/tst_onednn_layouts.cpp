#include "core/facts/english/english.h"
#include "tests/kernels/onednn/agreement.h"

#include "core/lower/choose/dispatch.h"
#include "kernels/onednn/onednn.h"
#include "kernels/reference/reorder.h"
#include "kernels/run/catalogue.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

std::set<std::string> layoutsIn(const Report& report)
{
    std::set<std::string> layouts;
    for (std::size_t value = 0; value < report.program.graph->values.size(); ++value)
        layouts.emplace(layoutOf(*report.program.graph, report.program.implementations, ValueId(value)));
    return layouts;
}

struct Window
{
    const char* name;
    const char* attributes;
    int kernel;
    int groups; ///< 0: as many as channels.
};

constexpr Window Windows[] = {{"3x3", "pads=[1,1,1,1]", 3, 1},
                              {"1x1", "", 1, 1},
                              {"strided", "pads=[0,1,1,1] strides=[2,3]", 3, 1},
                              {"dilated", "pads=[2,2,2,2] dilations=[2,2]", 3, 1},
                              {"depthwise", "pads=[1,1,1,1]", 3, 0}};

/// A convolution, what follows it in its layout, another one, and a plain reader: everything that can go wrong between.
QByteArray network(int channels, const Window& window, int batch)
{
    const int groups = window.groups == 0 ? channels : window.groups;
    const QByteArray c = QByteArray::number(channels);
    const QByteArray k = QByteArray::number(window.kernel);
    return "input x float32[" + QByteArray::number(batch) + "," + c + ",13,11]\n" + //
           "param w float32[" + c + "," + QByteArray::number(channels / groups) + "," + k + "," + k + "]\n" +
           "param v float32[" + c + "," + c + ",1,1]\n" + //
           "param b float32[" + c + "]\n" +               //
           "conv: a = Conv(x, w, b) " + window.attributes + " group=" + QByteArray::number(groups) + "\n" +
           "relu: r = Relu(a)\n"
           "pool: p = MaxPool(r) kernel_shape=[3,3] pads=[1,1,1,1]\n"
           "mean: q = AveragePool(r) kernel_shape=[3,3] pads=[1,1,1,1]\n"
           "sum: s = Add(p, q)\n"
           "next: t = Conv(s, v)\n"
           "sig: u = Sigmoid(t)\n"
           "join: j = Concat(u, s) axis=1\n"
           "out: y = ReduceSum(j)\n"
           "output y t\n";
}

} // namespace

/// Real layouts of the library on this machine, whatever they are; run again with other instruction sets.
class TestOneDnnLayouts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
    }
    void networksAgreeWithTheReference_data();
    void networksAgreeWithTheReference();
    void networksAgreeWithoutPadding();
    void consecutiveNodesDoNotReorder();
    void weightsAreReorderedOnceAndCounted();
    void whatIsDescribedIsWhatTheReportRequires();
    void aReorderIsWhatTheReferenceMakesOfIt_data();
    void aReorderIsWhatTheReferenceMakesOfIt();
    void padLanesAreNeverSeen();
};

void TestOneDnnLayouts::networksAgreeWithTheReference_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const int channels : {1, 3, 17, 22, 33}) {
        for (const Window& window : Windows) {
            for (const int batch : {1, 8}) {
                const QByteArray name =
                    QByteArray::number(channels) + " channels, " + window.name + ", batch " + QByteArray::number(batch);
                QTest::newRow(name.constData()) << network(channels, window, batch);
            }
        }
    }
}

void TestOneDnnLayouts::networksAgreeWithTheReference()
{
    QFETCH(QByteArray, text);
    const Report report = test::plannedForOneDnn(text.toStdString());
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
    test::agreesWithReference(report);
}

void TestOneDnnLayouts::networksAgreeWithoutPadding()
{
    for (const int channels : {17, 22}) {
        const Report report =
            test::plannedForOneDnn(network(channels, Windows[0], 1).toStdString(), {{"padding", "off"}});
        for (std::size_t i = 0; i < report.program.values.size(); ++i) {
            const Graph& graph = *report.program.graph;
            const bool fused = graph.decided[ValueId(i)].fusedInto.valid();
            const NodeId producer = graph.values[i].producer;
            const bool prepared = producer.valid() && graph.decided[producer].ahead && isReorder(graph[producer]);
            if (!prepared) // which lies in no arena
                QCOMPARE(report.program.values[i].requiredBytes, fused ? 0 : report.program.values[i].logicalBytes);
        }
        test::agreesWithReference(report);
    }
}

/// From the first convolution to the last reader in its layout there is no reorder, if there are layouts at all.
void TestOneDnnLayouts::consecutiveNodesDoNotReorder()
{
    const Report report = test::plannedForOneDnn("input x float32[1,64,56,56]\n"
                                                 "param w float32[64,64,3,3]\n"
                                                 "c1: a = Conv(x, w) pads=[1,1,1,1]\n"
                                                 "r1: b = Relu(a)\n"
                                                 "c2: c = Conv(b, w) pads=[1,1,1,1]\n"
                                                 "r2: d = Relu(c)\n"
                                                 "add: e = Add(d, b)\n"
                                                 "c3: y = Conv(e, w) pads=[1,1,1,1]\n"
                                                 "output y\n",
                                                 {});
    if (layoutsIn(report).size() < 2) QSKIP("this instruction set has plain layouts only");
    std::vector<std::string> reorders;
    const Graph& graph = *report.program.graph;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (isReorder(graph.nodes[i]) && !graph.decided[NodeId(i)].ahead) reorders.push_back(graph.nodes[i].name);
    }
    QCOMPARE(reorders.size(), std::size_t(2)); // into the first layout and out of the last
    QVERIFY(std::find(reorders.begin(), reorders.end(), "reorder:y") != reorders.end());
    test::agreesWithReference(report);
}

void TestOneDnnLayouts::weightsAreReorderedOnceAndCounted()
{
    const Report report = test::plannedForOneDnn("input x float32[1,32,20,20]\n"
                                                 "param w float32[32,32,3,3]\n"
                                                 "c1: a = Conv(x, w) pads=[1,1,1,1]\n"
                                                 "c2: y = Conv(a, w) pads=[1,1,1,1]\n"
                                                 "output y\n",
                                                 {});
    std::int64_t bytes = 0;
    int prepared = 0;
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node) {
        if (!isReorder(report.program.graph->nodes[node]) || !report.program.graph->decided[NodeId(node)].ahead)
            continue;
        bytes += report.program.implementations[NodeId(node)].requiredOutputBytes.at(0);
        ++prepared;
    }
    QCOMPARE(report.memory.preparedBytes, bytes);
    QVERIFY(prepared <= 1);
    test::agreesWithReference(report);
}

void TestOneDnnLayouts::whatIsDescribedIsWhatTheReportRequires()
{
    const Report report = test::plannedForOneDnn(network(22, Windows[0], 1).toStdString());
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node) {
        const auto& required = report.program.implementations[NodeId(node)].requiredOutputBytes;
        for (std::size_t i = 0; i < required.size(); ++i) {
            const ValueId output = report.program.graph->nodes[node].outputs[i];
            QVERIFY(report.program.values[output.index()].requiredBytes >= required[i]);
        }
    }
}

void TestOneDnnLayouts::aReorderIsWhatTheReferenceMakesOfIt_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("shape");
    const char* layouts[] = {"plain", "nhwc", "nChw8c", "nChw16c"};
    for (const char* from : layouts) {
        for (const char* to : layouts) {
            if (std::string_view(from) == to) continue;
            for (const char* shape : {"2,22,5,3", "1,1,4,4", "3,33,1,2"})
                QTest::addRow("%s to %s, %s", from, to, shape)
                    << QByteArray(from) << QByteArray(to) << QByteArray(shape);
        }
    }
}

/// There and back, and compared after each step.
void TestOneDnnLayouts::aReorderIsWhatTheReferenceMakesOfIt()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, shape);
    const QByteArray text = "input x float32[" + shape + "]\nn: y = Neg(x)\nm: z = Neg(y)\noutput z\n";
    Catalogue catalogue;
    Implementation first;
    first.backend = "synthetic";
    first.timeMs = 0;
    first.outputLayouts = {from.toStdString()};
    Implementation second = first;
    second.inputLayouts = {to.toStdString()};
    second.outputLayouts.clear();
    catalogue.offers["n"] = {first};
    catalogue.offers["m"] = {second};
    PlanRequest request;
    request.catalogue = std::make_shared<const Catalogue>(catalogue);
    request.constraints.pins = {{"n", "synthetic"}, {"m", "synthetic"}};
    Report report = analyse(test::graphFromText(text.toStdString()), request, {}).value();
    // What the synthetic backend would write is drawn; the reorder between the two is the library's.
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node) {
        Implementation& chosen = report.program.implementations.at(NodeId(node));
        if (chosen.name == "reorder") chosen.backend = "onednn";
    }
    RunRequest run;
    run.reference = true;
    const auto outcome = test::executed(report, {}, run);
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QVERIFY(outcome.value().result.mismatches.empty());
    QVERIFY(outcome.value().result.referenceValues > 0);
}

/// Elements go where strides say, pad lanes become zero, and nothing else is written.
void TestOneDnnLayouts::padLanesAreNeverSeen()
{
    const Shape shape = {2, 3, 2, 2};
    const Layout plain = *layoutFromName(PlainLayout, 4);
    const Layout blocked = *layoutFromName("nChw8c", 4);
    std::vector<float> source(24);
    for (std::size_t i = 0; i < source.size(); ++i)
        source[i] = static_cast<float>(i + 1);
    std::vector<float> padded(2 * 8 * 4 + 1, -7.0F);
    reorderElements({reinterpret_cast<std::byte*>(source.data()), plain},
                    {reinterpret_cast<std::byte*>(padded.data()), blocked}, shape, sizeof(float));
    QCOMPARE(padded[0], 1.0F);   // c0
    QCOMPARE(padded[1], 5.0F);   // c1 beside it
    QCOMPARE(padded[2], 9.0F);   // c2
    QCOMPARE(padded[3], 0.0F);   // pad lane
    QCOMPARE(padded[8], 2.0F);   // the next column
    QCOMPARE(padded[32], 13.0F); // the next image
    QCOMPARE(padded.back(), -7.0F);
    QCOMPARE(std::count(padded.begin(), padded.end(), 0.0F), 40);
    std::vector<float> back(24, 0.0F);
    reorderElements({reinterpret_cast<std::byte*>(padded.data()), blocked},
                    {reinterpret_cast<std::byte*>(back.data()), plain}, shape, sizeof(float));
    QCOMPARE(back, source);
}

QTEST_APPLESS_MAIN(TestOneDnnLayouts)
#include "tst_onednn_layouts.moc"
