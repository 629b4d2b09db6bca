#include "kernels/run/control/not_run.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MostNotes = 8;

std::int64_t ownNodes(const Graph& graph, BodyId body)
{
    return std::ranges::count_if(graph[body].nodes, [&](NodeId node) { return !graph.decided[node].ahead; });
}

/// Those of the graphs inside count, too.
std::int64_t nodesOf(const Graph& graph, BodyId body)
{
    std::int64_t nodes = 0;
    for (const NodeId node : graph[body].nodes) {
        if (graph.decided[node].ahead) continue;
        ++nodes;
        for (const BodyId inner : graph[node].bodies)
            nodes += nodesOf(graph, inner);
    }
    return nodes;
}

Message noteOn(const Graph& graph, const Node& owner, const std::map<BodyId, std::int64_t>& runs)
{
    const auto ran = std::find_if(owner.bodies.begin(), owner.bodies.end(), [&](BodyId b) { return runs.contains(b); });
    std::int64_t nodes = 0;
    std::vector<BodyId> left;
    for (const BodyId body : owner.bodies) {
        if (runs.contains(body)) continue;
        nodes += nodesOf(graph, body);
        left.push_back(body);
    }
    if (nodes == 0) return {};
    if (ran == owner.bodies.end()) return say("not-run.loop", *owner.op, word::Name {owner.name}, nodes);
    const auto nameOf = [&](BodyId body) { return graph[body].name; };
    return say("not-run.branch", *owner.op, word::Name {owner.name}, graph[*ran].name, nodes,
               allOf(left, nameOf, word::List::Joint::Comma));
}

} // namespace

std::int64_t executions(const Graph& graph, const std::map<BodyId, std::int64_t>& runs)
{
    std::int64_t nodes = 0;
    for (const auto& [body, times] : runs)
        nodes += times * ownNodes(graph, body);
    return nodes;
}

NodesRun nodesRun(const Graph& graph, const std::map<BodyId, std::int64_t>& runs)
{
    NodesRun nodes;
    for (std::size_t i = 0; i < graph.bodies.size(); ++i) {
        const bool ran = BodyId(i) == TopBody || runs.contains(BodyId(i));
        const std::int64_t count = ownNodes(graph, BodyId(i));
        nodes.all += count;
        if (ran) nodes.ran += count;
    }
    return nodes;
}

std::vector<std::string> notRun(const Graph& graph, const std::map<BodyId, std::int64_t>& runs)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const BodyId body = graph.nodes[i].body;
        const bool ran = body == TopBody || runs.contains(body);
        if (!ran && !graph.decided[NodeId(i)].ahead) names.push_back(graph.nodes[i].name);
    }
    return names;
}

std::vector<Message> notRunNotes(const Graph& graph, const std::map<BodyId, std::int64_t>& runs)
{
    std::vector<Message> notes;
    std::size_t more = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& owner = graph.nodes[i];
        const bool reached = !graph.decided[NodeId(i)].ahead && (owner.body == TopBody || runs.contains(owner.body));
        Message note = owner.bodies.empty() || !reached ? Message() : noteOn(graph, owner, runs);
        if (note.empty()) continue;
        if (notes.size() < MostNotes)
            notes.push_back(std::move(note));
        else
            ++more;
    }
    if (more > 0) notes.push_back(say("not-run.more", more));
    return notes;
}

} // namespace plimsoll::kernels
