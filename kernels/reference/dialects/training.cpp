#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <cmath>

namespace plimsoll::kernels {
namespace {

constexpr std::string_view Domain = "ai.onnx.preview.training";

/// One tensor that is trained, and what its optimizer remembers.
struct Trained
{
    std::vector<double> x;
    std::vector<double> gradient;
    std::vector<std::vector<double>> memory;
};

/// Rate, update count, then for \p n tensors: all x, all gradients, all of each memory. Outputs: all x, all of each
/// memory. \p update changes one tensor in place.
template <typename Update>
Status trainAll(KernelCall& call, std::size_t memories, const Update& update)
{
    const std::size_t each = 2 + memories;
    if (call.inputCount() < 2 + each || (call.inputCount() - 2) % each != 0)
        return refuse(call, say("kernel.input-count"));
    const std::size_t count = (call.inputCount() - 2) / each;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::vector<double>> parts;
        PLIMSOLL_ASSIGN(x, inputTensor(call, 2 + i));
        for (std::size_t k = 0; k < each; ++k) {
            PLIMSOLL_ASSIGN(part, inputTensor(call, 2 + k * count + i));
            if (part.shape != x.shape) return refuse(call, say("kernel.foreign", describe(part), describe(x)));
            parts.push_back(doublesOf(part));
        }
        Trained trained {parts[0], parts[1], {parts.begin() + 2, parts.end()}};
        update(trained);
        PLIMSOLL_TRY(writeNumbers(call, i, x.dtype, x.shape, trained.x));
        for (std::size_t k = 0; k < memories; ++k) {
            if (call.wantsOutput((k + 1) * count + i))
                PLIMSOLL_TRY(writeNumbers(call, (k + 1) * count + i, x.dtype, x.shape, trained.memory[k]));
        }
    }
    return {};
}

Status momentum(KernelCall& call)
{
    const double rate = scalarInput(call, 0, 0);
    const bool first = intInput(call, 1, 0) == 0;
    const double alpha = floatAttribute(call, "alpha", 0);
    const double beta = first ? 1 : floatAttribute(call, "beta", 0);
    const double decay = floatAttribute(call, "norm_coefficient", 0);
    const bool nesterov = textAttribute(call, "mode", "standard") == "nesterov";
    return trainAll(call, 1, [&](Trained& t) {
        for (std::size_t i = 0; i < t.x.size(); ++i) {
            const double gradient = decay * t.x[i] + t.gradient[i];
            double& velocity = t.memory[0][i];
            velocity = alpha * velocity + beta * gradient;
            t.x[i] -= rate * (nesterov ? gradient + alpha * velocity : velocity);
        }
    });
}

Status adagrad(KernelCall& call)
{
    const auto updates = static_cast<double>(intInput(call, 1, 0));
    const double rate = scalarInput(call, 0, 0) / (1 + updates * floatAttribute(call, "decay_factor", 0));
    const double decay = floatAttribute(call, "norm_coefficient", 0);
    const double epsilon = floatAttribute(call, "epsilon", 1e-6);
    return trainAll(call, 1, [&](Trained& t) {
        for (std::size_t i = 0; i < t.x.size(); ++i) {
            const double gradient = decay * t.x[i] + t.gradient[i];
            t.memory[0][i] += gradient * gradient;
            t.x[i] -= rate * gradient / (std::sqrt(t.memory[0][i]) + epsilon);
        }
    });
}

Status adam(KernelCall& call)
{
    const auto updates = static_cast<double>(intInput(call, 1, 0));
    const double alpha = floatAttribute(call, "alpha", 0.9);
    const double beta = floatAttribute(call, "beta", 0.999);
    const double epsilon = floatAttribute(call, "epsilon", 1e-6);
    const double decay = floatAttribute(call, "norm_coefficient", 0);
    const double decayAfter = floatAttribute(call, "norm_coefficient_post", 0);
    double rate = scalarInput(call, 0, 0);
    if (updates > 0) rate *= std::sqrt(1 - std::pow(beta, updates)) / (1 - std::pow(alpha, updates));
    return trainAll(call, 2, [&](Trained& t) {
        for (std::size_t i = 0; i < t.x.size(); ++i) {
            const double gradient = decay * t.x[i] + t.gradient[i];
            t.memory[0][i] = alpha * t.memory[0][i] + (1 - alpha) * gradient;
            t.memory[1][i] = beta * t.memory[1][i] + (1 - beta) * gradient * gradient;
            t.x[i] = (1 - decayAfter) * (t.x[i] - rate * t.memory[0][i] / (std::sqrt(t.memory[1][i]) + epsilon));
        }
    });
}

constexpr KernelEntry TrainingKernels[] = {
    {Domain, "Adagrad", adagrad},
    {Domain, "Adam", adam},
    {Domain, "Momentum", momentum},
};

} // namespace

constinit const KernelTable trainingKernels = TrainingKernels;

} // namespace plimsoll::kernels
