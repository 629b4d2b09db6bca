#include "kernel_case.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;
using Int = std::int64_t;
using Text = std::string;

RuntimeValue sequence(std::size_t count)
{
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Sequence;
    value.sequenceDtype = DType::Float32;
    value.sequence.assign(count, HostTensor(DType::Float32, {1}));
    return value;
}

const auto one = floats({1}, {1});
const auto pair = floats({2}, {1, 2});
const auto three = floats({3}, {1, 2, 3});
const auto square = floats({2, 2}, {1, 2, 3, 4});
const auto picture = floats({1, 1, 2, 2}, {1, 2, 3, 4});

std::vector<Row> shapeRows()
{
    return {
        {"nothing to join", OpCase("Concat"), "Concat: there is nothing to join."},
        {"parts that differ", OpCase("Concat").input(square).input(floats({1, 3}, {1, 2, 3})).set("axis", Int {0}),
         "Concat: part 1 is float32[1,3], which does not fit float32[2,2] along axis 0."},
        {"sizes that leave something", OpCase("Split").input(three).input(ints({2}, {1, 1})),
         "Split: the sizes [1,1] do not fit axis 0 of float32[3]."},
        {"no parts", OpCase("Split").input(three).set("num_outputs", Int {0}), "Split: num_outputs is 0."},
        {"two open dimensions", OpCase("Reshape").input(pair).input(ints({2}, {-1, -1})),
         "Reshape: the shape [-1,-1] has more than one open dimension."},
        {"a dimension that does not divide", OpCase("Reshape").input(three).input(ints({2}, {2, -1})),
         "Reshape: float32[3] cannot have the shape [2,-1]."},
        {"a shape of another size", OpCase("Reshape").input(three).input(ints({1}, {4})),
         "Reshape: float32[3] cannot have the shape [4]."},
        {"no shape", OpCase("Reshape").input(three), "Reshape: no shape is given."},
        {"an axis behind the last", OpCase("Flatten").input(pair).set("axis", Int {3}),
         "Flatten: axis 3 is outside float32[2]."},
        {"an axis that is not there", OpCase("Squeeze").input(one).input(ints({1}, {4})),
         "Squeeze: axis 4 is outside a tensor of 1 dimensions."},
        {"an axis named twice", OpCase("Unsqueeze").input(one).input(ints({2}, {0, 0})),
         "Unsqueeze: an axis is named twice in [0,0]."},
        {"no axes", OpCase("Unsqueeze").input(one), "Unsqueeze: no axes are given."},
        {"what cannot repeat", OpCase("Expand").input(pair).input(ints({1}, {3})),
         "Expand: float32[2] does not broadcast to [3]."},
        {"fewer than no repeats", OpCase("Tile").input(pair).input(ints({1}, {-1})),
         "Tile: the repeats [-1] do not fit float32[2]."},
        {"a pad too large", OpCase("Pad").input(one).input(ints({2}, {0, 8589934592.0})), "Pad: a pad is too large."},
        {"a pad that takes too much", OpCase("Pad").input(one).input(ints({2}, {-1, -1})),
         "Pad: the pads of dimension 0 do not fit float32[1]."},
        {"a constant of another type", OpCase("Pad").input(one).input(ints({2}, {0, 1})).input(ints({}, {1})),
         "Pad: the constant is int64[] for float32[1]."},
        {"sizes for other axes", OpCase("CenterCropPad").input(square).input(ints({1}, {1})),
         "CenterCropPad: the shape has not one size for each axis."},
        {"no matrix", OpCase("EyeLike").input(three), "EyeLike: float32[3] is no matrix."},
        {"a range that stands still", OpCase("Range").input(ints({}, {0})).input(ints({}, {9})).input(ints({}, {0})),
         "Range: the step is 0."},
        {"a range of reals that stands still",
         OpCase("Range").input(floats({}, {0})).input(floats({}, {9})).input(floats({}, {0})), "Range: the step is 0."},
        {"three values", OpCase("OneHot").input(ints({1}, {0})).input(ints({}, {2})).input(three),
         "OneHot: float32[3] must hold the off and the on value."},
        {"a constant without a value", OpCase("Constant"), "Constant: there is no attribute with the value."},
    };
}

