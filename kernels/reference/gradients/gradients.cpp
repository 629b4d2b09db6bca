#include "kernels/reference/gradients/gradients.h"

#include "core/ops/saving.h"
#include "kernels/reference/call_tools.h"
#include "kernels/reference/gradients/formula_scope.h"
#include "kernels/reference/moved_elements.h"
#include "kernels/reference/numbers.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

/// Whether the output is declared to be the bytes of the incoming gradient.
bool isView(const Node& node, std::size_t output)
{
    return node.declaredTraits &&
           std::any_of(node.declaredTraits->begin(), node.declaredTraits->end(), [output](const AliasTrait& trait) {
               return trait.kind == AliasKind::View && trait.output == static_cast<int>(output);
           });
}

/// What the graph says that an output is.
Result<TensorView> plannedOutput(KernelCall& call, std::size_t output)
{
    const TensorType& type = call.graph()[call.node().outputs[output]].type;
    const auto shape = type.shape();
    if (!shape) return refuse(call, "its gradient has no shape.");
    return call.output(output, type.dtype, *shape);
}

Status passOn(KernelCall& call, std::size_t output)
{
    PLIMSOLL_ASSIGN(gradient, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(out, plannedOutput(call, output));
    if (gradient.elements() != out.elements() || gradient.dtype != out.dtype)
        return refuse(call, describe(out) + " is no view of " + describe(gradient) + ".");
    copyAll({out.dtype, out.shape, gradient.data}, out);
    return {};
}

/// Adds what is there already, where the graph asks for it.
Status addTo(KernelCall& call, std::size_t output, Numbers& numbers)
{
    const auto* onto = findAttribute<std::vector<std::int64_t>>(call.node(), "grad.onto");
    if (!onto || output >= onto->size() || (*onto)[output] < 0) return {};
    PLIMSOLL_ASSIGN(there, inputTensor(call, static_cast<std::size_t>((*onto)[output])));
    if (there.elements() != static_cast<std::int64_t>(numbers.data.size()))
        return refuse(call, describe(there) + " is not what its gradient can be added to.");
    std::vector<double> sum(numbers.data.size());
    loadNumbers(there, sum.data());
    for (std::size_t i = 0; i < sum.size(); ++i)
        numbers.data[i] += sum[i];
    return {};
}

/// All outputs are computed before the first is written: one may lie over an input.
Status runFormulas(KernelCall& call)
{
    const std::vector<std::string> names = textsAttribute(call, "grad.names");
    const std::vector<std::string> formulas = textsAttribute(call, "grad.formulas");
    const std::vector<std::string> variables = textsAttribute(call, "grad.variables");
    const std::size_t count = call.node().outputs.size();
    if (names.size() != call.inputCount() || formulas.size() != count || variables.size() != count)
        return refuse(call, "its attributes grad.names, grad.formulas and grad.variables do not fit it.");
    std::vector<Numbers> results(count);
    for (std::size_t output = 0; output < count; ++output) {
        if (isView(call.node(), output) || !call.wantsOutput(output)) continue;
        PLIMSOLL_ASSIGN(formula, parseFormula(formulas[output]));
        const FormulaScope scope(call, names, variables[output]);
        const auto shape = call.graph()[call.node().outputs[output]].type.shape();
        PLIMSOLL_ASSIGN(numbers, evaluateInto(formula, scope, shape.value_or(Shape {})));
        PLIMSOLL_TRY(addTo(call, output, numbers));
        results[output] = std::move(numbers);
    }
    for (std::size_t output = 0; output < count; ++output) {
        if (!call.wantsOutput(output)) continue;
        if (isView(call.node(), output)) {
            PLIMSOLL_TRY(passOn(call, output));
            continue;
        }
        PLIMSOLL_ASSIGN(out, plannedOutput(call, output));
        storeNumbers(results[output].data.data(), out);
    }
    return {};
}

} // namespace

KernelFunction findGradientKernel(std::string_view domain)
{
    return domain == GradientDomain ? runFormulas : nullptr;
}

} // namespace plimsoll::kernels
