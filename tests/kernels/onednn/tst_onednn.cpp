#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "kernels/onednn/onednn.h"
#include "kernels/run/catalogue.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// Each operator that oneDNN offers, over shapes chosen to be awkward, against the reference kernel.
class TestOneDnn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
    }
    void agreesWithTheReference_data();
    void agreesWithTheReference();
    void doesNotOfferWhatItWouldComputeDifferently_data();
    void doesNotOfferWhatItWouldComputeDifferently();
    void environmentSaysWhatTheAnswerDependsOn();
};

namespace {

void addRow(const char* name, const char* text)
{
    QTest::newRow(name) << QByteArray(text);
}

void addConvolutions()
{
    addRow("Conv 2d, odd sizes",
           "input x float32[2,3,7,5]\nparam w float32[5,3,3,2]\nparam b float32[5]\nn: y = Conv(x, w, b)\noutput y\n");
    addRow("Conv padded unevenly, strided", "input x float32[1,3,9,8]\nparam w float32[4,3,3,3]\nn: y = Conv(x, w) "
                                            "pads=[0,2,1,1] strides=[2,3]\noutput y\n");
    addRow(
        "Conv dilated, grouped",
        "input x float32[1,6,11,9]\nparam w float32[4,3,3,3]\nn: y = Conv(x, w) group=2 dilations=[2,1]\noutput y\n");
    addRow("Conv depthwise",
           "input x float32[1,5,6,6]\nparam w float32[5,1,3,3]\nn: y = Conv(x, w) group=5 pads=[1,1,1,1]\noutput y\n");
    addRow("Conv 1d",
           "input x float32[3,2,13]\nparam w float32[3,2,4]\nn: y = Conv(x, w) strides=[2] pads=[1,2]\noutput y\n");
    addRow("Conv 3d", "input x float32[1,2,5,4,6]\nparam w float32[3,2,2,3,2]\nn: y = Conv(x, w)\noutput y\n");
    addRow("Conv SAME_LOWER", "input x float32[1,1,5,5]\nparam w float32[1,1,3,2]\nn: y = Conv(x, w) "
                              "auto_pad=\"SAME_LOWER\" strides=[2,2]\noutput y\n");
}

void addDeconvolutions()
{
    addRow("ConvTranspose", "input x float32[2,3,5,4]\nparam w float32[3,5,3,2]\nparam b float32[5]\nn: y = "
                            "ConvTranspose(x, w, b)\noutput y\n");
    addRow("ConvTranspose strided, padded",
           "input x float32[1,4,6,7]\nparam w float32[4,3,3,3]\nn: y = ConvTranspose(x, w) "
           "strides=[2,3] pads=[1,0,1,1]\noutput y\n");
    addRow("ConvTranspose grouped, dilated",
           "input x float32[1,6,5,5]\nparam w float32[6,2,3,3]\nn: y = ConvTranspose(x, w) "
           "group=3 dilations=[2,1]\noutput y\n");
    addRow("ConvTranspose output_padding",
           "input x float32[1,3,5,5]\nparam w float32[3,2,3,3]\nn: y = ConvTranspose(x, w) "
           "strides=[2,2] pads=[1,1,1,1] output_padding=[1,1]\noutput y\n");
    addRow("ConvTranspose 1d",
           "input x float32[2,17,9]\nparam w float32[17,22,4]\nn: y = ConvTranspose(x, w) strides=[2]\noutput y\n");
}

void addProducts()
{
    addRow("MatMul", "input a float32[3,5]\ninput b float32[5,7]\nn: y = MatMul(a, b)\noutput y\n");
    addRow("MatMul batched, broadcast",
           "input a float32[2,1,3,5]\ninput b float32[4,5,1]\nn: y = MatMul(a, b)\noutput y\n");
    addRow("MatMul vector by matrix", "input a float32[5]\ninput b float32[2,5,3]\nn: y = MatMul(a, b)\noutput y\n");
    addRow("MatMul matrix by vector", "input a float32[2,3,5]\ninput b float32[5]\nn: y = MatMul(a, b)\noutput y\n");
    addRow("Gemm transposed, bias row", "input a float32[5,3]\ninput b float32[7,5]\nparam c float32[7]\nn: y = "
                                        "Gemm(a, b, c) transA=1 transB=1\noutput y\n");
    addRow("Gemm bias column",
           "input a float32[3,5]\ninput b float32[5,2]\nparam c float32[3,1]\nn: y = Gemm(a, b, c)\noutput y\n");
}

void addPools()
{
    addRow("MaxPool",
           "input x float32[1,3,7,9]\nn: y = MaxPool(x) kernel_shape=[3,2] strides=[2,2] pads=[1,0,1,1]\noutput y\n");
    addRow("MaxPool ceil_mode",
           "input x float32[1,2,6,6]\nn: y = MaxPool(x) kernel_shape=[3,3] strides=[2,2] ceil_mode=1\noutput y\n");
    addRow("MaxPool dilated",
           "input x float32[1,1,8,8]\nn: y = MaxPool(x) kernel_shape=[2,2] dilations=[2,3]\noutput y\n");
    addRow("MaxPool 1d", "input x float32[2,3,10]\nn: y = MaxPool(x) kernel_shape=[3] strides=[3]\noutput y\n");
    addRow(
        "AveragePool",
        "input x float32[1,3,7,9]\nn: y = AveragePool(x) kernel_shape=[3,2] strides=[2,1] pads=[1,1,0,0]\noutput y\n");
    addRow("AveragePool counting padding", "input x float32[1,2,5,5]\nn: y = AveragePool(x) kernel_shape=[3,3] "
                                           "pads=[1,1,1,1] count_include_pad=1\noutput y\n");
    addRow("GlobalAveragePool", "input x float32[2,5,3,7]\nn: y = GlobalAveragePool(x)\noutput y\n");
    addRow("GlobalMaxPool", "input x float32[2,5,3]\nn: y = GlobalMaxPool(x)\noutput y\n");
}

void addNormalizations()
{
    addRow("BatchNormalization", "input x float32[2,3,4,5]\nparam s float32[3]\nparam b float32[3]\nparam m "
                                 "float32[3]\nconst v float32[3] = 0.5 1 2\n"
                                 "n: y = BatchNormalization(x, s, b, m, v) epsilon=0.001\noutput y\n");
    addRow("LayerNormalization", "input x float32[2,3,7]\nparam s float32[7]\nparam b float32[7]\nn: y = "
                                 "LayerNormalization(x, s, b)\noutput y\n");
    addRow("LayerNormalization without shift",
           "input x float32[3,5]\nparam s float32[5]\nn: y = LayerNormalization(x, s)\noutput y\n");
    addRow("LRN", "input x float32[1,7,3,3]\nn: y = LRN(x) size=3 alpha=0.1 beta=0.5 bias=2.0\noutput y\n");
    addRow("Softmax", "input x float32[2,3,5]\nn: y = Softmax(x) axis=1\noutput y\n");
    addRow("Softmax that flattens", "opset 11\ninput x float32[2,3,5]\nn: y = Softmax(x)\noutput y\n");
    addRow("LogSoftmax", "input x float32[4,9]\nn: y = LogSoftmax(x)\noutput y\n");
}

void addElementwise()
{
    for (const char* op : {"Abs", "Elu", "Exp", "HardSwish", "LeakyRelu", "Relu", "Sigmoid", "Tanh", "Gelu"}) {
        QTest::newRow(op) << QByteArray("input x float32[3,5,7]\nn: y = ") + op + "(x)\noutput y\n";
    }
    addRow("Gelu tanh", "input x float32[17]\nn: y = Gelu(x) approximate=\"tanh\"\noutput y\n");
    addRow("Sqrt", "input x float32[9]\na: p = Abs(x)\nn: y = Sqrt(p)\noutput y\n");
    addRow(
        "Clip",
        "input x float32[9]\nconst lo float32[] = -0.25\nconst hi float32[] = 0.5\nn: y = Clip(x, lo, hi)\noutput y\n");
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Min", "Max"}) {
        const QByteArray call = QByteArray("n: y = ") + op + "(a, b)\noutput y\n";
        QTest::newRow((QByteArray(op) + " same").constData()) << "input a float32[3,5]\ninput b float32[3,5]\n" + call;
        QTest::newRow((QByteArray(op) + " spread row").constData())
            << "input a float32[2,3,5]\ninput b float32[5]\n" + call;
        QTest::newRow((QByteArray(op) + " spread scalar").constData())
            << "input a float32[7]\ninput b float32[]\n" + call;
    }
    addRow("PRelu by channel", "input x float32[2,3,4,5]\nparam s float32[3,1,1]\nn: y = PRelu(x, s)\noutput y\n");
    addRow("PRelu with one slope", "input x float32[7,3]\nparam s float32[1]\nn: y = PRelu(x, s)\noutput y\n");
    addRow("Concat", "input a float32[2,3,5]\ninput b float32[2,4,5]\nn: y = Concat(a, b) axis=1\noutput y\n");
    addRow("Concat of three, last axis", "input a float32[2,3]\ninput b float32[2,1]\ninput c float32[2,7]\n"
                                         "n: y = Concat(a, b, c) axis=-1\noutput y\n");
    addRow("Sum of three",
           "input a float32[3,5]\ninput b float32[3,5]\ninput c float32[3,5]\nn: y = Sum(a, b, c)\noutput y\n");
    addRow("Add with the first spread", "input a float32[3,1]\ninput b float32[2,3,5]\nn: y = Add(a, b)\noutput y\n");
}

