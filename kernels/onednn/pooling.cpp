#include "kernels/onednn/recipe.h"

#include <algorithm>

namespace plimsoll::kernels::onednn {
namespace {

struct Pooling
{
    dnnl::algorithm algorithm;
    Window window;
};

Recipe pool(const Pooling& pooling, const NodeView& node, const dnnl::engine& engine)
{
    const std::vector<Argument> arguments =
        fromTo(node.inputLayout(0, *node.input(0)), node.outputLayout(0, *node.output(0)));
    const Window& window = pooling.window;
    const dnnl::pooling_v2_forward::desc operation(
        dnnl::prop_kind::forward_inference, pooling.algorithm, arguments[0].layout, arguments[1].layout, window.strides,
        window.kernel, lessOne(window.dilations), window.before, window.after);
    return recipeOf<dnnl::pooling_v2_forward>(node, operation, arguments, engine);
}

} // namespace

std::optional<Recipe> makePool(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const auto target = node.output(0);
    if (!source || !target || node.hasOutput(1) || node.integer("storage_order", 0) != 0) return std::nullopt;
    const auto window = findWindow(node, *source, *target, node.integers("kernel_shape", {}));
    if (!window) return std::nullopt;
    for (std::size_t i = 0; i < window->kernel.size(); ++i) {
        const std::int64_t reach = (window->kernel[i] - 1) * window->dilations[i] + 1;
        if (window->before[i] >= reach || window->after[i] >= reach) return std::nullopt;
    }
    if (node.node().op == "MaxPool") return pool({dnnl::algorithm::pooling_max, *window}, node, engine);
    const bool dilated =
        std::any_of(window->dilations.begin(), window->dilations.end(), [](std::int64_t d) { return d != 1; });
    // oneDNN's "include padding" divides by the whole window, ONNX's by the part of it inside the padded input: they
    // differ where ceil_mode lets a window hang over.
    if (dilated || node.integer("ceil_mode", 0) != 0) return std::nullopt;
    const bool include = node.integer("count_include_pad", 0) != 0;
    const auto algorithm =
        include ? dnnl::algorithm::pooling_avg_include_padding : dnnl::algorithm::pooling_avg_exclude_padding;
    return pool({algorithm, *window}, node, engine);
}

std::optional<Recipe> makeGlobalPool(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const auto target = node.output(0);
    if (!source || !target || source->size() < 3 || source->size() > 5) return std::nullopt;
    const Shape kernel(source->begin() + 2, source->end());
    const Shape ones(kernel.size(), 1);
    const Shape zeros(kernel.size(), 0);
    const bool isMax = node.node().op == "GlobalMaxPool";
    const auto algorithm = isMax ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding;
    return pool({algorithm, {kernel, ones, ones, zeros, zeros}}, node, engine);
}

} // namespace plimsoll::kernels::onednn
