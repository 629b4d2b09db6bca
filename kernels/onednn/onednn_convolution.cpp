#include "kernels/onednn/onednn_convolution.h"

namespace plimsoll::kernels::onednn {

std::optional<Sliding> slidingOf(const NodeView& node, std::size_t weightsInput)
{
    const auto source = node.input(0);
    auto weights = node.input(weightsInput);
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
    return Sliding {*window,
                    {{DNNL_ARG_SRC, 0, false, node.inputLayout(0, *source)},
                     {DNNL_ARG_WEIGHTS, weightsInput, false, node.inputLayout(weightsInput, *weights), *weights},
                     {DNNL_ARG_DST, 0, true, node.outputLayout(0, *target)}},
                    (*target)[1]};
}

std::optional<Recipe> makeConvolution(const NodeView& node, const dnnl::engine& engine)
{
    constexpr std::size_t Weights = 1;
    constexpr std::size_t Bias = 2;
    auto sliding = slidingOf(node, Weights);
    if (!sliding) return std::nullopt;
    return windowRecipe<dnnl::convolution_forward>(node, dnnl::algorithm::convolution_direct, *std::move(sliding), Bias,
                                                   node.attributes(), engine);
}

} // namespace plimsoll::kernels::onednn
