#include "core/formats/torch/aten_call.h"

#include "core/ops/literal_elements.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

struct Infix
{
    std::string_view sign;
    std::size_t operands;
    std::string_view op;
};

constexpr Infix Infixes[] = {{"+", 2, "add"},
                             {"-", 2, "sub"},
                             {"*", 2, "mul"},
                             {"/", 2, "div"},
                             {"@", 2, "matmul"},
                             {"**", 2, "pow"},
                             {"//", 2, "floor_divide"},
                             {"%", 2, "remainder"},
                             {"==", 2, "eq"},
                             {"!=", 2, "ne"},
                             {"<", 2, "lt"},
                             {"<=", 2, "le"},
                             {">", 2, "gt"},
                             {">=", 2, "ge"},
                             {"&", 2, "bitwise_and"},
                             {"|", 2, "bitwise_or"},
                             {"^", 2, "bitwise_xor"},
                             {"<<", 2, "lshift"},
                             {">>", 2, "rshift"},
                             {"-", 1, "neg"},
                             {"~", 1, "bitwise_not"},
                             {"+=", 2, "add_"},
                             {"-=", 2, "sub_"},
                             {"*=", 2, "mul_"},
                             {"/=", 2, "div_"},
                             {"&=", 2, "bitwise_and_"},
                             {"|=", 2, "bitwise_or_"}};

/// What says how a result is laid out, which its printed type says too.
constexpr std::array<std::string_view, 8> PassedOver = {"layout", "pin_memory",    "memory_format", "non_blocking",
                                                        "device", "requires_grad", "implicit",      "generator"};

std::vector<std::string> split(std::string_view text, char sign)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(sign), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

} // namespace

Callee calleeOf(const Expression& value, bool isMethod)
{
    if (value.is(Kind::Call)) {
        const std::string& path = value.text;
        const std::vector<std::string> words = split(path, '.');
        if (words.empty()) return {"python", "call", {}, "call"};
        if (isMethod || path.starts_with('.')) return {"torch", words.back(), {}, "Tensor." + words.back()};
        if (words.size() >= 4 && words[0] == "torch" && words[1] == "ops") {
            const std::string overload = words.size() > 4 ? words[4] : std::string();
            return {words[2], words[3], overload == "default" ? std::string() : overload, words[3]};
        }
        const bool torch = words.front() == "torch";
        const std::string whole = torch ? path.substr(std::min(path.size(), std::size_t {6})) : path;
        return {torch ? "torch" : "python", words.back(), {}, whole};
    }
    if (value.is(Kind::Index)) return {"python", "getitem", {}, "getitem"};
    const auto* found = std::ranges::find_if(Infixes, [&](const Infix& infix) {
        return value.is(Kind::Operation) && infix.sign == value.text && infix.operands == value.items.size();
    });
    const std::string op(found == std::end(Infixes) ? std::string_view("constant") : found->op);
    return {"python", op, {}, op};
}

Call::Call(GraphWriter& writer, const AtenRule& rule, const Statement& statement, std::vector<Declared> outputs,
           std::vector<PrintedType> types)
    : m_writer(writer), m_rule(rule), m_statement(statement), m_outputs(std::move(outputs)), m_types(std::move(types))
{
}

std::vector<std::string> Call::parameters() const
{
    return split(m_rule.parameters, ' ');
}

bool Call::bind(const Expression& value)
{
    if (m_rule.parameters.empty()) {
        if (!value.items.empty()) m_arguments["self"] = &value.items[0];
        return true;
    }
    const std::vector<std::string> names = parameters();
    if (value.items.size() > names.size()) return false;
    for (std::size_t i = 0; i < value.items.size(); ++i)
        m_arguments[names[i]] = &value.items[i];
    for (const Keyword& keyword : value.keywords) {
        std::string name = keyword.name == "input" ? "self" : keyword.name;
        const bool known = std::find(names.begin(), names.end(), name) != names.end();
        const bool off =
            keyword.value.is(Kind::None) || (keyword.value.is(Kind::Boolean) && keyword.value.integer == 0);
        const bool passed = std::find(PassedOver.begin(), PassedOver.end(), keyword.name) != PassedOver.end();
        if (known)
            m_arguments[std::move(name)] = &keyword.value;
        else if (!off && !passed)
            return false;
    }
    return true;
}

const Expression* Call::argument(std::string_view parameter) const
{
    const auto found = m_arguments.find(parameter);
    return found == m_arguments.end() || found->second->is(Kind::None) ? nullptr : found->second;
}

std::string Call::name(std::string_view parameter) const
{
    const Expression* expression = argument(parameter);
    const bool local = expression && expression->is(Kind::Name) && m_writer.knows(expression->text);
    return local ? expression->text : std::string();
}

const Operand* Call::operand(std::string_view parameter) const
{
    const std::string local = name(parameter);
    return local.empty() ? nullptr : &m_writer.operand(local);
}

const Operand* Call::dense(std::string_view parameter) const
{
    const Operand* found = operand(parameter);
    return found && !found->strided && !found->expanded ? found : nullptr;
}

std::optional<double> numberIn(const Expression& expression)
{
    if (expression.is(Kind::Real)) return expression.real;
    const bool whole = expression.is(Kind::Integer) || expression.is(Kind::Boolean);
    return whole ? std::optional(static_cast<double>(expression.integer)) : std::nullopt;
}

