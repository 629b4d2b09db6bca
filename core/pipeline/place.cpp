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
#include <numeric>

namespace plimsoll::pipeline {
namespace {

/// Storages and the placement problem they pose; then the graph as the plans for it place it.
class GraphPlacer
{
public:
    GraphPlacer(const Subject& subject, const DecisionLog& log) : m_subject(subject), m_sharing(share(subject, log)) {}

    Status collect()
    {
        m_placed.map.values.resize(m_subject.graph.values.size());
        for (SharedStorage& storage : m_sharing.storages) {
            if (storage.host.valid()) placeInHost(storage);
            PLIMSOLL_TRY(addStorage(storage));
        }
        PLIMSOLL_TRY(addScratchpads());
        if (m_placed.problem.arenas.empty()) arenaOf("cpu");
        m_mxnet = plansLikeMxnet(m_subject.program.policies);
        if (m_mxnet) orderLikeMxnet(m_subject, m_placed.storages, m_placed.problem);
        m_task = keepStreamsApart(m_subject, m_placed);
        m_placed.storageOf = m_sharing.storageOf;
        m_placed.sharedAs = m_sharing.sharedAs;
        return checkSizes(m_subject.graph, m_placed);
    }

    [[nodiscard]] const Problem& problem() const { return m_task ? m_task->problem : m_placed.problem; }

    [[nodiscard]] PlacedGraph placedBy(const Plan& plan, SearchRecord record) const
    {
        PlacedGraph placed = m_placed;
        fillMap(placed, m_task ? joinPools(*m_task, m_placed.problem, plan) : plan);
        placed.search = std::move(record);
        if (m_mxnet) placed.notes = mxnetNotes(m_subject, placed, plan);
        if (!m_task) return placed;
        claimLess(*placed.search);
        placed.notes.push_back(m_task->note);
        return placed;
    }

private:
    /// The search has proved its bounds for a harder problem.
    void claimLess(SearchRecord& record) const
    {
        const std::int64_t bound = sumOf(lowerBounds(m_placed.problem));
        if (record.end == SearchEnd::Optimal) record.end = SearchEnd::Limit;
        record.boundBytes = std::min(record.boundBytes, bound);
        for (Incumbent& one : record.history)
            one.boundBytes = std::min(one.boundBytes, bound);
    }

    Status addStorage(SharedStorage& shared)
    {
        Storage storage {{}, 0, shared.bytes, std::move(shared.live), std::move(shared.values), {}};
        if (shared.residence == Residence::Planned) {
            storage.arena = arenaOf(shared.space);
            PLIMSOLL_TRY(addBuffer(storage));
        }
        m_placed.storages.push_back(std::move(storage));
        return {};
    }

    /// Everybody in the caller's bytes, but for inputs and the like, which are there in any case.
    void placeInHost(const SharedStorage& shared)
    {
        for (const ValueId value : shared.values) {
            const bool brought =
                m_subject.facts.isOutput[value.index()] && m_subject.graph[value].role == ValueRole::Intermediate;
            if (value == shared.host && !brought) continue;
            m_placed.map.values[value.index()] = {
                {},
                m_sharing.offset[value.index()],
                std::max<std::int64_t>(0, m_subject.facts.requiredBytes[value.index()]),
                shared.host};
        }
    }

    Status addScratchpads()
    {
        for (std::size_t index = 0; index < m_subject.program.implementations.size(); ++index) {
            const std::int64_t bytes = m_subject.program.implementations[index].scratchpadBytes;
            const Interval steps = m_subject.program.schedule.nodes[index];
            if (bytes <= 0 || steps.empty()) continue;
            const std::string& device = m_subject.graph.nodes[index].device;
            Storage storage {arenaOf(device.empty() ? "cpu" : device), 0, bytes, LiveRanges(steps), {}, NodeId(index)};
            PLIMSOLL_TRY(addBuffer(storage));
            m_placed.storages.push_back(std::move(storage));
        }
        return {};
    }

    /// One arena for each memory space, in the order in which they turn up.
    ArenaId arenaOf(const std::string& space)
    {
        std::vector<Arena>& arenas = m_placed.problem.arenas;
        const auto found =
            std::find_if(arenas.begin(), arenas.end(), [&](const Arena& arena) { return arena.space == space; });
        if (found != arenas.end()) return ArenaId(static_cast<std::size_t>(found - arenas.begin()));
        const auto capacity = m_subject.program.policies.capacity.find(space);
        arenas.push_back({space, m_subject.program.policies.alignment, {}});
        if (capacity != m_subject.program.policies.capacity.end()) arenas.back().capacityBytes = capacity->second;
        return ArenaId(arenas.size() - 1);
    }

    /// What the values and their implementations demand, the storage must have where it begins. What lies further in is
    /// where its operator says.
    Status addBuffer(const Storage& storage)
    {
        Buffer buffer {storage.bytes, storage.live, m_subject.program.policies.alignment, storage.arena, {}, {}};
        PLIMSOLL_TRY(demand(buffer, alignmentOf(storage.scratchOf), "scratchpad"));
        for (const ValueId id : storage.values) {
            const Value& value = m_subject.graph[id];
            const std::int64_t within = m_sharing.offset[id.index()];
            if (value.pinnedOffset) buffer.pinnedOffset = *value.pinnedOffset - within;
            PLIMSOLL_TRY(demand(buffer, alignmentOf(value.producer), value.name));
            if (within == 0) PLIMSOLL_TRY(demand(buffer, value.alignment, value.name));
        }
        m_placed.problem.buffers.push_back(std::move(buffer));
        return {};
    }

