#pragma once

#include "kernels/onednn/recipe.h"

#include <utility>

namespace plimsoll::kernels::onednn {

/// Source, weights and target of a convolution or deconvolution, in that order, and how the window moves.
struct Sliding
{
    Window window;
    std::vector<Argument> arguments;
    std::int64_t channels = 0; ///< Of the target.
};
/// Of a convolution with those weights.
[[nodiscard]] std::optional<Sliding> slidingOf(const NodeView& node, std::size_t weightsInput);

/// What they end alike with: a bias of one number for each channel is added where the node has one. Empty where the
/// bias has another shape.
template <typename Forward>
[[nodiscard]] std::optional<Recipe> windowRecipe(const NodeView& node, dnnl::algorithm algorithm, Sliding sliding,
                                                 std::size_t biasInput, const dnnl::primitive_attr& attributes,
                                                 const dnnl::engine& engine)
{
    std::vector<Argument>& arguments = sliding.arguments;
    dnnl::memory::desc bias;
    if (node.hasInput(biasInput)) {
        const auto shape = node.input(biasInput);
        if (!shape || *shape != Shape {sliding.channels}) return std::nullopt;
        bias = node.inputLayout(biasInput, *shape);
        arguments.push_back({DNNL_ARG_BIAS, biasInput, false, bias});
    }
    const Window& window = sliding.window;
    const typename Forward::desc operation(dnnl::prop_kind::forward_inference, algorithm, arguments[0].layout,
                                           arguments[1].layout, bias, arguments[2].layout, window.strides,
                                           lessOne(window.dilations), window.before, window.after);
    const typename Forward::primitive_desc description(operation, attributes, engine);
    return finishRecipe<Forward>(description, std::move(arguments));
}

} // namespace plimsoll::kernels::onednn
