#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

/// The slope spreads over the input, never the other way round.
std::optional<Recipe> makePRelu(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    auto slope = node.input(1);
    if (!source || !slope || source->empty() || source != node.output(0) || slope->size() > source->size())
        return std::nullopt;
    if (node.opset() < 7) return std::nullopt; // spreading meant something else
    slope->insert(slope->begin(), source->size() - slope->size(), 1);
    const std::vector<Argument> arguments = {{DNNL_ARG_SRC, 0, false, node.inputLayout(0, *source)},
                                             {DNNL_ARG_WEIGHTS, 1, false, node.dense(*slope)},
                                             {DNNL_ARG_DST, 0, true, node.outputLayout(0, *source)}};
    const dnnl::prelu_forward::desc operation(dnnl::prop_kind::forward_inference, arguments[0].layout,
                                              arguments[1].layout);
    const dnnl::prelu_forward::primitive_desc description(operation, node.attributes(), engine);
    Recipe recipe = finishRecipe<dnnl::prelu_forward>(description, arguments);
    recipe.inPlace = {{0, 0}};
    return recipe;
}

} // namespace plimsoll::kernels::onednn
