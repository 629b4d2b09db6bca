#include "core/picture/groups/graph_groups.h"

#include "core/facts/english/english.h"
#include "core/picture/groups/flow_cuts.h"
#include "core/picture/groups/repeated_blocks.h"
#include "core/picture/groups/turn_differences.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

namespace plimsoll {
namespace {

/// Fewer nodes than this are no group.
constexpr std::size_t SmallestPath = 2;
/// A flat run of nodes that is longer is searched for repeats…
constexpr std::size_t FlatSearched = 40;
/// …and, if it stays longer than this, cut where little data flows, or else into chunks.
constexpr std::size_t FlatAccepted = 160;
constexpr std::size_t ChunkNodes = 40;
/// More nodes with nested graphs than this show closed at first.
constexpr std::size_t MostOpenOwners = 3;

/// A node, and how much of its name the groups around it have used up.
struct Named
{
    NodeId node;
    std::size_t used = 0;
};

/// Nodes of one body that are to be grouped inside a group that exists.
struct Task
{
    GroupId group;
    BodyId body;
    std::vector<Named> nodes;
};

GroupId addGroup(GroupTree& tree, GroupKind kind, GroupId parent, BodyId body, std::string name)
{
    const GroupId id(tree.groups.size());
    tree.groups.push_back({.kind = kind, .name = std::move(name), .parent = parent, .body = body});
    tree.groups[parent.index()].children.push_back(id);
    return id;
}

/// The next part of the name that is not its last; moves past it. Empty: the node stands here.
std::string_view nextPart(const Graph& graph, Named& named)
{
    const std::string_view name = graph[named.node].name;
    while (named.used < name.size() && name[named.used] == '/')
        ++named.used;
    const std::size_t slash = name.find('/', named.used);
    if (slash == std::string_view::npos || slash + 1 >= name.size()) return {};
    const std::string_view part = name.substr(named.used, slash - named.used);
    named.used = slash + 1;
    return part;
}

/// What runs in a body, and behind each what it computes along with its own operator.
std::vector<NodeId> operationsOf(const Graph& graph, BodyId body)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : graph[body].nodes) {
        nodes.push_back(node);
        for (const FusedNode& fused : graph.decided[node].fused)
            nodes.push_back(fused.node);
    }
    return nodes;
}

void moveNodes(const Graph& graph, GroupTree& tree, const std::vector<NodeId>& nodes, std::size_t begin,
               std::size_t end, GroupId to)
{
    for (std::size_t i = begin; i < end; ++i) {
        tree.groups[to.index()].nodes.push_back(nodes[i]);
        tree.ofNode[nodes[i].index()] = to;
    }
    for (std::size_t i = begin; i < end; ++i) { // nested graphs move with their owners
        for (std::size_t k = 0; !graph[nodes[i]].bodies.empty() && k < tree.groups.size(); ++k) {
            Group& bodies = tree.groups[k];
            if (bodies.owner != nodes[i]) continue;
            std::erase(tree.groups[bodies.parent.index()].children, GroupId(k));
            bodies.parent = to;
            tree.groups[to.index()].children.push_back(GroupId(k));
        }
    }
}

/// Groups by hand in a tree that is there.
class HandGrouper
{
public:
    HandGrouper(const Graph& graph, GroupTree& tree) : m_graph(graph), m_tree(tree)
    {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            m_byName.emplace(graph.nodes[i].name, NodeId(i));
    }

    void add(const NamedNodes& hand)
    {
        std::set<NodeId> wanted = nodesOf(hand);
        if (wanted.empty()) return;
        GroupId parent = m_tree.ofNode[wanted.begin()->index()];
        for (const NodeId node : wanted)
            while (!isInside(m_tree.ofNode[node.index()], parent))
                parent = m_tree[parent].parent;
        const GroupId group = addGroup(m_tree, GroupKind::Hand, parent, m_graph[*wanted.begin()].body, hand.name);
        takeWhole(parent, group, wanted);
        for (const NodeId node : wanted)
            std::erase(m_tree.groups[m_tree.ofNode[node.index()].index()].nodes, node);
        const std::vector<NodeId> nodes(wanted.begin(), wanted.end());
        moveNodes(m_graph, m_tree, nodes, 0, nodes.size(), group);
    }

private:
    [[nodiscard]] std::set<NodeId> nodesOf(const NamedNodes& hand) const
    {
        std::set<NodeId> nodes;
        for (const std::string& name : hand.nodes) {
            const auto found = m_byName.find(name);
            if (found == m_byName.end() || !m_tree.ofNode[found->second.index()].valid()) continue;
            if (nodes.empty() || m_graph[found->second].body == m_graph[*nodes.begin()].body)
                nodes.insert(found->second);
        }
        return nodes;
    }

