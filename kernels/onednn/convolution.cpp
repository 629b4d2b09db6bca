#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

std::optional<Recipe> makeConvolution(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    auto weights = node.input(1);
    const auto target = node.output(0);
    if (!source || !weights || !target || weights->size() < 3 || weights->size() != source->size()) return std::nullopt;
    const auto window = findWindow(node, *source, *target, Shape(weights->begin() + 2, weights->end()));
    const std::int64_t groups = node.integer("group", 1);
    if (!window || groups < 1 || (*weights)[0] % groups != 0 || (*source)[1] != (*weights)[1] * groups)
        return std::nullopt;
    if (groups > 1) {
        (*weights)[0] /= groups;
        weights->insert(weights->begin(), groups);
    }
    std::vector<Argument> arguments = {{DNNL_ARG_SRC, 0, false, node.inputLayout(0, *source)},
                                       {DNNL_ARG_WEIGHTS, 1, false, node.inputLayout(1, *weights), *weights},
                                       {DNNL_ARG_DST, 0, true, node.outputLayout(0, *target)}};
    dnnl::memory::desc bias;
    if (node.hasInput(2)) {
        const auto shape = node.input(2);
        if (!shape || *shape != Shape {(*target)[1]}) return std::nullopt;
        bias = denseLayout(*shape);
        arguments.push_back({DNNL_ARG_BIAS, 2, false, bias});
    }
    const dnnl::convolution_forward::desc operation(dnnl::prop_kind::forward_inference,
                                                    dnnl::algorithm::convolution_direct, arguments[0].layout,
                                                    arguments[1].layout, bias, arguments[2].layout, window->strides,
                                                    lessOne(window->dilations), window->before, window->after);
    const dnnl::convolution_forward::primitive_desc description(operation, userScratchpad(), engine);
    return finishRecipe<dnnl::convolution_forward>(description, std::move(arguments));
}

} // namespace plimsoll::kernels::onednn
