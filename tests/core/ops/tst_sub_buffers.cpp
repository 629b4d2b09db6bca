#include "core/lower/types/infer_types.h"
#include "core/ops/sub_buffers.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "y holds a@0 b@16; p in x@8"
QString partsText(const Graph& graph)
{
    QStringList text;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (const SubBuffer& part : subBuffers(graph, NodeId(n))) {
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

private slots:
    void parts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("parts");
        const auto row = [](const char* name, const char* text, const char* parts) {
            QTest::newRow(name) << QByteArray(text) << QString(parts);
        };
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

    void parts()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, parts);
        auto typed = inferTypes(test::graphFromText(text.constData()), {}, {});
        QVERIFY(typed.ok());
        QCOMPARE(partsText(typed.value().graph), parts);
    }
};

QTEST_APPLESS_MAIN(tst_SubBuffers)
#include "tst_sub_buffers.moc"