    [[nodiscard]] bool isInside(GroupId group, GroupId outer) const
    {
        while (group.valid() && group != outer)
            group = m_tree[group].parent;
        return group.valid();
    }

    [[nodiscard]] bool isWhole(GroupId id, const std::set<NodeId>& wanted) const
    {
        const Group& group = m_tree[id];
        return std::ranges::all_of(group.nodes, [&](NodeId node) { return wanted.contains(node); }) &&
               std::ranges::all_of(group.children, [&](GroupId child) {
                   return m_tree[child].kind == GroupKind::Bodies || isWhole(child, wanted);
               });
    }

    /// The groups inside of \p from of which all nodes are wanted go into \p to, and their nodes with them.
    void takeWhole(GroupId from, GroupId to, std::set<NodeId>& wanted)
    {
        const std::vector<GroupId> children = m_tree[from].children;
        for (const GroupId child : children) {
            if (child == to || m_tree[child].kind == GroupKind::Bodies) continue;
            if (!isWhole(child, wanted)) {
                takeWhole(child, to, wanted);
                continue;
            }
            std::erase(m_tree.groups[from.index()].children, child);
            m_tree.groups[to.index()].children.push_back(child);
            m_tree.groups[child.index()].parent = to;
            forget(child, wanted);
        }
    }

    void forget(GroupId group, std::set<NodeId>& wanted) const
    {
        for (const NodeId node : m_tree[group].nodes)
            wanted.erase(node);
        for (const GroupId child : m_tree[group].children)
            if (m_tree[child].kind != GroupKind::Bodies) forget(child, wanted);
    }

    const Graph& m_graph;
    GroupTree& m_tree;
    std::unordered_map<std::string_view, NodeId> m_byName;
};

/// The longest dotted path that most of the names of weights begin with that the nodes read: "bert.encoder.layer.3".
/// Empty: there is none.
std::string pathOfWeights(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::set<ValueId> weights;
    for (const NodeId node : nodes)
        for (const ValueId input : graph[node].inputs)
            if (input.valid() &&
                (graph[input].role == ValueRole::Parameter || graph[input].role == ValueRole::Constant))
                weights.insert(input);
    std::map<std::string_view, std::size_t> counts;
    std::size_t named = 0;
    for (const ValueId weight : weights) {
        const std::string_view name = graph[weight].name;
        if (name.find('.') != std::string_view::npos) ++named;
        for (std::size_t end = name.find('.'); end != std::string_view::npos; end = name.find('.', end + 1))
            ++counts[name.substr(0, end)];
    }
    std::string_view longest;
    for (const auto& [path, count] : counts)
        if (2 * count > named && path.size() > longest.size()) longest = path;
    return std::string(longest);
}

/// Blocks that were found by their structure are called as the weights that they read, where no other one is.
void nameByWeights(const Graph& graph, GroupTree& tree)
{
    std::map<std::string, std::vector<std::size_t>> named;
    for (std::size_t i = 0; i < tree.groups.size(); ++i) {
        const Group& group = tree.groups[i];
        if (group.kind != GroupKind::Repeat && group.kind != GroupKind::Block) continue;
        if (std::string path = pathOfWeights(graph, group.nodes); !path.empty()) named[std::move(path)].push_back(i);
    }
    for (const auto& [path, groups] : named)
        if (groups.size() == 1) tree.groups[groups.front()].name = path;
}

/// Nested graphs that moved into a group stand before it: numbered anew, in the same order otherwise.
GroupTree parentsFirst(GroupTree tree)
{
    std::vector<std::size_t> depth(tree.groups.size(), 0);
    for (std::size_t i = 0; i < tree.groups.size(); ++i)
        for (GroupId parent = tree.groups[i].parent; parent.valid(); parent = tree[parent].parent)
            ++depth[i];
    std::vector<std::size_t> order(tree.groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return depth[i]; });
    std::vector<GroupId> now(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        now[order[i]] = GroupId(i);
    GroupTree sorted;
    for (const std::size_t i : order) {
        Group& group = sorted.groups.emplace_back(std::move(tree.groups[i]));
        if (group.parent.valid()) group.parent = now[group.parent.index()];
        for (GroupId& child : group.children)
            child = now[child.index()];
    }
    for (const GroupId group : tree.ofNode)
        sorted.ofNode.push_back(group.valid() ? now[group.index()] : group);
    return sorted;
}

