#include "app/views/graph/graph_drawing.h"

#include "app/views/graph/graph_figures.h"
#include "app/views/graph/graph_filter.h"
#include "core/base/narrow.h"
#include "core/picture/layout/layout_clusters.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace plimsoll::app {
namespace {

void addAlarms(GraphDrawing& drawing)
{
    const Report& report = *drawing.made.report;
    drawing.alarms.assign(drawing.picture.boxes.size(), 0);
    for (const Finding& finding : report.verdict.findings) {
        const auto raise = [&, level =
                                   static_cast<std::int8_t>(finding.severity == Severity::Error ? 2 : 1)](NodeId node) {
            const std::int32_t box = node.valid() ? drawing.picture.boxOfNode[node.index()] : -1;
            if (box >= 0) drawing.alarms[box] = std::max(drawing.alarms[box], level);
        };
        if (finding.severity == Severity::Advice) continue;
        for (NodeId node : finding.nodes)
            raise(node);
        for (ValueId value : finding.values) {
            if (value.valid()) raise((*report.program.graph)[value].producer);
        }
    }
}

void addIndexes(GraphDrawing& drawing)
{
    drawing.boxRects.clear();
    drawing.arrowRects.clear();
    for (std::size_t i = 0; i < drawing.picture.boxes.size(); ++i) {
        const LayoutBox size = drawing.picture.boxes[i].size;
        const Point centre = drawing.layout.centres[i];
        drawing.boxRects.emplace_back(centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height);
    }
    for (const auto& route : drawing.layout.routes) {
        QRectF bounds;
        for (const Point& point : route) {
            const QRectF spot(point.x, point.y, 1e-3, 1e-3);
            bounds = bounds.isNull() ? spot : bounds.united(spot);
        }
        drawing.arrowRects.push_back(bounds);
    }
    drawing.frames.clear();
    if (!drawing.picture.frames.empty()) {
        for (const auto& [at, size, cluster, goesOn] : framePartsOf(drawing.picture.layoutProblem(), drawing.layout))
            drawing.frames.push_back(
                {static_cast<std::size_t>(cluster), QRectF(at.x, at.y, size.width, size.height), goesOn});
    }
    drawing.boxIndex = HeightIndex(drawing.boxRects);
    drawing.arrowIndex = HeightIndex(drawing.arrowRects);
}

/// \p layout runs downwards.
void place(GraphDrawing& drawing, GraphLayout layout)
{
    drawing.layout =
        directed(drawing.picture.layoutProblem(), std::move(layout), drawing.made.look.flow, drawing.made.view);
    addIndexes(drawing);
}

void raiseTo(char level, std::int32_t box, GraphEmphasis& emphasis)
{
    if (box < 0) return;
    char& now = emphasis.boxes[box];
    now = std::max(now, level);
}

/// Boxes that \p values come from, closed groups too, and, unless a node is picked, all tenants of their storages.
void emphasiseBoxes(const GraphDrawing& drawing, const std::vector<char>& wanted, bool node, GraphEmphasis& emphasis)
{
    const Report& report = *drawing.made.report;
    std::vector<char> storages(report.program.storages.size(), 0);
    const auto storageOf = [&](std::size_t value) { return report.program.values[value].storage; };
    for (std::size_t i = 0; i < wanted.size() && !node; ++i) { // the operands of a node light no further tenants
        if (wanted[i] && storageOf(i).valid()) storages[storageOf(i).index()] = 1;
    }
    const auto levelOf = [&](std::size_t value) -> char {
        if (wanted[value] && !node) return 2;
        return storageOf(value).valid() && storages[storageOf(value).index()] ? 1 : 0;
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (const char level = levelOf(i)) raiseTo(level, drawing.picture.boxOfValue[i], emphasis);
    }
    for (std::size_t i = 0; i < drawing.picture.boxes.size(); ++i) {
        const GraphBox& box = drawing.picture.boxes[i];
        if (box.kind != BoxKind::Output || !box.value.valid()) continue;
        char level = levelOf(box.value.index());
        for (const ValueId value : box.values)
            level = std::max(level, levelOf(value.index()));
        raiseTo(level, static_cast<std::int32_t>(i), emphasis);
    }
}

/// Nodes and edges have the colours of their own values, not of all that lie in a storage with them.
void addColours(GraphDrawing& drawing)
{
    const Report& report = *drawing.made.report;
    const ColourBy by = drawing.made.look.colours;
    std::vector<ColourIndex>& colours = drawing.valueColours;
    if (by != ColourBy::Storage) {
        colours = colourBy(report, by, drawing.made.run.get()).values;
    } else {
        colours.assign(report.program.values.size(), NoColour);
        for (std::size_t i = 0; i < colours.size(); ++i) {
            const StorageId storage = report.program.values[i].storage;
            if (storage.valid() && storage.index() < drawing.made.colours->size())
                colours[i] = (*drawing.made.colours)[storage.index()];
        }
    }
    for (GraphBox& box : drawing.picture.boxes)
        if (box.value.valid()) box.colour = colours[box.value.index()];
    for (GraphArrow& arrow : drawing.picture.arrows)
        if (arrow.value.valid()) arrow.colour = colours[arrow.value.index()];
}

/// More boxes than this in a scope open no groups.
constexpr std::ptrdiff_t MostRevealed = 300;

/// Which boxes of \p open, where all groups are, are looked at; its scope is whole where it would be empty.
std::vector<char> boxesLookedAt(const GraphPicture& open, const Report& report, GraphLook& look)
{
    std::vector<char> kept(open.boxes.size(), 1);
    if (!look.scope.whole()) {
        kept = boxesInScope(open, look.scope);
        if (std::ranges::count(kept, 1) == 0) {
            look.scope = {};
            kept.assign(open.boxes.size(), 1);
        }
    }
    if (look.filter.empty() || !filterComplaint(look.filter).empty()) return kept;
    const std::vector<char> left = matchesFilter(open, report, look.filter);
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = kept[i] && left[i];
    return kept;
}

/// Boxes, as far as groups are open and the scope reaches; of a drawing with the same boxes only what is lit.
void addBoxes(GraphDrawing& drawing, bool sameBoxes)
{
    GraphRequest& made = drawing.made;
    const Report& report = *made.report;
    const auto pictureOf = [&](const Expansion& open) {
        return makeGraphPicture(report, *made.colours, *made.tree, open, made.look.allEnds);
    };
    GraphPicture open;
    std::vector<char> kept;
    if (!made.look.whole()) {
        open = pictureOf(Expansion(made.tree->groups.size(), 1));
        kept = boxesLookedAt(open, report, made.look);
    }
    const bool few = std::ranges::count(kept, 1) <= MostRevealed;
    for (std::size_t i = 0; i < kept.size() && few && made.revealScope; ++i)
        if (kept[i] && open.boxes[i].node.valid()) reveal(*made.tree, made.expansion, open.boxes[i].node);
    if (!sameBoxes) drawing.picture = pictureOf(made.expansion);
    drawing.lit.clear();
    if (made.look.whole()) return;
    drawing.lit = boxesStandingFor(open, kept, drawing.picture);
    if (!made.look.hideRest || std::ranges::count(drawing.lit, 1) == 0) return;
    drawing.picture = onlyBoxes(drawing.picture, drawing.lit);
    drawing.lit.assign(drawing.picture.boxes.size(), 1);
}

/// Whether only what boxes look like differs.
bool haveSameBoxes(const GraphRequest& a, const GraphRequest& b)
{
    return a.report == b.report && a.tree == b.tree && a.expansion == b.expansion && a.look.flow == b.look.flow &&
           a.look.figures == b.look.figures && a.look.allEnds == b.look.allEnds && !a.look.cut() && !b.look.cut() &&
           !b.revealScope;
}

/// What is not in the scope steps back, unless it is picked.
void limitToScope(const GraphDrawing& drawing, GraphEmphasis& emphasis)
{
    if (drawing.lit.empty()) return;
    const auto limit = [](char& level, bool lit) { level = lit ? std::max<char>(level, 1) : level == 2 ? 2 : 0; };
    for (std::size_t i = 0; i < emphasis.boxes.size(); ++i)
        limit(emphasis.boxes[i], drawing.lit[i]);
    for (std::size_t i = 0; i < emphasis.arrows.size(); ++i) {
        const GraphArrow& arrow = drawing.picture.arrows[i];
        limit(emphasis.arrows[i], drawing.lit[arrow.from] && drawing.lit[arrow.to]);
    }
    emphasis.any = true;
}

} // namespace

