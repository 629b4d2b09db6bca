#include "kernels/common/formula/gradient_node.h"

#include "core/ops/dims.h"
#include "kernels/common/call_tools.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

/// How many elements of the incoming gradient one element of \p result stands for, where \p shape sums over them.
double multiplicity(const Shape& result, const Shape& full, const Shape& shape)
{
    double count = 1;
    for (std::size_t back = 1; back <= full.size(); ++back) {
        const auto at = [back](const Shape& sizes) {
            return back <= sizes.size() ? sizes[sizes.size() - back] : std::int64_t {1};
        };
        if (at(shape) == 1 && at(result) == 1) count *= static_cast<double>(at(full));
    }
    return count;
}

/// Whether no function of whole tensors stands in it.
bool isElementwise(const Formula& formula)
{
    return std::none_of(formula.terms.begin(), formula.terms.end(), [](const Formula::Term& term) {
        return term.kind == Formula::Kind::Call && findFormulaFunction(term.text)->kind == FunctionKind::Tensor;
    });
}

} // namespace

Result<GradientNode> readGradientNode(const KernelCall& call)
{
    GradientNode backward {textsAttribute(call, "grad.names"), textsAttribute(call, "grad.variables"), {}, {}};
    const std::size_t count = call.node().outputs.size();
    backward.onto = intsAttribute(call, "grad.onto").value_or(Shape());
    backward.onto.resize(count, -1);
    for (const std::string& text : textsAttribute(call, "grad.formulas")) {
        PLIMSOLL_ASSIGN(formula, parseFormula(text));
        backward.formulas.push_back(std::move(formula));
    }
    if (backward.names.size() == call.inputCount() && backward.formulas.size() == count &&
        backward.variables.size() == count)
        return backward;
    return refuse(call, say("kernel.gradient-attributes"));
}

bool isGradientView(const Node& node, std::size_t output)
{
    const auto views = [output](const AliasTrait& trait) {
        return trait.kind == AliasKind::View && trait.output == static_cast<int>(output);
    };
    return node.declared->traits && std::any_of(node.declared->traits->begin(), node.declared->traits->end(), views);
}

Result<BroughtGradient> bringGradient(const Formula& formula, const FormulaScope& scope, const Shape& shape,
                                      const TensorView* out)
{
    // Each dimension is summed where the target has 1, else repeated; both at once where both are asked for.
    const Shape target = scope.target();
    const bool fused = isElementwise(formula);
    const bool direct = out && fused && multiplicity(shape, scope.sizes("g"), target) == 1;
    PLIMSOLL_ASSIGN(value, evaluateFormula(formula, scope, direct ? out : nullptr));
    // A bare name is the bytes of an input, and has to be copied.
    const bool elementwise = direct && !value.number && value.shape == shape;
    const bool written = elementwise && formula.root().kind != Formula::Kind::Name;
    const auto full = broadcast(value.shape, fused ? scope.sizes("g") : value.shape);
    const double times = full ? multiplicity(value.shape, *full, target) : 1;
    if (value.shape != shape || times != 1) {
        PLIMSOLL_ASSIGN(summed, scope.summed(value, target));
        value = std::move(summed);
    }
    return BroughtGradient {std::move(value), times, elementwise, written};
}

} // namespace plimsoll::kernels
