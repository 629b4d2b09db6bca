#include "kernel_case.h"

#include <QTest>

#include <limits>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t One = 1;

RuntimeValue bytes(const Shape& shape, const std::vector<double>& values)
{
    return numbers(DType::UInt8, shape, values);
}

std::vector<Row> reductionRows()
{
    const auto x = floats({2, 3}, {1, -2, 3, 0, 4, -5});
    const auto positive = floats({2, 3}, {1, 2, 3, 0, 1, 1});
    const auto along = [](const char* op, const RuntimeValue& input) {
        return OpCase(op).input(input).input(ints({1}, {-1})).set("keepdims", std::int64_t {0});
    };
    return {
        {"ReduceL1", along("ReduceL1", x), "float32[2] 6 9"},
        {"ReduceL2", along("ReduceL2", x), "float32[2] 3.74166 6.40312"},
        {"ReduceLogSum", along("ReduceLogSum", positive), "float32[2] 1.79176 0.693147"},
        {"ReduceMin", along("ReduceMin", x), "float32[2] -2 -5"},
        {"ReduceMin keeps a NaN", along("ReduceMin", floats({1, 2}, {NaN, 1})), "float32[1] nan"},
        {"ReduceSumSquare", along("ReduceSumSquare", x), "float32[2] 14 41"},
        {"ReduceSum over both axes", OpCase("ReduceSum").input(x).input(ints({2}, {0, -1})), "float32[1,1] 1"},
        {"ReduceSum over no axes", OpCase("ReduceSum").input(x).set("noop_with_empty_axes", One),
         "float32[2,3] 1 -2 3 0 4 -5"},
        {"ReduceSum of nothing", along("ReduceSum", floats({2, 0}, {})), "float32[2] 0 0"},
        {"ReduceProd of nothing", along("ReduceProd", floats({2, 0}, {})), "float32[2] 1 1"},
        {"ReduceMax of nothing", along("ReduceMax", floats({1, 0}, {})), "float32[1] -inf"},
        {"ReduceMax of nothing, integers", along("ReduceMax", numbers(DType::Int8, {1, 0}, {})), "int8[1] -128"},
        {"ReduceMean of integers cuts", along("ReduceMean", ints({1, 2}, {1, 2})), "int64[1] 1"},
        {"ReduceMean of nothing", along("ReduceMean", floats({1, 0}, {})), "float32[1] nan"},
        {"ReduceSum in bytes wraps", along("ReduceSum", bytes({1, 2}, {200, 100})), "uint8[1] 44"},
        {"ReduceSum outside", OpCase("ReduceSum").input(x).input(ints({1}, {2})), "error"},
        {"ReduceSum with axes as attribute", OpCase("ReduceSum", 11).input(x).set("axes", Ints {0}),
         "float32[1,3] 1 2 -2"},
        {"ArgMax takes the first", OpCase("ArgMax").input(floats({1, 3}, {2, 5, 5})).set("axis", One), "int64[1,1] 1"},
        {"ArgMax takes the last",
         OpCase("ArgMax").input(floats({1, 3}, {2, 5, 5})).set("axis", One).set("select_last_index", One),
         "int64[1,1] 2"},
        {"ArgMin of nothing", OpCase("ArgMin").input(floats({0}, {})), "error"},
    };
}