HeightIndex::HeightIndex(const std::vector<QRectF>& rects) : m_order(rects.size())
{
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return std::floor(rects[a].top()) < std::floor(rects[b].top());
    });
    std::vector<Interval> heights;
    heights.reserve(rects.size());
    for (std::size_t i : m_order) {
        heights.push_back({static_cast<std::int64_t>(std::floor(rects[i].top())),
                           static_cast<std::int64_t>(std::ceil(rects[i].bottom())) + 1});
    }
    m_index = IntervalIndex(heights);
}

std::optional<std::size_t> GraphDrawing::boxAt(QPointF point) const
{
    std::optional<std::size_t> found;
    boxIndex.visit(QRectF(point, QSizeF(1, 1)), [&](std::size_t i) {
        if (boxRects[i].contains(point)) found = i;
    });
    return found;
}

std::optional<std::size_t> GraphDrawing::arrowAt(QPointF point, double distance) const
{
    std::optional<std::size_t> nearest;
    const QRectF around(point - QPointF(distance, distance), QSizeF(2 * distance, 2 * distance));
    arrowIndex.visit(around, [&](std::size_t i) {
        if (!arrowRects[i].adjusted(-distance, -distance, distance, distance).contains(point)) return;
        double away = std::numeric_limits<double>::infinity();
        const std::vector<Point>& route = layout.routes[i];
        for (std::size_t k = 1; k < route.size(); ++k) {
            const QPointF a(route[k - 1].x, route[k - 1].y);
            const QPointF along = QPointF(route[k].x, route[k].y) - a;
            const double length = QPointF::dotProduct(along, along);
            const double t = length > 0 ? std::clamp(QPointF::dotProduct(point - a, along) / length, 0.0, 1.0) : 0;
            away = std::min(away, QLineF(point, a + t * along).length());
        }
        if (away > distance) return;
        distance = away;
        nearest = i;
    });
    return nearest;
}

