#pragma once

#include "core/base/progress.h"
#include "core/facts/focus.h"
#include "core/picture/colour_by.h"
#include "core/picture/graph_scope.h"
#include "core/picture/interval_index.h"
#include "core/picture/layout/layout_flow.h"

#include <QRectF>

#include <memory>
#include <optional>
#include <span>

namespace plimsoll::app {

/// What the user wants to see of the graph, and how.
struct GraphLook
{
    GraphScope scope {};
    bool hideRest = false; ///< What is not in the scope has no boxes. Or else it is dimmed.
    ColourBy colours = ColourBy::Storage;
    FlowDirection flow = FlowDirection::Fitting;
    bool figures = false;  ///< Nodes and groups say their bytes, their time and their share of the peak.
    bool allEnds = false;  ///< Inputs and outputs are no one box, however many a closed group has.
    std::string filter {}; ///< As above a table, see matchesFilter(). What it leaves out is dimmed or hidden, too.
    [[nodiscard]] bool whole() const { return scope.whole() && filter.empty(); }
    [[nodiscard]] bool cut() const { return hideRest && !whole(); }
    friend bool operator==(const GraphLook&, const GraphLook&) = default;
};

struct GraphDrawing;

/// What a drawing of the graph is made from.
struct GraphRequest
{
    std::shared_ptr<const Report> report;
    std::shared_ptr<const StorageColours> colours;
    std::shared_ptr<const GroupTree> tree; ///< Null: to be made, with those by hand.
    Expansion expansion;                   ///< Empty: the default one.
    GraphLook look {};
    bool revealScope = false;                ///< Groups open around what is in the scope, unless that is much.
    LayoutBox view {};                       ///< In which a graph that fits its flow to it is seen.
    std::shared_ptr<const RunResult> run {}; ///< Of the report; null: it was not run.
    std::vector<NamedNodes> byHand {};
    /// Its boxes stay where they are if they are the same.
    std::shared_ptr<const GraphDrawing> before {};
};

/// Which things, by position, overlap a stretch of heights.
class HeightIndex
{
public:
    HeightIndex() = default;
    explicit HeightIndex(const std::vector<QRectF>& rects);

    template <typename Visitor>
    void visit(const QRectF& window, Visitor&& visitor) const
    {
        m_index.visit({static_cast<std::int64_t>(window.top()) - 1, static_cast<std::int64_t>(window.bottom()) + 2},
                      [&](std::size_t i) { visitor(m_order[i]); });
    }

private:
    std::vector<std::size_t> m_order; ///< Sorted by top.
    IntervalIndex m_index;
};

/// Of the frame around a group that is open, what stands in one column.
struct FramePart
{
    std::size_t frame = 0; ///< Of the picture.
    QRectF rect;
    bool goesOn = false; ///< From the column before.
};

/// The graph as far as it is open, laid out. Immutable; made on a worker thread.
struct GraphDrawing
{
    GraphRequest made; ///< With its tree and expansion, without the drawing before; its scope is whole if the wanted
                       ///< one was empty.
    GraphPicture picture;
    GraphLayout layout;
    std::vector<QRectF> boxRects;
    std::vector<QRectF> arrowRects;
    std::vector<FramePart> frames; ///< Those around before those inside; none of groups without boxes.
    HeightIndex boxIndex;
    HeightIndex arrowIndex;
    std::vector<std::int8_t> alarms;       ///< By box: 2 has a node of an error, 1 of a warning, 0 none.
    std::vector<ColourIndex> valueColours; ///< By ValueId.
    std::vector<char> lit;                 ///< By box: in the scope, and left by the filter. Empty: all are.

    [[nodiscard]] QRectF bounds() const { return {0, 0, layout.width, layout.height}; }
    [[nodiscard]] std::optional<std::size_t> boxAt(QPointF point) const;
    /// The nearest arrow within \p distance.
    [[nodiscard]] std::optional<std::size_t> arrowAt(QPointF point, double distance) const;
    /// The nearest box along the edges (up, down), or of the same height (left, right); the other way round where the
    /// drawing runs to the right.
    [[nodiscard]] std::optional<std::size_t> besideBox(std::size_t from, Qt::Key way) const;
    /// Its own frame, as far as it stands in the column of the box; empty where none is around it.
    [[nodiscard]] QRectF frameAround(std::size_t box) const;
    /// All that stands in a group, and in those inside of it.
    [[nodiscard]] std::vector<NodeId> nodesIn(GroupId group) const;
    /// All that is in the scope and left by the filter, as far as its boxes show.
    [[nodiscard]] std::vector<NodeId> nodesLookedAt() const;
    /// What stands for a picked node or value; of bytes that no node writes, their first reader. Invalid for storages
    /// and findings.
    [[nodiscard]] NodeId nodeFor(const Focus& focus) const;
};

/// Null when stopped.
[[nodiscard]] std::shared_ptr<const GraphDrawing> drawGraph(GraphRequest request, const Context& context);

/// What is laid out downwards for a drawing, and the same boxes where such a layout puts them.
[[nodiscard]] LayoutProblem standingProblem(const GraphDrawing& drawing);
[[nodiscard]] std::shared_ptr<const GraphDrawing> withStanding(const GraphDrawing& drawing, GraphLayout layout);
/// The same boxes in other places.
[[nodiscard]] std::shared_ptr<const GraphDrawing> withLayout(const GraphDrawing& drawing, GraphLayout layout);

/// What stands out because of the selection.
struct GraphEmphasis
{
    bool any = false;
    std::vector<char> boxes;   ///< By box: 0 dimmed, 1 full, 2 outlined.
    std::vector<char> arrows;  ///< By arrow: 0 dimmed, 1 full, 2 bold.
    std::int32_t stepBox = -1; ///< Where the step cursor is, unless a node is picked.
    GroupId group;             ///< That is picked: its frame is outlined.
};
[[nodiscard]] GraphEmphasis emphasise(const GraphDrawing& drawing, const Focus& focus, std::span<const ValueId> values);
[[nodiscard]] GraphEmphasis emphasise(const GraphDrawing& drawing, GroupId group);

/// Which box of \p next stands for a box of \p before, or for the first node in it; -1: none.
[[nodiscard]] std::int32_t sameBox(const GraphDrawing& before, std::int32_t box, const GraphDrawing& next);

} // namespace plimsoll::app
