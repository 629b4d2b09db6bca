#include "core/base/sum.h"
#include "core/pipeline/stages.h"

#include "core/base/bytes.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/placement/placement.h"
#include "core/placement/search/load.h"

#include <algorithm>
#include <limits>
#include <set>

namespace plimsoll::pipeline {
namespace {

PlannedValue reportOn(const Subject& subject, const PlacedGraph& placed, ValueId id)
{
    const Value& value = subject.graph[id];
    const std::size_t index = id.index();
    PlannedValue report;
    report.storage = placed.storageOf[index];
    report.logicalBytes = value.type.bytes().value_or(-1);
    report.requiredBytes = subject.facts.requiredBytes[index];
    report.offset = placed.map.values[index].offset;
    report.live = subject.facts.live[index];
    report.visible = subject.facts.isOutput[index] || (value.role == ValueRole::Input && value.visible);
    report.shared = report.storage.valid() && placed.storages[report.storage.index()].values.size() > 1;
    report.sharedAs = placed.sharedAs[index];
    return report;
}

/// A plan of our own is between its bounds. One that was handed in may be broken (its bounds are then cut to fit) or
/// leave bytes out; the findings say so.
void boundArenas(Report& report, const PlacedGraph& placed)
{
    const std::vector<std::int64_t> lower = lowerBounds(placed.problem);
    const std::vector<std::int64_t> noReuse = noReuseBytes(placed.problem);
    for (std::size_t arena = 0; arena < placed.heights.size(); ++arena) {
        const std::int64_t height = placed.heights[arena];
        report.memory.arenas.push_back({std::min(lower[arena], height), std::max(noReuse[arena], height)});
        report.memory.lowerBoundBytes += report.memory.arenas.back().lowerBoundBytes;
        report.memory.noReuseBytes += report.memory.arenas.back().noReuseBytes;
    }
    report.memory.peakBytes = sumOf(placed.heights);
}

void addCurve(Report& report, const PlacedGraph& placed)
{
    report.memory.liveBytes.assign(report.program.schedule.steps.size(), 0);
    for (std::size_t arena = 0; arena < placed.problem.arenas.size(); ++arena) {
        const std::vector<std::int64_t> live =
            liveBytes(placed.problem, ArenaId(arena), report.program.schedule.length());
        std::transform(live.begin(), live.end(), report.memory.liveBytes.begin(), report.memory.liveBytes.begin(),
                       std::plus<>());
    }
}

/// What the caller brings: each value once, whoever is a view of it.
bool isBrought(const Graph& graph, const ValueFacts& facts, std::size_t value)
{
    const ValueRole role = graph.values[value].role;
    const bool external = role == ValueRole::Input || role == ValueRole::Parameter || role == ValueRole::Constant;
    const bool planned = liesInArena(graph, graph.values[value]);
    return external && !planned && facts.aliases.root[value] == ValueId(value);
}

void addExternalBytes(Report& report, const Subject& subject)
{
    for (std::size_t index = 0; index < subject.graph.values.size(); ++index) {
        if (!isBrought(subject.graph, subject.facts, index)) continue;
        const ValueRole role = subject.graph.values[index].role;
        const std::int64_t bytes = std::max<std::int64_t>(0, subject.facts.requiredBytes[index]);
        report.memory.externalBytes += bytes;
        if (role == ValueRole::Parameter) report.memory.parameterBytes += bytes;
        const NodeId maker = subject.graph.values[index].producer;
        const bool prepared = maker.valid() && (isReorder(subject.graph[maker]) || isSpaceCopy(subject.graph[maker]));
        if (prepared) report.memory.preparedBytes += bytes;
    }
}

std::string reasonFor(const Graph& graph, const ValueFacts& facts, ValueId id)
{
    const ValueId root = facts.aliases.root[id.index()];
    if (root != id) return "It is a part of '" + graph[root].name + "', whose size is known at run time only.";
    const TensorType& type = graph[id].type;
    if (type.kind != TypeKind::Tensor)
        return "It is no tensor (" + describe(type) + "): what it holds is known at run time only.";
    if (type.dtype == DType::String) return "Strings have no fixed size.";
    return "Its type, " + describe(type) + ", is not known in full before the run.";
}

/// Of what is sparse without a bound: everything kept. -1 where no bound follows from the type.
std::int64_t upperBound(TensorType type)
{
    if (!type.isSparse()) return -1;
    type.maxStored = std::numeric_limits<std::int64_t>::max();
    return type.bytes().value_or(-1);
}

} // namespace

void listUnplanned(Report& report, const ValueFacts& facts, const InferredGraph& inferred, const DecisionLog& log)
{
    const std::vector<std::string>& unknownBecause = inferred.unknownBecause;
    for (std::size_t index = 0; index < facts.residence.size(); ++index) {
        if (facts.residence[index] != Residence::Unplanned) continue;
        const ValueId id(index);
        const bool known = index < unknownBecause.size() && !unknownBecause[index].empty();
        const std::string reason = known ? unknownBecause[index] : reasonFor(*report.program.graph, facts, id);
        const ValueId lacking = index < inferred.lacking.size() ? inferred.lacking[index] : ValueId();
        report.memory.unplanned.push_back({id, reason, upperBound((*report.program.graph)[id].type), lacking});
        if (log.recording())
            log.add({DecisionKind::Unplanned, (*report.program.graph)[id].name, {}, true, "unknown-size", reason, 0});
    }
}

Status checkExternalBytes(const Graph& graph, const ValueFacts& facts)
{
    std::optional<std::int64_t> all = 0;
    for (std::size_t index = 0; index < graph.values.size(); ++index) {
        if (!isBrought(graph, facts, index)) continue;
        all = checkedAdd(*all, std::max<std::int64_t>(0, facts.requiredBytes[index]));
        if (!all)
            return Error {ErrorCode::BadInput,
                          "The inputs and weights up to here add up to more bytes than 63 bits hold.",
                          "value '" + graph.values[index].name + "'",
                          {}};
    }
    return {};
}

Status summarise(Report& report, const Subject& subject, const PlacedGraph& placed)
{
    report.program.map = placed.map;
    report.program.storages = placed.storages;
    report.planning.search = placed.search;
    for (std::size_t value = 0; value < subject.graph.values.size(); ++value) {
        report.program.values.push_back(reportOn(subject, placed, ValueId(value)));
    }
    boundArenas(report, placed);
    addCurve(report, placed);
    addExternalBytes(report, subject);
    if (!checkedAdd(report.memory.peakBytes, report.memory.externalBytes))
        return Error {
            ErrorCode::BadInput, "The plan and what the caller brings add up to more bytes than 63 bits hold.", {}, {}};
    return {};
}

Status checkCapacities(const Subject& subject, const MemoryMap& map)
{
    std::set<std::string> spaces;
    const auto add = [&](const std::string& space) { spaces.insert(space.empty() ? "cpu" : space); };
    for (const PlannedArena& arena : map.arenas)
        add(arena.space);
    for (const Value& value : subject.graph.values)
        add(value.space);
    std::string there;
    for (const std::string& space : spaces)
        there += (there.empty() ? "'" : ", '") + space + "'";
    for (const auto& [space, bytes] : subject.policies.capacity) {
        if (spaces.contains(space)) continue;
        return Error {ErrorCode::BadUsage,
                      "The policy capacity is given for the memory '" + space +
                          "', which neither the graph nor the plan has. There is: " + (there.empty() ? "none" : there) +
                          ".",
                      {},
                      {}};
    }
    return {};
}

} // namespace plimsoll::pipeline
