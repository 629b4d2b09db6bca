#include "core/picture/graph_picture.h"

#include "core/base/narrow.h"
#include "core/base/plural.h"
#include "core/facts/boundary.h"
#include "core/facts/english/english.h"
#include "core/facts/sparse_use.h"
#include "core/graph/graph.h"
#include "core/ops/reorder_node.h"
#include "core/ops/sparse_rules.h"
#include "core/picture/graph_ends.h"
#include "core/plan/implementation.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace plimsoll {
namespace {

constexpr double CharacterWidth = 6.4;
constexpr double BoldCharacterWidth = 8.2;
constexpr double BoxHeight = 40;
constexpr double NarrowestBox = 84;
constexpr double WidestBox = 190;

std::string lastPart(const std::string& name)
{
    const std::size_t slash = name.find_last_of('/');
    return slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

/// Of operators as often as they occur, the two most frequent: "Conv ×4, Relu ×3".
std::string contentsOf(const std::map<std::string_view, std::size_t>& counts)
{
    std::vector<std::pair<std::string_view, std::size_t>> rows(counts.begin(), counts.end());
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 2); ++i)
        text += (i > 0 ? ", " : "") + std::string(rows[i].first) + " ×" + std::to_string(rows[i].second);
    return text;
}

std::string differenceAhead(const Group& group, const std::string& text)
{
    return group.differs.empty() ? text : group.differs + " · " + text;
}

std::string countOf(const Group& group)
{
    return english(say("count.nodes", group.nodeCount));
}

/// The outermost closed group around each group; invalid when it is open to the root.
std::vector<GroupId> findClosed(const GroupTree& tree, const Expansion& expansion)
{
    std::vector<GroupId> closed(tree.groups.size());
    for (std::size_t i = 0; i < tree.groups.size(); ++i) {
        const GroupId parent = tree.groups[i].parent;
        if (parent.valid() && closed[parent.index()].valid())
            closed[i] = closed[parent.index()];
        else if (!expansion[i])
            closed[i] = GroupId(i);
    }
    return closed;
}

ColourIndex colourOf(const Report& report, const StorageColours& colours, ValueId value)
{
    if (!value.valid() || value.index() >= report.program.values.size()) return NoColour;
    const StorageId storage = report.program.values[value.index()].storage;
    return storage.valid() && storage.index() < colours.size() ? colours[storage.index()] : NoColour;
}

ValueId firstOutput(const Node& node)
{
    for (ValueId output : node.outputs) {
        if (output.valid()) return output;
    }
    return {};
}

/// Around the groups that are open, those around before those inside.
class Frames
{
public:
    Frames(const Graph& graph, const GroupTree& tree, const std::vector<GroupId>& closed)
        : m_graph(graph), m_tree(tree), m_ofGroup(tree.groups.size(), -1), m_ofBody(graph.bodies.size(), -1)
    {
        for (std::size_t i = 0; i < tree.groups.size(); ++i) {
            const Group& group = tree.groups[i];
            if (closed[i].valid() || group.kind == GroupKind::Root) continue;
            const std::int32_t parent = within(group.parent, group.body);
            if (group.kind != GroupKind::Bodies) {
                const std::string differs = group.differs.empty() ? "" : " · " + group.differs;
                m_ofGroup[i] = add({GroupId(i), group.body, group.name + differs, parent});
                continue;
            }
            for (const BodyId body : graph[group.owner].bodies)
                m_ofBody[body.index()] = add(
                    {GroupId(i), body, lastPart(graph[group.owner].name) + " · " + graph[body].name, parent, false});
        }
    }