std::vector<Row> indexRows()
{
    return {
        {"indices of reals", OpCase("Gather").input(pair).input(one),
         "Gather: the indices are float32[1], no integers."},
        {"an index behind the last", OpCase("Gather").input(pair).input(ints({1}, {2})),
         "Gather: index 2 is outside a dimension of 2."},
        {"more indices than data",
         OpCase("GatherElements").input(square).input(ints({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0})).set("axis", Int {1}),
         "GatherElements: int64[3,3] does not lie inside float32[2,2]."},
        {"tuples too long", OpCase("GatherND").input(square).input(ints({1, 3}, {0, 0, 0})),
         "GatherND: int64[1,3] does not index into float32[2,2]."},
        {"a tuple outside", OpCase("GatherND").input(square).input(ints({1, 2}, {0, 2})),
         "GatherND: index 2 is outside float32[2,2]."},
        {"batches that differ", OpCase("GatherND").input(square).input(ints({1, 1}, {0})).set("batch_dims", Int {1}),
         "GatherND: int64[1,1] and float32[2,2] differ in their batch dimensions."},
        {"updates elsewhere", OpCase("ScatterElements").input(pair).input(ints({1}, {-3})).input(one),
         "ScatterElements: index -3 is outside float32[2]."},
        {"updates of another shape", OpCase("ScatterND").input(square).input(ints({1, 1}, {0})).input(three),
         "ScatterND: float32[3] must have the shape [1,2]."},
        {"updates of another type", OpCase("ScatterND").input(pair).input(ints({1, 1}, {0})).input(ints({1}, {0})),
         "ScatterND: int64[1] cannot update float32[2]."},
        {"a cache without batches", OpCase("TensorScatter").input(square).input(square).set("axis", Int {0}),
         "TensorScatter: float32[2,2] does not fit float32[2,2]."},
        {"a cache that is full", OpCase("TensorScatter").input(picture).input(picture).input(ints({1}, {1})),
         "TensorScatter: write index 1 runs over the cache."},
        {"more than there are", OpCase("TopK").input(pair).input(ints({1}, {3})), "TopK: k is 3 for float32[2]."},
        {"a condition of reals", OpCase("Where").input(one).input(one).input(one),
         "Where: the condition is float32[1], not bool."},
        {"a bound of another type", OpCase("Clip").input(one).input(ints({}, {0})),
         "Clip: a bound is int64[] for float32[1]."},
        {"too few lengths", OpCase("ReverseSequence").input(square).input(ints({1}, {1})),
         "ReverseSequence: int64[1] has not one length for each batch of float32[2,2]."},
        {"a position behind the last", OpCase("SequenceAt").input(sequence(2)).input(ints({}, {2})),
         "SequenceAt: position 2 is outside a sequence of 2."},
        {"of an empty one", OpCase("SequenceErase").input(sequence(0)),
         "SequenceErase: position -1 is outside a sequence of 0."},
        {"an insertion behind the end", OpCase("SequenceInsert").input(sequence(2)).input(one).input(ints({}, {3})),
         "SequenceInsert: position 3 is outside a sequence of 2."},
        {"no sequence", OpCase("SequenceAt").input(one).input(ints({}, {0})), "SequenceAt: input 0 is no sequence."},
        {"an empty sequence", OpCase("ConcatFromSequence").input(sequence(0)).set("axis", Int {0}),
         "ConcatFromSequence: the sequence is empty."},
        {"parts of no size", OpCase("SplitToSequence").input(pair).input(ints({}, {0})),
         "SplitToSequence: the size of a part is 0."},
        {"an empty optional", OpCase("OptionalGetElement").absent(), "OptionalGetElement: the optional is empty."},
    };
}