void addReductions()
{
    for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2"}) {
        QTest::newRow((QByteArray(op) + " middle").constData())
            << QByteArray("input x float32[2,3,5]\nconst k int64[1] = 1\nn: y = ") + op + "(x, k)\noutput y\n";
        QTest::newRow((QByteArray(op) + " two, dropped").constData())
            << QByteArray("input x float32[2,3,5]\nconst k int64[2] = -1 0\nn: y = ") + op +
                   "(x, k) keepdims=0\noutput y\n";
        QTest::newRow((QByteArray(op) + " all").constData())
            << QByteArray("input x float32[4,6]\nn: y = ") + op + "(x)\noutput y\n";
    }
}

} // namespace

void TestOneDnn::agreesWithTheReference_data()
{
    QTest::addColumn<QByteArray>("text");
    addConvolutions();
    addDeconvolutions();
    addProducts();
    addPools();
    addNormalizations();
    addElementwise();
    addReductions();
}

void TestOneDnn::agreesWithTheReference()
{
    QFETCH(QByteArray, text);
    Policies policies;
    policies.backend = BackendPolicy::OneDnn;
    const Report report = test::planned(test::graphFromText(text.toStdString()), policies);
    const NodeId node = findNode(*report.program.graph, "n");
    QCOMPARE(report.program.implementations[node].backend, std::string("onednn"));
    RunRequest request;
    request.mode = RunMode::Numeric;
    request.reference = true;

    const auto outcome = test::executed(report, {}, request);

    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    const RunResult& run = outcome.value().result;
    QVERIFY2(run.mismatches.empty(), run.mismatches.empty() ? "" : english(run.mismatches.front().note).c_str());
    QVERIFY(run.referenceValues > 0);
    QVERIFY(run.measuredPeakBytes <= report.memory.peakBytes);
}