    /// The innermost frame around what stands in a group, and in a body of it.
    [[nodiscard]] std::int32_t within(GroupId group, BodyId body) const
    {
        return m_tree[group].kind == GroupKind::Bodies ? m_ofBody[body.index()] : m_ofGroup[group.index()];
    }
    [[nodiscard]] std::int32_t around(NodeId node) const
    {
        return within(m_tree.ofNode[node.index()], m_graph[node].body);
    }
    [[nodiscard]] std::int32_t of(BodyId body) const { return m_ofBody[body.index()]; }
    [[nodiscard]] const std::vector<GraphFrame>& all() const { return m_frames; }

private:
    std::int32_t add(GraphFrame frame)
    {
        m_frames.push_back(std::move(frame));
        return narrow<std::int32_t>(m_frames.size()) - 1;
    }

    const Graph& m_graph;
    const GroupTree& m_tree;
    std::vector<std::int32_t> m_ofGroup; ///< By GroupId.
    std::vector<std::int32_t> m_ofBody;  ///< By BodyId.
    std::vector<GraphFrame> m_frames;
};

/// A node by itself, as if nothing nested in it were to be seen.
GraphBox nodeBox(const Report& report, const StorageColours& colours, NodeId id)
{
    const Graph& graph = *report.program.graph;
    const Node& node = graph[id];
    const ValueId value = firstOutput(node);
    GraphBox box {.node = id,
                  .value = value,
                  .title = std::string(passMark(report, id)) + node.op,
                  .subtitle = lastPart(node.name)};
    box.step = report.program.schedule.stepOf(id);
    box.colour = colourOf(report, colours, value);
    box.reorder = isReorder(node) || isStorageConversion(node) || isSpaceCopy(node);
    const NodeId computer = graph.decided[id].fusedInto;
    box.fused = computer.valid();
    // The library's name for what it runs; of a reorder the layouts, of what is sparse how it is kept. Nothing where it
    // is the reference for plain tensors.
    const Implementation& chosen = report.program.implementations[id];
    box.count = box.fused           ? "in " + lastPart(graph[computer].name)
                : isReorder(node)   ? layoutsText(chosen)
                : isSpaceCopy(node) ? node.at->device.empty() ? chosen.device + " → cpu" : "cpu → " + chosen.device
                : touchesSparse(graph, id) ? shortStorageTypesText(graph, id)
                                           : chosen.name;
    box.inPlace = value.valid() && report.program.values[value.index()].shared &&
                  report.program.values[value.index()].sharedAs == AliasKind::MayBeInPlace;
    return box;
}

/// A graph with more inputs than this takes its weights as inputs.
constexpr std::size_t MostInputBoxes = 24;

/// By ValueId: an input that has a box. Of many, those that are handed back as outputs are state, and stand at their
/// readers as weights do; where there are many others, all of them do.
std::vector<char> inputsWithBoxes(const Graph& graph)
{
    std::vector<char> boxed(graph.values.size(), 0);
    std::size_t count = 0;
    for (const ValueId input : graph.top().inputs) {
        if (graph[input].role != ValueRole::Input) continue;
        boxed[input.index()] = 1;
        ++count;
    }
    if (count <= MostInputBoxes) return boxed;
    for (const ValueId output : graph.top().outputs) {
        if (!output.valid() || !boxed[output.index()]) continue;
        boxed[output.index()] = 0;
        --count;
    }
    if (count > MostInputBoxes) boxed.assign(graph.values.size(), 0);
    return boxed;
}

/// By ValueId: the closed group in which all its readers stand; invalid where there is none.
std::vector<GroupId> soleReaders(const Graph& graph, const GroupTree& tree, const std::vector<GroupId>& closedBy)
{
    std::vector<GroupId> sole(graph.values.size());
    std::vector<char> read(graph.values.size(), 0);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GroupId closed = closedBy[tree.ofNode[i].index()];
        for (const ValueId input : graph.nodes[i].inputs) {
            if (!input.valid() || graph.decided[NodeId(i)].ahead) continue;
            const bool first = !std::exchange(read[input.index()], 1);
            if (first || sole[input.index()] != closed) sole[input.index()] = first ? closed : GroupId();
        }
    }
    return sole;
}

