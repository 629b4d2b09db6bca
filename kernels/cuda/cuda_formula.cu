#include "kernels/cuda/cuda_formula.h"

#include "core/base/narrow.h"
#include "core/ops/dims.h"
#include "kernels/cuda/formula_program.h"
#include "kernels/cuda/reduce.h"
#include "kernels/reference/gradients/formula_parts.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

struct Named
{
    std::string_view name;
    Operation operation;
};
constexpr Named Operations[] = {
    {"+", Operation::Add},
    {"-", Operation::Subtract},
    {"*", Operation::Multiply},
    {"/", Operation::Divide},
    {"neg", Operation::Negate},
    {"abs", Operation::Abs},
    {"cos", Operation::Cos},
    {"cosh", Operation::Cosh},
    {"erf", Operation::Erf},
    {"exp", Operation::Exp},
    {"log", Operation::Log},
    {"sigmoid", Operation::Sigmoid},
    {"sign", Operation::Sign},
    {"sin", Operation::Sin},
    {"sinh", Operation::Sinh},
    {"softplus", Operation::Softplus},
    {"sqrt", Operation::Sqrt},
    {"tan", Operation::Tan},
    {"tanh", Operation::Tanh},
    {"trunc", Operation::Trunc},
    {"both", Operation::Both},
    {"eq", Operation::Equal},
    {"ge", Operation::GreaterOrEqual},
    {"gt", Operation::Greater},
    {"le", Operation::LessOrEqual},
    {"lt", Operation::Less},
    {"pow", Operation::Power},
    {"where", Operation::Where},
};

struct ProgramBody
{
    Program program;
    float* y;
    PLIMSOLL_DEVICE float read(std::int64_t i) const { return program.run(i); }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

bool isReadable(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Int64 || dtype == DType::Int32 || dtype == DType::Bool;
}

/// A program in the making: its instructions, and the tensors that they read.
class Assembly
{
public:
    explicit Assembly(const DeviceScope& scope) : m_scope(scope) {}

    /// \p name is empty for what has none; what has one is read once.
    Result<std::uint8_t> add(const Part& part, const std::string& name = {})
    {
        if (part.number) return append({Operation::Constant, 0, 0, 0, *part.number});
        const auto known = std::find(m_names.begin(), m_names.end(), name);
        if (!name.empty() && known != m_names.end())
            return append({Operation::Read, narrow<std::uint8_t>(known - m_names.begin()), 0, 0, 0});
        const auto joined = broadcast(m_shape, part.shape);
        if (!joined) return decline(m_scope.call(), "in a formula two shapes do not meet");
        if (m_parts.size() == Program::MaxOperands) return decline(m_scope.call(), "a formula reads too many tensors");
        m_shape = *joined;
        m_parts.push_back(part);
        m_names.push_back(name);
        return append({Operation::Read, narrow<std::uint8_t>(m_parts.size() - 1), 0, 0, 0});
    }
    /// What was computed before is not computed again.
    Result<std::uint8_t> append(const Program::Instruction& wanted)
    {
        for (int k = 0; k < m_program.instructions; ++k) {
            const Program::Instruction& made = m_program.code[k];
            const bool same = made.operation == wanted.operation && made.a == wanted.a && made.b == wanted.b &&
                              made.c == wanted.c && made.constant == wanted.constant;
            if (same) return static_cast<std::uint8_t>(k);
        }
        if (m_program.instructions == Program::MaxInstructions) return decline(m_scope.call(), "a formula is too long");
        m_program.code[m_program.instructions] = wanted;
        return static_cast<std::uint8_t>(m_program.instructions++);
    }
    [[nodiscard]] const Shape& shape() const { return m_shape; }

    /// Computes every element of \p shape, which the operands broadcast to.
    Status launch(const Shape& shape, float* y)
    {
        std::array<Shape, Program::MaxOperands> strides;
        strides.fill(Shape(shape.size(), 0));
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            strides[i] = broadcastStrides(m_parts[i].shape, shape);
            m_program.from[i] = {m_parts[i].data, m_parts[i].dtype};
        }
        const auto walk = walkOver<Program::MaxOperands>(shape, strides);
        if (!walk) return decline(m_scope.call(), "the operands of a formula repeat in too many dimensions");
        m_program.walk = *walk;
        m_program.operands = narrow<int>(m_parts.size());
        forEach(m_scope.queue(), walk->count, ProgramBody {m_program, y});
        return {};
    }

private:
    const DeviceScope& m_scope;
    Program m_program {};
    std::vector<Part> m_parts;
    std::vector<std::string> m_names; ///< By part.
    Shape m_shape;
};

class Evaluator
{
public:
    Evaluator(const Formula& formula, const DeviceScope& scope) : m_formula(formula), m_scope(scope) {}

    Result<Part> of(std::size_t index, const TensorView* out)
    {
        const Formula::Term& term = m_formula.terms[index];
        if (term.kind == Formula::Kind::Number) return numberPart(term.number);
        if (term.kind == Formula::Kind::Name) return m_scope.value(term.text);
        switch (findFormulaFunction(term.text)->kind) {
        case FunctionKind::Elementwise:
            return elementwise(index, out);
        case FunctionKind::Metadata:
            return numberPart(
                static_cast<double>(elementCount(m_scope.sizes(m_formula.terms[term.arguments[0]].text)).value_or(0)));
        case FunctionKind::Setting:
            return setting(term);
        case FunctionKind::Held:
            return numberPart(0);
        case FunctionKind::Tensor:
            break;
        }
        return wholeTensors(term);
    }

private:
    static Part numberPart(double number) { return {{}, DType::Float32, nullptr, static_cast<float>(number)}; }

