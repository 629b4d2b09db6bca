#include "core/facts/english/english.h"
#include "tests/kernels/onednn/agreement.h"

#include "kernels/onednn/onednn.h"
#include "kernels/run/catalogue.h"
#include "tests/support/graph_text.h"

#include <QRegularExpression>
#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

constexpr int Channels[] = {1, 3, 17, 22, 33};

/// C and B, standing alone, are the channels and the batch.
QByteArray sized(const char* text, int channels, int batch)
{
    QString sized = QString::fromLatin1(text);
    sized.replace(QRegularExpression(QStringLiteral("\\bC\\b")), QString::number(channels));
    sized.replace(QRegularExpression(QStringLiteral("\\bB\\b")), QString::number(batch));
    return sized.toLatin1();
}

void addRows(const char* name, const char* text)
{
    for (const int channels : Channels) {
        for (const int batch : {1, 8})
            QTest::addRow("%s, %d channels, batch %d", name, channels, batch) << sized(text, channels, batch);
    }
}

void addResampling()
{
    addRows("nearest, twice",
            "input x float32[B,C,5,7]\nconst s float32[4] = 1 1 2 2\nn: y = Resize(x, _, s)\noutput y\n");
    addRows("nearest to sizes", "input x float32[B,C,4,6]\nconst k int64[4] = B C 12 6\nn: y = Resize(x, _, _, k) "
                                "coordinate_transformation_mode=\"asymmetric\" nearest_mode=\"floor\"\noutput y\n");
    addRows("linear", "input x float32[B,C,5,7]\nconst s float32[4] = 1 1 2 3\nn: y = Resize(x, _, s) mode=\"linear\"\n"
                      "output y\n");
    addRows("linear, smaller", "input x float32[B,C,8,9]\nconst k int64[4] = B C 4 5\nn: y = Resize(x, _, _, k) "
                               "mode=\"linear\" coordinate_transformation_mode=\"pytorch_half_pixel\"\noutput y\n");
    addRows("Upsample",
            "opset 9\ninput x float32[B,C,3,4]\nconst s float32[4] = 1 1 2 2\nn: y = Upsample(x, s)\noutput y\n");
}