/// All nodes, by their last step.
std::vector<NodeId> asTheyEnd(const Schedule& schedule)
{
    std::vector<NodeId> order;
    for (std::size_t i = 0; i < schedule.nodes.size(); ++i)
        order.emplace_back(i);
    std::ranges::stable_sort(order, {}, [&](NodeId id) { return schedule.nodes[id.index()].end; });
    return order;
}

/// Boxes and frames, in order of execution.
class Builder
{
public:
    Builder(const Report& report, const StorageColours& colours, const GroupTree& tree, const Expansion& expansion)
        : m_report(report), m_graph(*report.program.graph), m_colours(colours), m_tree(tree), m_open(expansion),
          m_inputBox(m_graph.values.size(), -1), m_bodyBox(m_graph.bodies.size(), -1)
    {
    }

    GraphPicture run(bool allEnds)
    {
        m_picture.boxOfNode.assign(m_graph.nodes.size(), -1);
        m_picture.frames = m_frames.all();
        addInputs(allEnds);
        addNodes();
        for (std::size_t i = 0; i < m_graph.values.size(); ++i)
            m_picture.boxOfValue.push_back(sourceOf(ValueId(i)));
        return std::move(m_picture);
    }

    /// By BodyId: the box that hands an open body its inputs; -1 where there is none.
    [[nodiscard]] const std::vector<std::int32_t>& bodyBox() const { return m_bodyBox; }

private:
    std::int32_t add(GraphBox box)
    {
        m_picture.boxes.push_back(std::move(box));
        return narrow<std::int32_t>(m_picture.boxes.size()) - 1;
    }

    void addInputs(bool all)
    {
        const std::vector<char> boxed = inputsWithBoxes(m_graph);
        std::map<GroupId, std::vector<ValueId>> ofGroup;
        const std::vector<GroupId> readers = soleReaders(m_graph, m_tree, m_closed);
        for (const ValueId input : m_graph.top().inputs)
            if (boxed[input.index()] && readers[input.index()].valid())
                ofGroup[readers[input.index()]].push_back(input);
        for (ValueId input : m_graph.top().inputs) {
            const Value& value = m_graph[input];
            if (!boxed[input.index()] || m_inputBox[input.index()] >= 0) continue;
            if (const auto& together = ofGroup[readers[input.index()]]; !all && together.size() > MostEnds) {
                const std::int32_t box = add(foldedBox(m_report, BoxKind::Input, together));
                for (const ValueId one : together)
                    m_inputBox[one.index()] = box;
                continue;
            }
            m_inputBox[input.index()] = add({.kind = BoxKind::Input,
                                             .value = input,
                                             .title = value.name,
                                             .subtitle = describe(value.type),
                                             .colour = colourOf(m_report, m_colours, input)});
        }
    }