std::vector<Row> normalizationRows()
{
    const auto scores = floats({2, 3}, {1, 2, 3, 1, 1, 1});
    const auto labels = ints({2}, {2, 0});
    const auto loss = [&](const char* reduction) {
        return OpCase("SoftmaxCrossEntropyLoss").input(scores).input(labels).set("reduction", std::string(reduction));
    };
    return {
        {"InstanceNormalization",
         OpCase("InstanceNormalization")
             .input(floats({1, 2, 3}, {1, 2, 3, -4, 0, 4}))
             .input(floats({2}, {2, 1}))
             .input(floats({2}, {0, 1})),
         "float32[1,2,3] -2.44947 0 2.44947 -0.224744 1 2.22474"},
        {"LRN over three channels",
         OpCase("LRN")
             .input(floats({1, 4, 1, 1}, {1, 2, 3, 4}))
             .set("size", std::int64_t {3})
             .set("alpha", 0.5)
             .set("beta", 0.75)
             .set("bias", 2.0),
         "float32[1,4,1,1] 0.457906 0.665907 0.709818 1.02217"},
        {"LpNormalization of the last axis", OpCase("LpNormalization").input(floats({2, 2}, {3, 4, 3, -4})),
         "float32[2,2] 0.6 0.8 0.6 -0.8"},
        {"LpNormalization by sums", OpCase("LpNormalization").input(floats({2}, {3, 4})).set("p", One),
         "float32[2] 0.428571 0.571429"},
        {"MeanVarianceNormalization", OpCase("MeanVarianceNormalization").input(floats({2, 1, 1, 2}, {1, 2, 3, 6})),
         "float32[2,1,1,2] -1.06904 -0.534522 0 1.60357"},
        {"SimplifiedLayerNormalization",
         OpCase("SimplifiedLayerNormalization").input(floats({1, 3}, {1, 2, 2})).input(floats({3}, {1, 2, 3})),
         "float32[1,3] 0.577349 2.3094 3.4641"},
        {"LogSoftmax", OpCase("LogSoftmax").input(floats({1, 3}, {1, 2, 3})),
         "float32[1,3] -2.40761 -1.40761 -0.407606"},
        {"LogSoftmax of large numbers", OpCase("LogSoftmax").input(floats({1, 2}, {1000, 0})), "float32[1,2] 0 -1000"},
        {"Softmax along the first axis", OpCase("Softmax").input(floats({2, 1}, {0, 0})).set("axis", std::int64_t {-2}),
         "float32[2,1] 0.5 0.5"},
        {"Softmax of nothing", OpCase("Softmax").input(floats({2, 0}, {})), "float32[2,0]"},
        {"SoftmaxCrossEntropyLoss by place", loss("none"), "float32[2] 0.407606 1.09861"},
        {"SoftmaxCrossEntropyLoss, the mean", loss("mean"), "float32[] 0.753109"},
        {"SoftmaxCrossEntropyLoss, the sum", loss("sum"), "float32[] 1.50622"},
        {"SoftmaxCrossEntropyLoss with weights", loss("mean").input(floats({3}, {1, 2, 3})), "float32[] 0.580358"},
        {"SoftmaxCrossEntropyLoss that ignores", loss("mean").set("ignore_index", std::int64_t {0}),
         "float32[] 0.407606"},
        {"SoftmaxCrossEntropyLoss of no class",
         OpCase("SoftmaxCrossEntropyLoss").input(scores).input(ints({2}, {3, 0})), "error"},
    };
}

std::vector<Row> convolutionRows()
{
    const auto line = floats({1, 1, 3}, {3, 4, 0});
    return {
        {"Conv in groups",
         OpCase("Conv")
             .input(floats({1, 2, 2}, {1, 2, 3, 4}))
             .input(floats({2, 1, 1}, {10, 100}))
             .set("group", std::int64_t {2}),
         "float32[1,2,2] 10 20 300 400"},
        {"Conv as large as its input",
         OpCase("Conv").input(line).input(floats({1, 1, 2}, {1, 1})).set("auto_pad", std::string("SAME_LOWER")),
         "float32[1,1,3] 3 7 4"},
        {"Conv of an empty batch", OpCase("Conv").input(floats({0, 1, 3}, {})).input(floats({1, 1, 2}, {1, 1})),
         "float32[0,1,2]"},
        {"Conv with weights that do not fit", OpCase("Conv").input(line).input(floats({1, 2, 2}, {1, 1, 1, 1})),
         "error"},
        {"ConvTranspose overlaps and adds",
         OpCase("ConvTranspose").input(floats({1, 1, 2}, {1, 10})).input(floats({1, 1, 2}, {1, 2})),
         "float32[1,1,3] 1 12 20"},
        {"ConvTranspose in groups with a bias",
         OpCase("ConvTranspose")
             .input(floats({1, 2, 1}, {1, 10}))
             .input(floats({2, 1, 2}, {1, 2, 3, 4}))
             .input(floats({2}, {0.5, 0}))
             .set("group", std::int64_t {2}),
         "float32[1,2,2] 1.5 2.5 30 40"},
        {"ConvTranspose from more channels than it makes",
         OpCase("ConvTranspose").input(floats({1, 2, 1}, {1, 10})).input(floats({2, 1, 2}, {1, 2, 3, 4})),
         "float32[1,1,2] 31 42"},
        {"ConvTranspose to a given size",
         OpCase("ConvTranspose")
             .input(floats({1, 1, 2}, {1, 10}))
             .input(floats({1, 1, 1}, {1}))
             .set("strides", Ints {2})
             .set("output_shape", Ints {4}),
         "float32[1,1,4] 1 0 10 0"},
        {"ConvInteger takes zero points away",
         OpCase("ConvInteger")
             .input(bytes({1, 1, 2}, {3, 5}))
             .input(bytes({1, 1, 1}, {4}))
             .input(bytes({}, {1}))
             .input(bytes({}, {2})),
         "int32[1,1,2] 4 8"},
    };
}

