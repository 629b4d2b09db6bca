#include "kernels/common/recurrent_plan.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::kernels {
namespace {

struct NamedActivation
{
    std::string_view name;
    Activated activated; ///< With its defaults.
};
constexpr NamedActivation Activations[] = {
    {"Affine", {Activation::Affine}},
    {"Elu", {Activation::Elu}},
    {"HardSigmoid", {Activation::HardSigmoid, 0.2, 0.5}},
    {"LeakyRelu", {Activation::LeakyRelu, 0.01}},
    {"Relu", {Activation::Relu}},
    {"ScaledTanh", {Activation::ScaledTanh}},
    {"Sigmoid", {Activation::Sigmoid}},
    {"Softplus", {Activation::Softplus}},
    {"Softsign", {Activation::Softsign}},
    {"Tanh", {Activation::Tanh}},
    {"ThresholdedRelu", {Activation::ThresholdedRelu}},
};

/// The attributes list those of one direction behind those of the other.
Status readActivations(const KernelCall& call, RecurrentPlan& plan, const std::vector<std::string>& defaults)
{
    std::vector<std::string> names = textsAttribute(call, "activations");
    const auto directions = static_cast<std::size_t>(plan.directions);
    for (std::size_t d = 0, given = names.size(); given == 0 && d < directions; ++d)
        names.insert(names.end(), defaults.begin(), defaults.end());
    if (names.size() < defaults.size() * directions) return refuse(call, say("kernel.too-few-activations"));
    const auto alphas = floatsAttribute(call, "activation_alpha").value_or(std::vector<double>());
    const auto betas = floatsAttribute(call, "activation_beta").value_or(std::vector<double>());
    const std::size_t each = names.size() / directions;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto* known = std::find_if(std::begin(Activations), std::end(Activations),
                                         [&](const NamedActivation& row) { return row.name == names[i]; });
        if (known == std::end(Activations)) return refuse(call, say("kernel.no-activation", names[i].substr(0, 40)));
        if (i / each >= directions || i % each >= defaults.size()) continue;
        Activated& activated = plan.activations[i / each][i % each] = known->activated;
        if (i < alphas.size()) activated.alpha = alphas[i];
        if (i < betas.size()) activated.beta = betas[i];
    }
    return {};
}

} // namespace

Result<RecurrentPlan> planRecurrence(const KernelCall& call, std::int64_t gates,
                                     const std::vector<std::string>& defaults)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(recurrent, inputTensor(call, 2));
    RecurrentPlan plan;
    const std::string direction = textAttribute(call, "direction", "forward");
    plan.gates = gates;
    plan.batchFirst = intAttribute(call, "layout", 0) != 0;
    plan.backward = direction == "reverse";
    plan.directions = direction == "bidirectional" ? 2 : 1;
    plan.clip = floatAttribute(call, "clip", 0);
    if (x.shape.size() != 3 || w.shape.size() != 3 || recurrent.shape.size() != 3 || w.shape[1] % gates != 0)
        return refuse(call, say("kernel.wrong-inputs", describe(x), describe(w), describe(recurrent)));
    plan.steps = x.shape[plan.batchFirst ? 1 : 0];
    plan.batch = x.shape[plan.batchFirst ? 0 : 1];
    plan.inputs = x.shape[2];
    plan.hidden = w.shape[1] / gates;
    if (w.shape != Shape {plan.directions, gates * plan.hidden, plan.inputs} ||
        recurrent.shape != Shape {plan.directions, gates * plan.hidden, plan.hidden})
        return refuse(call, say("kernel.cell-weights", describe(w), describe(recurrent), describe(x)));
    PLIMSOLL_TRY(readActivations(call, plan, defaults));
    return plan;
}

} // namespace plimsoll::kernels