void addRecurrent()
{
    addRows("LSTM", "input x float32[5,B,C]\nparam w float32[1,24,C]\nparam r float32[1,24,6]\nparam b float32[1,48]\n"
                    "n: y, h, c = LSTM(x, w, r, b) hidden_size=6\noutput y h c\n");
    addRows("LSTM, reverse", "input x float32[4,B,C]\nparam w float32[1,12,C]\nparam r float32[1,12,3]\n"
                             "n: y, h = LSTM(x, w, r) hidden_size=3 direction=\"reverse\"\noutput y h\n");
    addRows("LSTM, the last state alone",
            "input x float32[4,B,C]\nparam w float32[1,12,C]\nparam r float32[1,12,3]\nn: _, h = LSTM(x, w, r) "
            "hidden_size=3\noutput h\n");
    addRows("GRU", "input x float32[5,B,C]\nparam w float32[1,15,C]\nparam r float32[1,15,5]\nparam b float32[1,30]\n"
                   "n: y, h = GRU(x, w, r, b) hidden_size=5\noutput y h\n");
    addRows("GRU, reset behind", "input x float32[5,B,C]\nparam w float32[1,15,C]\nparam r float32[1,15,5]\n"
                                 "param b float32[1,30]\ninput h0 float32[1,B,5]\n"
                                 "n: y = GRU(x, w, r, b, _, h0) hidden_size=5 linear_before_reset=1\noutput y\n");
    addRows("GRU, reset behind, no bias", "input x float32[5,B,C]\nparam w float32[1,15,C]\nparam r float32[1,15,5]\n"
                                          "n: y = GRU(x, w, r) hidden_size=5 linear_before_reset=1\noutput y\n");
    addRows("RNN", "input x float32[5,B,C]\nparam w float32[1,7,C]\nparam r float32[1,7,7]\nparam b float32[1,14]\n"
                   "n: y, h = RNN(x, w, r, b) hidden_size=7\noutput y h\n");
    addRows("LSTM from a state", "input x float32[4,B,C]\nparam w float32[1,12,C]\nparam r float32[1,12,3]\n"
                                 "input h0 float32[1,B,3]\ninput c0 float32[1,B,3]\n"
                                 "n: y, h, c = LSTM(x, w, r, _, _, h0, c0) hidden_size=3\noutput y h c\n");
    addRows("LSTM from a cell alone", "input x float32[4,B,C]\nparam w float32[1,12,C]\nparam r float32[1,12,3]\n"
                                      "input c0 float32[1,B,3]\n"
                                      "n: y, _, c = LSTM(x, w, r, _, _, _, c0) hidden_size=3\noutput y c\n");
    addRows("LSTM with peepholes",
            "input x float32[4,B,C]\nparam w float32[1,12,C]\nparam r float32[1,12,3]\nparam b float32[1,24]\n"
            "param p float32[1,9]\ninput c0 float32[1,B,3]\n"
            "n: y, h, c = LSTM(x, w, r, b, _, _, c0, p) hidden_size=3\noutput y h c\n");
    addRows("LSTM, both directions",
            "input x float32[4,B,C]\nparam w float32[2,12,C]\nparam r float32[2,12,3]\nparam b float32[2,24]\n"
            "param p float32[2,9]\ninput h0 float32[2,B,3]\ninput c0 float32[2,B,3]\n"
            "n: y, h, c = LSTM(x, w, r, b, _, h0, c0, p) hidden_size=3 direction=\"bidirectional\"\noutput y h c\n");
    addRows("LSTM with weights of the run",
            "input x float32[4,B,C]\ninput v float32[1,12,C]\nv1: w = Neg(v)\nparam r float32[1,12,3]\n"
            "n: y = LSTM(x, w, r) hidden_size=3\noutput y\n");
    addRows("GRU, both directions",
            "input x float32[4,B,C]\nparam w float32[2,15,C]\nparam r float32[2,15,5]\nparam b float32[2,30]\n"
            "n: y, h = GRU(x, w, r, b) hidden_size=5 direction=\"bidirectional\"\noutput y h\n");
    addRows("GRU, both directions, reset behind",
            "input x float32[4,B,C]\nparam w float32[2,15,C]\nparam r float32[2,15,5]\nparam b float32[2,30]\n"
            "input h0 float32[2,B,5]\nn: y, h = GRU(x, w, r, b, _, h0) hidden_size=5 direction=\"bidirectional\" "
            "linear_before_reset=1\noutput y h\n");
    addRows("GRU, reverse", "input x float32[4,B,C]\nparam w float32[1,15,C]\nparam r float32[1,15,5]\n"
                            "n: y, h = GRU(x, w, r) hidden_size=5 direction=\"reverse\"\noutput y h\n");
    addRows("RNN, both directions",
            "input x float32[4,B,C]\nparam w float32[2,7,C]\nparam r float32[2,7,7]\nparam b float32[2,14]\n"
            "input h0 float32[2,B,7]\nn: y, h = RNN(x, w, r, b, _, h0) hidden_size=7 direction=\"bidirectional\" "
            "activations=[\"Relu\",\"Relu\"]\noutput y h\n");
    addRows("RNN, reverse", "input x float32[4,B,C]\nparam w float32[1,7,C]\nparam r float32[1,7,7]\n"
                            "n: y, h = RNN(x, w, r) hidden_size=7 direction=\"reverse\"\noutput y h\n");
    addRows("RNN with Relu", "input x float32[5,B,C]\nparam w float32[1,7,C]\nparam r float32[1,7,7]\n"
                             "n: y = RNN(x, w, r) hidden_size=7 activations=[\"Relu\"]\noutput y\n");
}

void addTranspositions()
{
    addRows("shuffle of channels in groups",
            "input x float32[B,C,5,7,4]\nn: y = Transpose(x) perm=[0,2,1,3,4]\noutput y\n");
    addRows("shuffle of 2 groups", "input x float32[B,2,C,8,3]\nn: y = Transpose(x) perm=[0,2,1,3,4]\noutput y\n");
    addRows("heads", "input x float32[B,C,3,32]\nn: y = Transpose(x) perm=[0,2,1,3]\noutput y\n");
    addRows("short rows", "input x float32[B,C,5,2]\nn: y = Transpose(x) perm=[0,2,1,3]\noutput y\n");
    addRows("channels last", "input x float32[B,C,5,7]\nn: y = Transpose(x) perm=[0,2,3,1]\noutput y\n");
    addRows("matrix", "input x float32[C,B]\nn: y = Transpose(x)\noutput y\n");
    addRows("no neighbours", "input x float32[B,C,5,3]\nn: y = Transpose(x) perm=[3,1,2,0]\noutput y\n");
    addRows("bytes", "input x uint8[B,C,3,32]\nn: y = Transpose(x) perm=[0,2,1,3]\noutput y\n");
    addRows("reshaped around it",
            "input x float32[B,C,4,8]\nconst s int64[5] = B 1 C 4 8\nconst t int64[4] = B C 4 8\n"
            "r1: a = Reshape(x, s)\nn: b = Transpose(a) perm=[0,2,1,3,4]\nr2: y = Reshape(b, t)\noutput y\n");
}

