#include "kernels/reference/formula_parts.h"

#include <algorithm>

namespace plimsoll::kernels {

bool isGradientName(std::string_view name)
{
    return name.starts_with("g") &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

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

} // namespace plimsoll::kernels
