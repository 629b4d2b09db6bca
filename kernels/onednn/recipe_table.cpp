#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

constexpr std::array Entries = {
    RecipeEntry {"Abs", makeEltwise, Layouts::Follows},
    RecipeEntry {"Add", makeBinary, Layouts::Follows},
    RecipeEntry {"AveragePool", makePool, Layouts::Follows},
    RecipeEntry {"BatchNormalization", makeBatchNormalization, Layouts::Follows},
    RecipeEntry {"Clip", makeClip, Layouts::Follows},
    RecipeEntry {"Concat", makeConcat, Layouts::Follows},
    RecipeEntry {"Conv", makeConvolution, Layouts::Chooses},
    RecipeEntry {"ConvTranspose", makeDeconvolution, Layouts::ChoosesImages},
    RecipeEntry {"Div", makeBinary, Layouts::Follows},
    RecipeEntry {"Elu", makeEltwise, Layouts::Follows},
    RecipeEntry {"Exp", makeEltwise, Layouts::Follows},
    RecipeEntry {"Gelu", makeEltwise, Layouts::Follows},
    RecipeEntry {"Gemm", makeGemm},
    RecipeEntry {"GlobalAveragePool", makeGlobalPool, Layouts::Follows},
    RecipeEntry {"GlobalMaxPool", makeGlobalPool, Layouts::Follows},
    RecipeEntry {"HardSwish", makeEltwise, Layouts::Follows},
    RecipeEntry {"LRN", makeLocalResponse, Layouts::Follows},
    RecipeEntry {"LayerNormalization", makeLayerNormalization},
    RecipeEntry {"LeakyRelu", makeEltwise, Layouts::Follows},
    RecipeEntry {"LogSoftmax", makeSoftmax},
    RecipeEntry {"MatMul", makeMatMul},
    RecipeEntry {"Max", makeBinary, Layouts::Follows},
    RecipeEntry {"MaxPool", makePool, Layouts::Follows},
    RecipeEntry {"Min", makeBinary, Layouts::Follows},
    RecipeEntry {"Mul", makeBinary, Layouts::Follows},
    RecipeEntry {"PRelu", makePRelu, Layouts::Follows},
    RecipeEntry {"ReduceL1", makeReduction},
    RecipeEntry {"ReduceL2", makeReduction},
    RecipeEntry {"ReduceMax", makeReduction},
    RecipeEntry {"ReduceMean", makeReduction},
    RecipeEntry {"ReduceMin", makeReduction},
    RecipeEntry {"ReduceProd", makeReduction},
    RecipeEntry {"ReduceSum", makeReduction},
    RecipeEntry {"Relu", makeEltwise, Layouts::Follows},
    RecipeEntry {"Sigmoid", makeEltwise, Layouts::Follows},
    RecipeEntry {"Softmax", makeSoftmax},
    RecipeEntry {"Sqrt", makeEltwise, Layouts::Follows},
    RecipeEntry {"Sub", makeBinary, Layouts::Follows},
    RecipeEntry {"Sum", makeSum, Layouts::Follows},
    RecipeEntry {"Tanh", makeEltwise, Layouts::Follows},
};

} // namespace

const RecipeEntry* findRecipe(const Node& node)
{
    if (!node.domain.empty()) return nullptr;
    const auto found =
        std::find_if(Entries.begin(), Entries.end(), [&](const RecipeEntry& entry) { return entry.op == node.op; });
    return found == Entries.end() ? nullptr : &*found;
}

std::optional<Recipe> tryRecipe(const NodeView& node, const dnnl::engine& engine)
{
    const RecipeEntry* entry = findRecipe(node.node());
    if (!entry || !node.node().bodies.empty()) return std::nullopt;
    try {
        return entry->make(node, engine);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace plimsoll::kernels::onednn
