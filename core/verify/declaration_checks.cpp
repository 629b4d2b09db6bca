#include "core/verify/checks.h"

#include "core/base/bytes.h"
#include "core/ops/arena_rules.h"
#include "core/ops/op_traits.h"
#include "core/verify/wording.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

/// Why a declared identity, view or mutation cannot be one; empty when it can, or when the types are not known.
std::string falseBecause(const Graph& graph, ValueId input, ValueId output, const AliasTrait& trait)
{
    const TensorType& from = graph[input].type;
    const TensorType& to = graph[output].type;
    if (from.dtype != DType::Unknown && to.dtype != DType::Unknown && from.dtype != to.dtype) {
        return "one is " + std::string(dtypeName(from.dtype)) + " and the other " + std::string(dtypeName(to.dtype));
    }
    const auto fromBytes = from.bytes();
    const auto toBytes = to.bytes();
    if (trait.kind == AliasKind::View) {
        if (trait.offsetBytes < 0)
            return "the view begins at byte " + std::to_string(trait.offsetBytes) + ", before the first";
        const auto end = toBytes ? checkedAdd(trait.offsetBytes, *toBytes) : std::nullopt;
        const bool outside = fromBytes && toBytes && (!end || *end > *fromBytes);
        return outside ? "a view of " + formatCount(*toBytes) + " bytes from byte " + formatCount(trait.offsetBytes) +
                             " reaches beyond " + formatCount(*fromBytes) + " bytes"
                       : std::string();
    }
    if (!fromBytes || !toBytes || *fromBytes == *toBytes) return {};
    return "one has " + formatCount(*fromBytes) + " bytes and the other " + formatCount(*toBytes);
}

void checkTrait(const PlanFacts& facts, NodeId id, const AliasTrait& trait, std::vector<Finding>& findings)
{
    const Node& node = facts.graph()[id];
    const auto outside = [](int index, const std::vector<ValueId>& values) {
        return index < 0 || static_cast<std::size_t>(index) >= values.size();
    };
    if (trait.kind == AliasKind::Fresh || trait.kind == AliasKind::MayBeInPlace) return;
    if (outside(trait.input, node.inputs) || outside(trait.output, node.outputs)) return;
    const ValueId input = node.inputs[static_cast<std::size_t>(trait.input)];
    const ValueId output = node.outputs[static_cast<std::size_t>(trait.output)];
    if (!input.valid() || !output.valid()) return;
    const std::string because = falseBecause(facts.graph(), input, output, trait);
    if (because.empty()) return;
    Finding finding;
    finding.rule = Rule::FalseIdentity;
    finding.values = {output, input};
    finding.nodes = {id};
    finding.steps = facts.input.schedule.nodes[id.index()];
    finding.message = "Node " + quoted(facts.graph(), id) + " declares its output " + quoted(facts.graph(), output) +
                      " to be the bytes of " + quoted(facts.graph(), input) + ", but " + because + ".";
    finding.fix = "Correct the declaration of node " + quoted(facts.graph(), id) + ".";
    findings.push_back(std::move(finding));
}

/// What a loop hands from one iteration to the next is read there, whoever reads the last.
bool isCarried(const Graph& graph, NodeId owner, int output)
{
    for (const BodyId body : graph[owner].bodies) {
        const std::vector<BodyLink> links = bodyLinks(graph, owner, body);
        const bool carried = std::any_of(links.begin(), links.end(), [output](const BodyLink& link) {
            return link.kind == BodyLink::Kind::Carried && link.ownerOutput == output;
        });
        if (carried) return true;
    }
    return false;
}

void checkDead(const PlanFacts& facts, const Uses& uses, ValueId value, std::vector<Finding>& findings)
{
    const NodeId producer = facts.graph()[value].producer;
    if (facts.graph()[value].role != ValueRole::Intermediate || !producer.valid() || facts[value].external) return;
    if (facts.graph()[value].fusedInto.valid() || isWorkspace(facts.graph(), value)) return;
    if (!uses.reads[value.index()].empty() || !uses.results[value.index()].empty()) return;
    if (isCarried(facts.graph(), producer, facts.graph()[value].producerOutput)) return;
    if (!computes(facts.graph(), producer) || facts.input.schedule.nodes[producer.index()].empty()) return;
    const PlaceFacts& where = facts[value];
    Finding finding;
    finding.rule = Rule::DeadOutput;
    finding.severity = Severity::Advice;
    finding.values = {value};
    finding.nodes = {producer};
    finding.steps = facts.input.schedule.nodes[producer.index()];
    if (where.walkable) {
        finding.arena = where.arena;
        finding.bytes = where.write;
    }
    const std::string size =
        where.logicalBytes >= 0 ? " of " + formatCount(where.logicalBytes) + " bytes" : std::string();
    finding.message = "Node " + quoted(facts.graph(), producer) + " computes " + quoted(facts.graph(), value) + size +
                      " at steps " + range(finding.steps) + ", and nobody reads it.";
    finding.fix = "Leave the output out of the graph.";
    findings.push_back(std::move(finding));
}

} // namespace

void checkDeclarations(const PlanFacts& facts, std::vector<Finding>& findings)
{
    for (std::size_t n = 0; n < facts.graph().nodes.size(); ++n) {
        const Node& node = facts.graph().nodes[n];
        if (!node.declaredTraits || node.ahead) continue;
        for (const AliasTrait& trait : *node.declaredTraits)
            checkTrait(facts, NodeId(n), trait, findings);
    }
    const Uses uses = findUses(facts.graph());
    for (std::size_t v = 0; v < facts.values.size(); ++v)
        checkDead(facts, uses, ValueId(v), findings);
}

} // namespace plimsoll::verifying
