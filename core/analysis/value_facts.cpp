#include "core/analysis/value_facts.h"

#include "core/analysis/largest_bytes.h"
#include "core/graph/never_made.h"
#include "core/graph/value_strides.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll {
namespace {

std::int64_t requiredBytesOf(const Graph& graph, ValueId id, const Implementations& implementations,
                             std::int64_t unknown)
{
    const Value& value = graph[id];
    const auto logical = spanBytes(value);
    if (graph.decided[id].fusedInto.valid()) return 0;
    if (!logical) return unknown;
    if (isStrided(value) || !value.producer.valid()) return *logical;
    const std::vector<std::int64_t>& required = implementations[value.producer].requiredOutputBytes;
    const auto output = static_cast<std::size_t>(value.producerOutput);
    return output < required.size() ? std::max(*logical, required[output]) : *logical;
}

Residence residenceOf(const Graph& graph, const ValueFacts& facts, ValueId id, OutputsPolicy outputs)
{
    if (graph.decided[id].fusedInto.valid()) return Residence::Absent;
    const ValueId root = facts.aliases.root[id.index()];
    const Value& value = graph[root];
    const bool brought =
        outputs == OutputsPolicy::External && facts.isOutput[root.index()] && facts.requiredBytes[root.index()] >= 0;
    if (brought) return Residence::External;
    if (isNeverMade(graph, root)) return Residence::Absent;
    // What is computed ahead of the run has no step at which an arena could hold it.
    const bool ahead = value.producer.valid() && graph.decided[value.producer].ahead;
    const bool made = value.role == ValueRole::Intermediate || value.role == ValueRole::BodyInput;
    if (ahead || (!made && !liesInArena(graph, value))) return Residence::External;
    const bool known = facts.requiredBytes[root.index()] >= 0 && facts.requiredBytes[id.index()] >= 0;
    return known ? Residence::Planned : Residence::Unplanned;
}

std::string_view spaceOf(const Graph& graph, const Value& value)
{
    if (!value.at->space.empty()) return value.at->space;
    const bool placed = value.producer.valid() && !graph[value.producer].at->device.empty();
    return placed ? std::string_view(graph[value.producer].at->device) : "cpu";
}

} // namespace

ValueFacts findValueFacts(const Graph& graph, const Schedule& schedule, const Implementations& implementations,
                          const Policies& policies)
{
    ValueFacts facts;
    facts.traits = TraitTable(graph, implementations);
    facts.aliases = findAliasSets(graph, facts.traits);
    // Inputs that the caller can look at afterwards are never given away, whatever the policy.
    facts.donated.assign(graph.values.size(), false);
    for (const ValueId input : graph.top().inputs)
        facts.donated[input.index()] = policies.inputs == InputsPolicy::Donate && !graph[input].visible;
    for (const ValueId output : graph.top().outputs)
        facts.donated[output.index()] = false; // handed back, so the caller sees it
    facts.live = findLiveRanges(graph, schedule, facts.donated);
    facts.renewedAt.assign(graph.values.size(), -1);
    for (std::size_t index = 1; index < graph.bodies.size(); ++index) {
        const Body& body = graph.bodies[index];
        if (bodyRule(graph, body.owner) != BodyRule::Loop) continue;
        for (const ValueId input : body.inputs)
            facts.renewedAt[input.index()] = schedule.leaveStep(BodyId(index));
        for (const ValueId output : body.outputs)
            facts.renewedAt[output.index()] = -1; // the Leave reads it
    }
    facts.isOutput.resize(graph.values.size());
    for (const ValueId output : graph.top().outputs)
        facts.isOutput[output.index()] = true;
    facts.largestBytes = findLargestBytes(graph);
    facts.requiredBytes.reserve(graph.values.size());
    facts.space.reserve(graph.values.size());
    facts.residence.reserve(graph.values.size());
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        const std::int64_t unknown = policies.dynamic == DynamicPolicy::Bounded ? facts.largestBytes[value] : -1;
        facts.requiredBytes.push_back(requiredBytesOf(graph, ValueId(value), implementations, unknown));
        facts.space.push_back(spaceOf(graph, graph.values[value]));
    }
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        facts.residence.push_back(residenceOf(graph, facts, ValueId(value), policies.outputs));
        // A view or a version lives where its root lives.
        facts.space[value] = facts.space[facts.aliases.root[value].index()];
    }
    return facts;
}

} // namespace plimsoll