void addBfloat16()
{
    addRows("Conv", "input x bfloat16[B,C,9,7]\nparam w bfloat16[C,C,3,3]\nparam b bfloat16[C]\nn: y = Conv(x, w, b) "
                    "pads=[1,1,1,1]\noutput y\n");
    addRows("Conv, Relu, Add",
            "input x bfloat16[B,C,9,7]\nparam w bfloat16[C,C,3,3]\nn: a = Conv(x, w) "
            "strides=[2,1] pads=[1,1,1,1]\nr: p = Relu(a)\nz: q = Neg(p)\ns: y = Add(p, q)\noutput y\n");
    addRows("Conv depthwise", "input x bfloat16[B,C,9,7]\nparam w bfloat16[C,1,3,3]\nn: y = Conv(x, w) group=C "
                              "dilations=[2,2]\noutput y\n");
    addRows("MatMul", "input a bfloat16[B,5,C]\nparam b bfloat16[C,7]\nn: y = MatMul(a, b)\noutput y\n");
    addRows("MaxPool", "input x bfloat16[B,C,9,7]\nn: y = MaxPool(x) kernel_shape=[3,3] strides=[2,2]\noutput y\n");
    addRows("Sigmoid", "input x bfloat16[B,C,9]\nn: y = Sigmoid(x)\noutput y\n");
    addRows("Mul", "input a bfloat16[B,C,9]\ninput b bfloat16[C,1]\nn: y = Mul(a, b)\noutput y\n");
}

bool hasBfloat16()
{
    const auto asked = describeBackends(test::graphFromText("input x float32[2]\nn: y = Relu(x)\noutput y\n"), {}, {});
    return asked.ok() && english(asked.value().environment.at("bfloat16")).starts_with("yes");
}

void agrees(const QByteArray& text)
{
    const Report report = test::plannedForOneDnn(text.toStdString());
    const NodeId node = findNode(*report.program.graph, "n");
    QCOMPARE(report.program.implementations[node].backend, std::string("onednn"));
    test::agreesWithReference(report);
}

} // namespace

/// Kinds of primitives beside those of images, over awkward numbers of channels.
class TestOneDnnKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
    }
    void resamplingAgrees_data()
    {
        QTest::addColumn<QByteArray>("text");
        addResampling();
    }
    void resamplingAgrees()
    {
        QFETCH(QByteArray, text);
        agrees(text);
    }
    void recurrentCellsAgree_data()
    {
        QTest::addColumn<QByteArray>("text");
        addRecurrent();
    }
    void recurrentCellsAgree()
    {
        QFETCH(QByteArray, text);
        agrees(text);
    }
    void weightsOfCellsArePreparedOnceAndCounted();
    void transpositionsAgree_data()
    {
        QTest::addColumn<QByteArray>("text");
        addTranspositions();
    }
    void transpositionsAgree()
    {
        QFETCH(QByteArray, text);
        agrees(text);
    }
    void groupsOfChannelsAreShuffled();
    void bfloat16Agrees_data()
    {
        QTest::addColumn<QByteArray>("text");
        addBfloat16();
    }
    void bfloat16Agrees()
    {
        QFETCH(QByteArray, text);
        if (!hasBfloat16()) QSKIP("this instruction set has no bfloat16");
        agrees(text);
    }
    void doesNotOfferWhatItWouldComputeDifferently_data();
    void doesNotOfferWhatItWouldComputeDifferently();
};

