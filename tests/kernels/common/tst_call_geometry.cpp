#include "core/facts/english/english.h"
#include "core/ops/counterparts.h"
#include "kernels/common/broadcast.h"
#include "kernels/common/convolution_plan.h"
#include "kernels/common/matmul_plan.h"
#include "kernels/common/movement.h"
#include "kernels/common/random_numbers.h"
#include "kernels/common/recurrent_plan.h"
#include "kernels/common/resize_plan.h"
#include "tests/kernels/reference/fake_call.h"
#include "tests/kernels/reference/kernel_case.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;

/// A node with attributes and inputs that kernels may ask.
class Asking
{
public:
    explicit Asking(std::string op, Attributes attributes = {}, std::vector<RuntimeValue> inputs = {},
                    std::int64_t opset = 22)
    {
        Node node;
        node.name = "node";
        node.op = std::move(op);
        node.attributes = std::move(attributes);
        m_graph.opsets[""] = opset;
        m_graph.nodes.push_back(std::move(node));
        m_call = std::make_unique<FakeCall>(m_graph, NodeId {std::size_t {0}}, std::move(inputs));
    }
    [[nodiscard]] const KernelCall& call() const { return *m_call; }

private:
    Graph m_graph;
    std::unique_ptr<FakeCall> m_call;
};

TensorView shaped(Shape shape)
{
    return {DType::Float32, std::move(shape), nullptr};
}

QString text(const Shape& shape)
{
    return QString::fromStdString(plimsoll::describe(shape));
}

/// Its text, or "error".
template <typename T, typename Write>
QString textOf(const Result<T>& result, const Write& write)
{
    return result.ok() ? write(result.value()) : QStringLiteral("error");
}

struct Case
{
    const char* name;
    QString got;
    const char* expected;
};

void addCases(const std::vector<Case>& cases)
{
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    for (const Case& row : cases)
        QTest::newRow(row.name) << row.got << QString::fromLatin1(row.expected);
}

QString slices(const Ints& starts, const Ints& ends, const Ints& axes, const Ints& steps)
{
    const Asking slice("Slice", {{"starts", starts}, {"ends", ends}, {"axes", axes}, {"steps", steps}});
    return textOf(sliceCuts(slice.call(), shaped({4, 5})), [](const std::vector<SliceCut>& cuts) {
        const CutBlock block = cutBlock(cuts, {4, 5});
        return text(block.shape) + QStringLiteral(" by ") + text(block.strides) +
               QStringLiteral(" from %1").arg(block.offset);
    });
}

QString pads(const Ints& given, std::vector<RuntimeValue> inputs = {})
{
    const Asking pad("Pad", {{"pads", given}}, std::move(inputs));
    return textOf(padsOf(pad.call(), shaped({2, 3})), [](const auto& found) {
        QString line;
        for (const auto& [begin, end] : found)
            line += QStringLiteral("(%1,%2)").arg(begin).arg(end);
        return line;
    });
}

QString windows(Attributes attributes, const Shape& input)
{
    const Asking pool("MaxPool", std::move(attributes));
    return textOf(windowsOver(pool.call(), input, {}), [](const Windows& found) {
        return text(found.output) + QStringLiteral(" pads ") + text(found.padBegin) + text(found.padEnd);
    });
}

QString product(const Shape& a, const Shape& b)
{
    const Asking matmul("MatMul");
    return textOf(planMatMul(matmul.call(), a, b), [](const MatMulPlan& plan) {
        return text(plan.outShape) +
               QStringLiteral(" of %1x%2x%3, batches ")
                   .arg(plan.size.rows)
                   .arg(plan.size.depth)
                   .arg(plan.size.columns) +
               text(plan.batchStridesA) + text(plan.batchStridesB);
    });
}

QString resized(Attributes attributes, std::vector<RuntimeValue> inputs, std::int64_t opset = 22)
{
    const Asking resize("Resize", std::move(attributes), std::move(inputs), opset);
    return textOf(resizeTarget(resize.call(), shaped({1, 4})), [](const ResizeTarget& target) {
        return text(target.sizes) + QStringLiteral(" by %1").arg(target.scales[1]);
    });
}

} // namespace