    Result<Part> setting(const Formula::Term& term)
    {
        const std::string& name = m_formula.terms[term.arguments[0]].text;
        if (const auto* integer = findAttribute<std::int64_t>(m_scope.call().node(), name))
            return numberPart(static_cast<double>(*integer));
        if (const auto* real = findAttribute<double>(m_scope.call().node(), name)) return numberPart(*real);
        return of(term.arguments[1], nullptr);
    }

    Result<Part> wholeTensors(const Formula::Term& term)
    {
        const DeviceFunctionEntry* function = nullptr;
        for (const auto table : {shapeFunctions(), layerFunctions(), placeFunctions()}) {
            for (const DeviceFunctionEntry& entry : table)
                function = entry.name == term.text ? &entry : function;
        }
        if (!function) return decline(m_scope.call(), "the function " + term.text + " of its formula");
        std::vector<Part> arguments;
        for (const std::size_t argument : term.arguments) {
            PLIMSOLL_ASSIGN(part, of(argument, nullptr));
            if (term.text != "expand" && mentionsGradient(m_formula, argument)) {
                const auto full = broadcast(part.shape, m_scope.sizes("g"));
                PLIMSOLL_ASSIGN(written, m_scope.written(part, full.value_or(part.shape)));
                part = written;
            }
            arguments.push_back(std::move(part));
        }
        return function->run(m_scope, arguments);
    }

    Result<Part> elementwise(std::size_t root, const TensorView* out)
    {
        Assembly assembly(m_scope);
        PLIMSOLL_TRY(assemble(root, assembly));
        Part result {assembly.shape()};
        if (out && out->shape == result.shape) {
            result.data = out->data;
        } else {
            PLIMSOLL_ASSIGN(room, m_scope.room(result.shape));
            result.data = room;
        }
        PLIMSOLL_TRY(assembly.launch(result.shape, static_cast<float*>(const_cast<void*>(result.data))));
        return result;
    }

    Result<std::uint8_t> assemble(std::size_t index, Assembly& assembly)
    {
        const Formula::Term& term = m_formula.terms[index];
        const FormulaFunction* function = term.kind == Formula::Kind::Call ? findFormulaFunction(term.text) : nullptr;
        if (function && term.text == "with") return assemble(term.arguments[0], assembly);
        if (!function || function->kind != FunctionKind::Elementwise) {
            PLIMSOLL_ASSIGN(part, of(index, nullptr));
            return assembly.add(part, term.kind == Formula::Kind::Name ? term.text : std::string());
        }
        std::uint8_t operands[3] = {0, 0, 0};
        for (std::size_t i = 0; i < term.arguments.size(); ++i) {
            PLIMSOLL_ASSIGN(operand, assemble(term.arguments[i], assembly));
            operands[i] = operand;
        }
        const auto operation = operationNamed(term.text);
        if (!operation) return decline(m_scope.call(), "the function " + term.text + " of its formula");
        return assembly.append({*operation, operands[0], operands[1], operands[2], 0});
    }

    const Formula& m_formula;
    const DeviceScope& m_scope;
};

} // namespace

std::optional<Operation> operationNamed(std::string_view name)
{
    for (const Named& named : Operations) {
        if (named.name == name) return named.operation;
    }
    return std::nullopt;
}

const TensorView* DeviceScope::input(std::string_view name) const
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    return found == m_names.end() ? nullptr : optionalInput(m_call, static_cast<std::size_t>(found - m_names.begin()));
}

Result<Part> DeviceScope::value(std::string_view name) const
{
    const TensorView* tensor = input(name);
    if (!tensor) return Part {{}, DType::Float32, nullptr, isGradientName(name) ? 0.0F : NAN};
    if (!isReadable(tensor->dtype)) return declineType(m_call, tensor->dtype);
    return Part {tensor->shape, tensor->dtype, tensor->data};
}

Shape DeviceScope::sizes(std::string_view name) const
{
    if (const auto given = intsAttribute(m_call, "grad.sizes." + std::string(name))) return *given;
    const TensorView* tensor = input(name);
    return tensor ? tensor->shape : Shape {};
}

Result<Part> DeviceScope::written(const Part& part, const Shape& shape) const
{
    if (!part.number && part.dtype == DType::Float32 && part.shape == shape) return part;
    Assembly assembly(*this);
    PLIMSOLL_TRY(assembly.add(part));
    PLIMSOLL_ASSIGN(data, room(shape));
    PLIMSOLL_TRY(assembly.launch(shape, data));
    return Part {shape, DType::Float32, data};
}

Result<Part> DeviceScope::summed(const Part& part, const Shape& shape) const
{
    PLIMSOLL_ASSIGN(whole, written(part, part.shape));
    Shape padded = whole.shape; // both with the same number of dimensions
    padded.insert(padded.begin(), std::max(shape.size(), padded.size()) - padded.size(), 1);
    std::vector<bool> gone(padded.size(), false);
    Shape kept(shape.size(), 1);
    for (std::size_t back = 1; back <= padded.size(); ++back) {
        const std::size_t d = padded.size() - back;
        gone[d] = back > shape.size() || shape[shape.size() - back] == 1;
        if (back <= shape.size()) kept[shape.size() - back] = gone[d] ? 1 : padded[d];
    }
    const Reduction reduction = reductionOver(padded, gone, true);
    if (productOf(reduction.gone) == 1) return Part {kept, DType::Float32, whole.data};
    PLIMSOLL_ASSIGN(data, room(kept));
    PLIMSOLL_TRY((reduceInto<float, float, SumStep<float>>(m_call, reduction, whole.floats(), data)));
    return Part {kept, DType::Float32, data};
}

Result<Part> evaluate(const Formula& formula, const DeviceScope& scope, const TensorView* out)
{
    return Evaluator(formula, scope).of(formula.terms.size() - 1, out);
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