std::vector<Row> windowRows()
{
    const auto line = floats({1, 1, 3}, {3, 4, 0});
    const auto picture = floats({1, 1, 2, 2}, {1, 2, 3, 4});
    return {
        {"LpPool", OpCase("LpPool").input(line).set("kernel_shape", Ints {2}), "float32[1,1,2] 5 4"},
        {"LpPool by sums", OpCase("LpPool").input(line).set("kernel_shape", Ints {2}).set("p", One),
         "float32[1,1,2] 7 4"},
        {"GlobalLpPool", OpCase("GlobalLpPool").input(floats({1, 1, 3}, {1, -2, 3})), "float32[1,1,1] 3.74166"},
        {"GlobalMaxPool", OpCase("GlobalMaxPool").input(floats({1, 2, 2}, {1, 5, -1, -2})), "float32[1,2,1] 5 -1"},
        {"MaxPool that hangs over",
         OpCase("MaxPool").input(line).set("kernel_shape", Ints {2}).set("strides", Ints {2}).set("ceil_mode", One),
         "float32[1,1,2] 4 0"},
        {"AveragePool counts no pads",
         OpCase("AveragePool").input(line).set("kernel_shape", Ints {2}).set("pads", Ints {1, 0}),
         "float32[1,1,3] 3 3.5 2"},
        {"AveragePool counts pads",
         OpCase("AveragePool")
             .input(line)
             .set("kernel_shape", Ints {2})
             .set("pads", Ints {1, 0})
             .set("count_include_pad", One),
         "float32[1,1,3] 1.5 3.5 2"},
        {"AveragePool with dilations",
         OpCase("AveragePool").input(line).set("kernel_shape", Ints {2}).set("dilations", Ints {2}),
         "float32[1,1,1] 1.5"},
        {"MaxUnpool",
         OpCase("MaxUnpool")
             .input(floats({1, 1, 1, 1}, {7}))
             .input(ints({1, 1, 1, 1}, {3}))
             .set("kernel_shape", Ints {2, 2})
             .set("strides", Ints {2, 2}),
         "float32[1,1,2,2] 0 0 0 7"},
        {"Upsample of the first opset's form",
         OpCase("Upsample", 7).input(picture).set("scales", std::vector<double> {1, 1, 1, 2}),
         "float32[1,1,2,4] 1 1 2 2 3 3 4 4"},
        {"Upsample, linear",
         OpCase("Upsample", 9)
             .input(floats({1, 1, 1, 2}, {0, 4}))
             .input(floats({4}, {1, 1, 1, 2}))
             .set("mode", std::string("linear")),
         "float32[1,1,1,4] 0 2 4 4"},
    };
}

std::vector<Row> quantizedRows()
{
    const auto scalar = [](double value) { return floats({}, {value}); };
    const auto zero = [](double value) { return bytes({}, {value}); };
    return {
        {"DynamicQuantizeLinear",
         OpCase("DynamicQuantizeLinear").outputs(3).input(floats({6}, {0, 2, -3, -2.5, 1.34, 0.5})),
         "uint8[6] 153 255 0 26 221 179"},
        {"QLinearMatMul",
         OpCase("QLinearMatMul")
             .input(bytes({1, 2}, {3, 5}))
             .input(scalar(0.5))
             .input(zero(1))
             .input(bytes({2, 1}, {2, 4}))
             .input(scalar(2))
             .input(zero(2))
             .input(scalar(4))
             .input(zero(10)),
         "uint8[1,1] 12"}, // ((3-1)·(2-2) + (5-1)·(4-2)) · 0.5 · 2 / 4 + 10
        {"QLinearConv",
         OpCase("QLinearConv")
             .input(bytes({1, 1, 2}, {3, 5}))
             .input(scalar(0.5))
             .input(zero(1))
             .input(bytes({1, 1, 1}, {4}))
             .input(scalar(1))
             .input(zero(2))
             .input(scalar(2))
             .input(zero(100))
             .input(numbers(DType::Int32, {1}, {4})),
         "uint8[1,1,2] 102 103"}, // ((3-1)·2 + 4) · 0.5 / 2 + 100
        {"QLinearConv saturates",
         OpCase("QLinearConv")
             .input(bytes({1, 1, 1}, {255}))
             .input(scalar(1))
             .input(zero(0))
             .input(bytes({1, 1, 1}, {255}))
             .input(scalar(1))
             .input(zero(0))
             .input(scalar(1))
             .input(zero(0)),
         "uint8[1,1,1] 255"},
        {"CastLike", OpCase("CastLike").input(floats({3}, {1.9, -1.9, NaN})).input(numbers(DType::Int32, {1}, {0})),
         "int32[3] 1 -1 0"},
    };
}