    void addNodes()
    {
        m_groupBox.assign(m_tree.groups.size(), -1);
        std::unordered_map<std::int32_t, std::map<std::string_view, std::size_t>> contents; // by box
        for (const NodeId id : asTheyEnd(m_report.program.schedule)) {
            if (m_graph.decided[id].ahead) continue;
            const GroupId closed = m_closed[m_tree.ofNode[id.index()].index()];
            if (!closed.valid()) {
                addNode(id);
                continue;
            }
            const Group& group = m_tree[closed];
            if (group.kind == GroupKind::Bodies) continue;
            std::int32_t& box = m_groupBox[closed.index()];
            if (box < 0)
                box = add({.kind = BoxKind::Group,
                           .group = closed,
                           .value = firstOutput(m_graph[id]),
                           .title = group.name,
                           .count = countOf(group),
                           .step = m_report.program.schedule.stepOf(id),
                           .frame = m_frames.within(group.parent, group.body)});
            m_picture.boxOfNode[id.index()] = box;
            ++contents[box][m_graph[id].op];
        }
        for (const auto& [box, counts] : contents)
            m_picture.boxes[box].subtitle = differenceAhead(m_tree[m_picture.boxes[box].group], contentsOf(counts));
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) { // what is nested shows as its owner
            const GroupId closed = m_closed[m_tree.ofNode[i].index()];
            if (closed.valid() && m_tree[closed].kind == GroupKind::Bodies) {
                m_picture.boxOfNode[i] = m_picture.boxOfNode[m_tree[closed].owner.index()];
            }
        }
    }

    void addNode(NodeId id)
    {
        const Node& node = m_graph[id];
        GraphBox box = nodeBox(m_report, m_colours, id);
        box.frame = m_frames.around(id);
        for (GroupId child : m_tree[m_tree.ofNode[id.index()]].children) {
            if (!node.bodies.empty() && m_tree[child].owner == id) box.group = child;
        }
        if (box.group.valid() && !m_open[box.group.index()]) {
            box.kind = BoxKind::Group;
            box.count = countOf(m_tree[box.group]);
        } else if (box.group.valid()) {
            for (BodyId body : m_graph[id].bodies) {
                if (m_graph[body].inputs.empty()) continue;
                m_bodyBox[body.index()] = add({.kind = BoxKind::BodyStart,
                                               .node = id,
                                               .group = box.group,
                                               .body = body,
                                               .value = m_graph[body].inputs.front(),
                                               .title = m_graph[body].name,
                                               .subtitle = lastPart(m_graph[id].name),
                                               .step = m_report.program.schedule.stepOf(id),
                                               .colour = colourOf(m_report, m_colours, m_graph[body].inputs.front()),
                                               .frame = m_frames.of(body)});
            }
        }
        m_picture.boxOfNode[id.index()] = add(std::move(box));
    }

    /// The box that a value comes from; -1 for parameters and constants.
    [[nodiscard]] std::int32_t sourceOf(ValueId id) const
    {
        if (!id.valid()) return -1;
        const Value& value = m_graph[id];
        if (value.role == ValueRole::BodyInput) {
            const std::int32_t start = m_bodyBox[value.body.index()];
            const NodeId owner = m_graph[value.body].owner;
            return start >= 0 || !owner.valid() ? start : m_picture.boxOfNode[owner.index()];
        }
        const NodeId producer = value.producer;
        if (!producer.valid()) return m_inputBox[id.index()];
        const DecidedNode& decided = m_graph.decided[producer];
        if (decided.ahead) return -1;
        // What a node computes along with its own operator is drawn as if it ran for itself: the last output is its.
        const bool own = decided.fused.empty() || m_graph.decided[id].fusedInto.valid();
        return m_picture.boxOfNode[(own ? producer : decided.fused.back().node).index()];
    }

    const Report& m_report;
    const Graph& m_graph;
    const StorageColours& m_colours;
    const GroupTree& m_tree;
    const Expansion& m_open;
    std::vector<GroupId> m_closed = findClosed(m_tree, m_open); ///< By GroupId.
    Frames m_frames {m_graph, m_tree, m_closed};
    std::vector<std::int32_t> m_groupBox; ///< By GroupId.
    std::vector<std::int32_t> m_inputBox; ///< By ValueId.
    std::vector<std::int32_t> m_bodyBox;  ///< By BodyId.
    GraphPicture m_picture;
};

/// Arrows between boxes, one for all values from one to another.
class Arrows
{
public:
    Arrows(const Report& report, const StorageColours& colours, GraphPicture& picture)
        : m_report(report), m_colours(colours), m_picture(picture)
    {
    }

    void connect(ValueId value, std::int32_t to)
    {
        const std::int32_t from = value.valid() ? m_picture.boxOfValue[value.index()] : -1;
        if (from < 0 || to < 0 || from == to) return;
        const auto [entry, isNew] = m_byEnds.emplace(keyOf(from, to), m_picture.arrows.size());
        if (isNew)
            m_picture.arrows.push_back({from, to, value, 1, colourOf(m_report, m_colours, value), false});
        else if (m_picture.arrows[entry->second].value != value)
            ++m_picture.arrows[entry->second].values;
    }