class Grouper
{
public:
    explicit Grouper(const Graph& graph) : m_graph(graph), m_flow(graph) { m_tree.ofNode.resize(graph.nodes.size()); }

    GroupTree run(std::span<const NamedNodes> byHand)
    {
        m_tree.groups.push_back({.kind = GroupKind::Root, .name = m_graph.name});
        Task top {RootGroup, TopBody, {}};
        for (NodeId node : operationsOf(m_graph, TopBody))
            top.nodes.push_back({node, 0});
        m_tasks.push_back(std::move(top));
        while (!m_tasks.empty()) {
            const Task task = std::move(m_tasks.front());
            m_tasks.pop_front();
            splitByPath(task);
        }
        for (std::size_t i = 0; i < m_tree.groups.size(); ++i) {
            const GroupKind kind = m_tree.groups[i].kind;
            if (kind == GroupKind::Repeat || kind == GroupKind::Block || kind == GroupKind::Chunk) continue;
            const auto bodyOf = [&](NodeId node) { return m_graph[node].body; };
            std::vector<NodeId> nodes = std::exchange(m_tree.groups[i].nodes, {});
            std::ranges::stable_sort(nodes, {}, bodyOf);
            for (auto first = nodes.begin(); first != nodes.end();) { // each nested graph for itself
                const auto last = std::ranges::upper_bound(first, nodes.end(), bodyOf(*first), {}, bodyOf);
                splitRun(GroupId(i), {first, last});
                first = last;
            }
        }
        HandGrouper hands(m_graph, m_tree);
        for (const NamedNodes& hand : byHand)
            hands.add(hand);
        m_tree = parentsFirst(std::move(m_tree));
        nameByWeights(m_graph, m_tree);
        for (std::size_t i = m_tree.groups.size(); i-- > 0;) {
            Group& group = m_tree.groups[i];
            group.nodeCount += group.nodes.size();
            if (group.parent.valid()) m_tree.groups[group.parent.index()].nodeCount += group.nodeCount;
        }
        return std::move(m_tree);
    }

private:
    void splitByPath(const Task& task)
    {
        std::vector<std::pair<std::string_view, std::vector<Named>>> parts;
        std::unordered_map<std::string_view, std::size_t> known;
        for (Named named : task.nodes) {
            const std::string_view part = nextPart(m_graph, named);
            if (part.empty()) {
                place(named.node, task.group);
                continue;
            }
            const auto [entry, isNew] = known.emplace(part, parts.size());
            if (isNew) parts.push_back({part, {}});
            parts[entry->second].second.push_back(named);
        }
        for (auto& [part, nodes] : parts) {
            if (nodes.size() < SmallestPath) {
                for (const Named& named : nodes)
                    place(named.node, task.group);
                continue;
            }
            const bool all = nodes.size() == task.nodes.size() && !nodes.empty();
            if (!all) {
                const GroupId group = addGroup(m_tree, GroupKind::Path, task.group, task.body, std::string(part));
                m_tasks.push_back({group, task.body, std::move(nodes)});
                continue;
            }
            Group& group = m_tree.groups[task.group.index()]; // no need for a group in a group of the same nodes
            if (group.kind == GroupKind::Path) group.name += "/" + std::string(part);
            m_tasks.push_back({task.group, task.body, std::move(nodes)});
        }
    }

    void place(NodeId node, GroupId group)
    {
        m_tree.groups[group.index()].nodes.push_back(node);
        m_tree.ofNode[node.index()] = group;
        GroupId inside;
        for (BodyId body : m_graph[node].bodies) {
            if (m_graph[body].nodes.empty()) continue;
            if (!inside.valid())
                inside = addGroup(m_tree, GroupKind::Bodies, group, m_graph[node].body, m_graph[node].name);
            const std::size_t path = m_graph[node].name.size() + m_graph[body].name.size() + 2;
            Task task {inside, body, {}};
            for (NodeId nested : operationsOf(m_graph, body))
                task.nodes.push_back({nested, std::min(path, m_graph[nested].name.size())});
            m_tasks.push_back(std::move(task));
        }
        if (inside.valid()) m_tree.groups[inside.index()].owner = node;
    }