/// What attributes and shapes make of an operator: sizes, strides and places, without any numbers.
class CallGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void movesAndShapes_data();
    void movesAndShapes() { compare(); }
    void layers_data();
    void layers() { compare(); }
    void aLineGoesOnAsItsModeSays_data();
    void aLineGoesOnAsItsModeSays();
    void rowsAreJoinedWhereAllOperandsStepEvenly();
    void activationsOfBothDirectionsAreTheirOwn();
    void aNodeOfMxnetHasOneCounterpart_data();
    void aNodeOfMxnetHasOneCounterpart();
    void randomNumbersAreAPureFunctionOfTheirPlace();

private:
    static void compare()
    {
        QFETCH(const QString, got);
        QFETCH(const QString, expected);
        QCOMPARE(got, expected);
    }
};

void CallGeometry::movesAndShapes_data()
{
    const auto reduction = [](const std::vector<bool>& gone, bool keep) {
        const Reduction r = reductionOver({2, 3, 4}, gone, keep);
        return text(r.kept) + text(r.keptStrides) + text(r.gone) + text(r.goneStrides) + text(r.outShape);
    };
    const auto joined = [](const Shape& a, const Shape& b) {
        const auto shape = broadcastShape(a, b);
        return shape ? text(*shape) : QStringLiteral("none");
    };
    const auto permutation = [](const Ints& perm) {
        const Asking transpose("Transpose", {{"perm", perm}});
        return textOf(permutationOf(transpose.call(), shaped({2, 3, 4})),
                      [](const Shape& found) { return text(found); });
    };
    const auto blocks = [](auto view, const Shape& shape, const char* mode) {
        const Asking node("DepthToSpace", {{"blocksize", std::int64_t {2}}, {"mode", std::string(mode)}});
        return textOf(view(node.call(), shape),
                      [](const PermutedView& found) { return text(found.permuted()) + text(found.strides()); });
    };
    addCases({
        {"slice", slices({1, 0}, {3, 5}, {0, 1}, {1, 2}), "[2,3] by [5,2] from 5"},
        {"slice from behind", slices({-1}, {-3}, {-1}, {-1}), "[4,2] by [5,-1] from 4"},
        {"slice far outside", slices({-100}, {100}, {0}, {3}), "[2,5] by [15,1] from 0"},
        {"slice of nothing", slices({3}, {1}, {0}, {1}), "[0,5] by [0,1] from 0"},
        {"slice by steps of 0", slices({0}, {1}, {0}, {0}), "error"},
        {"slice of lists that differ", slices({0, 1}, {1}, {0}, {1}), "error"},
        {"pads of all axes", pads({1, 0, 2, -1}), "(1,2)(0,-1)"},
        {"pads of a named axis", pads({1, 2}, {{}, {}, {}, ints({1}, {-1})}), "(0,0)(1,2)"},
        {"too few pads", pads({1, 2, 3}), "error"},
        {"reduction in the middle", reduction({false, true, false}, false), "[2,4][12,1][3][4][2,4]"},
        {"reduction that keeps", reduction({true, false, true}, true), "[3][4][2,4][12,1][1,3,1]"},
        {"shapes that broadcast", joined({4, 1, 3}, {2, 1}), "[4,2,3]"},
        {"nothing broadcasts with one", joined({0, 3}, {1}), "[0,3]"},
        {"shapes that do not", joined({2}, {3}), "none"},
        {"strides that repeat", text(broadcastStrides({3, 1}, {2, 3, 4})), "[0,1,0]"},
        {"permutation from behind", permutation({-1, 0, 1}), "[2,0,1]"},
        {"permutation of too few", permutation({0, 1}), "error"},
        {"permutation with a repeat", permutation({0, 0, 1}), "error"},
        {"depth to space", blocks(depthToSpaceView, {1, 8, 2, 3}, "DCR"), "[1,2,2,2,3,2][48,6,3,24,1,12]"},
        {"depth to space, by columns", blocks(depthToSpaceView, {1, 8, 2, 3}, "CRD"), "[1,2,2,2,3,2][48,24,3,12,1,6]"},
        {"depth that does not divide", blocks(depthToSpaceView, {1, 6, 2, 3}, "DCR"), "error"},
        {"space to depth", blocks(spaceToDepthView, {1, 1, 2, 4}, "DCR"), "[1,2,2,1,1,2][8,4,1,8,8,2]"},
    });
}

