#include "kernels/common/formula/formula_scope.h"

#include "core/ops/dims.h"
#include "kernels/common/call_tools.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <limits>

namespace plimsoll::kernels {
namespace {

FormulaValue numberValue(double number)
{
    return {.number = number};
}

/// Whether g stands in the elementwise part at \p index.
bool mentionsGradient(const Formula& formula, std::size_t index)
{
    const Formula::Term& term = formula.terms[index];
    if (term.kind == Formula::Kind::Name) return isGradientName(term.text);
    if (term.kind != Formula::Kind::Call) return false;
    if (findFormulaFunction(term.text)->kind != FunctionKind::Elementwise) return false;
    return std::any_of(term.arguments.begin(), term.arguments.end(),
                       [&](std::size_t argument) { return mentionsGradient(formula, argument); });
}

/// Evaluates the tree of one formula. Elementwise parts are fused: only their outcome is written.
class Evaluator
{
public:
    Evaluator(const Formula& formula, const FormulaScope& scope) : m_formula(formula), m_scope(scope) {}

    Result<FormulaValue> of(std::size_t index, const TensorView* out)
    {
        const Formula::Term& term = m_formula.terms[index];
        if (term.kind == Formula::Kind::Number) return numberValue(term.number);
        if (term.kind == Formula::Kind::Name) return m_scope.value(term.text);
        switch (findFormulaFunction(term.text)->kind) {
        case FunctionKind::Elementwise:
            return elementwise(index, out);
        case FunctionKind::Metadata:
            return numberValue(
                static_cast<double>(elementCount(m_scope.sizes(m_formula.terms[term.arguments[0]].text)).value_or(0)));
        case FunctionKind::Setting:
            return setting(term);
        case FunctionKind::Held:
            return numberValue(0);
        case FunctionKind::Tensor:
            break;
        }
        return wholeTensors(term);
    }

private:
    Result<FormulaValue> setting(const Formula::Term& term)
    {
        const std::string& name = m_formula.terms[term.arguments[0]].text;
        if (const auto* integer = findAttribute<std::int64_t>(m_scope.call().node(), name))
            return numberValue(static_cast<double>(*integer));
        if (const auto* real = findAttribute<double>(m_scope.call().node(), name)) return numberValue(*real);
        return of(term.arguments[1], nullptr);
    }

    /// A gradient that is broadcast may be stored smaller than it is; functions of whole tensors see all of it.
    Result<FormulaValue> wholeTensors(const Formula::Term& term)
    {
        std::vector<FormulaValue> arguments;
        for (const std::size_t argument : term.arguments) {
            PLIMSOLL_ASSIGN(value, of(argument, nullptr));
            if (term.text != "expand" && mentionsGradient(m_formula, argument)) {
                const auto full = broadcast(value.shape, m_scope.sizes("g"));
                PLIMSOLL_ASSIGN(written, m_scope.written(value, full.value_or(value.shape)));
                value = std::move(written);
            }
            arguments.push_back(std::move(value));
        }
        return findTensorFunction(term.text)(m_scope, arguments);
    }

    Result<FormulaValue> elementwise(std::size_t root, const TensorView* out)
    {
        FormulaProgram program;
        PLIMSOLL_TRY(assemble(root, program));
        return m_scope.steps().compute(m_scope, program, program.shape,
                                       out && out->shape == program.shape ? out : nullptr);
    }

    Result<std::size_t> assemble(std::size_t index, FormulaProgram& program)
    {
        const Formula::Term& term = m_formula.terms[index];
        const FormulaFunction* function = term.kind == Formula::Kind::Call ? findFormulaFunction(term.text) : nullptr;
        if (function && term.text == "with") return assemble(term.arguments[0], program);
        if (!function || function->kind != FunctionKind::Elementwise) {
            PLIMSOLL_ASSIGN(value, of(index, nullptr));
            const auto read = program.read(value, term.kind == Formula::Kind::Name ? term.text : std::string());
            if (read) return *read;
            return refuse(m_scope.call(), say("kernel.formula-shapes", word::Name {m_formula.text},
                                              plimsoll::describe(program.shape), plimsoll::describe(value.shape)));
        }
        std::size_t operands[3] = {0, 0, 0};
        for (std::size_t i = 0; i < term.arguments.size(); ++i) {
            PLIMSOLL_ASSIGN(operand, assemble(term.arguments[i], program));
            operands[i] = operand;
        }
        return program.append({*operationNamed(term.text), operands[0], operands[1], operands[2]});
    }

