#include "core/pipeline/stages.h"

#include "core/analysis/sharing_bound.h"
#include "core/base/bytes.h"
#include "core/base/sum.h"
#include "core/facts/words/policy_effect.h"
#include "core/formats/snapshot/allocator_record.h"

#include <algorithm>
#include <map>

namespace plimsoll::pipeline {
namespace {

/// The smallest of a plan's arenas.
std::int64_t alignmentOf(const MemoryMap& map, const Policies& policies)
{
    std::int64_t least = map.arenas.empty() ? policies.alignment : map.arenas.front().alignment;
    for (const PlannedArena& arena : map.arenas)
        least = std::min(least, arena.alignment);
    return std::max<std::int64_t>(1, least);
}

SharingBound boundOf(const Subject& subject, std::int64_t alignment, std::string_view space)
{
    return boundForAnySharing(subject.graph, subject.program.schedule, subject.facts, subject.program.implementations,
                              subject.program.policies, alignment, space);
}

/// What a picture of the record shows it by: the largest hole at that moment, or all bytes where there is none. A plan
/// of our own has other addresses.
Finding refusalFinding(const PlannedProgram& planned, std::int64_t peakBytes, const AllocatorRefusal& refusal,
                       std::int64_t repackedBytes)
{
    Finding finding;
    finding.rule = Rule::OutOfMemory;
    finding.message = refusalText(refusal, repackedBytes);
    const auto& nodes = planned.graph->top().nodes;
    if (refusal.step < 0 || static_cast<std::size_t>(refusal.step) >= nodes.size()) return finding;
    finding.nodes.push_back(nodes[static_cast<std::size_t>(refusal.step)]);
    finding.steps = planned.schedule.nodes[finding.nodes.front().index()];
    if (planned.ownPlan || planned.map.arenas.empty()) return finding;
    finding.arena = ArenaId(std::int32_t {0});
    const Interval whole {0, peakBytes};
    finding.bytes = whole;
    if (refusal.largestHoleOffset >= 0)
        finding.bytes =
            intersection(whole, {refusal.largestHoleOffset,
                                 checkedAdd(refusal.largestHoleOffset, refusal.largestHoleBytes).value_or(peakBytes)});
    if (finding.bytes.empty()) finding.bytes = whole;
    return finding;
}

} // namespace

GivenPlanBounds boundGivenPlan(const Subject& subject, const MemoryMap& map, std::int64_t peakBytes, std::uint64_t seed,
                               const Context& context)
{
    SearchRequest quick;
    quick.seed = seed;
    GivenPlanBounds bounds;
    bounds.peakBytes = peakBytes;
    // The height of a given plan is not rounded up to more than its arenas are aligned to.
    bounds.anySharingBoundBytes = boundOf(subject, alignmentOf(map, subject.program.policies), {}).bytes;
    Program terms = subject.program; // what the plan keeps free is kept free by ours
    for (const PlannedArena& arena : map.arenas) {
        if (!arena.reserved.empty()) terms.policies.reserved[arena.space] = arena.reserved;
    }
    if (const auto placed = makePlacement({terms, subject.facts}, quick, {}, DecisionLog(), context); placed.ok())
        bounds.ownPeakBytes = sumOf(placed.value().heights);
    return bounds;
}

std::vector<Finding> explainCapacities(std::vector<Finding> findings, const Subject& subject,
                                       const PlannedProgram& planned, bool canBind)
{
    std::map<std::string, SharingBound> bounds;
    const auto whyNoRecompute = [&] { return whyWithoutEffect(planned, planned.policies, *findPolicy("recompute")); };
    for (Finding& finding : findings) {
        const bool inArena = finding.arena.valid() && finding.arena.index() < planned.map.arenas.size();
        if (finding.rule != Rule::BeyondCapacity || !inArena) continue;
        const PlannedArena& arena = planned.map.arenas[finding.arena.index()];
        const auto policy = planned.policies.capacity.find(arena.space);
        std::optional<std::int64_t> capacity = arena.capacityBytes;
        if (policy != planned.policies.capacity.end())
            capacity = std::min(policy->second, capacity.value_or(policy->second));
        if (!capacity) continue;
        const auto [known, isNew] = bounds.try_emplace(arena.space);
        if (isNew) known->second = boundOf(subject, alignmentOf(planned.map, planned.policies), arena.space);
        const SharingBound& bound = known->second;
        if (bound.bytes <= *capacity) continue;
        const bool recomputes = planned.ownPlan && whyNoRecompute().empty();
        const Message ways = recomputes ? say(canBind ? "fix.bigger-bind-or-recompute" : "fix.bigger-or-recompute")
                                        : say(canBind ? "fix.bigger-or-bind" : "fix.bigger");
        finding.fix = say("fix.none-fits", bound.step, bound.bytes, ways);
    }
    return findings;
}

std::vector<Finding> outOfMemory(const PlannedProgram& planned, std::int64_t peakBytes, std::int64_t ownPeakBytes)
{
    std::vector<Finding> found;
    const auto record = allocatorOf(*planned.graph);
    if (!record) return found;
    for (const AllocatorRefusal& refusal : record->refused)
        found.push_back(refusalFinding(planned, peakBytes, refusal, ownPeakBytes));
    if (const Message earlier = earlierRefusals(*record); !earlier.empty() && !found.empty())
        found.front().message = together(found.front().message, earlier);
    std::ranges::reverse(found);
    return found;
}

} // namespace plimsoll::pipeline