    /// Along the arrow of a value that goes the same way; on an arrow of its own where none does.
    void wait(const StreamEvent& event)
    {
        const std::vector<FusedNode>& fused = m_report.program.graph->decided[event.signal].fused;
        const std::int32_t begun = m_picture.boxOfNode[event.signal.index()];
        const std::int32_t ended = fused.empty() ? begun : m_picture.boxOfNode[fused.back().node.index()];
        const std::int32_t waiting = m_picture.boxOfNode[event.waiter.index()];
        if (ended < 0 || waiting < 0 || ended == waiting || begun == waiting) return;
        auto along = m_byEnds.find(keyOf(begun, waiting));
        if (along == m_byEnds.end()) along = m_byEnds.find(keyOf(ended, waiting));
        if (along != m_byEnds.end()) {
            m_picture.arrows[along->second].waits = true;
            return;
        }
        m_byEnds.emplace(keyOf(ended, waiting), m_picture.arrows.size());
        m_picture.arrows.push_back({ended, waiting, {}, 0, NoColour, true});
    }

private:
    static std::uint64_t keyOf(std::int32_t from, std::int32_t to)
    {
        return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
    }

    const Report& m_report;
    const StorageColours& m_colours;
    GraphPicture& m_picture;
    std::unordered_map<std::uint64_t, std::size_t> m_byEnds; ///< (from, to) → position.
};

} // namespace

LayoutProblem GraphPicture::layoutProblem() const
{
    LayoutProblem problem;
    problem.boxes.reserve(boxes.size());
    for (const GraphBox& box : boxes)
        problem.boxes.push_back(box.size);
    if (!frames.empty()) {
        for (const GraphBox& box : boxes)
            problem.clusterOf.push_back(box.frame);
        for (const GraphFrame& frame : frames) {
            problem.clusterParents.push_back(frame.parent);
            problem.clusterWraps.push_back(frame.wraps);
        }
    }
    problem.edges.reserve(arrows.size());
    for (const GraphArrow& arrow : arrows)
        problem.edges.push_back({arrow.from, arrow.to});
    return problem;
}

GraphPicture makeGraphPicture(const Report& report, const StorageColours& colours, const GroupTree& tree,
                              const Expansion& expansion, bool allEnds)
{
    const Graph& graph = *report.program.graph;
    Builder builder(report, colours, tree, expansion);
    GraphPicture picture = builder.run(allEnds);
    Arrows arrows(report, colours, picture);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (graph.decided[NodeId(i)].ahead) continue;
        bool entered = false;
        for (BodyId body : node.bodies) {
            if (builder.bodyBox()[body.index()] < 0) continue;
            entered = true;
            for (ValueId input : node.inputs)
                arrows.connect(input, builder.bodyBox()[body.index()]);
        }
        if (entered) continue;
        for (std::size_t input = 0; input < ownInputs(graph, NodeId(i)); ++input)
            arrows.connect(node.inputs[input], picture.boxOfNode[i]);
    }
    for (const Body& body : graph.bodies) {
        if (!body.owner.valid() || graph.decided[body.owner].ahead) continue;
        for (const ValueId output : body.outputs)
            arrows.connect(output, picture.boxOfNode[body.owner.index()]);
    }
    addOutputs(report, colours, allEnds, picture);
    for (std::size_t i = 0; i < graph.top().outputs.size(); ++i)
        arrows.connect(graph.top().outputs[i], picture.boxOfOutput[i]);
    for (const StreamEvent& event : report.program.streams.events)
        arrows.wait(event);
    for (GraphBox& box : picture.boxes) {
        const double title = BoldCharacterWidth * static_cast<double>(box.title.size() + 5);
        const std::size_t below = box.subtitle.size() + box.count.size() + (box.count.empty() ? 0 : 3);
        const double width = 22 + std::max(title, CharacterWidth * static_cast<double>(below));
        box.size = {std::clamp(width, NarrowestBox, WidestBox), BoxHeight};
    }
    return picture;
}

} // namespace plimsoll
