#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

using dnnl::algorithm;

struct Reduction
{
    std::string_view op;
    algorithm kind;
    std::int64_t axesAsInput; ///< The opset from which the axes are an input.
    float power = 0;
};

constexpr std::array Reductions = {
    Reduction {"ReduceL1", algorithm::reduction_norm_lp_sum, 18, 1},
    Reduction {"ReduceL2", algorithm::reduction_norm_lp_sum, 18, 2},
    Reduction {"ReduceMax", algorithm::reduction_max, 18},
    Reduction {"ReduceMean", algorithm::reduction_mean, 18},
    Reduction {"ReduceMin", algorithm::reduction_min, 18},
    Reduction {"ReduceProd", algorithm::reduction_mul, 18},
    Reduction {"ReduceSum", algorithm::reduction_sum, 13},
};

/// The axes to reduce; empty where they are not known before the run.
std::optional<std::vector<std::int64_t>> axesOf(const NodeView& node, const Reduction& reduction)
{
    if (node.opset() < reduction.axesAsInput) return node.integers("axes", {});
    if (!node.hasInput(1)) return std::vector<std::int64_t> {};
    return node.constantIntegers(1);
}

} // namespace

std::optional<Recipe> makeReduction(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const auto target = node.output(0);
    const auto found =
        std::find_if(Reductions.begin(), Reductions.end(), [&](const Reduction& r) { return r.op == node.node().op; });
    if (!source || !target || source->empty() || found == Reductions.end()) return std::nullopt;
    const auto axes = axesOf(node, *found);
    if (!axes || (axes->empty() && node.integer("noop_with_empty_axes", 0) != 0)) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(source->size());
    Shape kept = *source;
    if (axes->empty()) kept.assign(kept.size(), 1);
    for (std::int64_t axis : *axes) {
        axis = axis < 0 ? axis + rank : axis;
        if (axis < 0 || axis >= rank) return std::nullopt;
        kept[static_cast<std::size_t>(axis)] = 1;
    }
    if (kept == *source || elementCount(kept) != elementCount(*target)) return std::nullopt;
    const std::vector<Argument> arguments = fromTo(node.dense(*source), node.dense(kept));
    const dnnl::reduction::desc operation(found->kind, arguments[0].layout, arguments[1].layout, found->power, 0);
    return recipeOf<dnnl::reduction>(node, operation, arguments, engine);
}

} // namespace plimsoll::kernels::onednn
