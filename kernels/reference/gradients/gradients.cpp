#include "core/ops/saving.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/formula/gradient_node.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/gradients/host_steps.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {
namespace {

/// What the graph says that an output is.
Result<TensorView> plannedOutput(KernelCall& call, std::size_t output)
{
    const TensorType& type = call.graph()[call.node().outputs[output]].type;
    const auto shape = type.shape();
    if (!shape) return refuse(call, say("kernel.gradient-no-shape"));
    return call.output(output, type.dtype, *shape);
}

Status passOn(KernelCall& call, std::size_t output)
{
    PLIMSOLL_ASSIGN(gradient, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(out, plannedOutput(call, output));
    if (gradient.elements() != out.elements() || gradient.dtype != out.dtype)
        return refuse(call, say("kernel.no-view", describe(out), describe(gradient)));
    copyAll({out.dtype, out.shape, gradient.data}, out);
    return {};
}

/// The numbers of an output: those of the formula, and what is there already, where the graph asks for it.
Result<std::vector<double>> gradientOf(KernelCall& call, const GradientNode& backward, std::size_t output)
{
    const FormulaScope scope(call, hostSteps(), backward.names, backward.variables[output]);
    const Shape shape = call.graph()[call.node().outputs[output]].type.shape().value_or(Shape {});
    PLIMSOLL_ASSIGN(gradient, bringGradient(backward.formulas[output], scope, shape));
    PLIMSOLL_ASSIGN(whole, scope.written(gradient.value, shape));
    std::vector<double> numbers = doublesOf(whole.view());
    for (double& number : numbers)
        number *= gradient.times;
    if (backward.onto[output] < 0) return numbers;
    PLIMSOLL_ASSIGN(there, inputTensor(call, static_cast<std::size_t>(backward.onto[output])));
    if (there.elements() != static_cast<std::int64_t>(numbers.size()))
        return refuse(call, say("kernel.gradient-addend", describe(there)));
    const std::vector<double> sum = doublesOf(there);
    for (std::size_t i = 0; i < sum.size(); ++i)
        numbers[i] += sum[i];
    return numbers;
}

/// All outputs are computed before the first is written: one may lie over an input.
Status runFormulas(KernelCall& call)
{
    PLIMSOLL_ASSIGN(backward, readGradientNode(call));
    std::vector<std::vector<double>> results(backward.formulas.size());
    for (std::size_t output = 0; output < results.size(); ++output) {
        if (isGradientView(call.node(), output) || !call.wantsOutput(output)) continue;
        PLIMSOLL_ASSIGN(numbers, gradientOf(call, backward, output));
        results[output] = std::move(numbers);
    }
    for (std::size_t output = 0; output < results.size(); ++output) {
        if (!call.wantsOutput(output)) continue;
        if (isGradientView(call.node(), output)) {
            PLIMSOLL_TRY(passOn(call, output));
            continue;
        }
        PLIMSOLL_ASSIGN(out, plannedOutput(call, output));
        storeNumbers(results[output].data(), out);
    }
    return {};
}

} // namespace

KernelFunction findGradientKernel(std::string_view domain)
{
    return domain == GradientDomain ? runFormulas : nullptr;
}

} // namespace plimsoll::kernels
