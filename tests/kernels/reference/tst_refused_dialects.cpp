#include "kernel_case.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;
using Int = std::int64_t;
using Text = std::string;

const auto one = floats({1}, {1});
const auto pair = floats({2}, {1, 2});
const auto three = floats({3}, {1, 2, 3});
const auto square = floats({2, 2}, {1, 2, 3, 4});
const auto cube = floats({1, 2, 2}, {1, 2, 3, 4});
const auto picture = floats({1, 1, 2, 2}, {1, 2, 3, 4});

OpCase mxnet(const char* op)
{
    return OpCase(op, 10500, "mxnet");
}

/// What MXNet has, and ONNX's counterpart has not.
std::vector<Row> mxnetRows()
{
    const auto pool = [](const char* kind) {
        return mxnet("Pooling").input(picture).set("kernel", Ints {2, 2}).set("pool_type", Text(kind));
    };
    const auto convolution = [](const char* op) { return mxnet(op).input(picture).input(picture); };
    return {
        {"pools of another kind", pool("sum"),
         "error: node 'node': mxnet::Pooling: this kind of pooling is not computed."},
        {"pools that keep the size", pool("max").set("pooling_convention", Text("same")),
         "error: node 'node': mxnet::Pooling: this kind of pooling is not computed."},
        {"a mean over windows that are cut off",
         mxnet("Pooling")
             .input(floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}))
             .set("kernel", Ints {2, 2})
             .set("stride", Ints {2, 2})
             .set("pool_type", Text("avg"))
             .set("pooling_convention", Text("full")),
         "error: node 'node': mxnet::Pooling: averages over windows that are cut off are not computed."},
        {"the largest of windows that are cut off",
         mxnet("Pooling")
             .input(floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}))
             .set("kernel", Ints {2, 2})
             .set("stride", Ints {2, 2})
             .set("pooling_convention", Text("full")),
         "float32[1,1,2,2] 5 6 8 9"},
        {"channels behind the picture",
         convolution("Convolution").set("kernel", Ints {2, 2}).set("layout", Text("NHWC")),
         "error: node 'node': mxnet::Convolution: only layouts with the channels first are computed."},
        {"no kernel", convolution("Convolution"),
         "error: node 'node': mxnet::Convolution: only layouts with the channels first are computed."},
        {"a shape that is aimed at",
         convolution("Deconvolution").set("kernel", Ints {2, 2}).set("target_shape", Ints {4, 4}),
         "error: node 'node': mxnet::Deconvolution: target_shape is not computed."},
        {"weights in a row", mxnet("FullyConnected").input(pair).input(pair),
         "error: node 'node': mxnet::FullyConnected: its weights are no matrix."},
        {"a softmax at a temperature", mxnet("softmax").input(pair).set("temperature", 2.0),
         "error: node 'node': mxnet::softmax: this kind of softmax is not computed."},
        {"a softmax at its own temperature", mxnet("softmax").input(floats({2}, {0, 0})).set("temperature", 1.0),
         "float32[2] 0.5 0.5"},
        {"averages along another axis",
         mxnet("BatchNorm").input(picture).input(one).input(one).input(one).input(one).set("axis", Int {3}),
         "error: node 'node': mxnet::BatchNorm: only axis 1 is computed."},
        {"a number in a product", mxnet("dot").input(floats({}, {2})).input(pair),
         "error: node 'node': mxnet::dot: a scalar cannot be multiplied."},
        {"a cube that is turned", mxnet("dot").input(cube).input(square).set("transpose_a", true),
         "error: node 'node': mxnet::dot: only matrices are transposed."},
    };
}

