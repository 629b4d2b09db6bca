#include "core/base/sum.h"
#include "core/pipeline/stages.h"

#include "core/base/bytes.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/rules/largest_outputs.h"
#include "core/placement/placement.h"
#include "core/placement/search/load.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace plimsoll::pipeline {
namespace {

/// What the caller brings: each value once, without its views.
bool isBrought(const Graph& graph, const ValueFacts& facts, std::size_t value)
{
    const ValueRole role = graph.values[value].role;
    const bool external = role == ValueRole::Input || role == ValueRole::Parameter || role == ValueRole::Constant;
    const bool planned = liesInArena(graph, graph.values[value]);
    return external && !planned && facts.aliases.root[value] == ValueId(value);
}

/// Of all dense temporaries, each once.
std::int64_t fallbackBytes(const PlannedProgram& planned, const std::vector<DenseFallback>& fallbacks)
{
    std::set<ValueId> temporaries;
    for (const DenseFallback& fallback : fallbacks)
        temporaries.insert(fallback.temporaries.begin(), fallback.temporaries.end());
    std::int64_t bytes = 0;
    for (const ValueId value : temporaries)
        bytes += std::max<std::int64_t>(0, planned.values[value.index()].requiredBytes);
    return bytes;
}

/// What comes on top when every output that can detach has done so: of several that share, the last one to be written
/// keeps the block.
std::int64_t detachBytes(const PlannedProgram& planned, const ValueFacts& facts)
{
    std::map<StorageId, std::map<ValueId, std::int64_t>> groups;
    for (const Handle& handle : planned.handles) {
        if (!handle.detaches) continue;
        const ValueId root = facts.aliases.root[handle.value.index()];
        groups[planned.values[handle.value.index()].storage][root] = handle.detachBytes;
    }
    std::int64_t all = 0;
    for (const auto& [storage, roots] : groups) {
        std::int64_t most = 0;
        for (const auto& [root, bytes] : roots) {
            all += bytes;
            most = std::max(most, bytes);
        }
        all -= most;
    }
    return all;
}

Message reasonFor(const Graph& graph, const ValueFacts& facts, ValueId id)
{
    const ValueId root = facts.aliases.root[id.index()];
    if (root != id) return say("unplanned.part", word::Name {graph[root].name});
    const TensorType& type = graph[id].type;
    if (type.kind != TypeKind::Tensor) return say("unplanned.no-tensor", describe(type));
    if (type.dtype == DType::String) return say("unplanned.strings");
    return say("unplanned.type", describe(type));
}

} // namespace

std::vector<UnplannedValue> unplannedValues(const Graph& graph, const ValueFacts& facts, const Lowered& lowered,
                                            const DecisionLog& log)
{
    const std::vector<Message>& unknownBecause = lowered.unknownBecause;
    std::vector<UnplannedValue> unplanned;
    for (std::size_t index = 0; index < facts.residence.size(); ++index) {
        const ValueId id(index);
        const bool bounded = facts.residence[index] == Residence::Planned && isOpen(graph[id].type);
        if (facts.residence[index] != Residence::Unplanned && !bounded) continue;
        const bool known = index < unknownBecause.size() && !unknownBecause[index].empty();
        const Message reason = known ? unknownBecause[index] : reasonFor(graph, facts, id);
        const ValueId lacking = index < lowered.lacking.size() ? lowered.lacking[index] : ValueId();
        TensorType whole = graph[id].type; // of what is sparse without a bound: everything kept
        whole.maxStored = std::numeric_limits<std::int64_t>::max();
        const std::int64_t most = whole.isSparse() ? whole.bytes().value_or(-1) : facts.largestBytes[index];
        unplanned.push_back({id, reason, most, lacking});
        if (!bounded && log.recording())
            log.add({DecisionKind::Unplanned, graph[id].name, {}, true, "unknown-size", reason, 0});
    }
    return unplanned;
}

Result<ValueFacts> lifetimesOf(const Program& program, const std::vector<SavedReport>& saved)
{
    const Graph& graph = *program.graph;
    ValueFacts facts = findValueFacts(graph, program.schedule, program.implementations, program.policies);
    std::optional<std::int64_t> all = 0;
    for (std::size_t index = 0; index < graph.values.size(); ++index) {
        if (!isBrought(graph, facts, index)) continue;
        all = checkedAdd(*all, std::max<std::int64_t>(0, facts.requiredBytes[index]));
        if (!all)
            return Error {ErrorCode::BadInput, say("sizes.brought"), "value '" + graph.values[index].name + "'", {}};
    }
    if (!saved.empty()) facts.saved.assign(graph.values.size(), false);
    for (const SavedReport& one : saved)
        facts.saved[one.tensor.value.index()] = true;
    return facts;
}

