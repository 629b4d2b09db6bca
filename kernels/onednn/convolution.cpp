#include "kernels/onednn/convolution.h"

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
    return windowRecipe<dnnl::convolution_forward>(node, dnnl::algorithm::convolution_direct, *window, (*target)[1],
                                                   std::move(arguments), engine);
}

} // namespace plimsoll::kernels::onednn
