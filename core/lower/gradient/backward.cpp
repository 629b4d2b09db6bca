#include "core/lower/gradient/backward.h"

#include "core/base/narrow.h"
#include "core/lower/free_names.h"
#include "core/lower/gradient/backward_node.h"
#include "core/lower/gradient/backward_reach.h"
#include "core/ops/dims.h"
#include "core/ops/literal_elements.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <span>

namespace plimsoll {
namespace {

/// From so many contributions on, a gradient is gathered in an accumulator, as MXNet does.
constexpr std::size_t FewestAccumulated = 8;

/// Whether the gradient of the value leaves the graph.
bool isHandedOut(const Graph& graph, ValueId value)
{
    return graph[value].requiresGrad && !graph[value].producer.valid();
}

bool isAdded(const Graph& graph, ValueId value)
{
    return isHandedOut(graph, value) && graph[value].gradientRequest == GradientRequest::Add;
}

/// Whether a contribution has to have the size of the value: it is all there is, or is added to what has it.
bool isWhole(const Graph& graph, ValueId value, std::size_t contributions)
{
    return contributions >= FewestAccumulated || (isHandedOut(graph, value) && contributions == 1);
}

std::vector<bool> wantedArguments(const Graph& graph, NodeId id, const Derivative& derivative, const Reach& reach)
{
    std::vector<bool> wanted(derivative.arguments.size(), false);
    const ValueIds& inputs = graph[id].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto argument = derivative.argumentAt(i);
        if (argument && inputs[i].valid() && reach.requiresGrad[inputs[i].index()] && derivative.entryOf(*argument))
            wanted[*argument] = true;
    }
    return wanted;
}

Decision saveDecision(const Graph& graph, const SavedTensor& saved)
{
    const Value& value = graph[saved.value];
    const word::Name reader {graph[saved.readBy].name};
    const auto nameOf = [&](ValueId wanted) { return word::Name {graph[wanted].name}; };
    Message reason = saved.neededFor.empty()
                         ? say("save.needless", reader)
                         : say("save", reader, allOf(saved.neededFor, nameOf, word::List::Joint::Comma));
    return {DecisionKind::Save,
            value.name,
            graph[saved.savedBy].name,
            true,
            std::string(savingReasonId(saved.reason)),
            std::move(reason),
            value.type.bytes().value_or(0)};
}

/// Adds nodes and values behind those of the forward graph.
class JointWriter
{
public:
    explicit JointWriter(Graph& graph) : m_graph(graph), m_names(graph) {}

    ValueId addValue(const std::string& name, TensorType type, ValueId like)
    {
        Value value;
        value.name = m_names.forValue(name);
        value.type = std::move(type);
        value.at = LiesAt {.space = m_graph[like].at->space};
        m_graph.values.push_back(std::move(value));
        return ValueId(m_graph.values.size() - 1);
    }

    NodeId addNode(Node node)
    {
        node.name = m_names.forNode(node.name);
        m_graph.nodes.push_back(std::move(node));
        const NodeId id(m_graph.nodes.size() - 1);
        m_graph[TopBody].nodes.push_back(id);
        return id;
    }

    ValueId addResult(NodeId node, const std::string& name, TensorType type, ValueId like)
    {
        const ValueId value = addValue(name, std::move(type), like);
        m_graph[value].producer = node;
        m_graph[value].producerOutput = narrow<int>(m_graph[node].outputs.size());
        m_graph[node].outputs.push_back(value);
        return value;
    }

    /// A node of one formula: a sum or a copy.
    ValueId addFormula(Node node, ValueIds inputs, const std::string& name, TensorType type)
    {
        const ValueId like = inputs.front();
        node.inputs = std::move(inputs);
        return addResult(addNode(std::move(node)), name, std::move(type), like);
    }

    /// A gradient that is handed out has its plain name; one that is copied for it makes room.
    void rename(ValueId gradient, const std::string& name, bool handedOut)
    {
        m_names.release(m_graph[gradient].name);
        m_graph[gradient].name = m_names.forValue(handedOut ? name : name + "#1");
    }