std::vector<Row> numberRows()
{
    return {
        {"no element type", OpCase("Cast").input(one).set("to", Int {0}),
         "Cast: the attribute 'to' names no element type."},
        {"a text that is no number", OpCase("Cast").input(texts({1}, {"abc"})).set("to", Int {1}),
         "Cast: \"abc\" is no number."},
        {"bits of another width", OpCase("BitCast").input(one).set("to", Int {7}),
         "BitCast: float32[1] has not the width of int64."},
        {"a shift to nowhere",
         OpCase("BitShift").input(ints({1}, {1})).input(ints({1}, {1})).set("direction", Text("UP")),
         "BitShift: attribute 'direction' is \"UP\"; it must be LEFT or RIGHT."},
        {"slopes of other channels", OpCase("PRelu", 6).input(square).input(three),
         "PRelu: float32[3] has not one slope for each channel of float32[2,2]."},
        {"gates of another shape", OpCase("SwiGLU").input(one).input(pair),
         "SwiGLU: float32[1] and float32[2] must have one shape."},
        {"an exponential of integers", OpCase("Softmax").input(ints({1}, {1})),
         "Softmax: the reference kernel does not compute int64 tensors."},
        {"scales of other places", OpCase("QuantizeLinear").input(floats({1, 2}, {1, 2})).input(three),
         "QuantizeLinear: the scale float32[3] does not fit float32[1,2]."},
        {"zero points without scales",
         OpCase("DequantizeLinear").input(ints({1}, {1})).input(floats({}, {1})).input(ints({2}, {0, 0})),
         "DequantizeLinear: zero points int64[2] and scales float32[] do not match."},
        {"an outcome of no input", OpCase("Einsum").input(pair).set("equation", Text("i->j")),
         "Einsum: the outcome names a dimension that no input has."},
        {"one dimension of two sizes", OpCase("Einsum").input(pair).input(three).set("equation", Text("i,i->i")),
         "Einsum: one dimension has the sizes 2 and 3."},
        {"a term too few", OpCase("Einsum").input(pair).input(pair).set("equation", Text("i->i")),
         "Einsum: the equation has not one term for each input."},
        {"no class", OpCase("NegativeLogLikelihoodLoss").input(square).input(ints({2}, {0, 2})),
         "NegativeLogLikelihoodLoss: target 2 is no class."},
        {"targets elsewhere", OpCase("SoftmaxCrossEntropyLoss").input(square).input(ints({3}, {0, 0, 0})),
         "SoftmaxCrossEntropyLoss: the targets int64[3] do not fit float32[2,2]."},
        {"vectors in Gemm", OpCase("Gemm").input(pair).input(pair),
         "Gemm: float32[2] and float32[2] are not both matrices."},
        {"no square", OpCase("Det").input(floats({1, 2}, {1, 2})), "Det: float32[1,2] holds no square matrices."},
        {"no rows to draw from", OpCase("Multinomial").input(one),
         "Multinomial: float32[1] holds no rows to draw from."},
        {"no frames", OpCase("STFT").input(floats({1, 4}, {1, 2, 3, 4})).input(ints({}, {0})),
         "STFT: float32[1,4] cannot be cut into frames of 0, 0 apart."},
        {"no signal", OpCase("DFT").input(floats({1, 3}, {1, 2, 3})), "DFT: float32[1,3] is no signal along axis 0."},
        {"flags beyond the axis",
         OpCase("Compress").input(pair).input(numbers(DType::Bool, {4}, {1, 0, 0, 1})).set("axis", std::int64_t {0}),
         "Compress: flag 3 is set, and there are 2 to choose from."},
        {"words in pictures", OpCase("StringNormalizer").input(texts({1, 1, 1}, {"a"})),
         "StringNormalizer: string[1,1,1] is neither [C] nor [1,C]."},
    };
}

