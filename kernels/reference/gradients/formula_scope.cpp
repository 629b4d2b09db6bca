#include "kernels/reference/gradients/formula_scope.h"

#include "core/ops/dims.h"
#include "kernels/reference/call_tools.h"
#include "kernels/reference/gradients/formula_parts.h"
#include "kernels/reference/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Block = 256; // elements at a time: every partial result stays in the first cache

/// Evaluates the tree of one formula. Elementwise parts are fused: only their outcome is written out.
class Evaluator
{
public:
    Evaluator(const Formula& formula, const FormulaScope& scope) : m_formula(formula), m_scope(scope) {}

    Result<Numbers> of(std::size_t index)
    {
        const Formula::Term& term = m_formula.terms[index];
        if (term.kind == Formula::Kind::Number) return Numbers::ofScalar(term.number);
        if (term.kind == Formula::Kind::Name) return m_scope.value(term.text);
        switch (findFormulaFunction(term.text)->kind) {
        case FunctionKind::Elementwise:
            return elementwise(index);
        case FunctionKind::Metadata:
            return Numbers::ofScalar(
                static_cast<double>(elementCount(m_scope.sizes(m_formula.terms[term.arguments[0]].text)).value_or(0)));
        case FunctionKind::Setting:
            return setting(term);
        case FunctionKind::Held:
            return Numbers::ofScalar(0);
        case FunctionKind::Tensor:
            break;
        }
        return wholeTensors(term);
    }

private:
    Result<Numbers> setting(const Formula::Term& term)
    {
        const std::string& name = m_formula.terms[term.arguments[0]].text;
        if (const auto* integer = findAttribute<std::int64_t>(m_scope.call().node(), name))
            return Numbers::ofScalar(static_cast<double>(*integer));
        if (const auto* real = findAttribute<double>(m_scope.call().node(), name)) return Numbers::ofScalar(*real);
        return of(term.arguments[1]);
    }

    Result<Numbers> wholeTensors(const Formula::Term& term)
    {
        std::vector<Numbers> arguments;
        for (const std::size_t argument : term.arguments) {
            PLIMSOLL_ASSIGN(numbers, of(argument));
            if (term.text != "expand" && mentionsGradient(m_formula, argument))
                numbers = writtenOut(std::move(numbers));
            arguments.push_back(std::move(numbers));
        }
        return findTensorFunction(term.text)(m_scope, arguments);
    }

    /// A gradient that is broadcast may be stored smaller than it is; functions of whole tensors see all of it.
    [[nodiscard]] Numbers writtenOut(Numbers numbers) const
    {
        const auto full = broadcast(numbers.shape, m_scope.sizes("g"));
        return full && *full != numbers.shape ? expandedTo(numbers, *full) : std::move(numbers);
    }

    /// One term of a fused part: an operand, or a function of earlier ones.
    struct Fused
    {
        ElementFunction function = nullptr;
        std::array<std::size_t, 3> operands {}; ///< Positions in the fused part.
        Numbers numbers;                        ///< Of an operand.
        std::vector<std::int64_t> offsets;      ///< Where its elements are read; empty: in order, or the only one.
        std::array<double, Block> block {};
    };

    Result<Numbers> elementwise(std::size_t root)
    {
        std::vector<Fused> fused;
        PLIMSOLL_TRY(fuse(root, fused));
        Shape shape;
        for (const Fused& part : fused) {
            const auto joined = part.function ? std::optional(shape) : broadcast(shape, part.numbers.shape);
            if (!joined)
                return refuse(m_scope.call(), "in '" + m_formula.text + "' the shapes " + plimsoll::describe(shape) +
                                                  " and " + plimsoll::describe(part.numbers.shape) + " do not meet.");
            shape = *joined;
        }
        Numbers result = Numbers::zeros(shape);
        for (Fused& part : fused) {
            const bool plain = part.function || part.numbers.data.size() == 1 || part.numbers.shape == shape;
            if (!plain) part.offsets = broadcastOffsets(part.numbers.shape, shape);
        }
        run(fused, result);
        return result;
    }

