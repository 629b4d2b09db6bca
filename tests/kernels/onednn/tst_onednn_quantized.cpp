#include "core/facts/english/english.h"
#include "tests/kernels/onednn/agreement.h"

#include "core/ops/reorder_node.h"
#include "kernels/onednn/onednn.h"
#include "kernels/run/catalogue.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

constexpr int Channels[] = {1, 3, 17, 22, 33};

QByteArray number(double value)
{
    return QByteArray::number(value, 'g', 9);
}

/// "const w int8[3,5] = …": whole numbers from \p low to \p high that look drawn, both ends among them.
QByteArray numbers(const char* head, std::initializer_list<int> shape, int low, int high)
{
    QByteArray text = QByteArray("const ") + head + "[";
    int count = 1;
    for (const int size : shape) {
        text += (text.endsWith('[') ? "" : ",") + QByteArray::number(size);
        count *= size;
    }
    text += "] =";
    quint32 state = 12'345;
    for (int i = 0; i < count; ++i) {
        state = state * 1'664'525 + 1'013'904'223;
        const int drawn = low + static_cast<int>(state >> 8) % (high - low + 1);
        text += " " + QByteArray::number(i % 7 == 0 ? high : i % 7 == 3 ? low : drawn);
    }
    return text + "\n";
}

/// One scale for each channel, or one for all.
QByteArray scales(const char* name, int count, double scale)
{
    QByteArray text = QByteArray("const ") + name + " float32[" + QByteArray::number(count) + "] =";
    for (int i = 0; i < count; ++i)
        text += " " + number(scale * (1 + 0.25 * (i % 5)));
    return text + "\n";
}

QByteArray zeros(const char* name, int count)
{
    return QByteArray("const ") + name + " int8[" + QByteArray::number(count) +
           "] =" + QByteArray(" 0").repeated(count) + "\n";
}

/// x as bytes that use the whole range: xq, with xs and xz. Sources of runs are drawn from -1 to 1.
QByteArray source(const QByteArray& shape, bool isSigned)
{
    const char* zero = isSigned ? "const xz int8[] = -7\n" : "const xz uint8[] = 121\n";
    return "input x float32[" + shape + "]\nconst xs float32[] = 0.0079\n" + zero +
           "q: xq = QuantizeLinear(x, xs, xz)\n";
}

struct Convolution
{
    const char* name;
    const char* attributes;
    int kernel;
    bool depthwise;
};
constexpr Convolution Convolutions[] = {{"3x3", "pads=[1,1,1,1]", 3, false},
                                        {"1x1", "", 1, false},
                                        {"strided", "pads=[0,1,1,1] strides=[2,3]", 3, false},
                                        {"dilated", "pads=[2,2,2,2] dilations=[2,2]", 3, false},
                                        {"depthwise", "pads=[1,1,1,1]", 3, true}};

struct Case
{
    int channels = 1;
    int batch = 1;
    bool isSigned = false;
    int largest = 64; ///< Weight: those that no instruction set saturates over.
};

QByteArray imageOf(const Case& c)
{
    return source(QByteArray::number(c.batch) + "," + QByteArray::number(c.channels) + ",9,7", c.isSigned);
}

QByteArray filters(const Convolution& kind, const Case& c)
{
    const int inner = kind.depthwise ? 1 : c.channels;
    return numbers("w int8", {c.channels, inner, kind.kernel, kind.kernel}, -c.largest, c.largest);
}

QByteArray groupsOf(const Convolution& kind, const Case& c)
{
    return " group=" + QByteArray::number(kind.depthwise ? c.channels : 1);
}