std::optional<std::size_t> GraphDrawing::besideBox(std::size_t from, Qt::Key way) const
{
    if (layout.rightwards)
        way = way == Qt::Key_Left    ? Qt::Key_Up
              : way == Qt::Key_Right ? Qt::Key_Down
              : way == Qt::Key_Up    ? Qt::Key_Left
                                     : Qt::Key_Right;
    const QPointF here = boxRects[from].center();
    std::optional<std::size_t> best;
    double nearest = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::size_t box, double distance) {
        if (distance >= nearest) return;
        nearest = distance;
        best = box;
    };
    if (way == Qt::Key_Up || way == Qt::Key_Down) {
        for (const GraphArrow& arrow : picture.arrows) {
            if (arrow.values == 0) continue; // only an event
            const auto own = static_cast<std::size_t>(way == Qt::Key_Down ? arrow.from : arrow.to);
            const auto other = static_cast<std::size_t>(way == Qt::Key_Down ? arrow.to : arrow.from);
            if (own == from) consider(other, (boxRects[other].center() - here).manhattanLength());
        }
        return best;
    }
    const double sense = way == Qt::Key_Right ? 1 : -1;
    if (layout.rightwards) {
        for (std::size_t i = 0; i < boxRects.size(); ++i) {
            const bool beside =
                boxRects[i].left() < boxRects[from].right() && boxRects[i].right() > boxRects[from].left();
            const double away = (boxRects[i].center().y() - here.y()) * sense;
            if (beside && away > 0) consider(i, away);
        }
        return best;
    }
    boxIndex.visit(boxRects[from], [&](std::size_t i) {
        const double away = (boxRects[i].center().x() - here.x()) * sense;
        if (away > 0) consider(i, away);
    });
    return best;
}

