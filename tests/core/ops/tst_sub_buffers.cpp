#include "core/lower/types/infer_types.h"
#include "core/ops/sub_buffers.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "y holds a@0 b@16; p in x@8"
QString partsText(const Graph& graph, const Implementation& how = {})
{
    QStringList text;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (const SubBuffer& part : subBuffers(graph, NodeId(n), how)) {
            const std::string& in = graph[graph.nodes[n].inputs[static_cast<std::size_t>(part.input)]].name;
            const std::string& out = graph[graph.nodes[n].outputs[static_cast<std::size_t>(part.output)]].name;
            text << QStringLiteral("%1 %2 %3@%4")
                        .arg(QString::fromStdString(part.inputIsPart ? in : out), "in",
                             QString::fromStdString(part.inputIsPart ? out : in))
                        .arg(part.offsetBytes);
        }
    }
    return text.join("; ");
}

} // namespace

/// What may lie inside of something else, by the maps of operators.
class tst_SubBuffers : public QObject
{
    Q_OBJECT

    static void addColumns()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("parts");
    }

    static void row(const char* name, const char* text, const char* parts)
    {
        QTest::newRow(name) << QByteArray(text) << QString(parts);
    }

    static void compare()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, parts);
        auto typed = inferTypes(test::graphFromText(text.constData()), {}, {});
        QVERIFY(typed.ok());
        QCOMPARE(partsText(typed.value().graph), parts);
    }