/// One input and one hidden number; weights and biases as [gates]. GRU: update, reset, hidden; LSTM: input, output,
/// forget, cell.
OpCase recurrent(const char* op, const std::vector<double>& w, const std::vector<double>& r,
                 const std::vector<double>& b, const std::vector<double>& x)
{
    const auto gates = static_cast<std::int64_t>(w.size());
    return OpCase(op)
        .input(floats({static_cast<std::int64_t>(x.size()), 1, 1}, x))
        .input(floats({1, gates, 1}, w))
        .input(floats({1, gates, 1}, r))
        .input(floats({1, 2 * gates}, b))
        .set("hidden_size", One);
}

std::vector<Row> recurrentRows()
{
    const auto gru = [](const std::vector<double>& x) {
        return recurrent("GRU", {0.5, -0.5, 1}, {0.25, 0.75, -1}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, x)
            .absent()
            .input(floats({1, 1, 1}, {0.5}));
    };
    const auto lstm = [] {
        return recurrent("LSTM", {0.5, -0.5, 1, 0.25}, {0.25, 0.75, -1, 0.5}, {0.1, 0.2, 0.3, 0.4, 0, 0, 0, 0.5},
                         {1, -1});
    };
    const auto rnn = [] { return recurrent("RNN", {0.5}, {0.25}, {0.3, 0}, {1, 2}); };
    return {
        {"GRU", gru({1, -1}), "float32[2,1,1,1] 0.602595 0.0737532"},
        {"GRU that resets behind the product", gru({1, -1}).set("linear_before_reset", One),
         "float32[2,1,1,1] 0.592474 0.040152"},
        {"GRU in reverse", gru({1, -1}).set("direction", std::string("reverse")),
         "float32[2,1,1,1] 0.286628 0.0437504"},
        {"LSTM", lstm(), "float32[2,1,1,1] 0.205902 0.275774"},
        {"LSTM with peepholes", lstm().absent().absent().absent().input(floats({1, 3}, {0.5, 1, -1})),
         "float32[2,1,1,1] 0.26938 0.308242"},
        {"RNN", rnn(), "float32[2,1,1,1] 0.664037 0.898813"},
        {"RNN with Relu and a clip", rnn().set("activations", std::vector<std::string> {"Relu"}).set("clip", 0.5),
         "float32[2,1,1,1] 0.5 0.5"},
        {"RNN stops at the length", rnn().input(numbers(DType::Int32, {1}, {1})), "float32[2,1,1,1] 0.664037 0"},
        {"RNN with the batch first",
         OpCase("RNN")
             .input(floats({1, 2, 1}, {1, 2}))
             .input(floats({1, 1, 1}, {0.5}))
             .input(floats({1, 1, 1}, {0.25}))
             .input(floats({1, 2}, {0.3, 0}))
             .set("layout", One),
         "float32[1,2,1,1] 0.664037 0.898813"},
        {"RNN of both directions",
         OpCase("RNN")
             .input(floats({2, 1, 1}, {1, 2}))
             .input(floats({2, 1, 1}, {0.5, -0.5}))
             .input(floats({2, 1, 1}, {0.25, 0.1}))
             .input(floats({2, 2}, {0.3, 0, 0, 0}))
             .set("direction", std::string("bidirectional")),
         "float32[2,2,1,1] 0.664037 -0.519868 0.898813 -0.761594"},
        {"RNN without an activation of that name", rnn().set("activations", std::vector<std::string> {"Cosine"}),
         "error"},
        {"RNN with too few lengths", rnn().input(numbers(DType::Int32, {2}, {1, 1})), "error"},
        {"GRU with weights of another operator", recurrent("GRU", {1, 1}, {1, 1}, {0, 0, 0, 0}, {1}), "error"},
    };
}