    Status fuse(std::size_t index, std::vector<Fused>& fused)
    {
        const Formula::Term& term = m_formula.terms[index];
        const FormulaFunction* function = term.kind == Formula::Kind::Call ? findFormulaFunction(term.text) : nullptr;
        if (function && term.text == "with") return fuse(term.arguments[0], fused);
        Fused part;
        if (function && function->kind == FunctionKind::Elementwise) {
            for (std::size_t i = 0; i < term.arguments.size(); ++i) {
                PLIMSOLL_TRY(fuse(term.arguments[i], fused));
                part.operands[i] = fused.size() - 1;
            }
            part.function = findElementFunction(term.text);
        } else {
            PLIMSOLL_ASSIGN(numbers, of(index));
            part.numbers = std::move(numbers);
        }
        fused.push_back(std::move(part));
        return {};
    }

    static void run(std::vector<Fused>& fused, Numbers& result)
    {
        const auto total = static_cast<std::int64_t>(result.data.size());
        for (std::int64_t begin = 0; begin < total; begin += Block) {
            const std::int64_t count = std::min(Block, total - begin);
            for (Fused& part : fused)
                part.function ? compute(fused, part, count) : read(part, begin, count);
            std::copy_n(fused.back().block.begin(), count, result.data.begin() + begin);
        }
    }

    static void read(Fused& part, std::int64_t begin, std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto at = static_cast<std::size_t>(begin + i);
            const std::size_t from = part.numbers.data.size() == 1 ? 0
                                     : part.offsets.empty()        ? at
                                                                   : static_cast<std::size_t>(part.offsets[at]);
            part.block[static_cast<std::size_t>(i)] = part.numbers.data[from];
        }
    }

    static void compute(const std::vector<Fused>& fused, Fused& part, std::int64_t count)
    {
        const auto& a = fused[part.operands[0]].block;
        const auto& b = fused[part.operands[1]].block;
        const auto& c = fused[part.operands[2]].block;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            part.block[i] = part.function(a[i], b[i], c[i]);
    }

    const Formula& m_formula;
    const FormulaScope& m_scope;
};

} // namespace

Numbers Numbers::zeros(Shape shape)
{
    const auto count = static_cast<std::size_t>(elementCount(shape).value_or(0));
    return {std::move(shape), std::vector<double>(count, 0)};
}

FormulaScope::FormulaScope(KernelCall& call, std::vector<std::string> names, std::string variable)
    : m_call(call), m_names(std::move(names)), m_variable(std::move(variable))
{
}

const TensorView* FormulaScope::input(std::string_view name) const
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    return found == m_names.end() ? nullptr : optionalInput(m_call, static_cast<std::size_t>(found - m_names.begin()));
}

Numbers FormulaScope::value(std::string_view name) const
{
    if (const TensorView* tensor = input(name)) return {tensor->shape, doublesOf(*tensor)};
    return Numbers::ofScalar(isGradientName(name) ? 0 : std::numeric_limits<double>::quiet_NaN());
}

Shape FormulaScope::sizes(std::string_view name) const
{
    const auto given = intsAttribute(m_call, "grad.sizes." + std::string(name));
    if (given) return *given;
    const TensorView* tensor = input(name);
    return tensor ? tensor->shape : Shape {};
}

Result<Numbers> evaluateFormula(const Formula& formula, const FormulaScope& scope)
{
    return Evaluator(formula, scope).of(formula.terms.size() - 1);
}

Result<Numbers> evaluateInto(const Formula& formula, const FormulaScope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(result, evaluateFormula(formula, scope));
    // Each dimension is summed where the target has 1, else repeated; both at once where both are asked for.
    const Shape target = scope.target();
    const auto full = broadcast(result.shape, isElementwise(formula) ? scope.sizes("g") : result.shape);
    const double times = full ? multiplicity(result.shape, *full, target) : 1;
    if (result.shape == shape && times == 1) return result;
    Numbers summed = summedTo(result, target);
    if (summed.shape != shape) summed = expandedTo(summed, shape);
    for (double& number : summed.data)
        number *= times;
    return summed;
}

