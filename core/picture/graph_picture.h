#pragma once

#include "core/facts/report.h"
#include "core/picture/groups/graph_groups.h"
#include "core/picture/layout/layered_layout.h"
#include "core/picture/storage_colours.h"

namespace plimsoll {

enum class BoxKind : std::uint8_t {
    Node,
    Group,     ///< Closed: stands for all nodes in it.
    Input,     ///< Of the graph.
    Output,    ///< Of the graph.
    BodyStart, ///< Hands a nested graph its inputs.
};

struct GraphBox
{
    BoxKind kind = BoxKind::Node;
    NodeId node;          ///< Node; Group of kind Bodies: the owner; BodyStart: the owner.
    GroupId group;        ///< Group; for a node with nested graphs, their group (open).
    BodyId body;          ///< BodyStart.
    ValueId value;        ///< Input, Output; the first output of a Node.
    std::string title;    ///< "Conv", "layer.3 ▸"
    std::string subtitle; ///< Name of the node, type of an input, operators in a group. May be shortened to what fits.
    std::string count;    ///< Of a closed group: "23 nodes"; of a node, its implementation. Never shortened.
    std::string figures;  ///< A third line: bytes, time, share of the peak. Empty: none, and the box is lower.
    std::int64_t step = -1; ///< Of the node; the first of a group; -1 for nodes ahead of the run, inputs and outputs.
    ColourIndex colour = NoColour; ///< Of the storage of its value.
    bool inPlace = false;          ///< Its value is written over an input.
    bool fused = false;            ///< Another node computes it, and count says which.
    bool reorder = false; ///< Brings a value into another layout, storage type or memory: nothing of the model's own.
    LayoutBox size;
    std::int32_t frame = -1;        ///< The innermost one around it.
    std::vector<ValueId> values {}; ///< All that it stands for, where one box is for many inputs or outputs.
};

/// Around the boxes of a group that is open; of nested graphs, around each of them.
struct GraphFrame
{
    GroupId group;            ///< That closes with it.
    BodyId body;              ///< In which its boxes stand.
    std::string title;        ///< "layer.3", "If_0 · then_branch"
    std::int32_t parent = -1; ///< The frame around it, an earlier one.
    bool wraps = true;        ///< It may reach from one column of the drawing into the next.
};

/// What flows between two boxes: one value, or several between the same two, merged; or nothing, where one only waits
/// for the other.
struct GraphArrow
{
    std::int32_t from = 0;
    std::int32_t to = 0;
    ValueId value; ///< The first of them; invalid where there is none.
    std::int32_t values = 1;
    ColourIndex colour = NoColour; ///< Of the storage of the first.
    bool waits = false;            ///< An event: the stream of the one waits here for that of the other.
};

/// The graph as far as it is open: boxes in order of execution, arrows, and what stands for each node.
struct GraphPicture
{
    std::vector<GraphBox> boxes;
    std::vector<GraphArrow> arrows;
    std::vector<GraphFrame> frames;
    std::vector<std::int32_t> boxOfNode;   ///< By NodeId: its box or the closed group's; -1 for nodes ahead of the run.
    std::vector<std::int32_t> boxOfValue;  ///< By ValueId: the box it comes from; -1 for weights and constants.
    std::vector<std::int32_t> boxOfOutput; ///< By output of the graph; -1: none.
    [[nodiscard]] LayoutProblem layoutProblem() const;
};

/// \p expansion as in graph_groups.h. Parameters and constants get no boxes, nor do inputs where they are so many that
/// weights must be among them. Many inputs or outputs of one closed group are one box, unless \p allEnds are wanted.
[[nodiscard]] GraphPicture makeGraphPicture(const Report& report, const StorageColours& colours, const GroupTree& tree,
                                            const Expansion& expansion, bool allEnds = false);

} // namespace plimsoll