std::vector<Row> layerRows()
{
    return {
        {"a bias of other channels", OpCase("Conv").input(picture).input(picture).input(three),
         "Conv: the bias float32[3] has not one number for each of 1 channels."},
        {"no columns", OpCase("Col2Im").input(picture).input(ints({2}, {2, 2})).input(ints({2}, {1, 1})),
         "Col2Im: float32[1,1,2,2] has not 4 columns of blocks of 1."},
        {"an index too few", OpCase("MaxUnpool").input(picture).input(ints({1}, {0})).set("kernel_shape", Ints {1, 1}),
         "MaxUnpool: int64[1] has not one index for each number of float32[1,1,2,2]."},
        {"an index outside the picture",
         OpCase("MaxUnpool").input(picture).input(ints({1, 1, 2, 2}, {0, 1, 2, 4})).set("kernel_shape", Ints {1, 1}),
         "MaxUnpool: index 4 lies outside [1,1,2,2]."},
        {"weights of other channels",
         OpCase("DeformConv").input(picture).input(picture).input(floats({1, 1, 1, 1}, {0})),
         "DeformConv: weights float32[1,1,2,2] or offsets float32[1,1,1,1] do not fit float32[1,1,2,2]."},
        {"no channels", OpCase("InstanceNormalization").input(floats({1, 0, 2}, {})).input(one).input(one),
         "InstanceNormalization: float32[1,0,2] has no channels."},
        {"groups that do not divide",
         OpCase("GroupNormalization").input(picture).input(one).input(one).set("num_groups", Int {2}),
         "GroupNormalization: scale float32[1] and bias do not fit float32[1,1,2,2] in 2 groups."},
        {"statistics of other channels",
         OpCase("BatchNormalization").input(picture).input(pair).input(pair).input(pair).input(pair),
         "BatchNormalization: float32[2] does not fit the channels of float32[1,1,2,2]."},
        {"a scale that does not repeat", OpCase("LayerNormalization").input(pair).input(three),
         "LayerNormalization: float32[3] does not broadcast to [2]."},
        {"no boxes", OpCase("NonMaxSuppression").input(one).input(one),
         "NonMaxSuppression: float32[1] and float32[1] are not boxes and their scores."},
        {"a region of no picture",
         OpCase("RoiAlign").input(picture).input(floats({1, 4}, {0, 0, 1, 1})).input(ints({1}, {1})),
         "RoiAlign: batch 1 is outside float32[1,1,2,2]."},
        {"more samples than bytes",
         OpCase("RoiAlign")
             .input(picture)
             .input(floats({1, 4}, {0, 0, 1, 1}))
             .input(ints({1}, {0}))
             .set("sampling_ratio", Int {1} << 40),
         "RoiAlign: region 0 takes more than 16,777,216 samples: its size, its scale or sampling_ratio is too large."},
        {"regions of another kind", OpCase("MaxRoiPool").input(picture).input(square).set("pooled_shape", Ints {1, 1}),
         "MaxRoiPool: float32[2,2] are not regions of float32[1,1,2,2]."},
        {"a grid of other pictures", OpCase("GridSample").input(picture).input(one),
         "GridSample: the grid float32[1] does not fit float32[1,1,2,2]."},
        {"matrices of another size", OpCase("AffineGrid").input(square).input(ints({4}, {1, 1, 2, 2})),
         "AffineGrid: the matrices float32[2,2] do not fit the size [1,1,2,2]."},
        {"heads that do not divide",
         OpCase("Attention")
             .input(floats({1, 1, 3}, {1, 2, 3}))
             .input(picture)
             .input(picture)
             .set("q_num_heads", Int {2}),
         "Attention: float32[1,1,3] does not divide into 2 heads."},
        {"keys of another size", OpCase("Attention").input(picture).input(floats({1, 1, 2, 1}, {1, 2})).input(picture),
         "Attention: the queries, keys and values do not fit each other."},
        {"a mask that does not repeat",
         OpCase("Attention").input(picture).input(picture).input(picture).input(floats({3, 2}, {0, 0, 0, 0, 0, 0})),
         "Attention: the mask float32[3,2] does not broadcast to [1,1,2,2]."},
        {"angles of another size", OpCase("RotaryEmbedding").input(picture).input(pair).input(pair),
         "RotaryEmbedding: the angles float32[2] do not fit float32[1,1,2,2]."},
        {"a past of another size", OpCase("LinearAttention").input(picture).input(picture).input(picture).input(one),
         "LinearAttention: the past state float32[1] does not fit."},
        {"numbers of another bias",
         OpCase("RNN")
             .input(floats({1, 1, 1}, {1}))
             .input(floats({1, 1, 1}, {1}))
             .input(floats({1, 1, 1}, {1}))
             .input(one),
         "RNN: input 3 is float32[1]; 2 numbers are needed."},
        {"zero points of other rows",
         OpCase("MatMulInteger")
             .input(ints({2, 2}, {1, 2, 3, 4}))
             .input(ints({2, 2}, {1, 2, 3, 4}))
             .input(ints({3}, {0, 0, 0})),
         "MatMulInteger: the zero points int64[3] do not fit int64[2,2]."},
    };
}

