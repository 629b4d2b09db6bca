#include "core/formats/tflite/tflite_emitter.h"

/// IF becomes ONNX's If. WHILE, and what runs a subgraph once (a composite operator, a call), keep their names and have
/// it as a nested graph.
namespace plimsoll::tflite {
namespace {

constexpr std::size_t DeepestSubgraphs = 32;

} // namespace

Result<std::vector<std::string>> Emitter::addSubgraph(const Site& site, std::size_t number,
                                                      const std::vector<std::string>& inputs, NamedGraph& graph)
{
    m_build.room.take(m_model.subgraphs[number].tensors.size() * sizeof(std::string)); // a place for each
    if (m_build.room.isFull()) return site.error(ReadingRoom::refusal());
    Scope scope = scopeOf(number, graph, site.scope.depth + 1);
    if (scope.subgraph.inputs.size() != inputs.size())
        return site.error(say("tflite.subgraph-inputs", word::Number {inputs.size()}, word::Number {number},
                              word::Number {scope.subgraph.inputs.size()}));
    if (scope.depth > DeepestSubgraphs) return site.error(say("tflite.too-deep", word::Number {DeepestSubgraphs}));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        scope.names[static_cast<std::size_t>(scope.subgraph.inputs[i])] = inputs[i];
    PLIMSOLL_TRY(addOperators(scope));
    return readAll(scope, scope.subgraph.outputs, "subgraphs[" + std::to_string(number) + "].outputs");
}

Result<std::string> Emitter::addPredicate(const Site& site, const std::vector<std::string>& inputs, NamedGraph& graph)
{
    const std::size_t number = site.op.subgraphs.front();
    const Subgraph& condition = m_model.subgraphs[number];
    if (condition.outputs.size() != 1) return site.error(say("tflite.while-condition"));
    PLIMSOLL_ASSIGN(heads, addSubgraph(site, number, inputs, graph));
    return heads.front();
}

std::vector<std::string> Emitter::addBodyInputs(std::size_t number, NamedGraph& graph)
{
    const Subgraph& subgraph = m_model.subgraphs[number];
    std::vector<std::string> names;
    for (const int input : subgraph.inputs) {
        const Tensor& tensor = subgraph.tensors[static_cast<std::size_t>(input)];
        NamedValue value = m_build.value(tensor.name.empty() ? "input" + std::to_string(names.size()) : tensor.name,
                                         computedType(tensor, m_batch, m_build));
        names.push_back(value.name);
        graph.inputs.push_back(std::move(value));
    }
    return names;
}

/// Inputs: the condition, then those of both subgraphs, which read them where they are.
Status Emitter::addIf(Site& site, NamedNode node)
{
    if (node.inputs.empty() || node.inputs.front().empty()) return site.error(say("tflite.if-condition"));
    const std::vector<std::string> inputs(node.inputs.begin() + 1, node.inputs.end());
    node.node.op = "If";
    node.node.domain = {};
    node.node.attributes = {};
    node.inputs.resize(1);
    for (const std::size_t branch : {0, 1}) {
        NamedBody body = openBody(node, branch == 0 ? "then_branch" : "else_branch");
        PLIMSOLL_ASSIGN(heads, addSubgraph(site, site.op.subgraphs[branch], inputs, body.graph));
        if (heads.size() != site.op.outputs.size()) return site.error(say("tflite.if-outputs"));
        body.graph.outputs = std::move(heads);
        node.bodies.push_back(std::move(body));
    }
    node.outputs = defineOutputs(site);
    site.scope.graph.nodes.push_back(std::move(node));
    return {};
}

/// The condition is asked before the first trip and after each.
Status Emitter::addWhile(Site& site, NamedNode node)
{
    const std::vector<std::string> inputs = std::move(node.inputs);
    if (site.op.outputs.size() != inputs.size()) return site.error(say("tflite.while-outputs"));
    const std::size_t first = site.scope.graph.nodes.size();
    PLIMSOLL_ASSIGN(before, addPredicate(site, inputs, site.scope.graph));
    markCopies(site.scope.graph, first);
    node.inputs = {before};
    node.inputs.insert(node.inputs.end(), inputs.begin(), inputs.end());
    NamedBody body = openBody(node, "body");
    const std::vector<std::string> variables = addBodyInputs(site.op.subgraphs[1], body.graph);
    PLIMSOLL_ASSIGN(heads, addSubgraph(site, site.op.subgraphs[1], variables, body.graph));
    if (heads.size() != inputs.size()) return site.error(say("tflite.while-body"));
    PLIMSOLL_ASSIGN(after, addPredicate(site, heads, body.graph));
    body.graph.outputs = {after};
    body.graph.outputs.insert(body.graph.outputs.end(), heads.begin(), heads.end());
    node.bodies.push_back(std::move(body));
    node.outputs = defineOutputs(site);
    site.scope.graph.nodes.push_back(std::move(node));
    return {};
}

/// One subgraph, run once, with inputs of its own.
Status Emitter::addNested(Site& site, NamedNode node, const char* bodyName)
{
    NamedBody body = openBody(node, bodyName);
    const std::vector<std::string> inputs = addBodyInputs(site.op.subgraphs.front(), body.graph);
    PLIMSOLL_SET(body.graph.outputs, addSubgraph(site, site.op.subgraphs.front(), inputs, body.graph));
    node.bodies.push_back(std::move(body));
    if (!site.op.composite.empty()) node.node.attributes.emplace("name", site.op.composite);
    m_build.note("note.tflite-decomposed", site.op.flow == Flow::Composite ? 1 : 0);
    node.outputs = defineOutputs(site);
    site.scope.graph.nodes.push_back(std::move(node));
    return {};
}

Status Emitter::addFlow(Site& site, NamedNode node)
{
    switch (site.op.flow) {
    case Flow::If:
        return addIf(site, std::move(node));
    case Flow::While:
        return addWhile(site, std::move(node));
    case Flow::Once:
        return addNested(site, std::move(node), "init");
    case Flow::Call:
        return addNested(site, std::move(node), "callee");
    case Flow::Composite:
        return addNested(site, std::move(node), "decomposition");
    case Flow::None:
        break;
    }
    return {};
}

} // namespace plimsoll::tflite