    /// What the forward node itself writes over is copied before.
    void keepOldVersion(SavedTensor& saved, Node& reader)
    {
        const std::vector<AliasTrait> traits = aliasTraits(m_graph, saved.savedBy);
        const Node& forward = m_graph[saved.savedBy];
        const bool written = std::ranges::any_of(traits, [&](const AliasTrait& trait) {
            return trait.kind == AliasKind::Mutates &&
                   forward.inputs[static_cast<std::size_t>(trait.input)] == saved.value;
        });
        if (!written) return;
        Node clone;
        clone.name = m_names.forNode("clone:" + m_graph[saved.value].name);
        clone.op = "Identity";
        clone.inputs = {saved.value};
        clone.declared.edit().traits.emplace(); // bytes of its own, whatever the policies
        clone.from.edit().origin = {"plimsoll", "Identity", "kept version"};
        m_graph.nodes.push_back(std::move(clone));
        const NodeId id(m_graph.nodes.size() - 1);
        std::vector<NodeId>& order = m_graph[TopBody].nodes;
        order.insert(std::ranges::find(order, saved.savedBy), id);
        const ValueId old = saved.value;
        saved.value = addResult(id, m_graph[old].name + ":before", m_graph[old].type, old);
        std::ranges::replace(reader.inputs, old, saved.value);
    }

private:
    Graph& m_graph;
    FreeNames m_names;
};

/// What comes together as the gradient of each forward value.
class GradientSums
{
public:
    GradientSums(Graph& graph, JointWriter& writer, const Reach& reach)
        : m_graph(graph), m_writer(writer), m_reach(reach), m_parts(graph.values.size()),
          m_accumulator(graph.values.size())
    {
    }

    /// The gradient whose bytes it is.
    [[nodiscard]] ValueId rootOf(ValueId gradient) const
    {
        const auto found = m_root.find(gradient);
        return found == m_root.end() ? gradient : found->second;
    }
    void setRoot(ValueId gradient, ValueId root) { m_root[gradient] = root; }
    [[nodiscard]] std::size_t partsOf(ValueId value) const { return m_parts[value.index()].size(); }
    void begin(ValueId value, ValueId gradient) { m_parts[value.index()].push_back(gradient); }
    /// A buffer to which all contributions are added.
    void accumulateIn(ValueId value, ValueId buffer) { m_accumulator[value.index()] = buffer; }

    /// Many contributions are added one by one to the first of them, or to the caller's buffer.
    void contribute(ValueId variable, ValueId gradient)
    {
        const std::size_t v = variable.index();
        const bool own = rootOf(gradient) == gradient;
        if (m_reach.contributions[v] >= FewestAccumulated && m_accumulator[v].valid()) {
            m_accumulator[v] = addOnto(variable, m_accumulator[v], gradient);
            m_parts[v] = {m_accumulator[v]};
            return;
        }
        m_parts[v].push_back(gradient);
        if (m_reach.contributions[v] < FewestAccumulated || (m_parts[v].size() == 1 && !own)) return;
        if (m_parts[v].size() > 1)
            m_parts[v] = {sum(variable, m_parts[v], "grad:" + m_graph[variable].name + "#sum", true)};
        m_accumulator[v] = m_parts[v].front();
    }

    /// What has come together for a value, as one tensor; invalid where nothing comes.
    ValueId gradientOf(ValueId value)
    {
        if (value.index() >= m_parts.size() || !m_reach.reached[value.index()]) return {};
        std::vector<ValueId>& parts = m_parts[value.index()];
        if (parts.size() > 1) {
            const ValueId joined = sum(value, parts, "grad:" + m_graph[value].name, false);
            m_parts[value.index()] = {joined};
        }
        return m_parts[value.index()].empty() ? ValueId() : m_parts[value.index()].front();
    }

    /// What has been contributed, added to the caller's buffer as well.
    ValueId addToBuffer(ValueId leaf, ValueId gradient) { return addOnto(leaf, m_accumulator[leaf.index()], gradient); }

private:
    /// The next version of the accumulator. The node that computes the gradient adds it there itself, unless the
    /// gradient has no bytes of its own, or the node has made the last version, too.
    ValueId addOnto(ValueId variable, ValueId accumulator, ValueId gradient)
    {
        const NodeId producer = m_graph[gradient].producer;
        const bool itself = rootOf(gradient) == gradient && producer.valid() && isBackward(m_graph, producer) &&
                            m_graph[accumulator].producer != producer;
        if (!itself) return accumulate(variable, accumulator, gradient);
        Node& node = m_graph[producer];
        // By output: the input that it is added to, or -1.
        const auto added = node.attributes.edit().try_emplace("grad.onto", std::vector<std::int64_t> {}).first;
        auto& onto = std::get<std::vector<std::int64_t>>(added->second);
        const auto output = static_cast<std::size_t>(m_graph[gradient].producerOutput);
        onto.resize(node.outputs.size(), -1);
        onto[output] = static_cast<std::int64_t>(node.inputs.size());
        node.declared.edit().traits->push_back(
            {static_cast<int>(output), narrow<int>(node.inputs.size()), AliasKind::Mutates, 0});
        node.inputs.push_back(accumulator);
        std::get<std::vector<std::string>>(node.attributes["grad.names"]).push_back("to." + std::to_string(output));
        m_graph[gradient].type = m_graph[accumulator].type;
        setRoot(gradient, rootOf(accumulator));
        return gradient;
    }