PlannedProgram plannedProgram(const Subject& subject, PlacedGraph& placed, const DecisionLog& log)
{
    PlannedProgram planned {subject.program,          std::move(placed.map), std::move(placed.storages), {}, {},
                            placed.search.has_value()};
    planned.values.reserve(subject.graph.values.size());
    for (std::size_t index = 0; index < subject.graph.values.size(); ++index) {
        const Value& value = subject.graph.values[index];
        PlannedValue& one = planned.values.emplace_back();
        one.storage = placed.storageOf[index];
        one.logicalBytes = value.type.bytes().value_or(-1);
        one.requiredBytes = subject.facts.requiredBytes[index];
        one.offset = planned.map.values[index].offset;
        one.live = subject.facts.live[index];
        one.visible = subject.facts.isOutput[index] || (value.role == ValueRole::Input && value.visible);
        one.shared = one.storage.valid() && planned.storages[one.storage.index()].values.size() > 1;
        one.sharedAs = placed.sharedAs[index];
    }
    planned.handles = listHandles(subject, planned.map, log);
    return planned;
}

Result<MemoryUse> memoryUse(const PlannedProgram& planned, const ValueFacts& facts, const PlacedGraph& placed,
                            std::vector<DenseFallback> fallbacks)
{
    MemoryUse use;
    // A plan of our own is between its bounds. One that was handed in may be broken (its bounds are then cut to fit) or
    // leave bytes out; the findings say so.
    const std::vector<std::int64_t> lower = lowerBounds(placed.problem);
    const std::vector<std::int64_t> noReuse = noReuseBytes(placed.problem);
    for (std::size_t arena = 0; arena < placed.heights.size(); ++arena) {
        const std::int64_t height = placed.heights[arena];
        use.arenas.push_back({std::min(lower[arena], height), std::max(noReuse[arena], height)});
        use.lowerBoundBytes += use.arenas.back().lowerBoundBytes;
        use.noReuseBytes += use.arenas.back().noReuseBytes;
    }
    use.peakBytes = sumOf(placed.heights);
    const Graph& graph = *planned.graph;
    for (std::size_t index = 0; index < graph.values.size(); ++index) {
        if (!isBrought(graph, facts, index)) continue;
        const std::int64_t bytes = std::max<std::int64_t>(0, facts.requiredBytes[index]);
        use.externalBytes += bytes;
        if (graph.values[index].role == ValueRole::Parameter) use.parameterBytes += bytes;
        const NodeId maker = graph.values[index].producer;
        const bool prepared = maker.valid() && (isReorder(graph[maker]) || isSpaceCopy(graph[maker]));
        if (prepared) use.preparedBytes += bytes;
    }
    if (!checkedAdd(use.peakBytes, use.externalBytes)) return Error {ErrorCode::BadInput, say("sizes.all"), {}, {}};
    use.fallbackBytes = fallbackBytes(planned, fallbacks);
    use.detachBytes = detachBytes(planned, facts);
    use.liveBytes.assign(static_cast<std::size_t>(planned.schedule.length()), 0);
    for (std::size_t arena = 0; arena < placed.problem.arenas.size(); ++arena) {
        const auto live = liveBytes(placed.problem, ArenaId(arena), planned.schedule.length());
        std::ranges::transform(live, use.liveBytes, use.liveBytes.begin(), std::plus<>());
    }
    use.fallbacks = std::move(fallbacks);
    return use;
}

Status checkConstraints(const Program& program)
{
    std::vector<std::string> names;
    for (const auto* pairs : {&program.constraints.apart, &program.constraints.together})
        for (const auto& [one, other] : *pairs)
            names.insert(names.end(), {one, other});
    for (const auto& [name, offset] : program.constraints.places)
        names.push_back(name);
    for (const std::string& name : names) {
        if (!findValue(*program.graph, name).valid())
            return Error {ErrorCode::BadUsage, say("asked.no-value", word::Name {name}), {}, {}};
    }
    return {};
}

Status checkCapacities(const Subject& subject, const MemoryMap& map)
{
    std::set<std::string> spaces;
    const auto add = [&](const std::string& space) { spaces.insert(space.empty() ? "cpu" : space); };
    for (const PlannedArena& arena : map.arenas)
        add(arena.space);
    for (const Value& value : subject.graph.values)
        add(value.at->space);
    std::vector<std::pair<std::string, std::string>> named;
    for (const auto& [space, bytes] : subject.program.policies.capacity)
        named.emplace_back(space, "capacity");
    for (const auto& [space, regions] : subject.program.policies.reserved)
        named.emplace_back(space, "reserved");
    for (const auto& [space, policy] : named) {
        if (spaces.contains(space)) continue;
        return Error {
            ErrorCode::BadUsage,
            say("capacity.no-memory", word::Name {space},
                spaces.empty() ? Argument(say("none")) : namesOf({spaces.begin(), spaces.end()}, spaces.size()),
                policy),
            {},
            {}};
    }
    return {};
}

} // namespace plimsoll::pipeline
