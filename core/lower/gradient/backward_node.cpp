#include "core/lower/gradient/backward_node.h"

#include "core/base/narrow.h"
#include "core/ops/derivatives/formula_shape.h"
#include "core/ops/dims.h"
#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

bool uses(const Formula& formula, std::initializer_list<std::string_view> functions)
{
    return std::ranges::any_of(formula.terms, [&](const Formula::Term& term) {
        return term.kind == Formula::Kind::Call && std::ranges::find(functions, term.text) != functions.end();
    });
}

Error noDerivative(const Node& node, Message why)
{
    return {ErrorCode::BadInput, std::move(why), "node '" + node.name + "' (" + qualifiedOp(node) + ")", {}};
}

std::string nameOfInput(const Derivative& derivative, std::size_t input)
{
    const std::size_t argument = derivative.argumentAt(input).value_or(0);
    const DerivativeArgument& named = derivative.arguments[argument];
    return named.list ? named.name + "." + std::to_string(input - argument) : named.name;
}

Status noteSize(const Graph& graph, const Node& forward, const std::string& name, ValueId value, Attributes& attributes)
{
    if (!value.valid()) return {};
    const auto shape = graph[value].type.shape();
    if (!shape || graph[value].type.kind != TypeKind::Tensor)
        return noDerivative(forward, say("gradient.shape-unknown", word::Name {graph[value].name}));
    attributes["grad.sizes." + name] = *shape;
    return {};
}

std::optional<std::vector<std::int64_t>> axesReduced(const Graph& graph, const Node& forward, std::size_t rank)
{
    std::vector<std::int64_t> given;
    if (const auto* attribute = findAttribute<std::vector<std::int64_t>>(forward, "axes")) {
        given = *attribute;
    } else if (forward.inputs.size() > 1 && forward.inputs[1].valid()) {
        const Value& value = graph[forward.inputs[1]];
        const PartialTensor known = readElements(value.type.dtype, value.type.shape().value_or(Shape {}), *value.data);
        if (!known.complete()) return std::nullopt;
        for (const auto& element : known.elements)
            given.push_back(element->integer);
    }
    std::vector<std::int64_t> axes;
    for (const std::int64_t axis : given) {
        const auto normal = normalAxis(axis, rank);
        if (!normal) return std::nullopt;
        axes.push_back(static_cast<std::int64_t>(*normal));
    }
    const bool nothing = attributeOr<std::int64_t>(forward, "noop_with_empty_axes", 0) != 0;
    if (given.empty() && !nothing) {
        axes.resize(rank);
        std::iota(axes.begin(), axes.end(), std::int64_t {0});
    }
    return axes;
}

/// The axes that a reduction took away, or that a softmax runs along, counted from the front; none for others.
Result<std::optional<std::vector<std::int64_t>>> axesOf(const Graph& graph, const Node& forward,
                                                        const Derivative& derivative)
{
    bool reduced = false;
    bool along = false;
    for (const GradientEntry& entry : derivative.entries) {
        reduced = reduced || uses(entry.formula, {"expand", "reduce"});
        along = along || uses(entry.formula, {"along"});
    }
    if (!reduced && !along) return std::optional<std::vector<std::int64_t>> {};
    const std::size_t rank = graph[forward.inputs[0]].type.shape().value_or(Shape {}).size();
    std::optional<std::vector<std::int64_t>> axes;
    const bool one = opsetOf(graph, forward) >= 13; // A softmax before runs along all axes from the given one on.
    const auto axis = normalAxis(attributeOr<std::int64_t>(forward, "axis", one ? -1 : 1), rank);
    if (!along) {
        axes = axesReduced(graph, forward, rank);
    } else if (axis) {
        axes.emplace(one ? 1 : rank - *axis);
        std::iota(axes->begin(), axes->end(), static_cast<std::int64_t>(*axis));
    }
    if (!axes) return noDerivative(forward, say("gradient.axes-unknown"));
    return axes;
}

class Maker
{
public:
    Maker(const Graph& graph, const BackwardRequest& request)
        : m_graph(graph), m_request(request), m_derivative(request.derivative), m_forward(graph[request.forward])
    {
    }