std::vector<Row> attentionRows()
{
    const auto heads = floats({1, 1, 1, 2}, {1, 2}); // batch, head, place, number
    const auto attention = [&] { return OpCase("Attention", 23).input(heads).input(heads).input(heads); };
    const auto rotary = [&] { return OpCase("RotaryEmbedding", 23).input(heads); };
    const auto linear = [&] {
        return OpCase("LinearAttention", 24)
            .input(cube)
            .input(cube)
            .input(cube)
            .set("q_num_heads", Int {1})
            .set("kv_num_heads", Int {1});
    };
    return {
        {"a past of another width",
         attention().absent().input(floats({1, 1, 1, 3}, {1, 2, 3})).input(floats({1, 1, 1, 3}, {1, 2, 3})),
         "error: node 'node': Attention: the past float32[1,1,1,3] does not fit the new entries."},
        {"angles for other places",
         rotary().input(floats({2, 1}, {1, 1})).input(floats({2, 1}, {0, 0})).input(ints({1, 2}, {0, 1})),
         "error: node 'node': RotaryEmbedding: there is not one position for each place."},
        {"a position behind the angles",
         rotary().input(floats({1, 1}, {1})).input(floats({1, 1}, {0})).input(ints({1, 1}, {1})),
         "error: node 'node': RotaryEmbedding: position 1 has no angles."},
        {"a gate for other keys", linear().absent().input(floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})),
         "error: node 'node': LinearAttention: the gate float32[1,2,3] does not fit the keys."},
        {"a state of another kernel",
         OpCase("CausalConvWithState", 24)
             .input(cube)
             .input(floats({2, 1, 2}, {1, 1, 1, 1}))
             .absent()
             .input(floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})),
         "error: node 'node': CausalConvWithState: the weights float32[2,1,2], the bias or the state do not fit "
         "float32[1,2,2]."},
    };
}

std::vector<Row> vendorRows()
{
    const auto microsoft = [](const char* op) { return OpCase(op, 1, "com.microsoft"); };
    const auto training = [](const char* op) { return OpCase(op, 1, "ai.onnx.preview.training"); };
    const auto aten = [](const char* op) { return OpCase(op, 1, "aten"); };
    const auto embedding = [&](const RuntimeValue& words, const RuntimeValue& places) {
        return microsoft("EmbedLayerNormalization")
            .input(ints({1, 1}, {0}))
            .input(ints({1, 1}, {0}))
            .input(words)
            .input(places);
    };
    return {
        {"batches that change places", microsoft("FusedMatMul").input(square).input(square).set("transBatchA", Int {1}),
         "error: node 'node': com.microsoft::FusedMatMul: transposed batches are not computed here."},
        {"words without rows", embedding(pair, square),
         "error: node 'node': com.microsoft::EmbedLayerNormalization: int64[1,1] and float32[2] are not ids and their "
         "rows."},
        {"segments of another width", embedding(square, square).input(floats({1, 3}, {1, 2, 3})),
         "error: node 'node': com.microsoft::EmbedLayerNormalization: the segment table does not fit."},
        {"statistics of rows", microsoft("SkipLayerNormalization").input(square).input(square).input(pair).outputs(2),
         "error: node 'node': com.microsoft::SkipLayerNormalization: the statistics of the rows are not computed "
         "here."},
        {"a momentum of another size",
         training("Momentum").input(floats({}, {0.1})).input(ints({}, {0})).input(pair).input(pair).input(three),
         "error: node 'node': ai.onnx.preview.training::Momentum: float32[3] does not belong to float32[2]."},
        {"a weight without its gradient",
         training("Momentum").input(floats({}, {0.1})).input(ints({}, {0})).input(pair).input(pair),
         "error: node 'node': ai.onnx.preview.training::Momentum: the number of inputs is wrong."},
        {"slices at fewer places",
         aten("index_add").input(three).input(ints({2}, {0, 1})).input(three).set("axis", Int {0}),
         "error: node 'node': aten::index_add: float32[3] cannot be added to float32[3] at 2 indices."},
        {"a cross product in the plane", aten("linalg_cross").input(pair).input(pair),
         "error: node 'node': aten::linalg_cross: a cross product needs an axis of 3."},
        {"a cross product in space", aten("linalg_cross").input(three).input(floats({3}, {0, 0, 1})),
         "float32[3] 2 -1 0"},
    };
}

} // namespace

/// What kernels of other dialects, of attention and of training say of nodes that they cannot compute.
class RefusedDialects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data() { addRows({mxnetRows(), attentionRows(), vendorRows()}); }
    void kernels() { compareRow(); }
};

QTEST_APPLESS_MAIN(RefusedDialects)
#include "tst_refused_dialects.moc"