    /// \p nodes all stand in one body.
    void splitRun(GroupId id, const std::vector<NodeId>& nodes)
    {
        if (nodes.size() <= FlatSearched) {
            keepOrChunk(id, nodes, 0, nodes.size());
            return;
        }
        std::vector<std::string_view> ops;
        for (NodeId node : nodes)
            ops.push_back(m_graph[node].op);
        const BodyId body = m_graph[nodes.front()].body;
        std::size_t done = 0;
        for (const RepeatedBlocks& run : findRepeatedBlocks(ops, m_flow.along(nodes))) {
            keepOrChunk(id, nodes, done, run.begin);
            done = run.begin;
            const std::vector<std::string> differences = differencesOf(run, ops);
            for (std::size_t i = 0; i < run.count; ++i) {
                const GroupId block = addGroup(m_tree, GroupKind::Repeat, id, body, nextBlock());
                m_tree.groups[block.index()].differs = differences[i];
                moveNodes(m_graph, m_tree, nodes, std::exchange(done, run.ends[i]), run.ends[i], block);
            }
        }
        keepOrChunk(id, nodes, done, nodes.size());
    }

    void keepOrChunk(GroupId group, const std::vector<NodeId>& nodes, std::size_t begin, std::size_t end)
    {
        if (end - begin <= FlatAccepted) {
            auto& kept = m_tree.groups[group.index()].nodes;
            kept.insert(kept.end(), nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                        nodes.begin() + static_cast<std::ptrdiff_t>(end));
            return;
        }
        const BodyId body = m_graph[nodes.front()].body;
        const std::vector<std::size_t> cuts = m_flow.of(std::span(nodes).subspan(begin, end - begin));
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            const std::size_t last = i + 1 < cuts.size() ? begin + cuts[i + 1] : end;
            moveNodes(m_graph, m_tree, nodes, begin + cuts[i], last,
                      addGroup(m_tree, GroupKind::Block, group, body, nextBlock()));
        }
        for (std::size_t first = cuts.empty() ? begin : end; first < end; first += ChunkNodes) {
            const std::size_t last = std::min(first + ChunkNodes, end);
            std::string name = english(say("group.nodes", word::Number(first), word::Number(last - 1)));
            moveNodes(m_graph, m_tree, nodes, first, last,
                      addGroup(m_tree, GroupKind::Chunk, group, body, std::move(name)));
        }
    }

    std::string nextBlock() { return english(say("group.block", word::Number(++m_blocks))); }

    const Graph& m_graph;
    FlowCuts m_flow;
    GroupTree m_tree;
    std::deque<Task> m_tasks;
    std::size_t m_blocks = 0;
};

/// How many more boxes show when the group is opened.
std::size_t boxesGained(const GroupTree& tree, GroupId id)
{
    const Group& group = tree[id];
    std::size_t inside = group.nodes.size();
    for (GroupId child : group.children)
        inside += tree[child].kind == GroupKind::Bodies ? 0 : 1;
    return group.kind == GroupKind::Bodies || inside == 0 ? inside + 1 : inside - 1;
}

} // namespace

GroupTree groupNodes(const Graph& graph, std::span<const NamedNodes> byHand)
{
    return Grouper(graph).run(byHand);
}

Expansion defaultExpansion(const GroupTree& tree, std::size_t maxBoxes)
{
    Expansion open(tree.groups.size(), 0);
    if (open.empty()) return open;
    open[RootGroup.index()] = 1;
    std::size_t boxes = boxesGained(tree, RootGroup) + 1;
    const auto owners = std::count_if(tree.groups.begin(), tree.groups.end(),
                                      [](const Group& group) { return group.kind == GroupKind::Bodies; });
    const bool bodiesOpen = static_cast<std::size_t>(owners) <= MostOpenOwners;
    const auto stays = [&](GroupId id) { return tree[id].kind == GroupKind::Bodies && !bodiesOpen; };
    std::deque<GroupId> queue = {RootGroup};
    while (!queue.empty()) { // siblings open together or not at all, so that repeated blocks look alike
        const GroupId parent = queue.front();
        queue.pop_front();
        std::size_t gained = 0;
        for (GroupId child : tree[parent].children)
            gained += stays(child) ? 0 : boxesGained(tree, child);
        if (boxes + gained > maxBoxes) continue;
        boxes += gained;
        for (GroupId child : tree[parent].children) {
            if (stays(child)) continue;
            open[child.index()] = 1;
            queue.push_back(child);
        }
    }
    return open;
}

void reveal(const GroupTree& tree, Expansion& expansion, NodeId node)
{
    for (GroupId group = tree.ofNode[node.index()]; group.valid(); group = tree[group].parent) {
        expansion[group.index()] = 1;
    }
}

} // namespace plimsoll
