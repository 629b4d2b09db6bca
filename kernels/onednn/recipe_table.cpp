#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

constexpr std::array Entries = {
    RecipeEntry {"Abs", makeEltwise},
    RecipeEntry {"Add", makeBinary},
    RecipeEntry {"AveragePool", makePool},
    RecipeEntry {"BatchNormalization", makeBatchNormalization},
    RecipeEntry {"Clip", makeClip},
    RecipeEntry {"Conv", makeConvolution},
    RecipeEntry {"Div", makeBinary},
    RecipeEntry {"Elu", makeEltwise},
    RecipeEntry {"Exp", makeEltwise},
    RecipeEntry {"Gelu", makeEltwise},
    RecipeEntry {"Gemm", makeGemm},
    RecipeEntry {"GlobalAveragePool", makeGlobalPool},
    RecipeEntry {"GlobalMaxPool", makeGlobalPool},
    RecipeEntry {"HardSwish", makeEltwise},
    RecipeEntry {"LRN", makeLocalResponse},
    RecipeEntry {"LayerNormalization", makeLayerNormalization},
    RecipeEntry {"LeakyRelu", makeEltwise},
    RecipeEntry {"LogSoftmax", makeSoftmax},
    RecipeEntry {"MatMul", makeMatMul},
    RecipeEntry {"Max", makeBinary},
    RecipeEntry {"MaxPool", makePool},
    RecipeEntry {"Min", makeBinary},
    RecipeEntry {"Mul", makeBinary},
    RecipeEntry {"ReduceL1", makeReduction},
    RecipeEntry {"ReduceL2", makeReduction},
    RecipeEntry {"ReduceMax", makeReduction},
    RecipeEntry {"ReduceMean", makeReduction},
    RecipeEntry {"ReduceMin", makeReduction},
    RecipeEntry {"ReduceProd", makeReduction},
    RecipeEntry {"ReduceSum", makeReduction},
    RecipeEntry {"Relu", makeEltwise},
    RecipeEntry {"Sigmoid", makeEltwise},
    RecipeEntry {"Softmax", makeSoftmax},
    RecipeEntry {"Sqrt", makeEltwise},
    RecipeEntry {"Sub", makeBinary},
    RecipeEntry {"Tanh", makeEltwise},
};

} // namespace

RecipeMaker findRecipe(const Node& node)
{
    if (!node.domain.empty()) return nullptr;
    const auto found =
        std::find_if(Entries.begin(), Entries.end(), [&](const RecipeEntry& entry) { return entry.op == node.op; });
    return found == Entries.end() ? nullptr : found->make;
}

} // namespace plimsoll::kernels::onednn
