#include "kernels/onednn/onednn_convolution.h"

#include <stdexcept>
#include <utility>

namespace plimsoll::kernels::onednn {
namespace {

/// ONNX keeps [in, out / groups, …], oneDNN names the axes [groups, out, in, …]: the same bytes in another order.
struct Weights
{
    Shape shape;
    std::string storedAs; ///< Layout of the plain bytes by oneDNN's axes: "bacd".
};

Weights weightsOf(const Shape& stored, std::int64_t groups)
{
    Weights weights {stored, {}};
    if (groups > 1) {
        weights.shape[0] /= groups;
        weights.shape.insert(weights.shape.begin(), groups);
    }
    const std::size_t first = groups > 1 ? 1 : 0;
    std::swap(weights.shape[first], weights.shape[first + 1]);
    Layout layout;
    for (std::size_t axis = 0; axis < weights.shape.size(); ++axis)
        layout.order.push_back(axis);
    std::swap(layout.order[first], layout.order[first + 1]);
    weights.storedAs = layoutName(layout, false);
    return weights;
}

} // namespace

/// The window of a deconvolution is that of the convolution that leads back from its output to its input.
std::optional<Recipe> makeDeconvolution(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const auto stored = node.input(1);
    const auto target = node.output(0);
    if (!source || !stored || !target || stored->size() < 3 || stored->size() != source->size()) return std::nullopt;
    if (node.hasAttribute("output_shape")) return std::nullopt;
    const auto window = findWindow(node, *target, *source, Shape(stored->begin() + 2, stored->end()));
    const std::int64_t groups = node.integer("group", 1);
    if (!window || groups < 1 || (*stored)[0] % groups != 0 || (*stored)[0] != (*source)[1]) return std::nullopt;
    const Weights weights = weightsOf(*stored, groups);
    const auto layout = node.wantsPlain(1) ? descriptionOf(weights.storedAs, weights.shape, node.type())
                                           : std::optional(node.inputLayout(1, weights.shape));
    if (!layout) return std::nullopt;
    Sliding sliding {*window,
                     {{DNNL_ARG_SRC, 0, false, node.inputLayout(0, *source)},
                      {DNNL_ARG_WEIGHTS, 1, false, *layout, weights.shape, weights.storedAs},
                      {DNNL_ARG_DST, 0, true, node.outputLayout(0, *target)}},
                     (*target)[1]};
    constexpr std::size_t Bias = 2;
    return windowRecipe<dnnl::deconvolution_forward>(node, dnnl::algorithm::deconvolution_direct, std::move(sliding),
                                                     Bias, node.attributes(), engine);
}

} // namespace plimsoll::kernels::onednn
