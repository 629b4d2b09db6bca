#include "core/facts/english/english.h"
#include "core/ops/sub_buffers.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <random>

using namespace plimsoll;

namespace {

std::vector<std::int64_t> indexOf(std::int64_t element, const Shape& shape)
{
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; element /= shape[axis])
        index[axis] = element % shape[axis];
    return index;
}

/// Whether the map lets the element \p made be made of the element \p read.
bool reads(const AccessMap& map, std::int64_t made, const Shape& to, std::int64_t read, const Shape& from)
{
    if (map.kind != AccessMap::Kind::Axes) return map.kind == AccessMap::Kind::Anything || made == read;
    const auto at = indexOf(made, to);
    const auto index = indexOf(read, from);
    for (std::size_t a = 0; a < index.size(); ++a) {
        const AccessAxis& axis = map.axes[a];
        if (axis.from == AccessAxis::Any) continue;
        std::int64_t wanted = axis.start;
        if (axis.from >= 0) wanted += axis.step * at[static_cast<std::size_t>(axis.from)];
        if (wanted != index[a]) return false;
    }
    return true;
}

/// One node over a float32 input x of some shape, beside others.
struct OneNode
{
    const char* op;
    const char* text; ///< The lines of the graph; %1 and %2 are sizes.
};

constexpr OneNode Nodes[] = {
    {"Sin", "input x float32[%1,%2]\ny = Sin(x)\noutput y\n"},
    {"Relu", "input x float32[%1,%2]\ny = Relu(x)\noutput y\n"},
    {"Add, of a row", "input x float32[%2]\ninput b float32[%1,%2]\ny = Add(x, b)\noutput y\n"},
    {"Mul, of a column", "input x float32[%1,1]\ninput b float32[%1,%2]\ny = Mul(b, x)\noutput y\n"},
    {"Sub, of one", "input x float32[1,1]\ninput b float32[%1,%2]\ny = Sub(b, x)\noutput y\n"},
    {"Sum", "input x float32[%1,%2]\ninput b float32[%2]\ny = Sum(b, x, b)\noutput y\n"},
    {"Where", "input c bool[%1,1]\ninput x float32[%2]\ninput b float32[%1,%2]\ny = Where(c, x, b)\noutput y\n"},
    {"Expand", "input x float32[%1,1]\nconst s int64[3] = 2 1 %2\ny = Expand(x, s)\noutput y\n"},
    {"Concat, rows", "input x float32[%1,%2]\ninput b float32[2,%2]\ny = Concat(b, x, b) axis=0\noutput y\n"},
    {"Concat, columns", "input x float32[%1,%2]\ninput b float32[%1,3]\ny = Concat(b, x) axis=-1\noutput y\n"},
    {"Split", "input x float32[%1,%2]\ny, z = Split(x) axis=1 num_outputs=2\noutput y z\n"},
    {"Slice", "input x float32[%1,%2]\nconst b int64[2] = 1 -1\nconst e int64[2] = 9 -9\nconst a int64[2] = 0 1\n"
              "const t int64[2] = 1 -2\ny = Slice(x, b, e, a, t)\noutput y\n"},
    {"Pad", "input x float32[%1,%2]\nconst p int64[4] = 1 0 -1 2\ny = Pad(x, p)\noutput y\n"},
    {"Pad, reflected",
     "input x float32[%1,%2]\nconst p int64[4] = 1 0 0 1\ny = Pad(x, p) mode=\"reflect\"\noutput y\n"},
    {"Transpose", "input x float32[%1,%2,2]\ny = Transpose(x) perm=[2,0,1]\noutput y\n"},
    {"ReduceSum", "input x float32[%1,%2]\nconst a int64[1] = 0\ny = ReduceSum(x, a) keepdims=0\noutput y\n"},
    {"ReduceMean", "input x float32[%1,%2]\nconst a int64[1] = -1\ny = ReduceMean(x, a)\noutput y\n"},
    {"ReduceL2, of all", "input x float32[%1,%2]\ny = ReduceL2(x) keepdims=0\noutput y\n"},
    {"CumSum", "input x float32[%1,%2]\nconst a int64[] = 1\ny = CumSum(x, a)\noutput y\n"},
    {"Softmax", "input x float32[%1,%2]\ny = Softmax(x) axis=0\noutput y\n"},
    {"Softmax of old", "opset 12\ninput x float32[%1,%2,2]\ny = Softmax(x) axis=1\noutput y\n"},
    {"LogSoftmax", "input x float32[%1,%2]\ny = LogSoftmax(x)\noutput y\n"},
    {"Gather", "input x float32[%1,%2,2]\nconst i int64[2,1] = 1 0\ny = Gather(x, i) axis=1\noutput y\n"},
};

} // namespace

/// What an operator's map says it reads, beside what changes when one element changes.
class tst_AccessMaps : public QObject
{
    Q_OBJECT

private slots:
    void nothingElseIsRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const OneNode& node : Nodes)
            QTest::newRow(node.op) << QByteArray(node.text);
    }

    void nothingElseIsRead()
    {
        QFETCH(QByteArray, text);
        std::mt19937 random(test::firstSeed(7));
        const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        for (int round = 0; round < 3; ++round) {
            const QString sized = QString::fromUtf8(text).arg(number(2, 4)).arg(number(3, 5));
            const Report report = test::plannedForReference(sized.toStdString());
            const Graph& graph = *report.program.graph;
            const ValueId x = findValue(graph, "x");
            const NodeId node = graph[findValue(graph, "y")].producer;
            const auto position = std::ranges::find(graph[node].inputs, x) - graph[node].inputs.begin();
            const Shape from = graph[x].type.shape().value();
            std::vector<float> numbers(static_cast<std::size_t>(elementCount(from).value()));
            for (float& one : numbers)
                one = static_cast<float>(number(1, 900)) / 100.0F;
            const auto before = test::executed(report, {{"x", numbers}});
            QVERIFY(before.ok());
            int known = 0;
            for (std::size_t read = 0; read < numbers.size(); ++read) {
                std::vector<float> changed = numbers;
                changed[read] += 1.0F;
                const auto after = test::executed(report, {{"x", changed}});
                QVERIFY(after.ok());
                for (std::size_t output = 0; output < graph[node].outputs.size(); ++output) {
                    const AccessMap map = accessMap(graph, node, static_cast<int>(position), static_cast<int>(output));
                    known += map.kind == AccessMap::Kind::Anything ? 0 : 1;
                    const Shape to = graph[graph[node].outputs[output]].type.shape().value();
                    const auto first = test::numbersOf(before.value().outputs[output]);
                    const auto second = test::numbersOf(after.value().outputs[output]);
                    for (std::size_t made = 0; made < first.size(); ++made) {
                        const bool may =
                            reads(map, static_cast<std::int64_t>(made), to, static_cast<std::int64_t>(read), from);
                        QVERIFY2(may || first[made] == second[made],
                                 qPrintable(sized + QStringLiteral("element %1 of %2").arg(read).arg(made)));
                    }
                }
            }
            QCOMPARE(known > 0, !text.contains("reflect"));
        }
    }
};

QTEST_APPLESS_MAIN(tst_AccessMaps)
#include "tst_access_maps.moc"