std::vector<Row> movementRows()
{
    const auto cut = [](Ints starts, Ints ends) {
        const auto list = [](const Ints& all) {
            return ints({std::ssize(all)}, std::vector<double>(all.begin(), all.end()));
        };
        return OpCase("Slice").input(three).input(list(starts)).input(list(ends));
    };
    const auto blocks = [](const char* op, Int size) { return OpCase(op).input(picture).set("blocksize", size); };
    const double huge = 4611686018427387904.0; // 2^62
    return {
        {"a start without an end", cut({0, 1}, {2}), "Slice: starts and ends do not match."},
        {"a start without an axis", cut({0, 0}, {1, 1}).input(ints({1}, {0})),
         "Slice: starts, axes and steps do not match in length."},
        {"a cut that stands still", cut({0}, {1}).input(ints({1}, {0})).input(ints({1}, {0})), "Slice: a step is 0."},
        {"a permutation of fewer dimensions", OpCase("Transpose").input(square).set("perm", Ints {0}),
         "Transpose: [0] does not permute the dimensions of float32[2,2]."},
        {"a permutation that names one twice", OpCase("Transpose").input(square).set("perm", Ints {1, 1}),
         "Transpose: [1,1] does not permute the dimensions of float32[2,2]."},
        {"too few channels for blocks", blocks("DepthToSpace", 2),
         "DepthToSpace: [1,1,2,2] has no depth to move into blocks of 2."},
        {"blocks of nothing", blocks("DepthToSpace", 0),
         "DepthToSpace: [1,1,2,2] has no depth to move into blocks of 0."},
        {"pictures that blocks do not divide", blocks("SpaceToDepth", 3),
         "SpaceToDepth: [1,1,2,2] does not divide into blocks of 3."},
        {"one pad for two ends", OpCase("Pad").input(pair).input(ints({1}, {0})),
         "Pad: the pads need two numbers for each dimension."},
        {"a mode that no pad has", OpCase("Pad").input(pair).input(ints({2}, {0, 0})).set("mode", Text("spiral")),
         "Pad: there is no mode 'spiral'."},
        {"a cut to less than nothing", OpCase("CenterCropPad").input(pair).input(ints({1}, {-1})).set("axes", Ints {0}),
         "CenterCropPad: the shape [-1] is no shape to cut to."},
        {"repetitions beyond counting", OpCase("Tile").input(pair).input(ints({1}, {huge})),
         "Tile: the outcome is too large."},
        {"a range beyond counting",
         OpCase("Range").input(ints({}, {-huge})).input(ints({}, {huge})).input(ints({}, {1})),
         "Range: it has more elements than can be counted."},
        {"a choice between types",
         OpCase("Where").input(numbers(DType::Bool, {1}, {1})).input(one).input(ints({1}, {1})),
         "Where: float32[1] and int64[1] differ in type."},
        {"places beside the updates", OpCase("ScatterElements").input(three).input(ints({2}, {0, 1})).input(one),
         "ScatterElements: int64[2] and float32[1] do not lie inside float32[3]."},
        {"one place for two batches",
         OpCase("TensorScatter", 24)
             .input(floats({2, 2}, {1, 2, 3, 4}))
             .input(floats({2, 1}, {5, 6}))
             .input(ints({1}, {0}))
             .set("axis", Int {1}),
         "TensorScatter: there is not one write index for each batch."},
        {"text in a sequence of numbers", OpCase("SequenceInsert").input(sequence(1)).input(texts({1}, {"a"})),
         "SequenceInsert: string[1] does not fit the sequence's type."},
        {"words in three dimensions",
         OpCase("TfIdfVectorizer")
             .input(texts({1, 1, 1}, {"a"}))
             .set("pool_strings", std::vector<Text> {"a"})
             .set("ngram_counts", Ints {0})
             .set("ngram_indexes", Ints {0}),
         "TfIdfVectorizer: string[1,1,1] is neither a row nor rows."},
    };
}