    const Formula& m_formula;
    const FormulaScope& m_scope;
};

} // namespace

std::optional<std::size_t> FormulaScope::position(std::string_view name) const
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found == m_names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_names.begin());
}

const TensorView* FormulaScope::input(std::string_view name) const
{
    const auto at = position(name);
    return at ? optionalInput(m_call, *at) : nullptr;
}

Result<FormulaValue> FormulaScope::value(std::string_view name) const
{
    const TensorView* tensor = input(name);
    if (!tensor) return numberValue(isGradientName(name) ? 0 : std::numeric_limits<double>::quiet_NaN());
    if (!m_steps.reads(tensor->dtype)) return refuseType(m_call, tensor->dtype);
    return FormulaValue {.shape = tensor->shape, .dtype = tensor->dtype, .data = tensor->data};
}

Shape FormulaScope::sizes(std::string_view name) const
{
    if (const auto given = intsAttribute(m_call, "grad.sizes." + std::string(name))) return *given;
    const TensorView* tensor = input(name);
    return tensor ? tensor->shape : Shape {};
}

Result<FormulaValue> FormulaScope::written(const FormulaValue& value, const Shape& shape) const
{
    if (!value.number && value.dtype == m_steps.dtype && value.shape == shape) return value;
    FormulaProgram program;
    static_cast<void>(program.read(value));
    return m_steps.compute(*this, program, shape, nullptr);
}

Result<FormulaValue> FormulaScope::summed(const FormulaValue& value, const Shape& shape) const
{
    PLIMSOLL_ASSIGN(whole, written(value, value.shape));
    Shape padded = whole.shape; // both with the same number of dimensions
    padded.insert(padded.begin(), std::max(shape.size(), padded.size()) - padded.size(), 1);
    std::vector<bool> gone(padded.size(), false);
    Shape kept(shape.size(), 1);
    for (std::size_t back = 1; back <= padded.size(); ++back) {
        const std::size_t d = padded.size() - back;
        gone[d] = back > shape.size() || shape[shape.size() - back] == 1;
        if (back <= shape.size()) kept[shape.size() - back] = gone[d] ? 1 : padded[d];
    }
    const bool sums = productOf(reductionOver(padded, gone, true).gone) != 1;
    whole.shape = std::move(padded);
    if (sums) {
        PLIMSOLL_ASSIGN(sum, m_steps.reduced(*this, whole, gone));
        whole = std::move(sum);
    }
    whole.shape = std::move(kept);
    return whole;
}

Result<FormulaValue> evaluateFormula(const Formula& formula, const FormulaScope& scope, const TensorView* out)
{
    return Evaluator(formula, scope).of(formula.terms.size() - 1, out);
}

InnerCall forwardCall(const FormulaScope& scope, const RuntimeValue& variable)
{
    KernelCall& call = scope.call();
    Node node = call.node();
    const std::size_t colons = node.op->rfind("::");
    node.domain = colons == std::string::npos ? std::string() : node.op->substr(0, colons);
    if (colons != std::string::npos) node.op = node.op->substr(colons + 2);
    node.inputs.clear();
    node.outputs.clear();
    while (hasAttribute(call, "grad.sizes." + gradientName(node.outputs.size())))
        node.outputs.emplace_back();
    std::vector<RuntimeValue> inputs;
    for (const std::string& name : textsAttribute(call, "grad.arguments")) {
        const TensorView* given = scope.input(name);
        const bool member = name.find('.') != std::string::npos;
        RuntimeValue& value = inputs.emplace_back();
        if (name == scope.variable()) {
            value = variable;
        } else if (given) {
            value.kind = RuntimeValue::Kind::Tensor;
            value.tensor = *given;
        } else if (member) {
            value = tensorValue(HostTensor(DType::Int64, scope.sizes(name)));
        }
    }
    return {call, std::move(node), std::move(inputs)};
}

Result<InnerCall> forwardSettings(const FormulaScope& scope)
{
    for (const std::string& name : textsAttribute(scope.call(), "grad.arguments")) {
        const auto at = scope.position(name);
        if (at && name != scope.variable()) PLIMSOLL_TRY(scope.steps().readOnHost(scope, *at));
    }
    return forwardCall(scope, {});
}

} // namespace plimsoll::kernels
