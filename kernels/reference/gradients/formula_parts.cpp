#include "kernels/reference/gradients/formula_parts.h"

#include <algorithm>

namespace plimsoll::kernels {

bool isElementwise(const Formula& formula)
{
    return std::none_of(formula.terms.begin(), formula.terms.end(), [](const Formula::Term& term) {
        return term.kind == Formula::Kind::Call && findFormulaFunction(term.text)->kind == FunctionKind::Tensor;
    });
}

bool mentionsGradient(const Formula& formula, std::size_t index)
{
    const Formula::Term& term = formula.terms[index];
    if (term.kind == Formula::Kind::Name) return isGradientName(term.text);
    if (term.kind != Formula::Kind::Call) return false;
    if (findFormulaFunction(term.text)->kind != FunctionKind::Elementwise) return false;
    return std::any_of(term.arguments.begin(), term.arguments.end(),
                       [&](std::size_t argument) { return mentionsGradient(formula, argument); });
}

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

std::int64_t channelsOfOne(std::int64_t channels, std::int64_t numbers)
{
    return numbers > 0 && channels % numbers == 0 ? channels / numbers : 1;
}

} // namespace plimsoll::kernels
