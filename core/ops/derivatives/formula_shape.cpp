#include "core/ops/derivatives/formula_shape.h"

#include "core/ops/dims.h"

#include <algorithm>

namespace plimsoll {
namespace {

class ShapeFinder
{
public:
    ShapeFinder(const Formula& formula, const ShapeOfName& shapeOfName,
                const std::function<Shape(const Shape&)>& expanded)
        : m_formula(formula), m_shapeOfName(shapeOfName), m_expanded(expanded)
    {
    }

    [[nodiscard]] std::optional<Shape> of(std::size_t index) const
    {
        const Formula::Term& term = m_formula.terms[index];
        if (term.kind == Formula::Kind::Number) return Shape {};
        if (term.kind == Formula::Kind::Name) return m_shapeOfName(term.text).value_or(Shape {});
        switch (findFormulaFunction(term.text)->kind) {
        case FunctionKind::Elementwise:
            return term.text == "with" ? of(term.arguments[0]) : joined(term);
        case FunctionKind::Metadata:
        case FunctionKind::Held:
        case FunctionKind::Setting:
            return Shape {};
        case FunctionKind::Tensor:
            break;
        }
        const auto inner = term.text == "expand" ? of(term.arguments[0]) : std::nullopt;
        return inner ? std::optional(m_expanded(*inner)) : std::nullopt;
    }

private:
    [[nodiscard]] std::optional<Shape> joined(const Formula::Term& term) const
    {
        Shape shape;
        for (const std::size_t argument : term.arguments) {
            const auto next = of(argument);
            const auto both = next ? broadcast(shape, *next) : std::nullopt;
            if (!both) return std::nullopt;
            shape = *both;
        }
        return shape;
    }

    const Formula& m_formula;
    const ShapeOfName& m_shapeOfName;
    const std::function<Shape(const Shape&)>& m_expanded;
};

} // namespace

Shape withReducedAxes(const Shape& shape, const Shape& reduced, const std::vector<std::int64_t>& axes, std::size_t rank)
{
    Shape padded(reduced.size() > shape.size() ? reduced.size() - shape.size() : 0, 1);
    padded.insert(padded.end(), shape.begin(), shape.end());
    if (padded.size() >= rank) return padded; // the axes were never taken away
    Shape result;
    std::size_t next = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const bool gone = std::ranges::find(axes, static_cast<std::int64_t>(axis)) != axes.end();
        result.push_back(gone || next >= padded.size() ? 1 : padded[next++]);
    }
    return result;
}

std::optional<Shape> compactShape(const Formula& formula, const ShapeOfName& shapeOfName,
                                  const std::function<Shape(const Shape&)>& expanded)
{
    return ShapeFinder(formula, shapeOfName, expanded).of(formula.terms.size() - 1);
}

} // namespace plimsoll