void CallGeometry::layers_data()
{
    const auto same = [](const char* rule) {
        return Attributes {{"kernel_shape", Ints {3}}, {"strides", Ints {2}}, {"auto_pad", std::string(rule)}};
    };
    const auto factor = [](double value) { return std::vector<RuntimeValue> {{}, {}, floats({2}, {1, value})}; };
    const auto size = [](double value) { return std::vector<RuntimeValue> {{}, {}, {}, ints({2}, {1, value})}; };
    const Asking transposed("ConvTranspose", {{"strides", Ints {2}}, {"output_padding", Ints {1}}});
    addCases({
        {"windows", windows({{"kernel_shape", Ints {2, 3}}}, {4, 5}), "[3,3] pads [0,0][0,0]"},
        {"windows as many as places", windows(same("SAME_UPPER"), {4}), "[2] pads [0][1]"},
        {"the same with the pad in front", windows(same("SAME_LOWER"), {4}), "[2] pads [1][0]"},
        {"windows inside", windows(same("VALID"), {6}), "[2] pads [0][0]"},
        {"windows that hang over",
         windows({{"kernel_shape", Ints {2}}, {"strides", Ints {3}}, {"ceil_mode", std::int64_t {1}}}, {6}),
         "[2] pads [0][0]"},
        {"a window that would begin in the pad",
         windows({{"kernel_shape", Ints {2}},
                  {"strides", Ints {3}},
                  {"pads", Ints {0, 1}},
                  {"ceil_mode", std::int64_t {1}}},
                 {3}),
         "[1] pads [0][1]"},
        {"windows larger than the picture", windows({{"kernel_shape", Ints {5}}}, {3}), "[0] pads [0][0]"},
        {"windows of another rank", windows({{"kernel_shape", Ints {2}}}, {3, 3}), "error"},
        {"windows without a size", windows({{"kernel_shape", Ints {0}}}, {3}), "error"},
        {"transposed convolution",
         textOf(planTransposed(transposed.call(), shaped({1, 6, 4}), shaped({6, 2, 3})),
                [](const Convolution& plan) { return text(plan.planeShape()) + text(plan.windowShape()); }),
         "[1,2,10][1,6,4]"},
        {"product", product({2, 3}, {3, 4}), "[2,4] of 2x3x4, batches [][]"},
        {"product of vectors", product({3}, {3}), "[] of 1x3x1, batches [][]"},
        {"product of a batch and a matrix", product({5, 2, 3}, {3, 4}), "[5,2,4] of 2x3x4, batches [6][0]"},
        {"product of batches that broadcast", product({2, 1, 1, 3}, {7, 3, 1}),
         "[2,7,1,1] of 1x3x1, batches [3,0][0,3]"},
        {"product that cannot be", product({2, 3}, {2, 3}), "error"},
        {"product of a scalar", product({}, {2}), "error"},
        {"resize by factors", resized({}, factor(2.6)), "[1,10] by 2.6"},
        {"resize to sizes", resized({}, size(6)), "[1,6] by 1.5"},
        {"resize to nothing", resized({}, size(0)), "[1,0] by 0"},
        {"resize to a negative size", resized({}, size(-2)), "error"},
        {"resize an axis by name", resized({{"axes", Ints {-1}}}, {{}, {}, floats({1}, {0.5})}), "[1,2] by 0.5"},
        {"resize before opset 11", resized({}, {{}, floats({2}, {1, 3})}, 10), "[1,12] by 3"},
    });
}

void CallGeometry::aLineGoesOnAsItsModeSays_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<QList<int>>("places"); // from -4 to 6, of a line of 3
    QTest::newRow("constant") << static_cast<int>(PadMode::Constant)
                              << QList<int> {-1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1};
    QTest::newRow("edge") << static_cast<int>(PadMode::Edge) << QList<int> {0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2};
    QTest::newRow("wrap") << static_cast<int>(PadMode::Wrap) << QList<int> {2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    QTest::newRow("reflect") << static_cast<int>(PadMode::Reflect) << QList<int> {0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2};
}

void CallGeometry::aLineGoesOnAsItsModeSays()
{
    QFETCH(const int, mode);
    QFETCH(const QList<int>, places);
    QList<int> found;
    for (int at = -4; at <= 6; ++at)
        found += static_cast<int>(continuedPlace(static_cast<PadMode>(mode), at, 3));
    QCOMPARE(found, places);
    QCOMPARE(continuedPlace(static_cast<PadMode>(mode), 5, 0), std::int64_t {-1});
}