QRectF GraphDrawing::frameAround(std::size_t box) const
{
    const std::int32_t frame = picture.boxes[box].frame;
    if (frame < 0) return {};
    for (const FramePart& part :
         std::ranges::equal_range(frames, static_cast<std::size_t>(frame), {}, &FramePart::frame))
        if (part.rect.contains(boxRects[box].center())) return part.rect;
    return {};
}

std::vector<NodeId> GraphDrawing::nodesIn(GroupId group) const
{
    std::vector<char> inside(made.tree->groups.size(), 0);
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < inside.size(); ++i) { // parents before children
        const Group& one = (*made.tree)[GroupId(i)];
        inside[i] = GroupId(i) == group || (one.parent.valid() && inside[one.parent.index()]);
        if (inside[i]) nodes.insert(nodes.end(), one.nodes.begin(), one.nodes.end());
    }
    return nodes;
}

std::vector<NodeId> GraphDrawing::nodesLookedAt() const
{
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
        if (!lit.empty() && lit[i] == 0) continue;
        const GraphBox& box = picture.boxes[i];
        if (box.node.valid()) nodes.push_back(box.node);
        if (!box.group.valid()) continue;
        const std::vector<NodeId> inside = nodesIn(box.group);
        nodes.insert(nodes.end(), inside.begin(), inside.end());
    }
    return nodes;
}

NodeId GraphDrawing::nodeFor(const Focus& focus) const
{
    const Graph& graph = *made.report->program.graph;
    if (focus.node.valid() && focus.node.index() < graph.nodes.size()) return focus.node;
    const ValueId value = focus.value;
    if (!value.valid() || value.index() >= graph.values.size()) return {};
    const NodeId producer = graph[value].producer;
    if (producer.valid() && !graph.decided[producer].ahead) return producer;
    if (picture.boxOfValue[value.index()] >= 0 && graph[value].role == ValueRole::Input) return {};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto& inputs = graph.nodes[i].inputs;
        if (!graph.decided[NodeId(i)].ahead && std::find(inputs.begin(), inputs.end(), value) != inputs.end())
            return NodeId(i);
    }
    return {};
}

std::shared_ptr<const GraphDrawing> drawGraph(GraphRequest request, const Context& context)
{
    auto drawing = std::make_shared<GraphDrawing>();
    if (!request.tree)
        request.tree = std::make_shared<const GroupTree>(groupNodes(*request.report->program.graph, request.byHand));
    if (request.expansion.size() != request.tree->groups.size()) request.expansion = defaultExpansion(*request.tree);
    if (context.stopped()) return nullptr;
    const std::shared_ptr<const GraphDrawing> before = std::exchange(request.before, nullptr);
    const bool same = before && haveSameBoxes(before->made, request);
    if (same) *drawing = *before;
    const LayoutBox view = same ? before->made.view : request.view; // of the layout that stays
    drawing->made = std::move(request);
    drawing->made.view = view;
    addBoxes(*drawing, same);
    addColours(*drawing);
    if (drawing->made.look.figures) {
        const Report& report = *drawing->made.report;
        const RunResult* kept = report.run ? &*report.run : nullptr; // of a report that was read
        addFigures(report, drawing->made.run ? drawing->made.run.get() : kept, drawing->picture, !same);
    }
    if (same) return drawing;
    Result<GraphLayout> layout = layoutClustered(standingProblem(*drawing), context);
    if (!layout.ok()) return nullptr;
    addAlarms(*drawing);
    place(*drawing, std::move(layout).value());
    return drawing;
}

LayoutProblem standingProblem(const GraphDrawing& drawing)
{
    return standing(drawing.picture.layoutProblem(), drawing.made.look.flow);
}

std::shared_ptr<const GraphDrawing> withStanding(const GraphDrawing& drawing, GraphLayout layout)
{
    auto moved = std::make_shared<GraphDrawing>(drawing);
    place(*moved, std::move(layout));
    return moved;
}

