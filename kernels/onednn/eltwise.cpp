#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

using dnnl::algorithm;

/// One operator that works element by element, with the attribute that becomes oneDNN's alpha.
struct Function
{
    std::string_view op;
    algorithm kind;
    std::string_view alphaAttribute = {};
    double alpha = 0;
};

/// Log is not among them: oneDNN's is wrong by 1.4e-6 at 1, where the logarithm is 0.
constexpr std::array Functions = {
    Function {"Abs", algorithm::eltwise_abs},
    Function {"Elu", algorithm::eltwise_elu, "alpha", 1.0},
    Function {"Exp", algorithm::eltwise_exp},
    Function {"HardSwish", algorithm::eltwise_hardswish},
    Function {"LeakyRelu", algorithm::eltwise_relu, "alpha", 0.01},
    Function {"Relu", algorithm::eltwise_relu},
    Function {"Sigmoid", algorithm::eltwise_logistic},
    Function {"Sqrt", algorithm::eltwise_sqrt},
    Function {"Tanh", algorithm::eltwise_tanh},
};

std::optional<Eltwise> clip(const NodeView& node)
{
    std::optional<float> low;
    std::optional<float> high;
    if (node.opset() < 11) {
        if (node.hasAttribute("min")) low = static_cast<float>(node.real("min", 0));
        if (node.hasAttribute("max")) high = static_cast<float>(node.real("max", 0));
    } else {
        low = node.constantFloat(1);
        high = node.constantFloat(2);
    }
    if (!low || !high || !(*low <= *high)) return std::nullopt;
    return Eltwise {algorithm::eltwise_clip_v2, *low, *high};
}

} // namespace

std::optional<Eltwise> eltwiseOf(const NodeView& node)
{
    const std::string& op = node.node().op;
    if (!node.node().domain.empty()) return std::nullopt;
    if (op == "Clip") return clip(node);
    if (op == "Gelu") {
        const bool isTanh = node.text("approximate", "none") == "tanh";
        return Eltwise {isTanh ? algorithm::eltwise_gelu_tanh : algorithm::eltwise_gelu_erf, 0, 0};
    }
    const auto found = std::find_if(Functions.begin(), Functions.end(), [&](const Function& f) { return f.op == op; });
    if (found == Functions.end()) return std::nullopt;
    const double alpha = found->alphaAttribute.empty() ? found->alpha : node.real(found->alphaAttribute, found->alpha);
    return Eltwise {found->kind, static_cast<float>(alpha), 0};
}

std::optional<Recipe> makeEltwise(const NodeView& node, const dnnl::engine& engine)
{
    const auto function = eltwiseOf(node);
    const auto shape = node.input(0);
    if (!function || !shape || shape != node.output(0)) return std::nullopt;
    const Shape readAs = node.wantsPlain(0) ? Shape {elementCount(*shape).value_or(0)} : *shape;
    const std::vector<Argument> arguments = fromTo(node.inputLayout(0, readAs), node.outputLayout(0, readAs));
    const dnnl::eltwise_forward::desc operation(dnnl::prop_kind::forward_inference, function->kind, arguments[0].layout,
                                                function->alpha, function->beta);
    return recipeOf<dnnl::eltwise_forward>(node, operation, arguments, engine, true);
}

/// The slope spreads over the input, never the other way round.
std::optional<Recipe> makePRelu(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    auto slope = node.input(1);
    if (!source || !slope || source->empty() || source != node.output(0) || slope->size() > source->size())
        return std::nullopt;
    if (node.opset() < 7) return std::nullopt; // spreading meant something else
    slope->insert(slope->begin(), source->size() - slope->size(), 1);
    const std::vector<Argument> arguments = {{DNNL_ARG_SRC, 0, false, node.inputLayout(0, *source)},
                                             {DNNL_ARG_WEIGHTS, 1, false, node.dense(*slope)},
                                             {DNNL_ARG_DST, 0, true, node.outputLayout(0, *source)}};
    const dnnl::prelu_forward::desc operation(dnnl::prop_kind::forward_inference, arguments[0].layout,
                                              arguments[1].layout);
    return recipeOf<dnnl::prelu_forward>(node, operation, arguments, engine, true);
}

} // namespace plimsoll::kernels::onednn