std::vector<Row> attributeRows()
{
    const auto recurrent = [](const char* op, Int gates) {
        return OpCase(op)
            .input(floats({1, 1, 1}, {1}))
            .input(floats({1, gates, 1}, std::vector<double>(static_cast<std::size_t>(gates), 1)))
            .input(floats({1, gates, 1}, std::vector<double>(static_cast<std::size_t>(gates), 1)));
    };
    const auto byte = numbers(DType::UInt8, {1, 1}, {1});
    const auto zero = numbers(DType::UInt8, {}, {0});
    return {
        {"a row is no picture", OpCase("Conv").input(pair).input(pair),
         "Conv: float32[2] has no spatial dimensions after batch and channels."},
        {"pads of one end", OpCase("MaxPool").input(picture).set("kernel_shape", Ints {2, 2}).set("pads", Ints {1}),
         "MaxPool: pads [1] need two numbers a dimension."},
        {"output_padding of one dimension",
         OpCase("ConvTranspose").input(picture).input(picture).set("output_padding", Ints {1}),
         "ConvTranspose: output_padding has not one number for each dimension."},
        {"pads larger than what is made",
         OpCase("ConvTranspose").input(picture).input(picture).set("pads", Ints {9, 9, 9, 9}),
         "ConvTranspose: the pads leave nothing of float32[1,1,2,2]."},
        {"the largest place of none", OpCase("ArgMax").input(floats({0}, {})),
         "ArgMax: float32[0] has nothing to choose from."},
        {"a scale for one of four axes", OpCase("Resize").input(picture).absent().input(one),
         "Resize: there is not one scale for each axis of float32[1,1,2,2]."},
        {"a picture turned over", OpCase("Resize").input(picture).absent().input(floats({4}, {1, 1, -1, 1})),
         "Resize: the size of dimension 2 makes no sense."},
        {"two letters for one dimension", OpCase("Einsum").input(pair).set("equation", Text("ij->i")),
         "Einsum: the term \"ij\" does not name 1 dimensions."},
        {"two dots", OpCase("Einsum").input(pair).set("equation", Text("..i->i")),
         "Einsum: the term \"..i\" does not fit its input."},
        {"weights for three of two classes",
         OpCase("NegativeLogLikelihoodLoss").input(square).input(ints({2}, {0, 1})).input(three),
         "NegativeLogLikelihoodLoss: the weights float32[3] are not one for each class."},
        {"a cell without weights", OpCase("RNN").input(one).input(one).input(one),
         "RNN: float32[1], float32[1] and float32[1] are not the inputs of this operator."},
        {"an activation of no such name", recurrent("RNN", 1).set("activations", std::vector<Text> {"Cube"}),
         "RNN: \"Cube\" is no activation."},
        {"one of two activations", recurrent("GRU", 3).set("activations", std::vector<Text> {"Tanh"}),
         "GRU: there are too few activations."},
        {"lengths for two items of one", recurrent("RNN", 1).absent().input(numbers(DType::Int32, {2}, {1, 1})),
         "RNN: there is not one length for each batch."},
        {"offsets for a row", OpCase("DeformConv").input(three).input(three).input(three),
         "DeformConv: only pictures of two dimensions are computed here."},
        {"blocks that end too early",
         OpCase("DequantizeLinear", 21)
             .input(numbers(DType::Int8, {6}, {1, 2, 3, 4, 5, 6}))
             .input(floats({2}, {2, 2}))
             .set("axis", Int {0})
             .set("block_size", Int {2}),
         "DequantizeLinear: the blocks of float32[2] do not cover int8[6]."},
        {"a product without a scale",
         OpCase("QLinearMatMul")
             .input(byte)
             .input(floats({0}, {}))
             .input(zero)
             .input(byte)
             .input(one)
             .input(zero)
             .input(one)
             .input(zero),
         "QLinearMatMul: a scale is empty."},
        {"a transform of nothing", OpCase("DFT").input(floats({1, 2, 1}, {1, 2})).input(ints({}, {0})),
         "DFT: the length of the transform is 0."},
        {"a row has no determinant", OpCase("Det").input(pair),
         "Det: float32[2] has too few dimensions; at least 2 are needed."},
    };
}

std::vector<Row> named(std::vector<Row> rows, std::vector<std::string>& texts)
{
    texts.reserve(rows.size());
    for (Row& row : rows)
        row.outcome = texts.emplace_back("error: node 'node': " + std::string(row.outcome)).c_str();
    return rows;
}

} // namespace

/// What kernels say of nodes that they cannot compute: no input of any shape makes them read or write elsewhere.
class RefusedKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data()
    {
        std::vector<std::string> texts[6];
        addRows({named(shapeRows(), texts[0]), named(indexRows(), texts[1]), named(numberRows(), texts[2]),
                 named(layerRows(), texts[3]), named(movementRows(), texts[4]), named(attributeRows(), texts[5])});
    }
    void kernels() { compareRow(); }
};

QTEST_APPLESS_MAIN(RefusedKernels)
#include "tst_refused_kernels.moc"
