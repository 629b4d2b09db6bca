#include "core/base/give_back.h"
#include "core/base/sum.h"
#include "core/pipeline/assign_streams.h"
#include "core/pipeline/mxnet_planner.h"

#include "core/base/bytes.h"
#include "core/placement/placement.h"
#include "core/placement/search/load.h"
#include "core/placement/search/search.h"
#include "core/sharing/sharing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace plimsoll::pipeline {
namespace {

/// Storages and the placement problem they pose; then the graph as the plans for it place it.
struct Placer
{
    const Subject subject;
    Sharing sharing;
    std::vector<Decision> decisions {}; ///< On sharing.
    PlacedGraph placed {};              ///< Without offsets.
    std::optional<StreamTask> task {};  ///< What is searched instead, for several streams.
    bool mxnet = false;
};

/// One arena for each memory space, in the order in which they turn up.
ArenaId arenaOf(Placer& of, std::string_view named)
{
    const std::string space(named);
    std::vector<Arena>& arenas = of.placed.problem.arenas;
    const auto found =
        std::find_if(arenas.begin(), arenas.end(), [&](const Arena& arena) { return arena.space == space; });
    if (found != arenas.end()) return ArenaId(static_cast<std::size_t>(found - arenas.begin()));
    const auto capacity = of.subject.program.policies.capacity.find(space);
    arenas.push_back({space, of.subject.program.policies.alignment, {}});
    if (capacity != of.subject.program.policies.capacity.end()) arenas.back().capacityBytes = capacity->second;
    return ArenaId(arenas.size() - 1);
}

/// Raises the alignment of a buffer to the smallest that meets the other as well.
Status demand(Buffer& buffer, std::int64_t alignment, const std::string& whose)
{
    const auto both = checkedMultiply(buffer.alignment / std::gcd(buffer.alignment, alignment), alignment);
    if (!both) {
        return Error {ErrorCode::BadInput,
                      say("alignments.no-multiple", word::Number {buffer.alignment}, word::Number {alignment}),
                      "value '" + whose + "'",
                      {}};
    }
    buffer.alignment = *both;
    return {};
}

std::int64_t alignmentOf(const Placer& of, NodeId node)
{
    return node.valid() ? std::max<std::int64_t>(1, of.subject.program.implementations[node].alignment) : 1;
}

/// What the values and their implementations demand, the storage must have where it begins. What lies further in is
/// where its operator says.
Status addBuffer(Placer& of, const Storage& storage)
{
    Buffer buffer {storage.bytes, storage.live, of.subject.program.policies.alignment, storage.arena, {}, {}};
    PLIMSOLL_TRY(demand(buffer, alignmentOf(of, storage.scratchOf), "scratchpad"));
    const auto& asked = of.subject.program.constraints.places;
    for (const ValueId id : storage.values) {
        const Value& value = of.subject.graph[id];
        const std::int64_t within = of.sharing.offset[id.index()];
        if (value.at->pinnedOffset) buffer.pinnedOffset = *value.at->pinnedOffset - within;
        if (const auto place = asked.find(value.name); place != asked.end()) {
            if (buffer.pinnedOffset && *buffer.pinnedOffset != place->second - within)
                return Error {ErrorCode::BadUsage,
                              say("asked.two-places", word::Name {value.name}, word::Number {place->second}),
                              {},
                              {}};
            buffer.pinnedOffset = place->second - within;
        }
        PLIMSOLL_TRY(demand(buffer, alignmentOf(of, value.producer), value.name));
        if (within == 0) PLIMSOLL_TRY(demand(buffer, value.at->alignment, value.name));
    }
    of.placed.problem.buffers.push_back(std::move(buffer));
    return {};
}

/// Values in the caller's bytes, but for inputs and the like, which are there in any case.
void placeInHost(Placer& of, const SharedStorage& shared)
{
    for (const ValueId value : shared.values) {
        const bool brought =
            of.subject.facts.isOutput[value.index()] && of.subject.graph[value].role == ValueRole::Intermediate;
        if (value == shared.host && !brought) continue;
        of.placed.map.values[value.index()] = {{},
                                               of.sharing.offset[value.index()],
                                               std::max<std::int64_t>(0, of.subject.facts.requiredBytes[value.index()]),
                                               shared.host};
    }
}

/// Behind the last step, a moment for each two that are kept apart, at which both are alive:
///
///     steps      0 1 2 3 4 | 5
///     one        ####      | #
///     other            ### | #
void keepAskedApart(Placer& of)
{
    if (of.subject.program.constraints.apart.empty()) return;
    std::vector<Buffer*> bufferOf; // by StorageId; null: it has none
    std::size_t next = 0;
    for (const Storage& storage : of.placed.storages)
        bufferOf.push_back(storage.arena.valid() ? &of.placed.problem.buffers[next++] : nullptr);
    std::int64_t moment = of.subject.program.schedule.length();
    for (const auto& [left, right] : of.subject.program.constraints.apart) {
        const StorageId one = of.sharing.storageOf[findValue(of.subject.graph, left).index()];
        const StorageId other = of.sharing.storageOf[findValue(of.subject.graph, right).index()];
        if (!one.valid() || !other.valid() || one == other) continue;
        for (const StorageId storage : {one, other})
            if (Buffer* buffer = bufferOf[storage.index()]) buffer->live.add(Interval {moment, moment + 1});
        ++moment;
    }
}

Status checkPlaces(const Placer& of)
{
    for (const auto& [name, offset] : of.subject.program.constraints.places) {
        const StorageId storage = of.sharing.storageOf[findValue(of.subject.graph, name).index()];
        if (!storage.valid() || !of.placed.storages[storage.index()].arena.valid())
            return Error {ErrorCode::BadUsage, say("asked.no-arena", word::Name {name}, word::Number {offset}), {}, {}};
    }
    return {};
}

std::vector<ReservedBytes> reservedIn(const Program& program, const std::string& space)
{
    const auto found = program.policies.reserved.find(space);
    return found == program.policies.reserved.end() ? std::vector<ReservedBytes> {} : found->second;
}

Result<Placer> makePlacer(const Subject& subject, bool recording)
{
    std::vector<Decision> decisions;
    Placer of {subject, share(subject, recording ? DecisionLog(decisions) : DecisionLog())};
    if (!of.sharing.refused.empty()) return Error {ErrorCode::BadUsage, of.sharing.refused, {}, {}};
    of.decisions = std::move(decisions);
    const Program& program = subject.program;
    of.placed.map.values.resize(subject.graph.values.size());
    of.placed.storages.reserve(of.sharing.storages.size());
    of.placed.problem.buffers.reserve(of.sharing.storages.size());
    for (SharedStorage& shared : of.sharing.storages) {
        if (shared.host.valid()) placeInHost(of, shared);
        Storage storage {{}, 0, shared.bytes, std::move(shared.live), std::move(shared.values), {}};
        if (shared.residence == Residence::Planned) {
            storage.arena = arenaOf(of, shared.space);
            PLIMSOLL_TRY(addBuffer(of, storage));
        }
        of.placed.storages.push_back(std::move(storage));
    }
    PLIMSOLL_TRY(checkPlaces(of));
    giveBack(of.sharing.storages); // a large one is a tenth of the memory of all
    for (std::size_t index = 0; index < program.implementations.chosen().size(); ++index) {
        const std::int64_t bytes = program.implementations[NodeId(index)].scratchpadBytes;
        const Interval steps = program.schedule.nodes[index];
        if (bytes <= 0 || steps.empty()) continue;
        const std::string& device = subject.graph.nodes[index].at->device;
        Storage storage {arenaOf(of, device.empty() ? "cpu" : device), 0, bytes, LiveRanges(steps), {}, NodeId(index)};
        PLIMSOLL_TRY(addBuffer(of, storage));
        of.placed.storages.push_back(std::move(storage));
    }
    keepAskedApart(of);
    if (of.placed.problem.arenas.empty()) arenaOf(of, "cpu");
    of.mxnet = plansLikeMxnet(program.policies);
    if (of.mxnet) orderLikeMxnet(subject, of.placed.storages, of.placed.problem);
    for (std::size_t arena = 0; arena < of.placed.problem.arenas.size(); ++arena)
        addReserved(of.placed.problem, ArenaId(arena), reservedIn(program, of.placed.problem.arenas[arena].space),
                    program.schedule.length());
    of.task = keepStreamsApart(subject, of.placed);
    of.placed.storageOf = of.sharing.storageOf;
    of.placed.sharedAs = of.sharing.sharedAs;
    PLIMSOLL_TRY(checkSizes(subject.graph, of.placed));
    return of;
}

/// \p placed is what the placer has, without offsets.
PlacedGraph placedBy(const Placer& of, PlacedGraph placed, const Plan& plan, SearchRecord record)
{
    const Plan joined = of.task ? joinPools(*of.task, placed.problem, plan) : plan;
    std::size_t buffer = 0;
    for (Storage& storage : placed.storages) {
        if (!storage.arena.valid()) continue;
        storage.offset = joined.allocations[buffer++].offset;
        if (storage.scratchOf.valid())
            placed.map.scratch.push_back({storage.scratchOf, {storage.arena, storage.offset, storage.bytes}});
        for (const ValueId value : storage.values) {
            const std::int64_t offset = storage.offset + of.sharing.offset[value.index()];
            placed.map.values[value.index()] = {storage.arena, offset, of.subject.facts.requiredBytes[value.index()]};
        }
    }
    for (std::size_t arena = 0; arena < placed.problem.arenas.size(); ++arena) {
        const Arena& from = placed.problem.arenas[arena];
        placed.map.arenas.push_back({from.space, joined.arenaBytes[arena], from.alignment, from.capacityBytes,
                                     reservedIn(of.subject.program, from.space)});
    }
    placed.heights = joined.arenaBytes;
    placed.search = std::move(record);
    if (of.mxnet) placed.notes = mxnetNotes(of.subject, placed, plan);
    if (!of.task) return placed;
    // The search has proved its bounds for a harder problem.
    const std::int64_t bound = sumOf(lowerBounds(placed.problem));
    if (placed.search->end == SearchEnd::Optimal) placed.search->end = SearchEnd::Limit;
    placed.search->boundBytes = std::min(placed.search->boundBytes, bound);
    for (Incumbent& one : placed.search->history)
        one.boundBytes = std::min(one.boundBytes, bound);
    placed.notes.push_back(of.task->note);
    return placed;
}

SearchRecord recordOf(const SearchRequest& request, const std::string& algorithm)
{
    SearchRecord record;
    record.algorithm = algorithm;
    record.seed = request.seed;
    record.workLimit = request.workLimit;
    if (request.secondsLimit && std::isfinite(*request.secondsLimit)) record.secondsLimit = request.secondsLimit;
    return record;
}

/// Ends early at either stop; where that is before the first plan, this is still made unless the whole job must end.
Result<SearchAnswer> searchUntilEnough(const Problem& problem, const std::string& algorithm, SearchOptions options,
                                       const std::stop_token& enough, const Context& context)
{
    std::stop_source end;
    const std::stop_callback onStop(context.stop, [&end] { end.request_stop(); });
    const std::stop_callback onEnough(enough, [&end] { end.request_stop(); });
    Context inner = context;
    inner.stop = end.get_token();
    Result<SearchAnswer> answer = search(problem, algorithm, options, inner);
    const bool stopped = !answer.ok() && answer.error().code == ErrorCode::Stopped;
    if (!stopped || context.stopped()) return answer;
    options.workLimit = 0;
    return search(problem, algorithm, options, context);
}

struct Found
{
    Plan plan;
    SearchRecord record;
};

Result<Found> searchFor(const Placer& placer, const SearchRequest& request, const BetterPlacement& better,
                        const DecisionLog& log, const Context& context)
{
    const Problem& problem = placer.task ? placer.task->problem : placer.placed.problem;
    const std::string& algorithm = placer.subject.program.policies.placement;
    SearchRecord record = recordOf(request, algorithm);
    SearchOptions options;
    options.seed = request.seed;
    options.workLimit = request.workLimit;
    options.secondsLimit = request.secondsLimit;
    if (!request.workLimit && !request.secondsLimit) options.workLimit = defaultWorkLimit(problem.buffers.size());
    options.improved = [&](const Incumbent& now, const std::function<Plan()>& plan) {
        record.history.push_back(now);
        record.boundBytes = now.boundBytes;
        record.work = now.work;
        record.seconds = now.seconds;
        if (better) better(now, [&] { return placedBy(placer, placer.placed, plan(), record); });
    };
    PLIMSOLL_ASSIGN(answer, searchUntilEnough(problem, algorithm, std::move(options), request.enough, context));
    if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
    logMatchRanges(answer.plan, log);
    record.end = answer.end;
    record.history = std::move(answer.history);
    record.boundBytes = sumOf(answer.boundBytes);
    record.work = answer.work;
    record.seconds = answer.seconds;
    return Found {std::move(answer.plan), std::move(record)};
}

/// The storage that a buffer is for.
std::string whose(const Graph& graph, const PlacedGraph& placed, std::size_t buffer)
{
    for (const Storage& storage : placed.storages) {
        if (!storage.arena.valid() || buffer-- > 0) continue;
        if (storage.scratchOf.valid()) return "scratchpad of node '" + graph[storage.scratchOf].name + "'";
        return "value '" + graph[storage.values.front()].name + "'";
    }
    return {};
}

} // namespace