std::vector<Row> specialRows()
{
    const auto square = floats({1, 1, 2, 2}, {1, 2, 3, 4});
    return {
        {"HammingWindow", OpCase("HammingWindow").input(ints({}, {8})),
         "float32[8] 0.0869565 0.220669 0.543478 0.866288 1 0.866288 0.543478 0.220669"},
        {"HammingWindow, symmetric", OpCase("HammingWindow").input(ints({}, {4})).set("periodic", std::int64_t {0}),
         "float32[4] 0.0869565 0.771739 0.771739 0.0869565"},
        {"HammingWindow of nothing", OpCase("HammingWindow").input(ints({}, {0})), "float32[0]"},
        {"AffineGrid of the identity",
         OpCase("AffineGrid").input(floats({1, 2, 3}, {1, 0, 0, 0, 1, 0})).input(ints({4}, {1, 1, 1, 3})),
         "float32[1,1,3,2] -0.666667 0 0 0 0.666667 0"},
        {"AffineGrid with aligned corners",
         OpCase("AffineGrid")
             .input(floats({1, 2, 3}, {1, 0, 0.5, 0, 1, 0}))
             .input(ints({4}, {1, 1, 2, 2}))
             .set("align_corners", One),
         "float32[1,2,2,2] -0.5 -1 1.5 -1 -0.5 1 1.5 1"},
        {"MaxRoiPool of the whole picture",
         OpCase("MaxRoiPool").input(square).input(floats({1, 5}, {0, 0, 0, 1, 1})).set("pooled_shape", Ints {1, 1}),
         "float32[1,1,1,1] 4"},
        {"MaxRoiPool of a batch that is not there",
         OpCase("MaxRoiPool").input(square).input(floats({1, 5}, {1, 0, 0, 1, 1})).set("pooled_shape", Ints {1, 1}),
         "error"},
        {"RoiAlign of the whole picture",
         OpCase("RoiAlign")
             .input(square)
             .input(floats({1, 4}, {0, 0, 2, 2}))
             .input(ints({1}, {0}))
             .set("output_height", One)
             .set("output_width", One)
             .set("sampling_ratio", One),
         "float32[1,1,1,1] 2.5"},
        {"ConstantOfShape without a value", OpCase("ConstantOfShape").input(ints({2}, {1, 2})), "float32[1,2] 0 0"},
        {"ConstantOfShape of a negative size", OpCase("ConstantOfShape").input(ints({1}, {-1})), "error"},
        {"Constant of a number", OpCase("Constant").set("value_float", 2.5), "float32[] 2.5"},
        {"Constant of integers", OpCase("Constant").set("value_ints", Ints {3, 1}), "int64[2] 3 1"},
        {"SequenceConstruct", OpCase("SequenceConstruct").input(floats({1}, {1})).input(floats({2}, {2, 3})),
         "sequence(float32[1] 1; float32[2] 2 3)"},
        {"SequenceConstruct of two types", OpCase("SequenceConstruct").input(floats({1}, {1})).input(ints({1}, {1})),
         "error"},
        {"SequenceEmpty", OpCase("SequenceEmpty"), "sequence()"},
        {"OptionalGetElement", OpCase("OptionalGetElement").input(floats({1}, {4})), "float32[1] 4"},
        {"OptionalGetElement of nothing", OpCase("OptionalGetElement").absent(), "error"},
        {"Scatter of the oldest opsets",
         OpCase("Scatter", 9).input(floats({3}, {0, 0, 0})).input(ints({2}, {2, 0})).input(floats({2}, {5, 6})),
         "float32[3] 6 0 5"},
    };
}

} // namespace

/// Layers and what belongs to them. Expected numbers were worked out apart from these kernels.
class LayerKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layers_data()
    {
        addRows({reductionRows(), normalizationRows(), windowRows(), convolutionRows(), quantizedRows(),
                 recurrentRows(), specialRows()});
    }
    void layers() { compareRow(); }
};

QTEST_APPLESS_MAIN(LayerKernels)
#include "tst_layer_kernels.moc"