/// With results that fill their bytes and run over at both ends.
QByteArray scaledConvolution(const Convolution& kind, const Case& c)
{
    const int products = kind.kernel * kind.kernel * (kind.depthwise ? 1 : c.channels);
    const double spread = std::sqrt(products) * 0.4 * c.largest * 70;
    return imageOf(c) + filters(kind, c) + scales("ws", c.channels, 0.01) + zeros("wz", c.channels) +
           "const ys float32[] = " + number(0.0079 * 0.01 * spread / 90) + "\n" +
           (c.isSigned ? "const yz int8[] = 3\n" : "const yz uint8[] = 100\n") +
           numbers("b int32", {c.channels}, -1'000, 1'000) + "n: y = QLinearConv(xq, xs, xz, w, ws, wz, ys, yz, b) " +
           kind.attributes + groupsOf(kind, c) + "\noutput y\n";
}

QByteArray integerConvolution(const Convolution& kind, const Case& c)
{
    return imageOf(c) + filters(kind, c) + "n: y = ConvInteger(xq, w, xz) " + kind.attributes + groupsOf(kind, c) +
           "\noutput y\n";
}

QByteArray rowsOf(const Case& c)
{
    return source(QByteArray::number(c.batch) + ",5," + QByteArray::number(c.channels), c.isSigned) +
           numbers("w int8", {c.channels, 11}, -c.largest, c.largest);
}

QByteArray scaledProduct(const Case& c)
{
    const double spread = std::sqrt(c.channels) * 0.4 * c.largest * 70;
    return rowsOf(c) + scales("ws", 11, 0.01) + "const wz int8[] = 2\n" +
           "const ys float32[] = " + number(0.0079 * 0.01 * spread / 90) + "\n" +
           "const yz uint8[] = 100\nn: y = QLinearMatMul(xq, xs, xz, w, ws, wz, ys, yz)\noutput y\n";
}

QByteArray integerProduct(const Case& c)
{
    return rowsOf(c) + "const wz int8[] = -3\nn: y = MatMulInteger(xq, w, xz, wz)\noutput y\n";
}

/// The source's zero point is known only in the run.
QByteArray dynamicProduct(const Case& c)
{
    return "input x float32[" + QByteArray::number(c.batch) + ",5," + QByteArray::number(c.channels) + "]\n" +
           "q: xq, xs, xz = DynamicQuantizeLinear(x)\n" + numbers("w int8", {c.channels, 11}, -c.largest, c.largest) +
           "n: y = MatMulInteger(xq, w, xz)\noutput y\n";
}

QByteArray dynamicConvolution(const Case& c)
{
    return "input x float32[" + QByteArray::number(c.batch) + "," + QByteArray::number(c.channels) + ",9,7]\n" +
           "q: xq, xs, xz = DynamicQuantizeLinear(x)\n" + filters(Convolutions[0], c) +
           "n: y = ConvInteger(xq, w, xz) pads=[1,1,1,1]\noutput y\n";
}

QByteArray network(int channels)
{
    const QByteArray c = QByteArray::number(channels);
    const QByteArray numbersOfBoth = ", xs, xz, w, ws, wz, ys, yz) pads=[1,1,1,1]\n";
    return source("2," + c + ",13,11", false) + numbers("w int8", {channels, channels, 3, 3}, -64, 64) +
           scales("ws", channels, 0.01) + zeros("wz", channels) + "const ys float32[] = 0.02\nconst yz uint8[] = 90\n" +
           "c1: a = QLinearConv(xq" + numbersOfBoth + "pool: p = MaxPool(a) kernel_shape=[3,3] strides=[2,2]\n" +
           "c2: d = QLinearConv(p" + numbersOfBoth + "join: j = Concat(d, p) axis=1\n" +
           "n: y = DequantizeLinear(j, ys, yz)\noutput y\n";
}

bool addsExactly()
{
    const auto asked = describeBackends(test::graphFromText("input x float32[2]\nn: y = Relu(x)\noutput y\n"), {}, {});
    return asked.ok() && english(asked.value().environment.at("int8")).starts_with("yes");
}

