#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

// Simple arithmetic fuses nothing: it would hide values of the graph for the sake of one pass over them.
constexpr std::array Entries = {
    RecipeEntry {"Abs", makeEltwise, Layouts::Follows},
    RecipeEntry {"Add", makeBinary, Layouts::Follows},
    RecipeEntry {"AveragePool", makePool, Layouts::Follows, Fuses::Operations},
    RecipeEntry {"BatchNormalization", makeBatchNormalization, Layouts::Follows, Fuses::Operations, Types::Float32},
    RecipeEntry {"Clip", makeEltwise, Layouts::Follows},
    RecipeEntry {"Concat", makeConcat, Layouts::Follows, Fuses::Nothing, Types::FloatsAndBytes},
    RecipeEntry {"Conv", makeConvolution, Layouts::Chooses, Fuses::Sums, Types::Floats, Work::Filters},
    RecipeEntry {"ConvInteger", makeQuantizedConvolution, Layouts::Chooses, Fuses::Nothing, Types::Bytes,
                 Work::Filters},
    RecipeEntry {"ConvTranspose", makeDeconvolution, Layouts::Chooses, Fuses::Sums, Types::Floats, Work::Scatters},
    RecipeEntry {"DequantizeLinear", makeDequantization, Layouts::Follows, Fuses::Nothing, Types::Bytes},
    RecipeEntry {"Div", makeBinary, Layouts::Follows},
    RecipeEntry {"Elu", makeEltwise, Layouts::Follows},
    RecipeEntry {"Exp", makeEltwise, Layouts::Follows},
    RecipeEntry {"Gelu", makeEltwise, Layouts::Follows},
    RecipeEntry {"GRU", makeGru, Layouts::Prepares, Fuses::Nothing, Types::Float32, Work::Passes, 1, 2},
    RecipeEntry {"Gemm", makeGemm, Layouts::Plain, Fuses::Sums, Types::Floats, Work::Columns},
    RecipeEntry {"GlobalAveragePool", makeGlobalPool, Layouts::Follows, Fuses::Operations},
    RecipeEntry {"GlobalMaxPool", makeGlobalPool, Layouts::Follows, Fuses::Operations},
    RecipeEntry {"HardSwish", makeEltwise, Layouts::Follows},
    RecipeEntry {"LRN", makeLocalResponse, Layouts::Follows, Fuses::Nothing, Types::Float32},
    RecipeEntry {"LSTM", makeLstm, Layouts::Prepares, Fuses::Nothing, Types::Float32, Work::Passes, 1, 2},
    RecipeEntry {"LayerNormalization", makeLayerNormalization, Layouts::Plain, Fuses::Nothing, Types::Float32},
    RecipeEntry {"LeakyRelu", makeEltwise, Layouts::Follows},
    RecipeEntry {"LogSoftmax", makeSoftmax},
    RecipeEntry {"MatMul", makeMatMul, Layouts::Plain, Fuses::Sums, Types::Floats, Work::Columns},
    RecipeEntry {"MatMulInteger", makeQuantizedMatMul, Layouts::Prepares, Fuses::Nothing, Types::Bytes, Work::Columns},
    RecipeEntry {"Max", makeBinary, Layouts::Follows},
    RecipeEntry {"MaxPool", makePool, Layouts::Follows, Fuses::Operations, Types::FloatsAndBytes},
    RecipeEntry {"Min", makeBinary, Layouts::Follows},
    RecipeEntry {"Mul", makeBinary, Layouts::Follows},
    RecipeEntry {"PRelu", makePRelu, Layouts::Follows},
    RecipeEntry {"QLinearConv", makeQuantizedConvolution, Layouts::Chooses, Fuses::Nothing, Types::Bytes, Work::Filters,
                 3},
    RecipeEntry {"QLinearMatMul", makeQuantizedMatMul, Layouts::Prepares, Fuses::Nothing, Types::Bytes, Work::Columns,
                 3},
    RecipeEntry {"RNN", makeRnn, Layouts::Prepares, Fuses::Nothing, Types::Float32, Work::Passes, 1, 2},
    RecipeEntry {"ReduceL1", makeReduction},
    RecipeEntry {"ReduceL2", makeReduction},
    RecipeEntry {"ReduceMax", makeReduction},
    RecipeEntry {"ReduceMean", makeReduction},
    RecipeEntry {"ReduceMin", makeReduction},
    RecipeEntry {"ReduceProd", makeReduction},
    RecipeEntry {"ReduceSum", makeReduction},
    RecipeEntry {"Relu", makeEltwise, Layouts::Follows},
    RecipeEntry {"Resize", makeResampling, Layouts::Follows},
    RecipeEntry {"Sigmoid", makeEltwise, Layouts::Follows},
    RecipeEntry {"Softmax", makeSoftmax},
    RecipeEntry {"Sqrt", makeEltwise, Layouts::Follows},
    RecipeEntry {"Sub", makeBinary, Layouts::Follows},
    RecipeEntry {"Sum", makeSum, Layouts::Follows},
    RecipeEntry {"Tanh", makeEltwise, Layouts::Follows},
    RecipeEntry {"Transpose", makeTranspose, Layouts::Plain, Fuses::Nothing, Types::FloatsAndBytes},
    RecipeEntry {"Upsample", makeResampling, Layouts::Follows},
};

bool includes(Types types, DType dtype)
{
    if (dtype == DType::Float32) return types != Types::Bytes;
    if (dtype == DType::BFloat16) return types == Types::Floats || types == Types::FloatsAndBytes;
    return isByte(dtype) && (types == Types::Bytes || types == Types::FloatsAndBytes);
}

} // namespace

const RecipeEntry* findRecipe(const NodeView& view)
{
    const Node& node = view.node();
    if (!node.domain.empty() || !node.bodies.empty()) return nullptr;
    const auto found =
        std::find_if(Entries.begin(), Entries.end(), [&](const RecipeEntry& entry) { return entry.op == node.op; });
    return found == Entries.end() || !includes(found->types, view.dtype()) ? nullptr : &*found;
}

std::optional<Recipe> tryRecipe(NodeView node, const dnnl::engine& engine)
{
    const RecipeEntry* entry = findRecipe(node);
    if (!entry || (!node.fused().empty() && entry->fuses == Fuses::Nothing)) return std::nullopt;
    if (!fitsLibrary(node)) return std::nullopt;
    try {
        if (node.wish().sumInto && entry->fuses != Fuses::Sums) return std::nullopt;
        const auto postOps = takePostOps(node);
        auto recipe = postOps ? entry->make(node, engine) : std::nullopt;
        if (!recipe) return recipe;
        recipe->arguments.insert(recipe->arguments.end(), postOps->arguments.begin(), postOps->arguments.end());
        recipe->sumInto = node.wish().sumInto;
        if (recipe->sumInto) recipe->inPlace = {{0, static_cast<int>(*recipe->sumInto)}};
        return recipe;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace plimsoll::kernels::onednn
