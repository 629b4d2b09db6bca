#include "core/pipeline/bounds.h"
#include "core/pipeline/stages.h"

#include "core/analysis/sharing_bound.h"
#include "core/base/bytes.h"
#include "core/base/sum.h"
#include "core/facts/words/policy_effect.h"
#include "core/formats/snapshot/allocator_record.h"
#include "core/formats/terms.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace plimsoll::pipeline {
namespace {

/// The smallest of a plan's arenas and of the policy, by which a plan of our own is rounded.
std::int64_t alignmentOf(const MemoryMap& map, const Policies& policies)
{
    std::int64_t least = policies.alignment;
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
    finding.asked = refusal.requestBytes;
    if (!refusal.frames.empty()) finding.source = refusal.frames.front();
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

/// What a given plan sets aside for nodes to work in, beyond what their implementations state: no plan of ours has it.
struct UnstatedRoom
{
    std::size_t nodes = 0;
    std::int64_t mostBytes = 0;
};

UnstatedRoom unstatedRoom(const Program& program, const MemoryMap& map)
{
    UnstatedRoom room;
    for (const ScratchPlacement& scratch : map.scratch) {
        if (scratch.where.bytes <= program.implementations[scratch.node].scratchpadBytes) continue;
        ++room.nodes;
        room.mostBytes = std::max(room.mostBytes, scratch.where.bytes);
    }
    return room;
}

/// How many values a given plan puts into bytes of the caller, which it does not count, and ours into an arena.
std::size_t callersInGiven(const MemoryMap& given, const MemoryMap& ours)
{
    std::size_t values = 0;
    for (std::size_t i = 0; i < given.values.size(); ++i) {
        const bool counts = given.values[i].host.valid() && given.values[i].bytes > 0;
        if (counts && ours.values[i].placed()) ++values;
    }
    return values;
}

} // namespace

GivenPlanBounds boundGivenPlan(const Subject& subject, const MemoryMap& map, std::int64_t peakBytes, std::uint64_t seed,
                               std::vector<Message>& notes, const Context& context)
{
    SearchRequest quick;
    quick.seed = seed;
    GivenPlanBounds bounds;
    bounds.peakBytes = peakBytes;
    bounds.anySharingBoundBytes = boundOf(subject, alignmentOf(map, subject.program.policies), {}).bytes;
    if (const UnstatedRoom room = unstatedRoom(subject.program, map); room.nodes > 0) {
        bounds.anySharingBoundBytes = std::max(bounds.anySharingBoundBytes, room.mostBytes);
        notes.push_back(say("note.no-own-room", room.nodes, word::Size {room.mostBytes}));
        return bounds;
    }
    Program terms = subject.program; // what the plan keeps free is kept free by ours
    for (const PlannedArena& arena : map.arenas) {
        if (!arena.reserved.empty()) terms.policies.reserved[arena.space] = arena.reserved;
    }
    const auto placed = makePlacement({terms, subject.facts}, quick, {}, DecisionLog(), context);
    if (!placed.ok()) return bounds;
    if (const std::size_t values = callersInGiven(map, placed.value().map); values > 0)
        notes.push_back(say("note.no-own-host", values));
    else
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
        const Message tries = planned.ownPlan && !isTable(*planned.graph)
                                  ? say("fix.or-fit", Remedy::command("plimsoll-cli fit"))
                                  : Message();
        finding.fix = say("fix.none-fits", bound.step, bound.bytes, ways, tries);
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

namespace plimsoll {
namespace {

/// What offers may make of the nodes, for a bound: no scratchpads, and every pair in place that some offer has.
struct AnyOffer
{
    Implementations implementations {};
    std::set<ValueId> uncounted {}; ///< They may have no bytes, or not as long as the graph says.
    bool movesValues = false;       ///< To the memory of a device.
};

/// A chain that may be computed at the step of its first node. What is between its nodes may have no bytes, but where
/// the last output, as large, has them from that step on. What the others read beside may end at that step, and may be
/// written over.
void addChain(AnyOffer& any, const Program& program, const ValueFacts& facts, const std::vector<NodeId>& chain)
{
    const Graph& graph = *program.graph;
    const auto outputs = [&](NodeId node) -> const ValueIds& { return graph[node].outputs; };
    const auto bytes = [&](ValueId value) { return graph[value].type.bytes().value_or(0); };
    const ValueId last = valueAt(outputs(chain.back()), 0);
    std::set<ValueId> between;
    std::set<ValueId> beside;
    bool adjacent = true;
    bool stands = last.valid();
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        between.insert(outputs(chain[i]).begin(), outputs(chain[i]).end());
        const Node& next = graph[chain[i + 1]];
        for (std::size_t input = 0; input < next.inputs.size(); ++input) {
            any.implementations.at(chain[i + 1]).inPlace.push_back({0, static_cast<int>(input)});
            const ValueId value = next.inputs[input];
            if (value.valid() && !between.contains(value) && facts.residence[value.index()] == Residence::Planned)
                beside.insert(value);
        }
        const auto& steps = program.schedule.nodes;
        adjacent = adjacent && steps[chain[i + 1].index()].begin == steps[chain[i].index()].end;
    }
    between.erase(ValueId());
    for (const ValueId value : between)
        stands = stands && bytes(value) <= bytes(last);
    if (!stands || !beside.empty()) any.uncounted.insert(between.begin(), between.end());
    if (!adjacent) any.uncounted.insert(beside.begin(), beside.end());
}

AnyOffer anyOf(const Program& program, const ValueFacts& facts, const Catalogue& catalogue)
{
    const Graph& graph = *program.graph;
    std::map<std::string_view, NodeId> named;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n)
        named.emplace(graph.nodes[n].name, NodeId(n));
    AnyOffer any;
    for (const auto& [name, offers] : catalogue.offers) {
        const auto head = named.find(name);
        if (head == named.end()) continue;
        for (const Implementation& offer : offers) {
            any.movesValues = any.movesValues || !offer.device.empty();
            std::ranges::copy(offer.inPlace, std::back_inserter(any.implementations.at(head->second).inPlace));
            std::vector<NodeId> chain {head->second};
            for (const std::string& next : offer.fuses)
                if (const auto found = named.find(next); found != named.end()) chain.push_back(found->second);
            if (chain.size() > 1 && chain.size() == offer.fuses.size() + 1) addChain(any, program, facts, chain);
        }
    }
    return any;
}

} // namespace

Result<std::map<std::string, SpaceBound>> boundsForAnyOffer(const Graph& captured, const PlanRequest& request,
                                                            const Context& context)
{
    PlanRequest plain = request;
    plain.policies.backend = BackendPolicy::Captured;
    PLIMSOLL_ASSIGN(lowered, pipeline::lower(captured, plain, DecisionLog(), context));
    const auto offers = pipeline::withOffersForDuplicates(request.catalogue, captured, lowered.graph);
    const std::vector<SavedReport> saved = lowered.saved;
    PLIMSOLL_ASSIGN(implemented,
                    pipeline::implement(std::move(lowered.graph), captured, plain, saved, DecisionLog(), context));
    Program& program = implemented.program;
    PLIMSOLL_ASSIGN(facts, pipeline::lifetimesOf(program, saved));
    AnyOffer any;
    const bool offered = offers && request.policies.backend != BackendPolicy::Captured;
    if (offered) any = anyOf(program, facts, *offers);
    std::map<std::string, SpaceBound> bounds;
    if (any.movesValues) return bounds;
    if (offered) program.implementations = std::move(any.implementations);
    for (const ValueId value : any.uncounted)
        facts.residence[value.index()] = Residence::Unplanned;
    for (const std::string_view space : facts.space) {
        const auto [known, isNew] = bounds.try_emplace(std::string(space));
        if (!isNew) continue;
        const SharingBound bound = pipeline::boundOf({program, facts}, program.policies.alignment, space);
        const auto& steps = program.schedule.steps;
        known->second.bytes = bound.bytes;
        if (static_cast<std::size_t>(bound.step) < steps.size())
            known->second.node = (*program.graph)[steps[static_cast<std::size_t>(bound.step)].node].name;
    }
    return bounds;
}

} // namespace plimsoll