void TestOneDnn::doesNotOfferWhatItWouldComputeDifferently_data()
{
    QTest::addColumn<QByteArray>("text");
    addRow("integers", "input a int64[3]\ninput b int64[3]\nn: y = Add(a, b)\noutput y\n");
    addRow("indices of a MaxPool", "input x float32[1,1,4,4]\nn: y, i = MaxPool(x) kernel_shape=[2,2]\noutput y i\n");
    addRow("ceil_mode of an average",
           "input x float32[1,1,6,6]\nn: y = AveragePool(x) kernel_shape=[3,3] strides=[2,2] ceil_mode=1\noutput y\n");
    addRow("axes known at run time", "input x float32[2,3]\ninput k int64[1]\nn: y = ReduceSum(x, k)\noutput y\n");
    addRow("Sub with the first spread", "input a float32[3]\ninput b float32[2,3]\nn: y = Sub(a, b)\noutput y\n");
    addRow("logarithms", "input x float32[2]\nn: y = Log(x)\noutput y\n");
    addRow("empty tensors", "input x float32[0,3]\nn: y = Relu(x)\noutput y\n");
    addRow("steps that wrap in 32 bits", "input x float32[1,64,48,48]\nparam w float32[24,64,1,1]\nn: y = Conv(x, w) "
                                         "strides=[1,2147483647]\noutput y\n");
    addRow("channels that wrap in 32 bits",
           "input x float32[1,1099511627776,3,3]\nparam w float32[4,1099511627776,1,1]\nn: y = Conv(x, w)\noutput y\n");
    addRow("an image that wraps in 32 bits",
           "input x float32[1,65536,65536]\nn: y = MaxPool(x) kernel_shape=[2]\noutput y\n");
    addRow("scaled product", "input a float32[2,2]\ninput b float32[2,2]\nn: y = Gemm(a, b) alpha=0.5\noutput y\n");
}

void TestOneDnn::doesNotOfferWhatItWouldComputeDifferently()
{
    QFETCH(QByteArray, text);

    const auto catalogue = describeBackends(test::graphFromText(text.toStdString()), {}, {});

    QVERIFY(catalogue.ok());
    QVERIFY(!catalogue.value().offers.contains("n"));
}

void TestOneDnn::environmentSaysWhatTheAnswerDependsOn()
{
    const auto catalogue =
        describeBackends(test::graphFromText("input x float32[2]\nn: y = Relu(x)\noutput y\n"), {}, {});

    QVERIFY(catalogue.ok());
    for (const char* key : {"onednn", "isa", "threads", "bfloat16", "int8"})
        QVERIFY(!catalogue.value().environment.at(key).empty());
}

QTEST_APPLESS_MAIN(TestOneDnn)
#include "tst_onednn.moc"
