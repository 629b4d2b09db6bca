#include "kernels/run/control/not_run.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MostNotes = 8;

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

std::string countOf(std::int64_t nodes, const std::string& of)
{
    return formatCount(nodes) + (nodes == 1 ? " node" : " nodes") + of + (nodes == 1 ? " was" : " were") + " not run.";
}

std::string noteOn(const Graph& graph, const Node& owner, const std::map<BodyId, std::int64_t>& runs)
{
    const auto ran = std::find_if(owner.bodies.begin(), owner.bodies.end(), [&](BodyId b) { return runs.contains(b); });
    std::int64_t nodes = 0;
    std::string names;
    for (const BodyId body : owner.bodies) {
        if (runs.contains(body)) continue;
        nodes += nodesOf(graph, body);
        names += (names.empty() ? " of " : ", ") + graph[body].name;
    }
    if (nodes == 0) return {};
    const std::string who = owner.op + " '" + owner.name + "' ";
    if (ran == owner.bodies.end()) return who + "made 0 iterations: " + countOf(nodes, "");
    return who + "ran " + graph[*ran].name + ": " + countOf(nodes, names);
}

} // namespace

NodesRun nodesRun(const Graph& graph, const std::map<BodyId, std::int64_t>& runs)
{
    NodesRun nodes;
    for (std::size_t i = 0; i < graph.bodies.size(); ++i) {
        const bool ran = BodyId(i) == TopBody || runs.contains(BodyId(i));
        const auto count =
            std::ranges::count_if(graph.bodies[i].nodes, [&](NodeId id) { return !graph.decided[id].ahead; });
        nodes.all += count;
        if (ran) nodes.ran += count;
    }
    return nodes;
}

std::vector<std::string> notRunNotes(const Graph& graph, const std::map<BodyId, std::int64_t>& runs)
{
    std::vector<std::string> notes;
    std::size_t more = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& owner = graph.nodes[i];
        const bool reached = !graph.decided[NodeId(i)].ahead && (owner.body == TopBody || runs.contains(owner.body));
        const std::string note = owner.bodies.empty() || !reached ? std::string() : noteOn(graph, owner, runs);
        if (note.empty()) continue;
        if (notes.size() < MostNotes)
            notes.push_back(note);
        else
            ++more;
    }
    if (more > 0) notes.push_back(formatCount(static_cast<std::int64_t>(more)) + " more nodes left nested graphs out.");
    return notes;
}

} // namespace plimsoll::kernels