    ValueId accumulate(ValueId variable, ValueId sum, ValueId gradient)
    {
        const TensorType type = m_graph[sum].type;
        Node node = formulaNode("Accumulate_", "g + g1", 2, *type.shape());
        node.name = "add-to:" + m_graph[variable].name;
        node.declared.edit().traits->push_back({0, 0, AliasKind::Mutates, 0});
        const ValueId added =
            m_writer.addFormula(std::move(node), {sum, gradient}, "grad:" + m_graph[variable].name + "#sum", type);
        setRoot(added, rootOf(sum));
        return added;
    }

    ValueId sum(ValueId variable, std::span<const ValueId> parts, const std::string& name, bool accumulator)
    {
        const Shape full = *m_graph[variable].type.shape();
        Shape shape;
        std::string formula;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            shape = broadcast(shape, *m_graph[parts[i]].type.shape()).value_or(full);
            formula += i == 0 ? "g" : " + g" + std::to_string(i);
        }
        Node node = formulaNode("Sum", formula, parts.size(), full);
        node.name = "sum:" + m_graph[variable].name;
        const TensorType type =
            TensorType::dense(m_graph[variable].type.dtype,
                              accumulator || isHandedOut(m_graph, variable) ? full : fittedShape(shape, full));
        return m_writer.addFormula(std::move(node), ValueIds(parts.begin(), parts.end()), name, type);
    }

    Graph& m_graph;
    JointWriter& m_writer;
    const Reach& m_reach;
    std::vector<std::vector<ValueId>> m_parts; ///< By forward ValueId: contributions so far.
    std::vector<ValueId> m_accumulator;        ///< By forward ValueId: its latest version; invalid where there is none.
    std::map<ValueId, ValueId> m_root;         ///< Of views and sums in place.
};

class Backward
{
public:
    Backward(JointGraph& joint, const DerivativeSet& derivatives, SavingRule rule, const Reach& reach,
             const DecisionLog& log)
        : m_joint(joint), m_derivatives(derivatives), m_rule(rule), m_reach(reach), m_log(log), m_writer(joint.graph),
          m_sums(joint.graph, m_writer, reach)
    {
    }

    Status run()
    {
        const std::size_t forwardValues = m_graph.values.size();
        const ValueId loss = m_graph.loss;
        m_seed = m_writer.addValue("grad:" + m_graph[loss].name, m_graph[loss].type, loss);
        m_graph[m_seed].role = ValueRole::Constant; // The gradient of the loss by itself is 1.
        m_graph[m_seed].data = writeElements({m_graph[loss].type.dtype, {}, {Scalar::ofReal(1)}, true});
        m_sums.begin(loss, m_seed);
        for (std::size_t i = 0; i < forwardValues; ++i) {
            const ValueId leaf(i);
            if (!m_reach.reached[i] || !isAdded(m_graph, leaf)) continue;
            // The caller's buffer for the gradient is an input of the joint graph, as it was before.
            const ValueId buffer =
                m_writer.addValue("grad:" + m_graph[leaf].name + ":before", m_graph[leaf].type, leaf);
            m_graph[buffer].role = ValueRole::Input;
            m_graph[TopBody].inputs.push_back(buffer);
            m_sums.accumulateIn(leaf, buffer);
        }
        const std::vector<NodeId> forward = m_graph.top().nodes;
        for (auto id = forward.rbegin(); id != forward.rend(); ++id)
            PLIMSOLL_TRY(differentiate(*id));
        for (std::size_t value = 0; value < forwardValues; ++value)
            finish(ValueId(value));
        return {};
    }

private:
    Status differentiate(NodeId id)
    {
        const Derivative* derivative = m_derivatives.find(m_graph, id);
        if (!derivative) return {};
        BackwardRequest request {*derivative, id, m_rule, {}, wantedArguments(m_graph, id, *derivative, m_reach),
                                 {},          {}};
        request.outputs = inputsWithGradient(m_graph, id, *derivative, m_reach.requiresGrad);
        for (const ValueId input : m_graph[id].inputs)
            request.whole.push_back(input.valid() && isWhole(m_graph, input, m_reach.contributions[input.index()]));
        bool comes = false;
        for (const ValueId output : ValueIds(m_graph[id].outputs)) {
            request.gradients.push_back(output.valid() ? m_sums.gradientOf(output) : ValueId());
            comes = comes || request.gradients.back().valid();
        }
        const bool wanted = std::ranges::find(request.outputs, true) != request.outputs.end();
        if (!comes || !wanted) return {};
        PLIMSOLL_ASSIGN(made, makeBackwardNode(m_graph, request));
        insert(id, std::move(made));
        return {};
    }

