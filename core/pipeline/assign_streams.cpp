#include "core/pipeline/assign_streams.h"

#include "core/analysis/stream_assignment.h"
#include "core/analysis/stream_conflicts.h"
#include "core/base/sum.h"
#include "core/placement/placement.h"
#include "core/placement/search/load.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

Error bad(Message message, std::string where)
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

/// Turns the streams of a plan file into those of the graph.
class StreamReader
{
public:
    StreamReader(const Graph& graph, const Schedule& schedule) : m_graph(graph), m_schedule(schedule)
    {
        for (std::size_t node = 0; node < graph.nodes.size(); ++node)
            m_nodes.emplace(graph.nodes[node].name, NodeId(node));
        m_plan.streamOf.resize(graph.nodes.size(), 0);
    }

    Result<StreamPlan> run(const NamedStreams& named)
    {
        for (const NamedStreams::Place& place : named.places) {
            PLIMSOLL_ASSIGN(node, find(place.node, "streams." + place.node));
            if (Message why = whyNoStream(place.stream); !why.empty())
                return bad(std::move(why), "streams." + place.node);
            m_plan.streamOf[node.index()] = static_cast<std::int32_t>(place.stream);
            m_named.insert(node);
        }
        PLIMSOLL_TRY(checkComplete(named));
        for (std::size_t index = 0; index < named.events.size(); ++index)
            PLIMSOLL_TRY(takeEvent(named.events[index], "events[" + std::to_string(index) + "]"));
        if (named.places.empty() && !named.events.empty()) return bad(say("plan-streams.events-alone"), "events");
        std::stable_sort(m_plan.events.begin(), m_plan.events.end(), [this](const auto& a, const auto& b) {
            return m_schedule.stepOf(a.waiter) < m_schedule.stepOf(b.waiter);
        });
        inheritStreams(m_graph, m_plan);
        return std::move(m_plan);
    }

private:
    Result<NodeId> find(const std::string& name, const std::string& where) const
    {
        const auto node = m_nodes.find(name);
        if (node == m_nodes.end())
            return bad(say("plan.no-such", "node", word::Name {name}, say("plan.other-graph")), where);
        if (m_graph[node->second].body != TopBody) return bad(say("plan-streams.nested", word::Name {name}), where);
        return node->second;
    }

    [[nodiscard]] bool runs(NodeId node) const { return !m_schedule.nodes[node.index()].empty(); }

    /// A node on no stream would be on the first by a guess.
    [[nodiscard]] Status checkComplete(const NamedStreams& named) const
    {
        if (named.places.empty()) return {};
        std::vector<std::string> missing;
        for (const NodeId node : m_graph.top().nodes) {
            if (runs(node) && !m_named.contains(node)) missing.push_back(m_graph[node].name);
        }
        if (missing.empty()) return {};
        const Message more =
            missing.size() > 1 ? say("plan-streams.nor", word::Number {missing.size() - 1}) : Message();
        return bad(say("plan-streams.incomplete", word::Name {missing.front()}, more, say("plan.other-graph")),
                   "streams");
    }

    Status takeEvent(const NamedStreams::Event& event, const std::string& where)
    {
        PLIMSOLL_ASSIGN(signal, find(event.signal, where + ".after"));
        PLIMSOLL_ASSIGN(waiter, find(event.waiter, where + ".before"));
        for (const NodeId node : {signal, waiter}) {
            if (!runs(node))
                return bad(say("plan-streams.no-step", word::Name {m_graph[node].name}, say("plan.other-graph")),
                           where);
        }
        if (signal == waiter || m_schedule.stepOf(signal) > m_schedule.stepOf(waiter)) {
            return bad(say("plan-streams.order", word::Name {event.waiter}, word::Name {event.signal}), where);
        }
        m_plan.events.push_back({signal, waiter});
        return {};
    }

    const Graph& m_graph;
    const Schedule& m_schedule;
    std::unordered_map<std::string_view, NodeId> m_nodes;
    std::set<NodeId> m_named;
    StreamPlan m_plan;
};

/// The clients of the problem's buffers, in their order.
std::vector<StreamClient> clientsOf(const Subject& subject, const PlacedGraph& placed, const StreamOrder& order)
{
    const auto users = findUsers(subject.graph, subject.program.schedule);
    std::vector<StreamClient> clients;
    for (const Storage& storage : placed.storages) {
        if (!storage.arena.valid()) continue;
        StreamClient client {storage.arena, storage.live, {}};
        if (storage.scratchOf.valid()) client.accesses.push_back(order.topOf(storage.scratchOf));
        for (const ValueId value : storage.values)
            client.accesses.insert(client.accesses.end(), users[value.index()].begin(), users[value.index()].end());
        clients.push_back(std::move(client));
    }
    return clients;
}