    Result<BackwardNode> run()
    {
        Node& node = m_made.node;
        node.op = qualifiedOp(m_forward);
        node.name = "backward:" + m_forward.name;
        node.domain = GradientDomain;
        node.attributes = m_forward.attributes;
        node.from.edit().origin = {"plimsoll", "gradient", qualifiedOp(m_forward)};
        node.at = m_forward.at;
        node.from.edit().source = m_forward.from->source;
        node.from.edit().module = m_forward.from->module;
        std::vector<std::string> arguments;
        for (std::size_t input = 0; input < m_forward.inputs.size(); ++input) {
            arguments.push_back(nameOfInput(m_derivative, input));
            PLIMSOLL_TRY(noteSize(m_graph, m_forward, arguments.back(), m_forward.inputs[input], node.attributes));
        }
        for (std::size_t output = 0; output < m_forward.outputs.size(); ++output) {
            const ValueId value = m_forward.outputs[output];
            PLIMSOLL_TRY(noteSize(m_graph, m_forward, gradientName(output), value, node.attributes));
            if (output < m_derivative.outputs.size())
                PLIMSOLL_TRY(noteSize(m_graph, m_forward, m_derivative.outputs[output], value, node.attributes));
        }
        PLIMSOLL_ASSIGN(axes, axesOf(m_graph, m_forward, m_derivative));
        if (axes) node.attributes["grad.axes"] = m_axes = std::move(*axes);
        for (std::size_t output = 0; output < m_request.gradients.size(); ++output) {
            if (m_request.gradients[output].valid()) takeInput(gradientName(output), m_request.gradients[output]);
        }
        takeSaved();
        node.declared.edit().traits.emplace();
        for (std::size_t input = 0; input < m_request.outputs.size(); ++input) {
            if (m_request.outputs[input]) PLIMSOLL_TRY(addOutput(input));
        }
        node.attributes["grad.arguments"] = std::move(arguments);
        node.attributes["grad.names"] = m_names;
        node.attributes["grad.formulas"] = m_formulas;
        node.attributes["grad.variables"] = m_variables;
        return std::move(m_made);
    }

private:
    void takeInput(std::string name, ValueId value)
    {
        m_names.push_back(std::move(name));
        m_made.node.inputs.push_back(value);
    }

    void takeSaved()
    {
        for (const SavedSlot& slot : savedSlots(m_derivative, m_request.rule, m_request.wanted)) {
            const auto& values = slot.output ? m_forward.outputs : m_forward.inputs;
            const ValueId value = slot.position < values.size() ? values[slot.position] : ValueId();
            if (!value.valid()) continue;
            const std::string& name =
                slot.output ? m_derivative.outputs[slot.position] : m_derivative.arguments[slot.position].name;
            takeInput(name, value);
            const bool known = m_graph[value].role == ValueRole::Constant;
            if (slot.reason == SavingReason::Setting && known) continue;
            SavedTensor saved {value, m_request.forward, {}, name, slot.reason, slot.formulas, {}};
            for (const std::size_t argument : slot.neededFor)
                saved.neededFor.push_back(m_forward.inputs[argument]);
            m_made.saved.push_back(std::move(saved));
        }
    }

    /// The shape of what a formula names, as far as it is there.
    [[nodiscard]] std::optional<Shape> shapeOf(std::string_view name) const
    {
        const auto found = std::ranges::find(m_names, name);
        if (found == m_names.end()) return std::nullopt;
        const auto input = static_cast<std::size_t>(found - m_names.begin());
        return m_graph[m_made.node.inputs[input]].type.shape();
    }

    [[nodiscard]] Shape expanded(const Shape& shape, std::size_t rank) const
    {
        const Shape reduced = m_graph[m_forward.outputs[0]].type.shape().value_or(Shape {});
        return withReducedAxes(shape, reduced, m_axes, rank);
    }

    /// The shape under which the bytes of the incoming gradient are the result, if they are.
    [[nodiscard]] std::optional<Shape> viewShape(const Formula& formula, const Shape& target) const
    {
        const auto gradient = shapeOf("g");
        if (!gradient || m_names.front() != "g") return std::nullopt;
        const Shape full = m_graph[m_forward.outputs[0]].type.shape().value_or(Shape {});
        const bool one = elementCount(*gradient) == 1;
        if (formula.isName("g")) return full == target ? gradient : std::nullopt;
        const Formula::Term& root = formula.root();
        const bool direct = root.kind == Formula::Kind::Call && formula.terms.size() == 2 &&
                            formula.terms[0].kind == Formula::Kind::Name && formula.terms[0].text == "g";
        if (direct && root.text == "expand") return expanded(*gradient, target.size());
        if (direct && root.text == "reshape" && *gradient == full) return target;
        if (direct && root.text == "reshape" && one) return Shape(target.size(), 1);
        return std::nullopt;
    }

