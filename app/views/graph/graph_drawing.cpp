#include "app/views/graph/graph_drawing.h"

#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/verdict.h"
#include "core/picture/layout_clusters.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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
    drawing.frameRects.clear();
    if (!drawing.picture.frames.empty()) {
        for (const auto& [at, size] : framesOf(drawing.picture.layoutProblem(), drawing.layout))
            drawing.frameRects.emplace_back(at.x, at.y, size.width, size.height);
    }
    drawing.boxIndex = HeightIndex(drawing.boxRects);
    drawing.arrowIndex = HeightIndex(drawing.arrowRects);
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
        if (const char level = levelOf(box.value.index())) raiseTo(level, static_cast<std::int32_t>(i), emphasis);
    }
}

/// Nodes and edges have the colours of their own values, not of all that lie in a storage with them.
void addColours(GraphDrawing& drawing)
{
    const Report& report = *drawing.made.report;
    const ColourBy by = drawing.made.look.colours;
    if (by == ColourBy::Storage) { // the picture has them
        for (const PlannedValue& value : report.program.values) {
            const bool known = value.storage.valid() && value.storage.index() < drawing.made.colours->size();
            drawing.valueColours.push_back(known ? (*drawing.made.colours)[value.storage.index()] : NoColour);
        }
        return;
    }
    drawing.valueColours = colourBy(report, by).values;
    for (GraphBox& box : drawing.picture.boxes)
        if (box.value.valid()) box.colour = drawing.valueColours[box.value.index()];
    for (GraphArrow& arrow : drawing.picture.arrows)
        if (arrow.value.valid()) arrow.colour = drawing.valueColours[arrow.value.index()];
}

/// What the values that a node writes take, how long it takes itself, measured or estimated, and how much of the peak
/// they are: "1.5 MiB · 0.31 ms · 18 % of the peak".
std::string figuresOf(const Report& report, NodeId id)
{
    const Node& node = (*report.program.graph)[id];
    const std::int64_t peak = peakStep(report);
    std::int64_t bytes = 0;
    std::int64_t atPeak = 0;
    for (const ValueId output : node.outputs) {
        const PlannedValue* value = output.valid() ? &report.program.values[output.index()] : nullptr;
        if (!value || !value->storage.valid() || mostBytes(*value) < 0) continue;
        bytes += mostBytes(*value);
        if (value->live.contains(peak)) atPeak += mostBytes(*value);
    }
    const std::int64_t step = report.program.schedule.stepOf(id);
    const bool measured = report.run && step >= 0 && step < std::ssize(report.run->stepMs);
    const double ms = measured ? report.run->stepMs[step] : report.program.implementations[id.index()].timeMs;
    std::string text = sizeText(bytes);
    if (ms >= 0) text += " · " + durationText(ms / 1000);
    if (atPeak > 0 && report.memory.peakBytes > 0)
        text += " · " + english(say("graph.of-peak", percentText(atPeak, report.memory.peakBytes)));
    return text;
}

void addFigures(GraphDrawing& drawing)
{
    if (!drawing.made.look.figures) return;
    for (GraphBox& box : drawing.picture.boxes) {
        if (box.kind != BoxKind::Node) continue;
        box.figures = figuresOf(*drawing.made.report, box.node);
        box.size.height += FiguresHeight;
        box.size.width = std::max(box.size.width, FiguresWidth);
    }
}

/// More boxes than this in a scope open no groups.
constexpr std::ptrdiff_t MostRevealed = 300;

/// Boxes, as far as groups are open and the scope reaches.
void addBoxes(GraphDrawing& drawing)
{
    GraphRequest& made = drawing.made;
    const Report& report = *made.report;
    const auto pictureOf = [&](const Expansion& open) {
        return makeGraphPicture(report, *made.colours, *made.tree, open);
    };
    GraphPicture open;
    std::vector<char> kept;
    if (!made.look.scope.whole()) {
        open = pictureOf(Expansion(made.tree->groups.size(), 1));
        kept = boxesInScope(open, made.look.scope);
        if (std::count(kept.begin(), kept.end(), 1) == 0) made.look.scope = {};
    }
    const bool few = std::count(kept.begin(), kept.end(), 1) <= MostRevealed;
    for (std::size_t i = 0; i < kept.size() && few && made.revealScope; ++i)
        if (kept[i] && open.boxes[i].node.valid()) reveal(*made.tree, made.expansion, open.boxes[i].node);
    drawing.picture = pictureOf(made.expansion);
    if (made.look.scope.whole()) return;
    drawing.lit = boxesStandingFor(open, kept, drawing.picture);
    if (!made.look.hideRest) return;
    drawing.picture = onlyBoxes(drawing.picture, drawing.lit);
    drawing.lit.assign(drawing.picture.boxes.size(), 1);
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
    boxIndex.visit(boxRects[from], [&](std::size_t i) {
        const double away = (boxRects[i].center().x() - here.x()) * (way == Qt::Key_Right ? 1 : -1);
        if (away > 0) consider(i, away);
    });
    return best;
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
    if (!request.tree) request.tree = std::make_shared<const GroupTree>(groupNodes(*request.report->program.graph));
    if (request.expansion.size() != request.tree->groups.size()) request.expansion = defaultExpansion(*request.tree);
    if (context.stopped()) return nullptr;
    drawing->made = std::move(request);
    addBoxes(*drawing);
    addColours(*drawing);
    addFigures(*drawing);
    Result<GraphLayout> layout = layoutClustered(drawing->picture.layoutProblem(), context);
    if (!layout.ok()) return nullptr;
    drawing->layout = std::move(layout).value();
    addIndexes(*drawing);
    addAlarms(*drawing);
    return drawing;
}

std::shared_ptr<const GraphDrawing> withLayout(const GraphDrawing& drawing, GraphLayout layout)
{
    auto moved = std::make_shared<GraphDrawing>(drawing);
    moved->layout = std::move(layout);
    addIndexes(*moved);
    return moved;
}

GraphEmphasis emphasise(const GraphDrawing& drawing, const Focus& focus, const std::vector<ValueId>& values)
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

} // namespace plimsoll::app