/// Buffers that live longer, in the arenas as they are.
StreamTask keptTask(const Problem& whole, const std::vector<LiveRanges>& live, Message note)
{
    StreamTask task {whole, {}, std::move(note)};
    for (std::size_t arena = 0; arena < whole.arenas.size(); ++arena)
        task.arenaOf.emplace_back(arena);
    for (std::size_t buffer = 0; buffer < live.size(); ++buffer)
        task.problem.buffers[buffer].live = live[buffer];
    return task;
}

std::int64_t load(const StreamTask& task)
{
    return sumOf(lowerBounds(task.problem));
}

/// What one stream alone uses is handed on by its steps, in a pool of its own; all else in a common one.
void pool(StreamTask& task, const Problem& whole, const StreamOrder& order, const std::vector<StreamClient>& clients)
{
    constexpr std::int32_t Common = -1;
    std::map<std::pair<ArenaId, std::int32_t>, ArenaId> pools;
    task.note = say("note.stream-parts");
    task.problem.arenas.clear();
    task.arenaOf.clear();
    for (std::size_t i = 0; i < clients.size(); ++i) {
        const StreamClient& client = clients[i];
        const auto elsewhere = [&](NodeId node) { return order.streamOf(node) != order.streamOf(client.accesses[0]); };
        const bool own =
            !client.accesses.empty() && std::none_of(client.accesses.begin(), client.accesses.end(), elsewhere);
        const std::int32_t stream = own ? order.streamOf(client.accesses[0]) : Common;
        const auto [known, isNew] = pools.try_emplace({client.arena, stream}, task.arenaOf.size());
        if (isNew) {
            const Arena& arena = whole.arenas[client.arena.index()];
            task.problem.arenas.push_back({arena.space, arena.alignment, {}});
            task.arenaOf.push_back(client.arena);
        }
        task.problem.buffers[i].arena = known->second;
        if (own) task.problem.buffers[i].live = client.live;
    }
}

} // namespace

Result<StreamPlan> streamsFor(const Graph& graph, const Schedule& schedule, const PlanRequest& request)
{
    if (!request.givenPlan || !request.givenPlan->streams)
        return assignStreams(graph, schedule, request.policies.streams);
    auto streams = StreamReader(graph, schedule).run(*request.givenPlan->streams);
    if (streams.ok()) return streams;
    Error error = streams.error();
    error.file = request.givenPlan->file;
    return error;
}

std::optional<StreamTask> keepStreamsApart(const Subject& subject, PlacedGraph& placed)
{
    if (!subject.program.streams.several()) return std::nullopt;
    const StreamOrder order(subject.graph, subject.program.schedule, subject.program.streams);
    const std::vector<StreamClient> clients = clientsOf(subject, placed, order);
    if (plansLikeMxnet(subject.program.policies)) {
        return keptTask(placed.problem, keepLonger(order, clients), say("note.one-stream"));
    }
    const auto apart = keepApart(order, clients, subject.program.schedule.length());
    if (apart) {
        for (std::size_t buffer = 0; buffer < apart->size(); ++buffer)
            placed.problem.buffers[buffer].live = (*apart)[buffer];
        return std::nullopt;
    }
    const StreamTask kept = keptTask(placed.problem, keepLonger(order, clients), say("note.streams-kept"));
    // Pools begin where others end: at a multiple of the arena's alignment, and nowhere in particular.
    const bool pools = std::ranges::none_of(placed.problem.buffers, [&](const Buffer& buffer) {
        const std::int64_t alignment = placed.problem.arenas[buffer.arena.index()].alignment;
        return buffer.pinnedOffset || alignment % buffer.alignment != 0;
    });
    if (!pools) return kept;
    StreamTask pooled = kept;
    pool(pooled, placed.problem, order, clients);
    return load(pooled) < load(kept) ? pooled : kept;
}

Plan joinPools(const StreamTask& task, const Problem& whole, Plan plan)
{
    std::vector<std::int64_t> heights(whole.arenas.size(), 0);
    std::vector<std::int64_t> bases;
    for (std::size_t pool = 0; pool < task.arenaOf.size(); ++pool) {
        std::int64_t& height = heights[task.arenaOf[pool].index()];
        bases.push_back(height);
        height += plan.arenaBytes[pool];
    }
    for (Allocation& allocation : plan.allocations) {
        allocation.offset += bases[allocation.arena.index()];
        allocation.arena = task.arenaOf[allocation.arena.index()];
    }
    plan.arenaBytes = std::move(heights);
    plan.optimal = false;
    return plan;
}

NamedStreams namedStreams(const Program& program)
{
    const Graph& graph = *program.graph;
    NamedStreams named;
    for (const NodeId node : program.schedule.order[TopBody.index()]) {
        if (program.schedule.nodes[node.index()].empty()) continue;
        named.places.push_back({graph[node].name, program.streams.of(node)});
    }
    for (const StreamEvent& event : program.streams.events)
        named.events.push_back({graph[event.signal].name, graph[event.waiter].name});
    return named;
}

} // namespace plimsoll::pipeline
