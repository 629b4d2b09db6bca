#include "core/pipeline_stages.h"

#include "core/analysis/stream_assignment.h"
#include "core/analysis/stream_conflicts.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

Error bad(std::string message, std::string where)
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

/// Turns the streams of a plan file into those of the graph.
class StreamReader
{
public:
    StreamReader(const Graph& graph, const Schedule& schedule) : m_graph(graph), m_schedule(schedule)
    {
        for (const NodeId node : graph.top().nodes)
            m_nodes.emplace(graph[node].name, node);
        m_plan.streamOf.resize(graph.nodes.size(), 0);
    }

    Result<StreamPlan> run(const NamedStreams& named)
    {
        for (const NamedStreams::Place& place : named.places) {
            PLIMSOLL_ASSIGN(node, find(place.node, "streams"));
            if (place.stream < 0 || place.stream >= MostStreams)
                return bad("There are streams 0 to " + std::to_string(MostStreams - 1) + ".", "streams." + place.node);
            m_plan.streamOf[node.index()] = static_cast<std::int32_t>(place.stream);
        }
        for (std::size_t index = 0; index < named.events.size(); ++index)
            PLIMSOLL_TRY(takeEvent(named.events[index], "events[" + std::to_string(index) + "]"));
        std::stable_sort(m_plan.events.begin(), m_plan.events.end(), [this](const auto& a, const auto& b) {
            return m_schedule.stepOf(a.before) < m_schedule.stepOf(b.before);
        });
        inherit();
        return std::move(m_plan);
    }

private:
    Result<NodeId> find(const std::string& name, const std::string& where) const
    {
        const auto node = m_nodes.find(name);
        if (node == m_nodes.end())
            return bad("The graph has no node '" + name + "' outside nested graphs, which run where their owner does.",
                       where);
        return node->second;
    }

    Status takeEvent(const NamedStreams::Event& event, const std::string& where)
    {
        PLIMSOLL_ASSIGN(after, find(event.after, where));
        PLIMSOLL_ASSIGN(before, find(event.before, where));
        const bool runs =
            !m_schedule.nodes[after.index()].empty() && !m_schedule.nodes[before.index()].empty() && after != before;
        if (!runs || m_schedule.stepOf(after) > m_schedule.stepOf(before)) {
            return bad("'" + event.before + "' cannot wait for '" + event.after +
                           "', which does not run before it in the order of the graph.",
                       where);
        }
        m_plan.events.push_back({after, before});
        return {};
    }

    void inherit()
    {
        const StreamPlan named = m_plan;
        for (std::size_t index = 0; index < m_graph.nodes.size(); ++index) {
            NodeId top = m_graph.nodes[index].fusedInto.valid() ? m_graph.nodes[index].fusedInto : NodeId(index);
            while (m_graph[top].body != TopBody)
                top = m_graph[m_graph[top].body].owner;
            m_plan.streamOf[index] = named.of(top);
        }
    }

    const Graph& m_graph;
    const Schedule& m_schedule;
    std::unordered_map<std::string_view, NodeId> m_nodes;
    StreamPlan m_plan;
};

/// The tenants of the problem's buffers, in their order.
std::vector<StreamTenant> tenantsOf(const Subject& subject, const Layout& layout)
{
    const auto accesses = findUsers(subject.graph, subject.schedule);
    std::vector<StreamTenant> tenants;
    for (const Storage& storage : layout.storages) {
        if (!storage.arena.valid()) continue;
        StreamTenant tenant {storage.arena, storage.live, {}};
        if (storage.scratchOf.valid()) tenant.accesses.push_back(storage.scratchOf);
        for (const ValueId value : storage.values)
            tenant.accesses.insert(tenant.accesses.end(), accesses[value.index()].begin(),
                                   accesses[value.index()].end());
        tenants.push_back(std::move(tenant));
    }
    return tenants;
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

void keepStreamsApart(const Subject& subject, Layout& layout)
{
    if (!subject.streams.several()) return;
    const StreamOrder order(subject.graph, subject.schedule, subject.streams);
    std::vector<StreamTenant> tenants = tenantsOf(subject, layout);
    for (StreamTenant& tenant : tenants) {
        for (NodeId& node : tenant.accesses)
            node = order.topOf(node);
    }
    // MXNet's blocks are handed on from step to step, and know no others.
    const std::vector<LiveRanges> live = plansLikeMxnet(subject.policies)
                                             ? keepLonger(order, tenants)
                                             : keepApart(order, tenants, subject.schedule.length());
    for (std::size_t buffer = 0; buffer < live.size(); ++buffer)
        layout.problem.buffers[buffer].live = live[buffer];
}

NamedStreams namedStreams(const Report& report)
{
    const Graph& graph = *report.graph;
    NamedStreams named;
    for (const NodeId node : graph.top().nodes) {
        if (report.schedule.nodes[node.index()].empty()) continue;
        named.places.push_back({graph[node].name, report.streams.of(node)});
    }
    for (const StreamEvent& event : report.streams.events)
        named.events.push_back({graph[event.after].name, graph[event.before].name});
    return named;
}

} // namespace plimsoll::pipeline