void CallGeometry::rowsAreJoinedWhereAllOperandsStepEvenly()
{
    RowWalk dense({2, 3, 4}, {{12, 4, 1}, {12, 4, 1}});
    QCOMPARE(dense.count(), std::int64_t {24});
    int rows = 0;
    for (RowWalk walk({2, 3, 4}, {{12, 4, 1}, {0, 1, 0}}); walk.valid(); walk.advance(), ++rows) {
        QCOMPARE(walk.count(), std::int64_t {4});
        QCOMPARE(walk.offset(0), std::int64_t {4} * rows);
        QCOMPARE(walk.offset(1), std::int64_t {rows % 3});
        QCOMPARE(walk.step(1), std::int64_t {0});
    }
    QCOMPARE(rows, 6);
    QVERIFY(!RowWalk({2, 0}, {{0, 1}}).valid());
    QVERIFY(RowWalk({}, {{}}).valid()); // one element
}

void CallGeometry::activationsOfBothDirectionsAreTheirOwn()
{
    const Asking gru(
        "GRU",
        {{"direction", std::string("bidirectional")},
         {"activations", std::vector<std::string> {"Affine", "Relu", "LeakyRelu", "Tanh"}},
         {"activation_alpha", std::vector<double> {2}},
         {"activation_beta", std::vector<double> {0.5}}},
        {floats({1, 1, 1}, {0}), floats({2, 3, 1}, {0, 0, 0, 0, 0, 0}), floats({2, 3, 1}, {0, 0, 0, 0, 0, 0})});

    const auto plan = planRecurrence(gru.call(), 3, {"Sigmoid", "Tanh"});

    QVERIFY2(plan.ok(), plan.ok() ? "" : describe(plan.error()).c_str());
    QCOMPARE(plan.value().activate(0, 0, -3.0), -5.5);  // 2 · -3 + 0.5
    QCOMPARE(plan.value().activate(0, 1, -3.0), 0.0);   // Relu
    QCOMPARE(plan.value().activate(1, 0, -3.0), -0.03); // LeakyRelu with the default of that operator
    QCOMPARE(plan.value().activate(1, 1, 0.0F), 0.0F);
    QVERIFY(!planRecurrence(gru.call(), 4, {"Sigmoid", "Tanh", "Tanh"}).ok()); // six rows are no four gates
}

void CallGeometry::aNodeOfMxnetHasOneCounterpart_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("kind"); // act_type
    QTest::addColumn<QString>("onnx");
    const auto row = [](const char* op, const char* kind, const char* onnx) {
        QTest::newRow(op[0] == 'A' ? kind : op)
            << QString::fromLatin1(op) << QString::fromLatin1(kind) << QString::fromLatin1(onnx);
    };
    row("broadcast_add", "", "Add");
    row("negative", "", "Neg");
    row("add_n", "", "Sum");
    row("Reshape", "", "Identity");
    row("_plus_scalar", "", ""); // not of its inputs alone
    row("relu", "", "Relu");
    row("softrelu", "", ""); // a kind of Activation, no operator
    row("Activation", "softrelu", "Softplus");
    row("Activation", "abs", ""); // an operator, no kind of Activation
    row("Convolution", "", "");
}

void CallGeometry::aNodeOfMxnetHasOneCounterpart()
{
    QFETCH(const QString, op);
    QFETCH(const QString, kind);
    QFETCH(const QString, onnx);
    Node node;
    node.domain = "mxnet";
    node.op = op.toStdString();
    node.attributes["act_type"] = kind.toStdString();
    QCOMPARE(QString::fromStdString(std::string(plainCounterpart(node))), onnx);
    node.domain = {};
    QVERIFY(plainCounterpart(node).empty());
}

/// Devices draw number i by itself and must see what the host draws in order.
void CallGeometry::randomNumbersAreAPureFunctionOfTheirPlace()
{
    RandomNumbers random(42);
    for (std::uint64_t i = 0; i < 5; ++i)
        QCOMPARE(random.bits(), randomBits(42, i));
    QCOMPARE(randomBits(0, 0), std::uint64_t {0xE220A8397B1DCDAF}); // SplitMix64's first number for seed 0
    QCOMPARE(uniformNumber(0), 0.0);
    QVERIFY(uniformNumber(~std::uint64_t {0}) < 1);
}

QTEST_APPLESS_MAIN(CallGeometry)
#include "tst_call_geometry.moc"
