#include "kernels/onednn/onednn_convolution.h"

#include <algorithm>

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

namespace {

/// oneDNN has no name for Winograd's weights, so no plan can: they are made of the plain ones in every call, in the
/// planned scratchpad.
void deriveWeights(Recipe& recipe, const dnnl::memory::desc& rows, const dnnl::engine& engine)
{
    const auto weights = std::ranges::find(recipe.arguments, DNNL_ARG_WEIGHTS, &Argument::id);
    const dnnl::memory::desc layout = weights->layout;
    const auto fill = [rows, layout, engine](const std::vector<TensorView>& from, void* to) {
        dnnl::memory source(rows, engine, from[0].data);
        dnnl::memory target(layout, engine, to);
        dnnl::stream stream(engine);
        dnnl::reorder(source, target).execute(stream, source, target);
        stream.wait();
    };
    recipe.derived.push_back({DNNL_ARG_WEIGHTS, layout, {weights->position}, fill, rows});
    recipe.arguments.erase(weights);
}

} // namespace

std::optional<Recipe> makeConvolution(const NodeView& node, const dnnl::engine& engine)
{
    constexpr std::size_t Weights = 1;
    constexpr std::size_t Bias = 2;
    auto sliding = slidingOf(node, Weights);
    if (!sliding) return std::nullopt;
    if (!node.wish().winograd)
        return windowRecipe<dnnl::convolution_forward>(node, dnnl::algorithm::convolution_direct, *std::move(sliding),
                                                       Bias, node.attributes(), engine);
    const dnnl::memory::desc rows = sliding->arguments[1].layout;
    sliding->arguments[1].layout = {rows.dims(), rows.data_type(), dnnl::memory::format_tag::any};
    auto recipe = windowRecipe<dnnl::convolution_forward>(node, dnnl::algorithm::convolution_winograd,
                                                          *std::move(sliding), Bias, node.attributes(), engine);
    if (recipe) deriveWeights(*recipe, rows, engine);
    return recipe;
}

} // namespace plimsoll::kernels::onednn