    void insert(NodeId forward, BackwardNode made)
    {
        for (SavedTensor& saved : made.saved)
            m_writer.keepOldVersion(saved, made.node);
        const NodeId id = m_writer.addNode(std::move(made.node));
        for (const BackwardNode::Output& output : made.outputs) {
            const ValueId variable = m_graph[forward].inputs[output.input];
            const bool only = m_reach.contributions[variable.index()] == 1;
            const std::string name =
                "grad:" + m_graph[variable].name + (only ? "" : "#" + std::to_string(m_sums.partsOf(variable) + 1));
            const ValueId gradient = m_writer.addResult(id, name, output.type, variable);
            if (output.view) m_sums.setRoot(gradient, m_sums.rootOf(m_graph[id].inputs[0]));
            m_sums.contribute(variable, gradient);
        }
        for (SavedTensor& saved : made.saved) {
            saved.readBy = id;
            if (m_log.recording()) m_log.add(saveDecision(m_graph, saved));
            m_joint.saved.push_back(std::move(saved));
        }
    }

    /// Hands the gradient of a leaf out, in its own shape and in bytes of its own.
    void finish(ValueId leaf)
    {
        if (!isHandedOut(m_graph, leaf)) return;
        if (!m_reach.reached[leaf.index()]) {
            m_joint.notes.push_back(say("note.no-gradient", word::Name {m_graph[leaf].name}));
            return;
        }
        const ValueId whole = m_sums.gradientOf(leaf);
        ValueId gradient = whole;
        if (isAdded(m_graph, leaf) && m_reach.contributions[leaf.index()] < FewestAccumulated)
            gradient = m_sums.addToBuffer(leaf, gradient);
        const TensorType type = m_graph[leaf].type;
        const bool own = m_graph[gradient].type == type && m_sums.rootOf(gradient) != m_seed &&
                         m_handedOut.insert(m_sums.rootOf(gradient)).second;
        const std::string name = "grad:" + m_graph[leaf].name;
        if (gradient != whole && m_graph[whole].name == name) m_writer.rename(whole, name, false);
        if (!own || m_graph[gradient].name != name) m_writer.rename(gradient, name, own);
        if (!own) {
            Node node = formulaNode("Copy", "g", 1, *type.shape());
            node.name = "copy:" + name;
            gradient =
                m_writer.addFormula(std::move(node), {gradient}, name, TensorType::dense(type.dtype, *type.shape()));
        }
        m_graph[TopBody].outputs.push_back(gradient);
        ++m_graph.boundary.gradients;
    }

    JointGraph& m_joint;
    Graph& m_graph = m_joint.graph;
    const DerivativeSet& m_derivatives;
    SavingRule m_rule;
    const Reach& m_reach;
    const DecisionLog& m_log;
    JointWriter m_writer;
    GradientSums m_sums;
    std::set<ValueId> m_handedOut; ///< Roots of gradients that are outputs.
    ValueId m_seed;
};

/// Whether an output is kept: the formulas name it, and under the exact rule read its numbers.
bool keepsOutput(const Derivative& derivative, SavingRule rule, std::size_t output)
{
    return std::ranges::any_of(derivative.entries, [&](const GradientEntry& entry) {
        const std::vector<Mention> mentions = mentionsOf(entry.formula);
        return std::ranges::any_of(mentions, [&](const Mention& mention) {
            const bool kept = mention.kind == Mention::Kind::Value ||
                              (mention.kind == Mention::Kind::Held && rule != SavingRule::Exact);
            return mention.name == derivative.outputs[output] && kept;
        });
    });
}