    /// Raises the alignment of a buffer to the smallest that meets the other as well.
    static Status demand(Buffer& buffer, std::int64_t alignment, const std::string& whose)
    {
        const auto both = checkedMultiply(buffer.alignment / std::gcd(buffer.alignment, alignment), alignment);
        if (!both) {
            return Error {ErrorCode::BadInput,
                          "Its alignments, " + std::to_string(buffer.alignment) + " and " + std::to_string(alignment) +
                              ", have no common multiple within 63 bits.",
                          "value '" + whose + "'",
                          {}};
        }
        buffer.alignment = *both;
        return {};
    }

    [[nodiscard]] std::int64_t alignmentOf(NodeId node) const
    {
        return node.valid() ? std::max<std::int64_t>(1, m_subject.program.implementations[node.index()].alignment) : 1;
    }

    void fillMap(PlacedGraph& placed, const Plan& plan) const
    {
        std::size_t buffer = 0;
        MemoryMap& map = placed.map;
        for (Storage& storage : placed.storages) {
            if (!storage.arena.valid()) continue;
            storage.offset = plan.allocations[buffer++].offset;
            if (storage.scratchOf.valid())
                map.scratch.push_back({storage.scratchOf, {storage.arena, storage.offset, storage.bytes}});
            for (const ValueId value : storage.values) {
                const std::int64_t offset = storage.offset + m_sharing.offset[value.index()];
                map.values[value.index()] = {storage.arena, offset, m_subject.facts.requiredBytes[value.index()]};
            }
        }
        for (std::size_t arena = 0; arena < placed.problem.arenas.size(); ++arena) {
            const Arena& from = placed.problem.arenas[arena];
            map.arenas.push_back({from.space, plan.arenaBytes[arena], from.alignment, from.capacityBytes});
        }
        placed.heights = plan.arenaBytes;
    }

    const Subject m_subject;
    Sharing m_sharing;
    PlacedGraph m_placed;             ///< Without offsets.
    std::optional<StreamTask> m_task; ///< What is searched instead, for several streams.
    bool m_mxnet = false;
};

/// A placer with what it decided.
struct Candidate
{
    GraphPlacer placer;
    std::vector<Decision> decisions;
};

Result<Candidate> makeCandidate(const Subject& subject, bool recording)
{
    std::vector<Decision> decisions;
    GraphPlacer placer(subject, recording ? DecisionLog(decisions) : DecisionLog());
    PLIMSOLL_TRY(placer.collect());
    return Candidate {std::move(placer), std::move(decisions)};
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

SearchOptions optionsOf(const SearchRequest& request, std::size_t buffers)
{
    SearchOptions options;
    options.seed = request.seed;
    options.workLimit = request.workLimit;
    options.secondsLimit = request.secondsLimit;
    if (!request.workLimit && !request.secondsLimit) options.workLimit = defaultWorkLimit(buffers);
    return options;
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

Result<PlacedGraph> place(const Candidate& candidate, const Policies& policies, const SearchRequest& request,
                          const BetterPlacement& better, const DecisionLog& log, const Context& context)
{
    const Problem& problem = candidate.placer.problem();
    SearchRecord record = recordOf(request, policies.placement);
    SearchOptions options = optionsOf(request, problem.buffers.size());
    options.improved = [&](const Incumbent& now, const std::function<Plan()>& plan) {
        record.history.push_back(now);
        record.boundBytes = now.boundBytes;
        record.work = now.work;
        record.seconds = now.seconds;
        if (better) better(now, [&] { return candidate.placer.placedBy(plan(), record); });
    };
    PLIMSOLL_ASSIGN(answer,
                    searchUntilEnough(problem, policies.placement, std::move(options), request.enough, context));
    if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
    logMatchRanges(answer.plan, log);
    record.end = answer.end;
    record.history = std::move(answer.history);
    record.boundBytes = sumOf(answer.boundBytes);
    record.work = answer.work;
    record.seconds = answer.seconds;
    return candidate.placer.placedBy(answer.plan, std::move(record));
}

/// Lodging in an input is worth it for what it saves: two outputs that could share a copy of the input cannot share
/// the input itself. So it is planned with and without, as quickly as ever, and the lower one is kept.
Result<bool> guardingIsLower(const Candidate& hosted, const Candidate& guarding, const Policies& policies,
                             std::uint64_t seed, const Context& context)
{
    SearchRequest quick;
    quick.seed = seed;
    PLIMSOLL_ASSIGN(with, place(hosted, policies, quick, {}, {}, context));
    PLIMSOLL_ASSIGN(without, place(guarding, policies, quick, {}, {}, context));
    return sumOf(without.heights) < sumOf(with.heights);
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

Status checkSizes(const Graph& graph, const PlacedGraph& placed)
{
    const auto fault = findFault(placed.problem);
    if (!fault) return {};
    return Error {ErrorCode::BadInput, fault->message, whose(graph, placed, fault->buffer), {}};
}

Result<PlacedGraph> makePlacement(const Subject& subject, const SearchRequest& search, const BetterPlacement& better,
                                  const DecisionLog& log, const Context& context)
{
    PLIMSOLL_ASSIGN(candidate, makeCandidate(subject, log.recording()));
    std::optional<Candidate> guarding;
    Program guarded;
    if (subject.program.policies.inputs != InputsPolicy::Protect) {
        guarded = subject.program;
        guarded.policies.inputs = InputsPolicy::Protect;
        PLIMSOLL_ASSIGN(second, makeCandidate({guarded, subject.facts}, log.recording()));
        PLIMSOLL_ASSIGN(lower, guardingIsLower(candidate, second, subject.program.policies, search.seed, context));
        if (lower) guarding.emplace(std::move(second));
    }
    Candidate& best = guarding ? *guarding : candidate;
    for (Decision& decision : best.decisions)
        log.add(std::move(decision));
    return place(best, subject.program.policies, search, better, log, context);
}

} // namespace plimsoll::pipeline
