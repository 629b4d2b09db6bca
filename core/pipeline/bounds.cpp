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
    return boundForAnySharing(subject.graph, subject.schedule, subject.facts, subject.implementations, subject.policies,
                              alignment, space);
}

} // namespace

namespace {

/// What a picture of the record shows it by: the largest hole at that moment, or all bytes where there is none. A plan
/// of our own has other addresses.
Finding outOfMemory(const Report& report, const AllocatorRefusal& refusal, std::int64_t repackedBytes)
{
    Finding finding;
    finding.rule = Rule::OutOfMemory;
    finding.message = refusalText(refusal, repackedBytes);
    const auto& nodes = report.program.graph->top().nodes;
    if (refusal.step < 0 || static_cast<std::size_t>(refusal.step) >= nodes.size()) return finding;
    finding.nodes.push_back(nodes[static_cast<std::size_t>(refusal.step)]);
    finding.steps = report.program.schedule.nodes[finding.nodes.front().index()];
    if (report.program.ownPlan || report.program.map.arenas.empty()) return finding;
    finding.arena = ArenaId(std::int32_t {0});
    const Interval whole {0, report.memory.peakBytes};
    finding.bytes = whole;
    if (refusal.largestHoleOffset >= 0)
        finding.bytes = intersection(
            whole, {refusal.largestHoleOffset,
                    checkedAdd(refusal.largestHoleOffset, refusal.largestHoleBytes).value_or(report.memory.peakBytes)});
    if (finding.bytes.empty()) finding.bytes = whole;
    return finding;
}

/// Where no plan fits: what this graph can do to need fewer bytes.
std::string_view waysToNeedLess(const Report& report)
{
    const auto policies = policyTable();
    const PolicyInfo& recompute = *std::ranges::find(policies, std::string_view("recompute"), &PolicyInfo::id);
    const bool recomputes =
        report.program.ownPlan && whyWithoutEffect(report, report.program.policies, recompute).empty();
    const bool binds = !report.captured.bindings.empty();
    if (recomputes) return binds ? "fix.bigger-bind-or-recompute" : "fix.bigger-or-recompute";
    return binds ? "fix.bigger-or-bind" : "fix.bigger";
}

} // namespace

GivenPlanBounds boundGivenPlan(const Report& report, const Subject& subject, std::uint64_t seed, const Context& context)
{
    SearchRequest quick;
    quick.seed = seed;
    GivenPlanBounds bounds;
    bounds.peakBytes = report.memory.peakBytes;
    // The height of a given plan is not rounded up to more than its arenas are aligned to.
    bounds.anySharingBoundBytes = boundOf(subject, alignmentOf(report.program.map, subject.policies), {}).bytes;
    if (const auto placed = makePlacement(subject, quick, {}, DecisionLog(), context); placed.ok())
        bounds.ownPeakBytes = sumOf(placed.value().heights);
    return bounds;
}

void explainCapacities(Report& report, const Subject& subject)
{
    std::map<std::string, SharingBound> bounds;
    for (Finding& finding : report.verdict.findings) {
        const bool inArena = finding.arena.valid() && finding.arena.index() < report.program.map.arenas.size();
        if (finding.rule != Rule::BeyondCapacity || !inArena) continue;
        const PlannedArena& arena = report.program.map.arenas[finding.arena.index()];
        const auto policy = report.program.policies.capacity.find(arena.space);
        std::optional<std::int64_t> capacity = arena.capacityBytes;
        if (policy != report.program.policies.capacity.end())
            capacity = std::min(policy->second, capacity.value_or(policy->second));
        if (!capacity) continue;
        const auto [known, isNew] = bounds.try_emplace(arena.space);
        if (isNew)
            known->second = boundOf(subject, alignmentOf(report.program.map, report.program.policies), arena.space);
        const SharingBound& bound = known->second;
        if (bound.bytes > *capacity)
            finding.fix = say("fix.none-fits", bound.step, bound.bytes, say(waysToNeedLess(report)));
    }
}

void addOutOfMemory(Report& report)
{
    const auto record = allocatorOf(*report.program.graph);
    if (!record) return;
    const std::int64_t repacked = report.program.ownPlan ? report.memory.peakBytes
                                  : report.verdict.given ? report.verdict.given->ownPeakBytes.value_or(-1)
                                                         : -1;
    std::vector<Finding> found;
    for (const AllocatorRefusal& refusal : record->refused)
        found.push_back(outOfMemory(report, refusal, repacked));
    if (const std::string earlier = earlierRefusals(*record); !earlier.empty() && !found.empty())
        found.front().message = say("sentences", found.front().message, earlier);
    report.verdict.findings.insert(report.verdict.findings.begin(), found.rbegin(), found.rend());
}

} // namespace plimsoll::pipeline