void addReserved(Problem& problem, ArenaId arena, const std::vector<ReservedBytes>& reserved, std::int64_t steps)
{
    std::vector<Interval> regions;
    for (const ReservedBytes& one : reserved)
        regions.push_back(one.bytes);
    std::ranges::sort(regions, {}, &Interval::begin);
    const LiveRanges always(Interval {0, std::max<std::int64_t>(1, steps)});
    std::int64_t end = 0; // regions may overlap; buffers that are alive together may not
    for (const Interval region : regions) {
        const Interval rest {std::max(region.begin, end), region.end};
        end = std::max(end, region.end);
        if (!rest.empty()) problem.buffers.push_back({rest.length(), always, 1, arena, rest.begin, {}});
    }
}

Status checkSizes(const Graph& graph, const PlacedGraph& placed)
{
    const auto fault = findFault(placed.problem);
    if (!fault) return {};
    return Error {ErrorCode::BadInput, fault->message, whose(graph, placed, fault->buffer), {}};
}

namespace {

std::int64_t boundOf(const Placer& way)
{
    return sumOf(lowerBounds(way.placed.problem));
}

/// The node with the largest whole that takes bytes where most are alive, though only parts of it are: before it is put
/// together, or behind its last read. Invalid where there is none.
NodeId looseAtPeak(const Placer& way)
{
    const Problem& problem = way.placed.problem;
    const Subject& subject = way.subject;
    const std::vector<std::int64_t> bounds = lowerBounds(problem);
    const ArenaId arena(static_cast<std::size_t>(std::ranges::max_element(bounds) - bounds.begin()));
    const auto live = liveBytes(problem, arena, subject.program.schedule.length());
    const std::int64_t peak = std::ranges::max_element(live) - live.begin();
    NodeId found;
    std::int64_t most = 0;
    for (std::size_t n = 0; n < subject.graph.nodes.size(); ++n) {
        const Node& node = subject.graph.nodes[n];
        for (const SubBuffer& one : subject.facts.traits.parts(NodeId(n))) {
            ValueId part = node.inputs[static_cast<std::size_t>(one.input)];
            ValueId whole = node.outputs[static_cast<std::size_t>(one.output)];
            if (!one.inputIsPart) std::swap(part, whole);
            const StorageId storage = way.sharing.storageOf[whole.index()];
            const std::int64_t bytes = subject.facts.requiredBytes[whole.index()];
            const bool inside =
                storage.valid() && storage == way.sharing.storageOf[part.index()] && !subject.apart.contains(NodeId(n));
            if (!inside || bytes <= most || way.placed.storages[storage.index()].arena != arena) continue;
            const bool loose = way.placed.storages[storage.index()].live.contains(peak) &&
                               !subject.facts.live[whole.index()].contains(peak);
            if (!loose) continue;
            found = NodeId(n);
            most = bytes;
        }
    }
    return found;
}

/// The nodes that had better copy, so that the load is the lowest: one after the other that is loose at the peak.
Result<std::set<NodeId>> betterApart(const Placer& asked)
{
    constexpr int MostTrials = 16;
    std::set<NodeId> best;
    std::int64_t lowest = boundOf(asked);
    Subject subject = asked.subject;
    NodeId loose = looseAtPeak(asked);
    for (int trial = 0; loose.valid() && trial < MostTrials; ++trial) {
        subject.apart.insert(loose);
        PLIMSOLL_ASSIGN(way, makePlacer(subject, false));
        loose = looseAtPeak(way);
        if (boundOf(way) >= lowest) continue;
        lowest = boundOf(way);
        best = subject.apart;
    }
    return best;
}

/// What is asked for, and more careful ways, which may need less: what shares more may need more. Two outputs that
/// could share a copy of an input cannot share the input itself; what is put together of parts has all of its bytes
/// from the first part on. \p protecting is the same program with its inputs protected.
Result<std::vector<Placer>> waysOf(const Subject& subject, const Program& protecting, bool recording)
{
    std::vector<Placer> ways;
    PLIMSOLL_ASSIGN(asked, makePlacer(subject, recording));
    std::vector<std::set<NodeId>> careful;
    if (std::ranges::find(asked.sharing.sharedAs, AliasKind::Part) != asked.sharing.sharedAs.end()) {
        PLIMSOLL_ASSIGN(some, betterApart(asked));
        if (!some.empty()) careful.push_back(std::move(some));
        std::set<NodeId>& all = careful.emplace_back();
        for (std::size_t n = 0; n < subject.graph.nodes.size(); ++n)
            if (!subject.facts.traits.parts(NodeId(n)).empty()) all.insert(NodeId(n));
    }
    ways.push_back(std::move(asked));
    const bool protects = subject.program.policies.inputs == InputsPolicy::Protect;
    for (const Program* program : {&subject.program, &protecting}) {
        if (program == &protecting && protects) break;
        if (program == &protecting) careful.emplace(careful.begin());
        for (const std::set<NodeId>& apart : careful) {
            PLIMSOLL_ASSIGN(way, makePlacer({*program, subject.facts, subject.graph, apart}, recording));
            ways.push_back(std::move(way));
        }
    }
    return ways;
}

} // namespace