const Implementation& chosenFor(const Report& report, const char* node)
{
    return report.program.implementations[findNode(*report.program.graph, node)];
}

void agrees(const QByteArray& text)
{
    const Report report = test::plannedForOneDnn(text.toStdString());
    QCOMPARE(chosenFor(report, "n").backend, std::string("onednn"));
    test::agreesWithReference(report);
}

template <typename Make>
void addRows(const char* name, Make make)
{
    for (const int channels : Channels) {
        for (const int batch : {1, 8}) {
            for (const bool isSigned : {false, true})
                QTest::addRow("%s, %d channels, batch %d, %s", name, channels, batch, isSigned ? "s8" : "u8")
                    << make(Case {channels, batch, isSigned});
        }
    }
}

} // namespace

/// Products of bytes: sums exactly, scaled results within one unit. Run again with instruction sets that add in 16
/// bits.
class TestOneDnnQuantized : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
    }
    void productsAgree_data();
    void productsAgree()
    {
        QFETCH(QByteArray, text);
        agrees(text);
    }
    void dequantizationIsExact_data();
    void dequantizationIsExact()
    {
        QFETCH(QByteArray, text);
        agrees(text);
    }
    void largeWeightsAreLeftToWhoAddsExactly();
    void weightsArePreparedOnceAndCounted();
    void networksKeepOneLayout();
    void doesNotOfferWhatItWouldComputeDifferently_data();
    void doesNotOfferWhatItWouldComputeDifferently();
};

void TestOneDnnQuantized::productsAgree_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const Convolution& kind : Convolutions) {
        addRows((QByteArray("QLinearConv ") + kind.name).constData(),
                [&kind](const Case& c) { return scaledConvolution(kind, c); });
        addRows((QByteArray("ConvInteger ") + kind.name).constData(),
                [&kind](const Case& c) { return integerConvolution(kind, c); });
    }
    addRows("QLinearMatMul", scaledProduct);
    addRows("MatMulInteger", integerProduct);
    addRows("MatMulInteger, dynamic", dynamicProduct);
    addRows("ConvInteger, dynamic", dynamicConvolution);
}

void TestOneDnnQuantized::dequantizationIsExact_data()
{
    QTest::addColumn<QByteArray>("text");
    addRows("one scale", [](const Case& c) { return imageOf(c) + "n: y = DequantizeLinear(xq, xs, xz)\noutput y\n"; });
    addRows("by channel", [](const Case& c) {
        return imageOf(c) + scales("s", c.channels, 0.0113) + "n: y = DequantizeLinear(xq, s) axis=1\noutput y\n";
    });
}

void TestOneDnnQuantized::largeWeightsAreLeftToWhoAddsExactly()
{
    for (const bool isSigned : {false, true}) {
        const Case c {33, 2, isSigned, 127};
        const Report product = test::plannedForOneDnn(integerProduct(c).toStdString());
        QCOMPARE(chosenFor(product, "n").backend, std::string(addsExactly() ? "onednn" : "reference"));
        if (addsExactly()) test::agreesWithReference(product);
        const Report image = test::plannedForOneDnn(integerConvolution(Convolutions[0], c).toStdString());
        QVERIFY(addsExactly() || chosenFor(image, "n").name.find("ref") != std::string::npos);
        test::agreesWithReference(image);
    }
}

void TestOneDnnQuantized::weightsArePreparedOnceAndCounted()
{
    if (!addsExactly()) QSKIP("oneDNN has loops alone for signed bytes here");
    for (const int channels : Channels) {
        if (channels == 1) continue; // then nhwc is plain, and oneDNN has plain loops for that
        const QByteArray text = scaledConvolution(Convolutions[0], {channels});
        const auto catalogue = describeBackends(test::graphFromText(text.toStdString()), {}, {});
        QVERIFY(catalogue.ok());
        const std::string& best = catalogue.value().offers.at("n").front().name; // no plain loops of the library's
        QVERIFY2(best.find("ref") == std::string::npos, (std::to_string(channels) + ": " + best).c_str());
    }
    for (const bool isSigned : {false, true}) {
        const Report report =
            test::plannedForOneDnn(scaledConvolution(Convolutions[0], {33, 1, isSigned}).toStdString());
        QCOMPARE(chosenFor(report, "n").prepared.size(), std::size_t(1));
        QCOMPARE(report.memory.preparedBytes, chosenFor(report, "n").prepared.front().bytes);
        QVERIFY(report.memory.preparedBytes >= 33 * 33 * 9);
    }
}

