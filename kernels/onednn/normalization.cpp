#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {
namespace {

bool isVector(const NodeView& node, std::size_t input, std::int64_t size)
{
    return node.input(input) == Shape {size};
}

} // namespace

std::optional<Recipe> makeBatchNormalization(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const auto target = node.output(0);
    if (!source || source != target || source->size() < 2 || source->size() > 5 || node.hasOutput(1))
        return std::nullopt;
    const bool trains = node.integer("training_mode", 0) != 0;
    if (node.opset() < 7 || trains || node.integer("spatial", 1) != 1) return std::nullopt;
    for (std::size_t input = 1; input < 5; ++input) {
        if (!isVector(node, input, (*source)[1])) return std::nullopt;
    }
    using Flags = dnnl::normalization_flags;
    const dnnl::memory::desc channels = node.dense({(*source)[1]});
    std::vector<Argument> arguments = {{DNNL_ARG_SRC, 0, false, node.inputLayout(0, *source)},
                                       {DNNL_ARG_DST, 0, true, node.outputLayout(0, *source)},
                                       {DNNL_ARG_SCALE, 1, false, channels},
                                       {DNNL_ARG_SHIFT, 2, false, channels},
                                       {DNNL_ARG_MEAN, 3, false, channels},
                                       {DNNL_ARG_VARIANCE, 4, false, channels}};
    const dnnl::batch_normalization_forward::desc operation(
        dnnl::prop_kind::forward_inference, arguments[0].layout, static_cast<float>(node.real("epsilon", 1e-5)),
        Flags::use_global_stats | Flags::use_scale | Flags::use_shift);
    return recipeOf<dnnl::batch_normalization_forward>(node, operation, std::move(arguments), engine, true);
}

std::optional<Recipe> makeLayerNormalization(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    if (!source || source != node.output(0) || source->size() < 2 || source->size() > 5) return std::nullopt;
    if (node.hasOutput(1) || node.hasOutput(2) || node.integer("stash_type", 1) != 1) return std::nullopt;
    const std::int64_t axis = node.integer("axis", -1);
    const auto last = static_cast<std::int64_t>(source->size()) - 1;
    if ((axis != -1 && axis != last) || !isVector(node, 1, source->back())) return std::nullopt;
    using Flags = dnnl::normalization_flags;
    Flags flags = Flags::use_scale;
    const dnnl::memory::desc row = node.dense({source->back()});
    std::vector<Argument> arguments = {{DNNL_ARG_SRC, 0, false, node.dense(*source)},
                                       {DNNL_ARG_DST, 0, true, node.dense(*source)},
                                       {DNNL_ARG_SCALE, 1, false, row}};
    if (node.hasInput(2)) {
        if (!isVector(node, 2, source->back())) return std::nullopt;
        flags = Flags::use_scale | Flags::use_shift;
        arguments.push_back({DNNL_ARG_SHIFT, 2, false, row});
    }
    const dnnl::layer_normalization_forward::desc operation(dnnl::prop_kind::forward_inference, arguments[0].layout,
                                                            static_cast<float>(node.real("epsilon", 1e-5)), flags);
    return recipeOf<dnnl::layer_normalization_forward>(node, operation, std::move(arguments), engine, true);
}

std::optional<Recipe> makeLocalResponse(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const std::int64_t size = node.integer("size", 0);
    if (!source || source != node.output(0) || source->size() != 4 || size < 1 || size % 2 == 0) return std::nullopt;
    const std::vector<Argument> arguments = fromTo(node.inputLayout(0, *source), node.outputLayout(0, *source));
    const dnnl::lrn_forward::desc operation(dnnl::prop_kind::forward_inference, dnnl::algorithm::lrn_across_channels,
                                            arguments[0].layout, size, static_cast<float>(node.real("alpha", 1e-4)),
                                            static_cast<float>(node.real("beta", 0.75)),
                                            static_cast<float>(node.real("bias", 1.0)));
    return recipeOf<dnnl::lrn_forward>(node, operation, arguments, engine);
}

} // namespace plimsoll::kernels::onednn