Result<PlacedGraph> makePlacement(const Subject& subject, const SearchRequest& search, const BetterPlacement& better,
                                  const DecisionLog& log, const Context& context)
{
    Program protecting = subject.program;
    protecting.policies.inputs = InputsPolicy::Protect;
    PLIMSOLL_ASSIGN(ways, waysOf(subject, protecting, log.recording()));
    // By the load. Of those that are alike, tensors that lie apart, then inputs that are shared.
    const auto rank = [](Placer* way) {
        return std::tuple(boundOf(*way), -static_cast<std::int64_t>(way->subject.apart.size()),
                          way->subject.program.policies.inputs == InputsPolicy::Protect);
    };
    std::vector<Placer*> order;
    std::ranges::transform(ways, std::back_inserter(order), [](Placer& way) { return &way; });
    std::ranges::sort(order, {}, rank);
    SearchRequest quick;
    quick.seed = search.seed;
    quick.workLimit = search.workLimit; // so that what is searched for again below comes to the same
    Placer* best = order.front();
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (Placer* way : order) {
        if (ways.size() == 1 || boundOf(*way) >= lowest) break;
        PLIMSOLL_ASSIGN(found, searchFor(*way, quick, {}, {}, context));
        const PlacedGraph placed = placedBy(*way, way->placed, found.plan, std::move(found.record));
        if (sumOf(placed.heights) >= lowest) continue;
        lowest = sumOf(placed.heights);
        best = way;
    }
    for (const Decision& decision : best->decisions)
        log.add(Decision(decision));
    PLIMSOLL_ASSIGN(found, searchFor(*best, search, better, log, context));
    return placedBy(*best, std::move(best->placed), found.plan, std::move(found.record));
}

} // namespace plimsoll::pipeline