private slots:
    void parts_data()
    {
        addColumns();
        row("joined along the first axis",
            "input a float32[2,3]\ninput b float32[1,3]\ny = Concat(a, b) axis=0\noutput y\n", "a in y@0; b in y@24");
        row("joined along an inner axis, rows apart",
            "input a float32[2,3]\ninput b float32[2,1]\ny = Concat(a, b) axis=1\noutput y\n", "");
        row("joined along an inner axis of one row",
            "input a float32[1,3,2]\ninput b float32[1,1,2]\ny = Concat(a, b) axis=-2\noutput y\n",
            "a in y@0; b in y@24");
        row("the same twice", "input a int8[4]\ny = Concat(a, a) axis=0\noutput y\n", "a in y@0; a in y@4");
        row("split", "input x float32[6]\nconst s int64[2] = 2 4\np, q = Split(x, s) axis=0\noutput p q\n",
            "p in x@0; q in x@8");
        row("split evenly, the last is shorter", "input x int8[5]\np, q = Split(x) axis=0 num_outputs=2\noutput p q\n",
            "p in x@0; q in x@3");
        row("sliced",
            "input x float32[8,2]\nconst b int64[1] = 3\nconst e int64[1] = 5\np = Slice(x, b, e)\noutput p\n",
            "p in x@24");
        row("sliced from the end",
            "input x float32[8]\nconst b int64[1] = -2\nconst e int64[1] = 100\np = Slice(x, b, e)\noutput p\n",
            "p in x@24");
        row("sliced with a step",
            "input x float32[8]\nconst b int64[1] = 0\nconst e int64[1] = 8\nconst a int64[1] = 0\n"
            "const t int64[1] = 2\np = Slice(x, b, e, a, t)\noutput p\n",
            "");
        row("sliced by columns",
            "input x float32[8,4]\nconst b int64[1] = 1\nconst e int64[1] = 3\nconst a int64[1] = 1\n"
            "p = Slice(x, b, e, a)\noutput p\n",
            "");
        row("sliced where only a run knows",
            "input x float32[8]\ninput b int64[1]\ninput e int64[1]\n"
            "p = Slice(x, b, e)\noutput p\n",
            "");
        row("padded in front and behind", "input x float32[3]\nconst p int64[2] = 2 1\ny = Pad(x, p)\noutput y\n",
            "x in y@8");
        row("padded with a reflection",
            "input x float32[3]\nconst p int64[2] = 2 1\ny = Pad(x, p) mode=\"reflect\"\noutput y\n", "");
        row("cut by negative padding", "input x float32[5]\nconst p int64[2] = -2 -1\ny = Pad(x, p)\noutput y\n",
            "y in x@8");
        row("cut and padded", "input x float32[5]\nconst p int64[2] = -2 1\ny = Pad(x, p)\noutput y\n", "");
        row("below a byte", "input a int4[4]\ny = Concat(a, a) axis=0\noutput y\n", "");
        row("transposed", "input x float32[2,2]\ny = Transpose(x)\noutput y\n", "");
    }

    void parts() { compare(); }

    void partsInOtherDialects_data()
    {
        addColumns();
        row("MXNet's Concat", "input a float32[2,3]\ninput b float32[1,3]\ny = mxnet::Concat(a, b) dim=0\noutput y\n",
            "a in y@0; b in y@24");
        row("MXNet's split", "input x float32[6]\np, q = mxnet::SliceChannel(x) axis=0 num_outputs=2\noutput p q\n",
            "p in x@0; q in x@12");
        row("MXNet's slice_axis", "input x float32[6]\np = mxnet::slice_axis(x) axis=0 begin=2 end=5\noutput p\n",
            "p in x@8");
        row("MXNet's slice, backwards",
            "input x float32[6]\np = mxnet::slice(x) begin=[5] end=[2] step=[-1]\noutput p\n", "");
        row("MXNet's Pad",
            "input x float32[1,1,2,3]\ny = mxnet::Pad(x) mode=\"constant\" pad_width=[0,0,0,0,1,1,0,0]\noutput y\n",
            "x in y@12");
        row("MXNet's Pad at its edges",
            "input x float32[1,1,2,3]\ny = mxnet::Pad(x) mode=\"edge\" pad_width=[0,0,0,0,1,1,0,0]\noutput y\n", "");
        row("XLA's concatenate",
            "input a float32[2,3]\ninput b float32[1,3]\ny = xla::concatenate(a, b) dimensions=\"{0}\"\n"
            "value y float32[3,3]\noutput y\n",
            "a in y@0; b in y@24");
        row("XLA's slice", "input x float32[6]\np = xla::slice(x) slice=\"{[2:5]}\"\nvalue p float32[3]\noutput p\n",
            "p in x@8");
        row("XLA's pad",
            "input x float32[3]\ninput z float32[]\ny = xla::pad(x, z) padding=\"2_1\"\nvalue y float32[6]\noutput y\n",
            "x in y@8");
        row("XLA's pad with something between",
            "input x float32[3]\ninput z float32[]\ny = xla::pad(x, z) padding=\"2_1_1\"\nvalue y float32[8]\noutput "
            "y\n",
            "");
        row("TensorFlow Lite's CONCATENATION, by its shapes",
            "input a int8[1,3,2]\ninput b int8[1,1,2]\ny = tflite::CONCATENATION(a, b)\nvalue y int8[1,4,2]\noutput "
            "y\n",
            "a in y@0; b in y@6");
        row("CONCATENATION that may scale",
            "input a uint8[3]\ninput b uint8[1]\ny = tflite::CONCATENATION(a, b)\nvalue y uint8[4]\noutput y\n", "");
        row("TensorFlow Lite's SPLIT",
            "input x int8[6]\nconst k int32[] = 0\np, q = tflite::SPLIT(k, x)\nvalue p int8[3]\nvalue q int8[3]\n"
            "output p q\n",
            "p in x@0; q in x@3");
        row("TensorFlow Lite's SPLIT_V",
            "input x int8[6]\nconst s int32[2] = 2 4\nconst k int32[] = 0\np, q = tflite::SPLIT_V(x, s, k)\n"
            "value p int8[2]\nvalue q int8[4]\noutput p q\n",
            "p in x@0; q in x@2");
        row("TensorFlow Lite's SLICE",
            "input x int8[6]\nconst b int32[1] = 2\nconst s int32[1] = -1\np = tflite::SLICE(x, b, s)\n"
            "value p int8[4]\noutput p\n",
            "p in x@2");
        row("TensorFlow Lite's PAD",
            "input x int8[2,3]\nconst p int32[2,2] = 1 0 0 0\ny = tflite::PAD(x, p)\nvalue y int8[3,3]\noutput y\n",
            "x in y@3");
        row("TensorFlow Lite's PACK",
            "input a int8[2,3]\ninput b int8[2,3]\ny = tflite::PACK(a, b)\nvalue y int8[2,2,3]\noutput y\n", "");
        row("PACK of which only one axis can be the new one",
            "input a int8[5,3]\ninput b int8[5,3]\ny = tflite::PACK(a, b)\nvalue y int8[2,5,3]\noutput y\n",
            "a in y@0; b in y@15");
        row("PACK along an axis that is not the first",
            "input a int8[5,3]\ninput b int8[5,3]\ny = tflite::PACK(a, b)\nvalue y int8[5,2,3]\noutput y\n", "");
        row("TensorFlow Lite's UNPACK",
            "input x int8[2,5,3]\np, q = tflite::UNPACK(x)\nvalue p int8[5,3]\nvalue q int8[5,3]\noutput p q\n",
            "p in x@0; q in x@15");
        row("UNPACK behind an axis of one",
            "input x int8[1,2,3]\np, q = tflite::UNPACK(x)\nvalue p int8[1,3]\nvalue q int8[1,3]\noutput p q\n",
            "p in x@0; q in x@3");
        row("MXNet's stack", "input a float32[2]\ninput b float32[2]\ny = mxnet::stack(a, b)\noutput y\n",
            "a in y@0; b in y@8");
        row("MXNet's stack behind an axis of one",
            "input a float32[1,2]\ninput b float32[1,2]\ny = mxnet::stack(a, b) axis=1\noutput y\n",
            "a in y@0; b in y@8");
        row("MXNet's stack along the last axis",
            "input a float32[2]\ninput b float32[2]\ny = mxnet::stack(a, b) axis=1\noutput y\n", "");
        row("ExecuTorch's stack",
            "input a float32[2]\ninput b float32[2]\ninput c float32[2]\ny = aten::stack.out(a, b, c)\n"
            "value y float32[3,2]\noutput y\n",
            "a in y@0; b in y@8; c in y@16");
        row("ExecuTorch's cat",
            "input a float32[2,3]\ninput b float32[1,3]\ny = aten::cat.out(a, b)\nvalue y float32[3,3]\noutput y\n",
            "a in y@0; b in y@24");
    }

    void partsInOtherDialects() { compare(); }

    void partsInOtherLayouts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("parts");
        const QByteArray channels = "input a float32[1,16,2,2]\ninput b float32[1,8,2,2]\n"
                                    "y = Concat(a, b) axis=1\noutput y\n";
        const QByteArray rows = "input a float32[1,16,2,2]\ninput b float32[1,16,1,2]\n"
                                "y = Concat(a, b) axis=2\noutput y\n";
        QTest::newRow("blocks of channels") << channels << "nChw8c"
                                            << "a in y@0; b in y@256";
        QTest::newRow("the last with pad lanes") << channels << "nChw16c"
                                                 << "a in y@0; b in y@256";
        QTest::newRow("channels last") << channels << "nhwc"
                                       << "";
        QTest::newRow("rows, channels last") << rows << "nhwc"
                                             << "a in y@0; b in y@256";
        QTest::newRow("rows, plain") << rows << "plain"
                                     << "";
        QTest::newRow("rows of one block") << rows << "nChw16c"
                                           << "a in y@0; b in y@256";
        QTest::newRow("rows of two blocks") << rows << "nChw8c"
                                            << "";
    }

    void partsInOtherLayouts()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, layout);
        auto typed = inferTypes(test::graphFromText(text.constData()), {}, {});
        QVERIFY(typed.ok());
        Implementation how;
        how.inputLayouts = {layout.toStdString(), layout.toStdString()};
        how.outputLayouts = {layout.toStdString()};
        QTEST(partsText(typed.value().graph, how), "parts");
        how.inputLayouts[1] = layout == QStringLiteral("plain") ? "nhwc" : "plain";
        QVERIFY(!partsText(typed.value().graph, how).contains(QStringLiteral("b in y")));
    }
};

QTEST_APPLESS_MAIN(tst_SubBuffers)
#include "tst_sub_buffers.moc"
