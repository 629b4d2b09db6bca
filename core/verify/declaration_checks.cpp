#include "core/verify/checks.h"

#include "core/base/bytes.h"
#include "core/graph/value_strides.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/op_schema.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <limits>
#include <span>

namespace plimsoll::verifying {
namespace {

/// Why a declared identity, view or mutation cannot be one; empty when it can, or when the types are not known.
Message falseBecause(const Graph& graph, ValueId input, ValueId output, const AliasTrait& trait)
{
    const TensorType& from = graph[input].type;
    const TensorType& to = graph[output].type;
    if (from.dtype != DType::Unknown && to.dtype != DType::Unknown && from.dtype != to.dtype) {
        return say("false-identity.types", dtypeName(from.dtype), dtypeName(to.dtype));
    }
    const auto fromBytes = spanBytes(graph[input]);
    const auto toBytes = spanBytes(graph[output]);
    if (trait.kind == AliasKind::View) {
        if (trait.offsetBytes < 0) return say("false-identity.before", word::Number {trait.offsetBytes});
        const auto end = toBytes ? checkedAdd(trait.offsetBytes, *toBytes) : std::nullopt;
        const bool outside = fromBytes && toBytes && (!end || *end > *fromBytes);
        return outside ? say("false-identity.beyond", *toBytes, trait.offsetBytes, *fromBytes) : Message();
    }
    if (!fromBytes || !toBytes || *fromBytes == *toBytes) return {};
    return say("false-identity.sizes", *fromBytes, *toBytes);
}

bool isReal(const Value& value)
{
    const DType type = value.type.dtype;
    return value.type.kind == TypeKind::Tensor && types::isReal(type);
}

/// Whether the operator is known to compute numbers from those of the input, and not only to move or to keep them: all
/// that it reads are numbers, none is a constant that may change nothing, and no attribute may say so.
bool computesOthers(const Graph& graph, const Node& node, int input)
{
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (!schema || !schema->pure || schema->identity || schema->view || schema->mutates || schema->bodies) return false;
    const bool several = std::ranges::count_if(node.inputs, &ValueId::valid) > 1;
    const bool byElement = schema->inPlace.has(input);
    if (several ? schema->cheap && !byElement : !byElement || !node.attributes.empty()) return false;
    return std::ranges::all_of(node.inputs, [&](ValueId one) {
        if (!one.valid()) return true;
        const bool changes = graph[one].role != ValueRole::Constant && graph[one].type.bytes().value_or(0) > 0;
        return isReal(graph[one]) && (changes || one == valueAt(node.inputs, input));
    });
}

/// What is written, and two elements of it are one: the one that is written last stays in both.
Finding onItself(const PlanFacts& facts, NodeId node, ValueId written, ValueId input)
{
    const Graph& graph = facts.graph();
    Finding finding;
    finding.rule = Rule::LiesOnItself;
    finding.values = {written, input};
    finding.nodes = {node};
    finding.steps = facts.program.schedule.nodes[node.index()];
    finding.bytes = facts[written].walkable ? facts[written].write : Interval {};
    finding.message = say("lies-on-itself", nameOf(graph, node), nameOf(graph, written), nameOf(graph, input),
                          describe(graph[written].type), describe(graph[written].at->strides));
    finding.fix = say("fix.copy-first", nameOf(graph, input));
    return finding;
}

void checkTrait(const PlanFacts& facts, NodeId id, const AliasTrait& trait, std::vector<Finding>& findings)
{
    const Graph& graph = facts.graph();
    const Node& node = graph[id];
    const auto outside = [](int index, std::span<const ValueId> values) {
        return index < 0 || static_cast<std::size_t>(index) >= values.size();
    };
    if (trait.kind == AliasKind::Fresh || trait.kind == AliasKind::MayBeInPlace) return;
    if (outside(trait.input, node.inputs) || outside(trait.output, node.outputs)) return;
    const ValueId input = node.inputs[static_cast<std::size_t>(trait.input)];
    const ValueId output = node.outputs[static_cast<std::size_t>(trait.output)];
    if (!input.valid() || !output.valid()) return;
    Message because = falseBecause(graph, input, output, trait);
    const bool same = trait.kind == AliasKind::Identity || trait.kind == AliasKind::View;
    if (because.empty() && same && isDeclared(graph, id) && computesOthers(graph, node, trait.input))
        because = say("false-identity.computes", qualifiedOp(node));
    if (because.empty() && trait.kind == AliasKind::Mutates && liesOnItself(graph[output]))
        findings.push_back(onItself(facts, id, output, input));
    if (because.empty()) return;
    Finding finding;
    finding.rule = Rule::FalseIdentity;
    finding.values = {output, input};
    finding.nodes = {id};
    finding.steps = facts.program.schedule.nodes[id.index()];
    finding.message = say("false-identity", nameOf(graph, id), nameOf(graph, output), nameOf(graph, input), because);
    finding.fix = isDeclared(graph, id) ? say("fix.declaration", nameOf(graph, id))
                                        : say("fix.type", nameOf(graph, output), nameOf(graph, input));
    findings.push_back(std::move(finding));
}

/// What costs neither bytes nor work: no elements, or a part of another value.
bool isFree(const PlanFacts& facts, ValueId value)
{
    const NodeId producer = facts.graph()[value].producer;
    const std::span<const AliasTrait> traits = facts.traits[producer];
    return facts[value].logicalBytes == 0 || std::ranges::any_of(traits, [&](const AliasTrait& trait) {
               return trait.kind == AliasKind::View && trait.output == facts.graph()[value].producerOutput;
           });
}

bool isDead(const PlanFacts& facts, const Uses& uses, ValueId value)
{
    const Graph& graph = facts.graph();
    const NodeId producer = graph[value].producer;
    if (graph[value].role != ValueRole::Intermediate || !producer.valid() || facts[value].external) return false;
    if (graph.decided[value].fusedInto.valid() || isWorkspace(graph, value)) return false;
    if (!uses.reads[value.index()].empty() || !uses.results[value.index()].empty()) return false;
    // What a loop hands from one iteration to the next is read there, whatever reads the last.
    for (const BodyId body : graph[producer].bodies) {
        const auto carries = [&](const BodyLink& link) {
            return link.kind == BodyLink::Kind::Carried && link.ownerOutput == graph[value].producerOutput;
        };
        if (std::ranges::any_of(bodyLinks(graph, producer, body), carries)) return false;
    }
    return computes(graph, producer) && !facts.program.schedule.nodes[producer.index()].empty();
}

/// One finding for all: they have one cause, and one of them is like the other.
void checkDead(const PlanFacts& facts, std::vector<Finding>& findings)
{
    const Graph& graph = facts.graph();
    const Uses uses = findUses(graph);
    const auto needless = [&](ValueId value) { return !value.valid() || isDead(facts, uses, value); };
    Finding finding;
    std::vector<ValueId> dead;
    std::int64_t bytes = 0;
    for (std::size_t v = 0; v < facts.values.size(); ++v) {
        const ValueId value(v);
        if (!isDead(facts, uses, value) || isFree(facts, value)) continue;
        const NodeId producer = graph[value].producer;
        // An ONNX node may leave outputs out; other formats have operators that always make all of them.
        const std::string& dialect = graph[producer].from->origin.dialect;
        if (!dialect.empty() && dialect != "onnx" && !std::ranges::all_of(graph[producer].outputs, needless)) continue;
        dead.push_back(value);
        bytes = checkedAdd(bytes, std::max<std::int64_t>(0, facts[value].logicalBytes))
                    .value_or(std::numeric_limits<std::int64_t>::max());
        if (finding.nodes.empty() || finding.nodes.back() != producer) finding.nodes.push_back(producer);
    }
    if (dead.empty()) return;
    finding.rule = Rule::DeadOutput;
    finding.severity = ruleSeverity(finding.rule);
    if (dead.size() == 1) {
        const PlaceFacts& where = facts[dead.front()];
        finding.steps = facts.program.schedule.nodes[finding.nodes.front().index()];
        if (where.walkable) finding.arena = where.arena;
        if (where.walkable) finding.bytes = where.write;
        const Message size = where.logicalBytes >= 0 ? say("of-bytes", where.logicalBytes) : Message();
        finding.message =
            say("dead-output", nameOf(graph, finding.nodes.front()), nameOf(graph, dead.front()), size, finding.steps);
        finding.fix = say("fix.leave-out");
    } else {
        finding.message = say("dead-output.several", dead.size(), bytes,
                              listOf(dead, [&](ValueId value) { return nameOf(graph, value); }));
        finding.fix = say("fix.leave-them-out");
    }
    finding.values = std::move(dead);
    findings.push_back(std::move(finding));
}

} // namespace

void checkDeclarations(const PlanFacts& facts, std::vector<Finding>& findings)
{
    for (std::size_t n = 0; n < facts.graph().nodes.size(); ++n) {
        const Node& node = facts.graph().nodes[n];
        if (!node.declared->traits || facts.graph().decided[NodeId(n)].ahead) continue;
        for (const AliasTrait& trait : *node.declared->traits)
            checkTrait(facts, NodeId(n), trait, findings);
    }
    checkDead(facts, findings);
}

} // namespace plimsoll::verifying