/// Nodes of the graph that a gradient passes, as far as that follows without types: they depend on what requires one,
/// and the loss depends on them.
std::vector<NodeId> differentiated(const Graph& graph, const DerivativeSet& derivatives)
{
    std::vector<bool> depends(graph.values.size(), false);
    for (std::size_t value = 0; value < depends.size(); ++value)
        depends[value] = graph.values[value].requiresGrad && !graph.values[value].producer.valid();
    std::vector<NodeId> nodes;
    for (const NodeId id : graph.top().nodes) {
        const Derivative* derivative = derivatives.find(graph, id);
        const auto isDependent = [&](ValueId input) { return input.valid() && depends[input.index()]; };
        const std::vector<bool> inputs =
            derivative ? inputsWithGradient(graph, id, *derivative, depends) : std::vector<bool> {};
        const bool passes = derivative
                                ? std::ranges::find(inputs, true) != inputs.end()
                                : !graph[id].bodies.empty() || std::ranges::any_of(graph[id].inputs, isDependent);
        if (!passes) continue;
        for (const ValueId output : graph[id].outputs)
            if (output.valid()) depends[output.index()] = true;
        nodes.push_back(id);
    }
    std::set<ValueId> needed = {graph.loss}; // what nested graphs read as well
    for (const Body& body : graph.bodies | std::views::drop(1)) {
        needed.insert(body.outputs.begin(), body.outputs.end());
        for (const NodeId id : body.nodes)
            needed.insert(graph[id].inputs.begin(), graph[id].inputs.end());
    }
    std::vector<NodeId> passed;
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
        const auto isNeeded = [&](ValueId output) { return needed.contains(output); };
        if (std::ranges::none_of(graph[*id].outputs, isNeeded)) continue;
        needed.insert(graph[*id].inputs.begin(), graph[*id].inputs.end());
        passed.push_back(*id);
    }
    std::ranges::reverse(passed);
    return passed;
}

} // namespace

DerivativeSet derivativesFor(SavedPolicy policy, const std::vector<Derivative>& extra)
{
    const DerivativeSet& shipped = policy == SavedPolicy::Guarded2019 ? derivatives2019() : derivatives26();
    return extra.empty() ? shipped : shipped.with(extra);
}

SavingRule savingRuleOf(SavedPolicy policy)
{
    if (policy == SavedPolicy::SaveAll) return SavingRule::SaveAll;
    return policy == SavedPolicy::Exact ? SavingRule::Exact : SavingRule::Guarded;
}

Graph nameSavedOutputs(Graph graph, const DerivativeSet& derivatives, SavingRule rule)
{
    if (!graph.loss.valid()) return graph;
    FreeNames names(graph);
    for (const NodeId id : differentiated(graph, derivatives)) {
        const Derivative* derivative = derivatives.find(graph, id);
        for (std::size_t output = 1; derivative && output < derivative->outputs.size(); ++output) {
            Node& node = graph[id];
            const bool named = output < node.outputs.size() && node.outputs[output].valid();
            if (named || !keepsOutput(*derivative, rule, output)) continue;
            node.outputs.resize(std::max(node.outputs.size(), output + 1));
            Value value;
            value.name = names.forValue(node.name + ":" + derivative->outputs[output]);
            value.producer = id;
            value.producerOutput = narrow<int>(output);
            node.outputs[output] = ValueId(graph.values.size());
            graph.values.push_back(std::move(value));
        }
    }
    return graph;
}

Result<JointGraph> addBackward(Graph graph, const DerivativeSet& derivatives, SavingRule rule, const DecisionLog& log)
{
    JointGraph joint;
    joint.graph = std::move(graph);
    joint.graph.boundary.gradients = 0;
    if (!joint.graph.loss.valid()) return joint;
    const Value& loss = joint.graph[joint.graph.loss];
    const auto shape = loss.type.shape();
    if (loss.body != TopBody || !shape || elementCount(*shape) != 1 || !isFloatingPoint(loss.type.dtype))
        return Error {
            ErrorCode::BadInput, say("gradient.loss-real-number", describe(loss.type)), "loss '" + loss.name + "'", {}};
    Reach reach(joint.graph, derivatives);
    if (!reach.requiresGrad[joint.graph.loss.index()]) {
        joint.notes.push_back(say("note.no-gradients", word::Name {loss.name}));
        return joint;
    }
    PLIMSOLL_TRY(reach.walk(derivatives));
    PLIMSOLL_TRY(Backward(joint, derivatives, rule, reach, log).run());
    return joint;
}

} // namespace plimsoll