    Status addOutput(std::size_t input)
    {
        const Value& variable = m_graph[m_forward.inputs[input]];
        const Shape target = variable.type.shape().value_or(Shape {});
        const Formula& formula = m_derivative.entryOf(*m_derivative.argumentAt(input))->formula;
        BackwardNode::Output output {input, {}, false};
        const bool sameType = m_graph[m_made.node.inputs[0]].type.dtype == variable.type.dtype;
        const auto view = sameType ? viewShape(formula, target) : std::nullopt;
        if (view && (!m_request.whole[input] || *view == target)) {
            output.type = TensorType::dense(variable.type.dtype, *view);
            output.view = true;
            m_made.node.declared.edit().traits->push_back({narrow<int>(m_made.outputs.size()), 0, AliasKind::View, 0});
        } else {
            const auto shape = compactShape(
                formula, [this](std::string_view name) { return shapeOf(name); },
                [&](const Shape& inner) { return expanded(inner, target.size()); });
            output.type = TensorType::dense(variable.type.dtype,
                                            shape && !m_request.whole[input] ? fittedShape(*shape, target) : target);
        }
        m_formulas.push_back(formula.text);
        m_variables.push_back(nameOfInput(m_derivative, input));
        m_made.outputs.push_back(std::move(output));
        return {};
    }

    const Graph& m_graph;
    const BackwardRequest& m_request;
    const Derivative& m_derivative;
    const Node& m_forward;
    BackwardNode m_made;
    std::vector<std::string> m_names;     ///< By input.
    std::vector<std::string> m_formulas;  ///< By output.
    std::vector<std::string> m_variables; ///< By output.
    std::vector<std::int64_t> m_axes;
};

} // namespace

Result<BackwardNode> makeBackwardNode(const Graph& graph, const BackwardRequest& request)
{
    return Maker(graph, request).run();
}

std::vector<bool> inputsWithGradient(const Graph& graph, NodeId node, const Derivative& derivative,
                                     const std::vector<bool>& requiresGrad)
{
    std::vector<bool> inputs;
    for (std::size_t i = 0; i < graph[node].inputs.size(); ++i) {
        const ValueId value = graph[node].inputs[i];
        const auto argument = derivative.argumentAt(i);
        const GradientEntry* entry = argument ? derivative.entryOf(*argument) : nullptr;
        inputs.push_back(value.valid() && entry && !entry->formula.isZero() && requiresGrad[value.index()]);
    }
    return inputs;
}

bool passesGradient(const Derivative& derivative, std::size_t output)
{
    const std::string name = gradientName(output);
    return std::ranges::any_of(derivative.entries, [&](const GradientEntry& entry) {
        if (output == 0 || uses(entry.formula, {"moved_back"})) return true;
        const std::vector<Mention> mentions = mentionsOf(entry.formula);
        return std::ranges::any_of(mentions, [&](const Mention& one) { return one.name == name; });
    });
}

Node formulaNode(std::string op, std::string formula, std::size_t inputs, const Shape& shape)
{
    std::vector<std::string> names;
    for (std::size_t input = 0; input < inputs; ++input)
        names.push_back(gradientName(input));
    Node node;
    node.op = std::move(op);
    node.domain = GradientDomain;
    node.from.edit().origin = {"plimsoll", "gradient", node.op};
    node.attributes["grad.names"] = std::move(names);
    node.attributes["grad.formulas"] = std::vector<std::string> {std::move(formula)};
    node.attributes["grad.variables"] = std::vector<std::string> {"sum"};
    node.attributes["grad.sizes.sum"] = shape;
    node.attributes["grad.sizes.g"] = shape;
    node.declared.edit().traits.emplace();
    return node;
}

Shape fittedShape(const Shape& from, const Shape& target)
{
    Shape shape(target.size(), 1);
    for (std::size_t back = 1; back <= target.size(); ++back) {
        const std::int64_t size = back <= from.size() ? from[from.size() - back] : 1;
        const std::int64_t wanted = target[target.size() - back];
        shape[target.size() - back] = size == 1 ? 1 : wanted;
    }
    return shape;
}

} // namespace plimsoll