std::shared_ptr<const GraphDrawing> withLayout(const GraphDrawing& drawing, GraphLayout layout)
{
    auto moved = std::make_shared<GraphDrawing>(drawing);
    moved->layout = std::move(layout);
    addIndexes(*moved);
    return moved;
}

GraphEmphasis emphasise(const GraphDrawing& drawing, const Focus& focus, std::span<const ValueId> values)
{
    GraphEmphasis emphasis;
    emphasis.boxes.assign(drawing.picture.boxes.size(), 0);
    emphasis.arrows.assign(drawing.picture.arrows.size(), 0);
    std::vector<char> wanted(drawing.made.report->program.values.size(), 0);
    for (ValueId value : values)
        wanted[value.index()] = 1;
    const Schedule& schedule = drawing.made.report->program.schedule;
    if (focus.step >= 0 && focus.step < schedule.length() && !focus.node.valid()) {
        const NodeId runs = schedule.steps[focus.step].node;
        if (runs.valid()) emphasis.stepBox = drawing.picture.boxOfNode[runs.index()];
    }
    emphasis.any = !values.empty() || focus.node.valid();
    if (!emphasis.any) {
        limitToScope(drawing, emphasis);
        return emphasis;
    }
    const bool node = focus.node.valid();
    const std::int32_t own = node && focus.node.index() < drawing.picture.boxOfNode.size()
                                 ? drawing.picture.boxOfNode[focus.node.index()]
                                 : -1;
    emphasiseBoxes(drawing, wanted, node, emphasis);
    for (std::size_t i = 0; i < drawing.picture.arrows.size(); ++i) {
        const GraphArrow& arrow = drawing.picture.arrows[i];
        const bool touches = own >= 0 && (arrow.from == own || arrow.to == own);
        if (!touches && (node || !arrow.value.valid() || !wanted[arrow.value.index()])) continue;
        emphasis.arrows[i] = 2;
        raiseTo(1, arrow.from, emphasis);
        raiseTo(1, arrow.to, emphasis);
    }
    raiseTo(2, own, emphasis);
    limitToScope(drawing, emphasis);
    return emphasis;
}

GraphEmphasis emphasise(const GraphDrawing& drawing, GroupId group)
{
    GraphEmphasis emphasis {.any = true,
                            .boxes = std::vector<char>(drawing.picture.boxes.size(), 0),
                            .arrows = std::vector<char>(drawing.picture.arrows.size(), 0),
                            .group = group};
    for (const NodeId node : drawing.nodesIn(group))
        raiseTo(1, drawing.picture.boxOfNode[node.index()], emphasis);
    for (std::size_t i = 0; i < drawing.picture.boxes.size(); ++i)
        if (drawing.picture.boxes[i].kind == BoxKind::Group && drawing.picture.boxes[i].group == group)
            emphasis.boxes[i] = 2;
    for (std::size_t i = 0; i < drawing.picture.arrows.size(); ++i) {
        const GraphArrow& arrow = drawing.picture.arrows[i];
        emphasis.arrows[i] = emphasis.boxes[arrow.from] > 0 || emphasis.boxes[arrow.to] > 0 ? 1 : 0;
    }
    return emphasis;
}

std::int32_t sameBox(const GraphDrawing& before, std::int32_t box, const GraphDrawing& next)
{
    if (box < 0 || before.picture.boxOfNode.size() != next.picture.boxOfNode.size()) return -1;
    const auto& [was, is] = std::tie(before.picture.boxOfNode, next.picture.boxOfNode);
    for (std::size_t node = 0; node < was.size(); ++node)
        if (was[node] == box && is[node] >= 0) return is[node];
    const GraphBox& own = before.picture.boxes[box];
    const auto same = std::ranges::find_if(next.picture.boxes, [&](const GraphBox& other) {
        return other.kind == own.kind && !own.node.valid() && other.value == own.value;
    });
    return same == next.picture.boxes.end() ? -1 : narrow<std::int32_t>(same - next.picture.boxes.begin());
}

} // namespace plimsoll::app
