#include "tests/kernels/common/gradient_cases.h"

namespace plimsoll::test {
namespace {

using Case = GradientCase;

#define ONE(op) #op, "input a float64[2,3]\ny = " #op "(a)", "a"
#define TWO(op) #op, "input a float64[2,3]\ninput b float64[3]\ny = " #op "(a, b)", "a b"
#define WRITE_ONE(op) #op "_", "input x float64[2,3]\na0 = Sin(x)\ny = plimsoll::" #op "_(a0)", "x"
#define WRITE_TWO(op)                                                                                                  \
#op "_", "input x float64[2,3]\ninput b float64[3]\na0 = Neg(x)\ny = plimsoll::" #op "_(a0, b)", "x b"
#define REDUCE(op) #op, "input a float64[2,3,2]\nconst axes int64[1] = 1\ny = " #op "(a, axes) keepdims=0", "a"

const std::vector<Case> elementwiseCases = {
    {TWO(Add)},
    {TWO(Sub)},
    {"Sum of three", "input a float64[2,3]\ninput b float64[3]\ny = Sum(a, b, a)", "a b"},
    {TWO(Mul)},
    {"Mul, one operand repeated along two axes", "input a float64[2,1,3]\ninput b float64[4,1]\ny = Mul(a, b)", "a b"},
    {"Mul by a number", "input a float64[2,3]\nconst k float64[] = 3\ny = Mul(a, k)", "a"},
    {"Mul of a number", "input a float64[2,3]\nconst k float64[] = 3\ny = Mul(k, a)", "a"},
    {"the square", "input a float64[2,3]\ny = Mul(a, a)", "a"},
    {TWO(Div)},
    {"Div by a number", "input a float64[2,3]\nconst k float64[] = 3\ny = Div(a, k)", "a"},
    {"Mod", "input a float64[2,3]\ninput b float64[3]\ny = Mod(a, b) fmod=1", "a b", 1.1, 1.9},
    {TWO(Pow), 0.5, 2},
    {"Pow by a number", "input a float64[2,3]\nconst k float64[] = 3\ny = Pow(a, k)", "a"},
    {TWO(Max)},
    {TWO(Min)},
    {"Where", "input a float64[2,3]\ninput b float64[3]\nconst c bool[2,3] = 1 0 1 0 0 1\ny = Where(c, a, b)", "a b"},
    {TWO(PRelu)},
    {"SwiGLU", "input a float64[2,3]\ninput b float64[2,3]\ny = SwiGLU(a, b) alpha=1.5", "a b"},
    {"addcmul", "input a float64[2,3]\ninput b float64[3]\ninput c float64[2,1]\ny = aten::addcmul(a, b, c) value=2.0",
     "a b c"},
    {"addcdiv", "input a float64[2,3]\ninput b float64[3]\ninput c float64[2,1]\ny = aten::addcdiv(a, b, c) value=2.0",
     "a b c", 0.5, 2},
    {"lerp", "input a float64[2,3]\ninput b float64[3]\ninput c float64[2,1]\ny = aten::lerp(a, b, c)", "a b c"},
    {"sigmoid_backward", "input a float64[2,3]\ninput b float64[2,3]\ny = aten::sigmoid_backward(a, b)", "a b"},
    {ONE(Neg)},
    {ONE(Abs)},
    {ONE(Exp)},
    {ONE(Log), 0.5, 2},
    {ONE(Sqrt), 0.5, 2},
    {ONE(Reciprocal)},
    {ONE(Sin)},
    {ONE(Cos)},
    {ONE(Tan), -1, 1},
    {ONE(Asin), -0.9, 0.9},
    {ONE(Acos), -0.9, 0.9},
    {ONE(Atan)},
    {ONE(Sinh)},
    {ONE(Cosh)},
    {ONE(Asinh)},
    {ONE(Acosh), 1.5, 3},
    {ONE(Atanh), -0.9, 0.9},
    {ONE(Erf)},
    {ONE(Relu)},
    {ONE(Sigmoid)},
    {ONE(Tanh)},
    {ONE(Gelu)},
    {ONE(Swish)},
    {ONE(Mish)},
    {ONE(Softplus)},
    {ONE(Softsign)},
    {ONE(LeakyRelu)},
    {ONE(Elu)},
    {ONE(Celu)},
    {ONE(Selu)},
    {ONE(ThresholdedRelu)},
    {ONE(HardSigmoid), -4, 4},
    {ONE(HardSwish), -5, 5},
    {"Gelu by tanh", "input a float64[2,3]\ny = Gelu(a) approximate=\"tanh\"", "a"},
    {"Clip", "input a float64[2,3]\nconst l float64[] = -0.7\nconst h float64[] = 0.9\ny = Clip(a, l, h)", "a"},
    {"Clip above", "input a float64[2,3]\nconst h float64[] = 0.9\ny = Clip(a, _, h)", "a"},
};

const std::vector<Case> matrixCases = {
    {"mm", "input a float64[2,3]\ninput b float64[3,4]\ny = MatMul(a, b)", "a b"},
    {"bmm", "input a float64[2,2,3]\ninput b float64[2,3,4]\ny = MatMul(a, b)", "a b"},
    {"mv", "input a float64[2,3]\ninput b float64[3]\ny = MatMul(a, b)", "a b"},
    {"dot", "input a float64[3]\ninput b float64[3]\ny = MatMul(a, b)", "a b"},
    {"MatMul, batches repeated", "input a float64[2,1,2,3]\ninput b float64[2,3,4]\ny = MatMul(a, b)", "a b"},
    {"MatMul, a row on the left", "input a float64[3]\ninput b float64[2,3,4]\ny = MatMul(a, b)", "a b"},
    {"MatMul, a column on the right", "input a float64[2,2,3]\ninput b float64[3]\ny = MatMul(a, b)", "a b"},
    {"matmul", "input a float64[2,3]\ninput b float64[3,4]\ny = aten::matmul(a, b)", "a b"},
    {"Gemm",
     "input a float64[3,2]\ninput b float64[4,3]\ninput c float64[4]\ny = Gemm(a, b, c) transA=1 transB=1 alpha=2.0 "
     "beta=3.0",
     "a b c"},
    {"Gemm, plain", "input a float64[2,3]\ninput b float64[3,4]\ny = Gemm(a, b)", "a b"},
    {"baddbmm",
     "input a float64[2,4]\ninput b float64[3,2,3]\ninput c float64[3,3,4]\ny = aten::baddbmm(a, b, c) alpha=2.0 "
     "beta=3.0",
     "a b c"},
    {"addbmm",
     "input a float64[2,4]\ninput b float64[3,2,3]\ninput c float64[3,3,4]\ny = aten::addbmm(a, b, c) alpha=2.0",
     "a b c"},
    {"addmv", "input a float64[2]\ninput b float64[2,3]\ninput c float64[3]\ny = aten::addmv(a, b, c) beta=3.0",
     "a b c"},
    {"addr", "input a float64[2,3]\ninput b float64[2]\ninput c float64[3]\ny = aten::addr(a, b, c) alpha=2.0",
     "a b c"},
    {"ger", "input a float64[2]\ninput b float64[3]\ny = aten::ger(a, b)", "a b"},
    {"cross", "input a float64[2,3]\ninput b float64[2,3]\ny = aten::linalg_cross(a, b)", "a b"},
    {"trilinear",
     "input a float64[2,1,3]\ninput b float64[1,2,3]\ninput c float64[2,2,3]\ny = aten::_trilinear(a, b, c) axes=[2]",
     "a b c"},
};

const std::vector<Case> movementCases = {
    {ONE(Identity)},
    {"Cast", "input a float64[2,3]\ny = Cast(a) to=11", "a"},
    {"Reshape", "input a float64[2,3]\nconst s int64[2] = 3 2\ny = Reshape(a, s)", "a"},
    {"Reshape of what is repeated",
     "input a float64[2,3]\nconst s int64[1] = 6\nr = Reshape(a, s)\nconst t int64[2] = 2 3\nu = Reshape(r, t)\nconst "
     "x int64[1] = 1\ny = ReduceSum(u, x) keepdims=0",
     "a"},
    {ONE(Flatten)},
    {"Squeeze", "input a float64[2,1,3]\nconst x int64[1] = 1\ny = Squeeze(a, x)", "a"},
    {"Unsqueeze", "input a float64[2,3]\nconst x int64[1] = 1\ny = Unsqueeze(a, x)", "a"},
    {"Expand", "input a float64[2,1]\nconst s int64[3] = 2 2 3\ny = Expand(a, s)", "a"},
    {"Transpose", "input a float64[2,3,2]\ny = Transpose(a) perm=[2,0,1]", "a"},
    {"Slice",
     "input a float64[4,5]\nconst s int64[2] = 3 1\nconst e int64[2] = 0 5\nconst x int64[2] = 0 1\nconst t int64[2] = "
     "-1 2\ny = Slice(a, s, e, x, t)",
     "a"},
    {"Pad", "input a float64[2,3]\nconst p int64[4] = 1 0 0 2\ny = Pad(a, p)", "a"},
    {"Resize to the nearest", "input a float64[1,1,3,4]\nconst k int64[4] = 1 1 5 2\ny = Resize(a, _, _, k)", "a"},
    {"Resize, linear", "input a float64[1,1,3,4]\nconst k int64[4] = 1 1 5 2\ny = Resize(a, _, _, k) mode=\"linear\"",
     "a"},
    {"Resize, cubic and what is outside left out",
     "input a float64[1,1,4,3]\nconst k int64[4] = 1 1 3 7\ny = Resize(a, _, _, k) mode=\"cubic\" exclude_outside=1",
     "a"},
    {"Resize with scales and smoothed",
     "input a float64[1,1,5,4]\nconst s float32[4] = 1 1 0.5 2\ny = Resize(a, _, s) mode=\"linear\" antialias=1", "a",
     -1.5, 1.5, false},
    {"Resize of a part, and of what is outside of it",
     "input a float64[1,1,4,4]\nconst r float32[8] = 0 0 0.2 0.4 1 1 0.7 1.3\nconst k int64[4] = 1 1 3 5\n"
     "y = Resize(a, r, _, k) mode=\"linear\" coordinate_transformation_mode=\"tf_crop_and_resize\"",
     "a", -1.5, 1.5, false},
    {"Upsample", "opset 9\ninput a float64[1,1,2,3]\nconst s float32[4] = 1 1 2 3\ny = Upsample(a, s) mode=\"linear\"",
     "a"},
    {"Pad by reflection", "input a float64[2,3]\nconst p int64[4] = 0 2 0 1\ny = Pad(a, p) mode=\"reflect\"", "a"},
    {"Concat", "input a float64[2,3]\ninput b float64[2,2]\ny = Concat(a, b, a) axis=1", "a b"},
    {"Split",
     "input a float64[2,5]\nconst s int64[2] = 2 3\np, q0 = Split(a, s) axis=1\nr = Mul(q0, q0)\ny = Concat(p, r) "
     "axis=1",
     "a"},
    {"Split, one part used", "input a float64[2,5]\nconst s int64[2] = 2 3\np, y = Split(a, s) axis=1", "a"},
    {"Tile", "input a float64[2,3]\nconst r int64[2] = 2 1\ny = Tile(a, r)", "a"},
    {"DepthToSpace", "input a float64[1,4,1,2]\ny = DepthToSpace(a) blocksize=2", "a"},
    {"SpaceToDepth", "input a float64[1,1,2,4]\ny = SpaceToDepth(a) blocksize=2", "a"},
    {"CumSum", "input a float64[2,3]\nconst x int64[] = 1\ny = CumSum(a, x)", "a"},
    {"CumSum, exclusive and backwards",
     "input a float64[2,3]\nconst x int64[] = 0\ny = CumSum(a, x) exclusive=1 reverse=1", "a"},
    {"Trilu", "input a float64[3,3]\ny = Trilu(a) upper=0", "a"},
    {"Gather", "input a float64[4,3]\nconst i int64[3] = 2 0 2\ny = Gather(a, i)", "a"},
    {"GatherElements", "input a float64[2,3]\nconst i int64[2,2] = 2 0 1 1\ny = GatherElements(a, i) axis=1", "a"},
    {"index_add", "input a float64[4,3]\nconst i int64[2] = 2 2\ninput b float64[2,3]\ny = aten::index_add(a, i, b)",
     "a b"},
    {"scatter_add",
     "input a float64[2,3]\nconst i int64[2,2] = 2 0 1 1\ninput b float64[2,2]\ny = ScatterElements(a, i, b) axis=1 "
     "reduction=\"add\"",
     "a b"},
    {REDUCE(ReduceSum)},
    {REDUCE(ReduceMean)},
    {REDUCE(ReduceSumSquare)},
    {REDUCE(ReduceL1)},
    {REDUCE(ReduceL2)},
    {REDUCE(ReduceLogSum), 0.5, 2},
    {REDUCE(ReduceLogSumExp)},
    {REDUCE(ReduceProd)},
    {REDUCE(ReduceMax)},
    {REDUCE(ReduceMin)},
    {"ReduceMean, axes kept", "input a float64[2,3]\nconst axes int64[1] = -1\nm = ReduceMean(a, axes)\ny = Sub(a, m)",
     "a"},
};

const std::vector<Case> layerCases = {
    {"Conv",
     "input a float64[1,2,4,4]\ninput b float64[3,2,3,2]\ninput c float64[3]\ny = Conv(a, b, c) strides=[2,1] "
     "pads=[1,0,1,1]",
     "a b c"},
    {"Conv in groups, dilated", "input a float64[2,4,5]\ninput b float64[2,2,2]\ny = Conv(a, b) group=2 dilations=[2]",
     "a b"},
    {"ConvTranspose",
     "input a float64[1,2,3,2]\ninput b float64[2,2,2,3]\ninput c float64[2]\ny = ConvTranspose(a, b, c) strides=[2,1] "
     "pads=[0,1,1,1]",
     "a b c"},
    {"MaxPool", "input a float64[1,2,4,4]\ny = MaxPool(a) kernel_shape=[3,2] strides=[1,2] pads=[1,0,1,0]", "a"},
    {"AveragePool", "input a float64[1,2,4,4]\ny = AveragePool(a) kernel_shape=[3,2] strides=[1,2] pads=[1,0,1,0]",
     "a"},
    {"AveragePool with its pads",
     "input a float64[1,2,4,4]\ny = AveragePool(a) kernel_shape=[3,2] pads=[1,0,1,0] count_include_pad=1", "a"},
    {"GlobalAveragePool", "input a float64[2,2,2,3]\ny = GlobalAveragePool(a)", "a"},
    {"Softmax", "input a float64[2,3]\nw = Softmax(a)\ny = Mul(w, a)", "a"},
    {"LogSoftmax", "input a float64[2,3]\ny = LogSoftmax(a) axis=0", "a"},
    {"LayerNormalization",
     "input a float64[2,4]\ninput b float64[4]\ninput c float64[4]\nn = LayerNormalization(a, b, c)\ny = Mul(n, a)",
     "a b c"},
    {"RMSNormalization", "input a float64[2,4]\ninput b float64[4]\nn = RMSNormalization(a, b)\ny = Mul(n, a)", "a b"},
    {"BatchNormalization in training",
     "input a float64[3,2,2]\ninput b float64[2]\ninput c float64[2]\nconst m float64[2] = 0 0\nconst v float64[2] = 1 "
     "1\nn, rm, rv = BatchNormalization(a, b, c, m, v) training_mode=1\ny = Mul(n, a)",
     "a b c"},
    {"BatchNormalization",
     "input a float64[3,2,2]\ninput b float64[2]\ninput c float64[2]\nconst m float64[2] = 0.5 -0.5\nconst v "
     "float64[2] = 1 2\ny = BatchNormalization(a, b, c, m, v)",
     "a b c"},
    {"InstanceNormalization",
     "input a float64[2,2,3]\ninput b float64[2]\ninput c float64[2]\nn = InstanceNormalization(a, b, c)\ny = Mul(n, "
     "a)",
     "a b c"},
    {"GroupNormalization",
     "input a float64[2,4,2]\ninput b float64[4]\ninput c float64[4]\nn = GroupNormalization(a, b, c) num_groups=2\ny "
     "= Mul(n, a)",
     "a b c"},
    {"GroupNormalization, factors of groups",
     "opset 18\ninput a float64[2,6,2]\ninput b float64[2]\ninput c float64[2]\nn = GroupNormalization(a, b, c) "
     "num_groups=2\ny = Mul(n, a)",
     "a b c"},
    {"GroupNormalization, one group",
     "opset 18\ninput a float64[2,3,2]\ninput b float64[1]\ninput c float64[1]\nn = GroupNormalization(a, b, c) "
     "num_groups=1\ny = Mul(n, a)",
     "a b c"},
    {"Dropout outside of training", "input a float64[2,3]\ny = Dropout(a)", "a"},
    {"cross entropy", "input a float64[3,4]\nconst t int64[3] = 1 0 3\ny = SoftmaxCrossEntropyLoss(a, t)", "a"},
    {"cross entropy, weighted, each",
     "input a float64[2,3,2]\nconst t int64[2,2] = 1 0 2 2\nconst w float64[3] = 1 2 3\ny = SoftmaxCrossEntropyLoss(a, "
     "t, w) reduction=\"none\" ignore_index=0",
     "a"},
    {"negative log-likelihood",
     "input a float64[3,4]\nconst t int64[3] = 1 0 3\nconst w float64[4] = 1 2 3 4\ny = NegativeLogLikelihoodLoss(a, "
     "t, w)",
     "a"},
};

const std::vector<Case> inPlaceCases = {
    {WRITE_TWO(Add)},
    {WRITE_TWO(Sub)},
    {WRITE_TWO(Mul)},
    {WRITE_TWO(Div)},
    {"Copy_", "input x float64[2,3]\ninput b float64[3]\na0 = Neg(x)\ny = plimsoll::Copy_(a0, b)", "b"},
    {WRITE_ONE(Neg)},
    {WRITE_ONE(Exp)},
    {WRITE_ONE(Relu)},
    {WRITE_ONE(Sigmoid)},
    {"LeakyRelu_", "input x float64[2,3]\na0 = Sin(x)\ny = plimsoll::LeakyRelu_(a0) alpha=0.2", "x"},
    {"Elu_", "input x float64[2,3]\na0 = Sin(x)\ny = plimsoll::Elu_(a0) alpha=1.5", "x"},
    {WRITE_ONE(Tanh)},
    {"Clamp_",
     "input x float64[2,3]\nconst l float64[] = -0.7\nconst h float64[] = 0.8\na0 = Mul(x, h)\ny = "
     "plimsoll::Clamp_(a0, l, h)",
     "x"},
    {"IndexAdd_",
     "input x float64[4,3]\nconst i int64[2] = 2 2\ninput b float64[2,3]\na0 = Sin(x)\ny = plimsoll::IndexAdd_(a0, i, "
     "b)",
     "x b"},
};

} // namespace

const std::vector<GradientCase>& gradientCases()
{
    static const std::vector<Case> all = [] {
        std::vector<Case> joined;
        for (const auto* family : {&elementwiseCases, &matrixCases, &movementCases, &layerCases, &inPlaceCases})
            joined.insert(joined.end(), family->begin(), family->end());
        return joined;
    }();
    return all;
}

} // namespace plimsoll::test
