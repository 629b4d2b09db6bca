#include "core/formats/hlo/hlo_emitter.h"

#include <algorithm>

/// What runs computations. Calls are inlined, as their buffers are the caller's; while and conditional keep their names
/// and have nested graphs, which read what they need where it is.
namespace plimsoll::hlo {
Result<Emitter::Names> Emitter::addCall(Site& site)
{
    if (site.one.called.size() != 1) return site.error(say("hlo.call"));
    std::vector<Names> parameters;
    for (std::size_t i = 0; i < site.one.operands.size(); ++i)
        parameters.emplace_back(operand(site, i).begin(), operand(site, i).end());
    return addCalled(site, 0, std::move(parameters), site.scope.graph);
}

Result<std::string> Emitter::bodyCondition(const Site& site, std::vector<Names> parameters, NamedGraph& graph)
{
    PLIMSOLL_ASSIGN(heads, addCalled(site, 0, std::move(parameters), graph));
    if (heads.size() != 1) return site.error(say("hlo.while-condition"));
    return heads.front();
}

Emitter::Names Emitter::defineBodyInputs(const Instruction& like, NamedGraph& graph, const std::string& name)
{
    Names names;
    const std::vector<const Shape*> leaves = leavesOf(like.shape);
    for (const Shape* leaf : leaves) {
        NamedValue value = valueOf(*leaf, leaves.size() == 1 ? name : name + "." + std::to_string(names.size()));
        names.push_back(value.name);
        graph.inputs.push_back(std::move(value));
    }
    return names;
}

/// The condition is asked before the first trip and after each.
Result<Emitter::Names> Emitter::addWhile(Site& site)
{
    const bool complete = site.one.called.size() == 2 && site.one.operands.size() == 1;
    if (!complete) return site.error(say("hlo.while-operands"));
    NamedNode node = nodeOf(site);
    const Names inits = node.inputs;
    const std::size_t first = site.scope.graph.nodes.size();
    PLIMSOLL_ASSIGN(before, bodyCondition(site, {inits}, site.scope.graph));
    markCopies(site.scope.graph, first);
    node.inputs.insert(node.inputs.begin(), before);
    NamedBody body = openBody(node, "body");
    const Computation& computation = m_module.computations[site.one.called[1]];
    const auto parameter = std::find_if(computation.instructions.begin(), computation.instructions.end(),
                                        [](const Instruction& one) { return one.opcode == "parameter"; });
    const std::string name = parameter == computation.instructions.end() ? site.one.name + ".state" : parameter->name;
    const Names states = defineBodyInputs(site.one, body.graph, name);
    PLIMSOLL_ASSIGN(heads, addCalled(site, 1, {states}, body.graph));
    if (heads.size() != inits.size() || states.size() != inits.size()) return site.error(say("hlo.while-body"));
    PLIMSOLL_ASSIGN(after, bodyCondition(site, {heads}, body.graph));
    body.graph.outputs = {after};
    body.graph.outputs.insert(body.graph.outputs.end(), heads.begin(), heads.end());
    node.bodies.push_back(std::move(body));
    Names names = define(site, site.scope.graph);
    node.outputs = names;
    site.scope.graph.nodes.push_back(std::move(node));
    return names;
}

/// Operands: which branch, then what each of them is handed.
Result<Emitter::Names> Emitter::addConditional(Site& site)
{
    if (site.one.called.empty() || site.one.operands.size() != site.one.called.size() + 1)
        return site.error(say("hlo.conditional-operands"));
    const Instruction& chooser = site.scope.computation.instructions[site.one.operands.front()];
    const bool byTruth = chooser.shape.type.dtype == DType::Bool;
    NamedNode node = nodeOf(site);
    node.inputs.assign(operand(site, 0).begin(), operand(site, 0).end());
    if (node.inputs.size() != 1) return site.error(say("hlo.conditional-choice"));
    for (std::size_t i = 0; i < site.one.called.size(); ++i) {
        // Of two the first is taken where the condition is true.
        NamedBody body = openBody(node, !byTruth ? "branch" + std::to_string(i) : i == 0 ? "true" : "false");
        const Names given(operand(site, i + 1).begin(), operand(site, i + 1).end());
        PLIMSOLL_SET(body.graph.outputs, addCalled(site, i, {given}, body.graph));
        node.bodies.push_back(std::move(body));
    }
    Names names = define(site, site.scope.graph);
    node.outputs = names;
    site.scope.graph.nodes.push_back(std::move(node));
    return names;
}

} // namespace plimsoll::hlo