void TestOneDnnKinds::weightsOfCellsArePreparedOnceAndCounted()
{
    const Report report = test::plannedForOneDnn("input x float32[4,2,5]\nparam w float32[1,12,5]\n"
                                                 "param r float32[1,12,3]\nn: y = LSTM(x, w, r) hidden_size=3\n"
                                                 "output y\n");
    QCOMPARE(report.memory.preparedBytes, std::int64_t(4) * 12 * (5 + 3));
    const Implementation& chosen = report.program.implementations[findNode(*report.program.graph, "n")];
    QCOMPARE(chosen.prepared.size(), std::size_t(2));
    const Report inCalls = test::plannedForOneDnn("input x float32[4,2,5]\ninput w float32[1,12,5]\n"
                                                  "input r float32[1,12,3]\nn: y = LSTM(x, w, r) hidden_size=3\n"
                                                  "output y\n");
    QCOMPARE(inCalls.memory.preparedBytes, std::int64_t(0));
    QVERIFY(inCalls.program.implementations[findNode(*inCalls.program.graph, "n")].scratchpadBytes >
            chosen.scratchpadBytes);
}

/// Where rows are long; what is short is left to reorders.
void TestOneDnnKinds::groupsOfChannelsAreShuffled()
{
    const auto nameFor = [](const char* text) {
        const Report report = test::plannedForOneDnn(text);
        return QString::fromStdString(report.program.implementations[findNode(*report.program.graph, "n")].name);
    };
    QVERIFY(nameFor("input x float32[1,3,80,28,28]\nn: y = Transpose(x) perm=[0,2,1,3,4]\noutput y\n")
                .startsWith(QStringLiteral("shuffle:")));
    QVERIFY(!nameFor("input x float32[1,3,80,2]\nn: y = Transpose(x) perm=[0,2,1,3]\noutput y\n")
                 .startsWith(QStringLiteral("shuffle:")));
}

void TestOneDnnKinds::doesNotOfferWhatItWouldComputeDifferently_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
    row("corners aligned", "input x float32[1,2,4,4]\nconst k int64[4] = 1 2 7 7\nn: y = Resize(x, _, _, k) "
                           "mode=\"linear\" coordinate_transformation_mode=\"align_corners\"\noutput y\n");
    row("nearest to the left of the middle", "input x float32[1,2,4,4]\nconst k int64[4] = 1 2 2 2\nn: y = Resize(x, "
                                             "_, _, k) coordinate_transformation_mode=\"asymmetric\" "
                                             "nearest_mode=\"floor\"\noutput y\n");
    row("a size that was rounded down", "input x float32[1,2,5,5]\nconst s float32[4] = 1 1 1.5 1.5\nn: y = Resize(x, "
                                        "_, s) mode=\"linear\"\noutput y\n");
    row("cubic",
        "input x float32[1,2,5,5]\nconst s float32[4] = 1 1 2 2\nn: y = Resize(x, _, s) mode=\"cubic\"\noutput y\n");
    row("lengths", "input x float32[5,1,2]\nparam w float32[1,9,2]\nparam r float32[1,9,3]\ninput l int32[1]\n"
                   "n: y = GRU(x, w, r, _, l) hidden_size=3\noutput y\n");
    row("types that it does not have, and something to fuse behind",
        "input x int64[4,5]\ninput w int64[5,3]\ninput b int64[4,3]\nn: a = MatMul(x, w)\nm: y = Add(a, b)\noutput "
        "y\n");
    row("nothing moves", "input x float32[2,3]\nn: y = Transpose(x) perm=[0,1]\noutput y\n");
    row("gates that are coupled", "input x float32[5,1,2]\nparam w float32[1,12,2]\nparam r float32[1,12,3]\n"
                                  "n: y = LSTM(x, w, r) hidden_size=3 input_forget=1\noutput y\n");
    row("one activation of two directions",
        "input x float32[5,1,2]\nparam w float32[2,3,2]\nparam r float32[2,3,3]\nn: y = RNN(x, w, r) hidden_size=3 "
        "direction=\"bidirectional\" activations=[\"Tanh\",\"Relu\"]\noutput y\n");
    row("other activations",
        "input x float32[5,1,2]\nparam w float32[1,9,2]\nparam r float32[1,9,3]\nn: y = GRU(x, w, r) "
        "hidden_size=3 activations=[\"HardSigmoid\",\"Tanh\"]\noutput y\n");
}

void TestOneDnnKinds::doesNotOfferWhatItWouldComputeDifferently()
{
    QFETCH(QByteArray, text);
    const auto catalogue = describeBackends(test::graphFromText(text.toStdString()), {}, {});
    QVERIFY(catalogue.ok());
    QVERIFY(!catalogue.value().offers.contains("n"));
}

QTEST_APPLESS_MAIN(TestOneDnnKinds)
#include "tst_onednn_kinds.moc"
