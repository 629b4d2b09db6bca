#pragma once

#include "kernels/onednn/recipe.h"

#include <utility>

namespace plimsoll::kernels::onednn {

/// What convolutions and deconvolutions end alike with: \p arguments are source, weights and target; a bias of one
/// number for each of \p channels is added where the node has one. Empty where the bias has another shape.
template <typename Forward>
[[nodiscard]] std::optional<Recipe> windowRecipe(const NodeView& node, dnnl::algorithm algorithm, const Window& window,
                                                 std::int64_t channels, std::vector<Argument> arguments,
                                                 const dnnl::engine& engine)
{
    dnnl::memory::desc bias;
    if (node.hasInput(2)) {
        const auto shape = node.input(2);
        if (!shape || *shape != Shape {channels}) return std::nullopt;
        bias = node.dense(*shape);
        arguments.push_back({DNNL_ARG_BIAS, 2, false, bias});
    }
    const typename Forward::desc operation(dnnl::prop_kind::forward_inference, algorithm, arguments[0].layout,
                                           arguments[1].layout, bias, arguments[2].layout, window.strides,
                                           lessOne(window.dilations), window.before, window.after);
    const typename Forward::primitive_desc description(operation, node.attributes(), engine);
    return finishRecipe<Forward>(description, std::move(arguments));
}

} // namespace plimsoll::kernels::onednn