Numbers expandedTo(const Numbers& numbers, const Shape& shape)
{
    Numbers result = Numbers::zeros(shape);
    const std::vector<std::int64_t> offsets = broadcastOffsets(numbers.shape, shape);
    for (std::size_t i = 0; i < offsets.size(); ++i)
        result.data[i] = numbers.data[static_cast<std::size_t>(offsets[i])];
    return result;
}

Numbers summedTo(const Numbers& numbers, const Shape& shape)
{
    Shape kept(shape.size(), 1); // as the numbers have it, 1 where the shape does
    for (std::size_t back = 1; back <= std::min(shape.size(), numbers.shape.size()); ++back) {
        const std::int64_t size = numbers.shape[numbers.shape.size() - back];
        kept[shape.size() - back] = shape[shape.size() - back] == 1 ? 1 : size;
    }
    Numbers result = Numbers::zeros(kept);
    const Shape walked = numbers.shape.size() < kept.size() ? kept : numbers.shape;
    const std::vector<std::int64_t> targets = broadcastOffsets(kept, walked);
    for (std::size_t i = 0; i < targets.size(); ++i)
        result.data[static_cast<std::size_t>(targets[i])] += numbers.data[i];
    return result;
}

TensorFunction findTensorFunction(std::string_view name)
{
    for (const auto table : {shapeFormulaFunctions(), layerFormulaFunctions()}) {
        const auto found = std::find_if(table.begin(), table.end(),
                                        [name](const TensorFunctionEntry& entry) { return entry.name == name; });
        if (found != table.end()) return found->run;
    }
    return nullptr;
}

namespace {

struct ElementEntry
{
    std::string_view name;
    ElementFunction run;
};

double sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

constexpr ElementEntry ElementFunctions[] = {
    {"+", [](double a, double b, double) { return a + b; }},
    {"-", [](double a, double b, double) { return a - b; }},
    {"*", [](double a, double b, double) { return a * b; }},
    {"/", [](double a, double b, double) { return a / b; }},
    {"neg", [](double a, double, double) { return -a; }},
    {"abs", [](double a, double, double) { return std::fabs(a); }},
    {"cos", [](double a, double, double) { return std::cos(a); }},
    {"cosh", [](double a, double, double) { return std::cosh(a); }},
    {"erf", [](double a, double, double) { return std::erf(a); }},
    {"exp", [](double a, double, double) { return std::exp(a); }},
    {"log", [](double a, double, double) { return std::log(a); }},
    {"sigmoid", [](double a, double, double) { return sigmoid(a); }},
    {"sign", [](double a, double, double) { return static_cast<double>((a > 0) - (a < 0)); }},
    {"sin", [](double a, double, double) { return std::sin(a); }},
    {"sinh", [](double a, double, double) { return std::sinh(a); }},
    {"softplus",
     [](double a, double, double) { return a > 0 ? a + std::log1p(std::exp(-a)) : std::log1p(std::exp(a)); }},
    {"sqrt", [](double a, double, double) { return std::sqrt(a); }},
    {"tan", [](double a, double, double) { return std::tan(a); }},
    {"tanh", [](double a, double, double) { return std::tanh(a); }},
    {"trunc", [](double a, double, double) { return std::trunc(a); }},
    {"both", [](double a, double b, double) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
    {"eq", [](double a, double b, double) { return a == b ? 1.0 : 0.0; }},
    {"ge", [](double a, double b, double) { return a >= b ? 1.0 : 0.0; }},
    {"gt", [](double a, double b, double) { return a > b ? 1.0 : 0.0; }},
    {"le", [](double a, double b, double) { return a <= b ? 1.0 : 0.0; }},
    {"lt", [](double a, double b, double) { return a < b ? 1.0 : 0.0; }},
    {"pow", [](double a, double b, double) { return std::pow(a, b); }},
    {"where", [](double a, double b, double c) { return a != 0 ? b : c; }},
};

} // namespace

ElementFunction findElementFunction(std::string_view name)
{
    const auto* found = std::find_if(std::begin(ElementFunctions), std::end(ElementFunctions),
                                     [name](const ElementEntry& entry) { return entry.name == name; });
    return found == std::end(ElementFunctions) ? nullptr : found->run;
}

} // namespace plimsoll::kernels
