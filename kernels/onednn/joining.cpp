#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {
namespace {

/// All inputs of a node as primitive arguments; empty where one is no known float32 tensor.
std::optional<std::vector<Argument>> sources(const NodeView& node)
{
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < node.inputCount(); ++i) {
        const auto shape = node.input(i);
        if (!shape || shape->empty()) return std::nullopt;
        const int id = DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i);
        arguments.push_back({id, i, false, node.inputLayout(i, *shape)});
    }
    return arguments;
}

std::vector<dnnl::memory::desc> layoutsOf(const std::vector<Argument>& arguments)
{
    std::vector<dnnl::memory::desc> layouts;
    for (const Argument& argument : arguments)
        layouts.push_back(argument.layout);
    return layouts;
}

} // namespace

std::optional<Recipe> makeConcat(const NodeView& node, const dnnl::engine& engine)
{
    const auto target = node.output(0);
    auto arguments = sources(node);
    if (!target || !arguments || arguments->size() < 2 || node.opset() < 4) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(target->size());
    std::int64_t axis = node.integer("axis", 0);
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank) return std::nullopt;
    const dnnl::memory::desc layout = node.outputLayout(0, *target);
    const dnnl::concat::primitive_desc description(layout, static_cast<int>(axis), layoutsOf(*arguments), engine,
                                                   node.attributes());
    arguments->push_back({DNNL_ARG_DST, 0, true, layout});
    return finishRecipe<dnnl::concat>(description, std::move(*arguments));
}

/// Of tensors of one shape.
std::optional<Recipe> makeSum(const NodeView& node, const dnnl::engine& engine)
{
    const auto target = node.output(0);
    auto arguments = sources(node);
    if (!target || !arguments || arguments->size() < 2) return std::nullopt;
    for (std::size_t i = 0; i < arguments->size(); ++i) {
        if (node.input(i) != target) return std::nullopt;
    }
    const std::vector<float> scales(arguments->size(), 1.0F);
    const dnnl::memory::desc layout = node.outputLayout(0, *target);
    const dnnl::sum::primitive_desc description(layout, scales, layoutsOf(*arguments), engine, node.attributes());
    arguments->push_back({DNNL_ARG_DST, 0, true, layout});
    return finishRecipe<dnnl::sum>(description, std::move(*arguments));
}

} // namespace plimsoll::kernels::onednn