std::optional<std::int64_t> Call::integer(std::string_view parameter) const
{
    const Expression* found = argument(parameter);
    if (!found || (!found->is(Kind::Integer) && !found->is(Kind::Boolean))) return std::nullopt;
    return found->integer;
}

std::optional<double> Call::real(std::string_view parameter) const
{
    const Expression* found = argument(parameter);
    return found ? numberIn(*found) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> Call::integers(std::string_view parameter) const
{
    const Expression* found = argument(parameter);
    if (!found) return std::nullopt;
    if (found->is(Kind::Integer)) return std::vector<std::int64_t> {found->integer};
    if (!found->is(Kind::List)) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Expression& item : found->items) {
        if (!item.is(Kind::Integer)) return std::nullopt;
        numbers.push_back(item.integer);
    }
    return numbers;
}

std::int64_t Call::integerOr(std::string_view parameter, std::int64_t fallback) const
{
    return integer(parameter).value_or(fallback);
}

bool Call::isDefault(std::string_view parameter, double number) const
{
    return !given(parameter) || real(parameter) == number;
}

std::string Call::read(std::string_view parameter)
{
    const std::string local = name(parameter);
    return local.empty() ? std::string() : m_writer.read(local);
}

std::string Call::constant(const std::string& what, const std::vector<std::int64_t>& numbers)
{
    PartialTensor tensor {DType::Int64, {static_cast<std::int64_t>(numbers.size())}, {}, true};
    for (const std::int64_t number : numbers)
        tensor.elements.emplace_back(Scalar::ofInteger(number));
    return m_writer.addConstant(m_outputs[0].name, what, tensor);
}

std::optional<std::string> Call::scalar(const std::string& what, DType dtype, const Expression& number)
{
    if (!numberIn(number) || dtypeBits(dtype) < 8 || dtype == DType::Complex64 || dtype == DType::Complex128)
        return std::nullopt;
    const bool isReal = number.is(Kind::Real);
    if (isReal && !isFloatingPoint(dtype)) return std::nullopt;
    const auto element = asType(dtype, isReal ? Scalar::ofReal(number.real) : Scalar::ofInteger(number.integer));
    if (!element) return std::nullopt;
    return m_writer.addConstant(m_outputs[0].name, what, {dtype, {}, {element}, true});
}

NamedNode Call::node(std::vector<std::string> inputs, Attributes attributes) const
{
    return nodeOf(m_rule.common, std::move(inputs), std::move(attributes));
}

NamedNode Call::nodeOf(std::string_view op, std::vector<std::string> inputs, Attributes attributes) const
{
    NamedNode made;
    made.node.name = m_outputs[0].name;
    made.node.op = op;
    made.node.attributes = std::move(attributes);
    made.inputs = std::move(inputs);
    for (const Declared& output : m_outputs)
        made.outputs.push_back(output.name);
    return made;
}

NamedNode Call::reshape(std::string input, const std::vector<std::int64_t>& sizes, const std::string& what)
{
    return nodeOf("Reshape", {std::move(input), constant(what, sizes)});
}

bool Call::add(NamedNode node)
{
    node.place = placeOf(m_statement);
    node.node.from.edit().source = m_statement.source;
    node.node.from.edit().module = m_statement.module;
    node.node.at = RunsAt {.device = m_types[0].device};
    m_writer.addNode(std::move(node), m_types);
    return true;
}

std::string Call::addStep(NamedNode node, const std::string& what, TensorType type)
{
    const std::string name = m_outputs[0].name + "." + what;
    node.node.name = name;
    node.outputs = {name};
    node.place = placeOf(m_statement);
    node.node.from.edit().source = m_statement.source;
    node.node.from.edit().module = m_statement.module;
    node.node.at = RunsAt {.device = m_types[0].device};
    PrintedType printed = m_types[0];
    printed.type = std::move(type);
    printed.strides.reset();
    m_writer.addNode(std::move(node), {printed});
    return name;
}

bool Call::addView(NamedNode node, const ViewOf& view)
{
    add(std::move(node));
    m_writer.makeView(m_outputs[0].name, view);
    return true;
}

std::optional<std::vector<std::int64_t>> reshapeSizes(const TensorType& type)
{
    if (!type.dims) return std::nullopt;
    std::vector<std::int64_t> sizes;
    bool open = false;
    for (const Dim& dim : *type.dims) {
        if (dim.size == 0 || (!dim.known() && std::exchange(open, true))) return std::nullopt;
        sizes.push_back(dim.known() ? dim.size : -1);
    }
    return sizes;
}

const AtenRule* findAtenRule(const Callee& callee)
{
    static const auto table = [] {
        std::unordered_map<std::string_view, const AtenRule*> rules;
        for (const auto family :
             {AtenElementwiseRules, AtenLayerRules, AtenCreationRules, AtenViewRules, AtenWriteRules}) {
            for (const AtenRule& rule : family)
                rules.emplace(rule.op, &rule);
        }
        return rules;
    }();
    const bool ours = callee.dialect == "aten" || callee.dialect == "torch" || callee.dialect == "python" ||
                      callee.dialect == "prims";
    const auto found = ours ? table.find(callee.op) : table.end();
    return found == table.end() ? nullptr : found->second;
}

} // namespace plimsoll::fx