/// Into the layout of the first and out of that of the last, and nothing in between.
void TestOneDnnQuantized::networksKeepOneLayout()
{
    for (const int channels : {17, 64}) {
        const Report report = test::plannedForOneDnn(network(channels).toStdString());
        const Graph& graph = *report.program.graph;
        int reorders = 0;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            reorders += isReorder(graph.nodes[i]) && !graph.decided[NodeId(i)].ahead ? 1 : 0;
        QVERIFY2(reorders <= 2, QByteArray::number(reorders).constData());
        test::agreesWithReference(report);
    }
}

void TestOneDnnQuantized::doesNotOfferWhatItWouldComputeDifferently_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const QByteArray& text) { QTest::newRow(name) << text + "output y\n"; };
    const QByteArray rows = source("4,600", false);
    const QByteArray image = source("1,3,5,5", false);
    const QByteArray ones = "const one float32[] = 1\nconst z uint8[] = 0\nconst sz int8[] = 0\n";
    const QByteArray filters = numbers("w int8", {2, 3, 3, 3}, -60, 60);
    row("sums that a float does not hold",
        rows + numbers("w int8", {600, 2}, 127, 127) + "n: y = MatMulInteger(xq, w, xz)\n");
    row("sums that a float may not hold", rows + "input w int8[600,2]\nn: y = MatMulInteger(xq, w, xz)\n");
    row("scales that make a unit of what is lost",
        rows + ones + numbers("w int8", {600, 2}, -60, 60) +
            "const large float32[] = 9\nn: y = QLinearMatMul(xq, large, xz, w, one, sz, one, z)\n");
    row("weights without a sign", image + numbers("w uint8", {2, 3, 3, 3}, 0, 255) + "n: y = ConvInteger(xq, w, xz)\n");
    row("weights with a zero point", image + filters + "const wz int8[] = 1\nn: y = ConvInteger(xq, w, xz, wz)\n");
    row("a zero point for each row", source("3,4", false) + numbers("w int8", {4, 2}, -60, 60) +
                                         "const rz uint8[3] = 1 2 3\nn: y = MatMulInteger(xq, w, rz)\n");
    row("a scale known only in the run",
        image + ones + filters + "input s float32[]\nn: y = QLinearConv(xq, s, xz, w, one, sz, one, z)\n");
    row("quantising",
        "input x float32[9]\nconst s float32[] = 0.5\nconst z uint8[] = 3\nn: y = QuantizeLinear(x, s, z)\n");
    row("zero points by channel", image + "const s float32[3] = 1 2 3\nconst cz uint8[3] = 1 2 3\n" +
                                      "n: y = DequantizeLinear(xq, s, cz) axis=1\n");
    row("32 bits", "input x int32[9]\nconst s float32[] = 0.5\nn: y = DequantizeLinear(x, s)\n");
}

void TestOneDnnQuantized::doesNotOfferWhatItWouldComputeDifferently()
{
    QFETCH(QByteArray, text);
    const auto catalogue = describeBackends(test::graphFromText(text.toStdString()), {}, {});
    QVERIFY(catalogue.ok());
    QVERIFY(!catalogue.value().offers.contains("n"));
}

QTEST_APPLESS_MAIN(TestOneDnnQuantized)
#include "tst_onednn_quantized.moc"
