#include "app/views/graph/graph_canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"

#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// A graph whose boxes would lose their second line shows its beginning at first, instead of all of it.
constexpr double LegibleScale = 0.62;
constexpr double OpeningScale = 0.9;
/// A view that is so much wider or higher is worth a new layout.
constexpr double OtherShape = 1.3;
constexpr double OpeningAir = 24;

/// Boxes on their way from one layout to the other; edges are straight meanwhile.
GraphLayout between(const GraphLayout& a, const GraphLayout& b, double t, const GraphPicture& picture)
{
    GraphLayout layout;
    layout.width = std::max(a.width, b.width);
    layout.height = std::max(a.height, b.height);
    for (std::size_t i = 0; i < a.centres.size(); ++i) {
        layout.centres.push_back({a.centres[i].x + t * (b.centres[i].x - a.centres[i].x),
                                  a.centres[i].y + t * (b.centres[i].y - a.centres[i].y)});
    }
    layout.rightwards = b.rightwards;
    const auto along = [&](const LayoutBox& size) {
        return b.rightwards ? Point {size.width / 2, 0} : Point {0, size.height / 2};
    };
    for (const GraphArrow& arrow : picture.arrows) {
        const Point out = along(picture.boxes[arrow.from].size);
        const Point in = along(picture.boxes[arrow.to].size);
        const Point from = layout.centres[arrow.from];
        const Point to = layout.centres[arrow.to];
        layout.routes.push_back({{from.x + out.x, from.y + out.y}, {to.x - in.x, to.y - in.y}});
    }
    return layout;
}

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : Canvas(parent)
{
    setObjectName(QStringLiteral("graphCanvas"));
    setAccessibleName(tr("Graph"));
    setAccessibleDescription(
        tr("Nodes and the values between them. Arrow keys go from node to node; plus opens a group, "
           "minus closes it."));
    setAnimated(true);
    addFilterField();
    connect(&m_dot, &DotProcess::finished, this, &GraphCanvas::acceptTidy);
    connect(&m_dot, &DotProcess::failed, this, [this](const QString& reason) {
        Q_EMIT statusChanged(QString());
        Q_EMIT noticed(reason);
    });
}

void GraphCanvas::reportChanged()
{
    m_dot.cancel();
    m_move.stop();
    m_jobs.cancel(JobTag::Layout);
    if (!report() || !report()->program.graph) {
        m_drawing.reset();
        pickGroup({});
        m_asked.graph.reset();
        m_asked.tree.reset();
        Q_EMIT statusChanged(QString());
        viewChanged();
        return;
    }
    const bool sameShape = m_asked.tree && m_asked.graph &&
                           m_asked.tree->ofNode.size() == report()->program.graph->nodes.size() &&
                           m_asked.graph->file.path == report()->program.graph->file.path &&
                           m_asked.graph->name == report()->program.graph->name;
    m_asked.graph = report()->program.graph;
    if (!sameShape) {
        pickGroup({});
        m_asked.tree.reset();
        m_asked.expansion.clear();
        m_drawing.reset();
        m_cursor.box = -1;
        m_framing = Framing::Opening;
        m_look.scope = {}; // ids of a graph that is gone
        m_look.filter.clear();
        m_asked.run.reset();
    }
    request(m_asked.expansion);
}

void GraphCanvas::request(Expansion expansion, bool revealScope, bool anew)
{
    if (!report()) return;
    m_dot.cancel();
    m_asked.expansion = expansion;
    const bool otherGroups = m_drawing && m_drawing->made.byHand != m_asked.byHand;
    GraphRequest wanted {report(),
                         std::make_shared<const StorageColours>(colours()),
                         otherGroups ? nullptr : m_asked.tree,
                         otherGroups ? Expansion() : std::move(expansion), // it is by the groups before
                         m_look,
                         revealScope,
                         viewSize(),
                         m_asked.run,
                         m_asked.byHand,
                         anew ? nullptr : m_drawing};
    Q_EMIT statusChanged(tr("Laying out the graph…"));
    m_jobs.start(
        JobTag::Layout, tr("Layout"), [wanted](const Context& context) { return drawGraph(wanted, context); },
        [this](std::shared_ptr<const GraphDrawing> drawing) { accept(std::move(drawing)); });
}

void GraphCanvas::setRun(std::shared_ptr<const RunResult> run)
{
    if (run == m_asked.run) return;
    m_asked.run = std::move(run);
    if (m_look.figures || m_look.colours == ColourBy::Time) request(m_asked.expansion);
}

void GraphCanvas::accept(std::shared_ptr<const GraphDrawing> drawing)
{
    Q_EMIT statusChanged(QString());
    if (pathWaits()) Q_EMIT noticed(tr("Path: click its other end, or go there and press M; 0 ends it."));
    if (!drawing) return;
    m_move.stop();
    m_asked.tree = drawing->made.tree;
    m_asked.expansion = drawing->made.expansion;
    if (m_look.scope != drawing->made.look.scope) {
        m_look.scope = drawing->made.look.scope;
        Q_EMIT noticed(tr("There is nothing of that kind here: no path, or what was selected is gone."));
        Q_EMIT lookChanged(m_look);
    }
    if (m_drawing) keepInPlace(*drawing);
    display(std::move(drawing));
    reframe();
    if (m_revealWaiting) revealSelection();
    Q_EMIT laidOut();
}

void GraphCanvas::display(std::shared_ptr<const GraphDrawing> drawing)
{
    m_cursor.box = m_drawing ? sameBox(*m_drawing, m_cursor.box, *drawing) : -1;
    m_drawing = std::move(drawing);
    m_pointer.tip.clear();
    selectionChanged();
    viewChanged();
}

/// What the keyboard or the pointer was at stays where it was on the screen.
void GraphCanvas::keepInPlace(const GraphDrawing& next)
{
    std::int32_t anchor = m_cursor.box >= 0 ? m_cursor.box : cursorBox();
    if (anchor < 0) {
        if (const auto box = m_drawing->boxAt(m_view.toDrawing(m_view.area.center())))
            anchor = static_cast<std::int32_t>(*box);
    }
    if (anchor < 0 || m_framing != Framing::Own) return;
    for (std::size_t node = 0; node < m_drawing->picture.boxOfNode.size(); ++node) {
        const std::int32_t box = next.picture.boxOfNode[node];
        if (m_drawing->picture.boxOfNode[node] != anchor || box < 0) continue;
        const QPointF before = m_view.toScreen(m_drawing->boxRects[anchor].center());
        const QPointF after = m_view.toScreen(next.boxRects[box].center());
        m_view.pan(before - after);
        return;
    }
}

void GraphCanvas::tidy()
{
    if (!m_drawing) return;
    if (m_drawing->picture.boxes.size() > DotProcess::MostBoxes) {
        Q_EMIT noticed(tr("Graphviz is asked for at most %1 boxes; close some groups first.")
                           .arg(countText(static_cast<std::int64_t>(DotProcess::MostBoxes))));
        return;
    }
    Q_EMIT statusChanged(tr("Graphviz is tidying the picture…"));
    m_dot.start(standingProblem(*m_drawing));
}

void GraphCanvas::acceptTidy(const GraphLayout& layout)
{
    Q_EMIT statusChanged(QString());
    if (!m_drawing || layout.centres.size() != m_drawing->picture.boxes.size()) return;
    const std::shared_ptr<const GraphDrawing> before = m_drawing;
    const std::shared_ptr<const GraphDrawing> after = withStanding(*before, layout);
    m_move.stop();
    m_move.disconnect();
    m_move.setStartValue(0.0);
    m_move.setEndValue(1.0);
    connect(&m_move, &QVariantAnimation::valueChanged, this, [this, before, after](const QVariant& value) {
        display(withLayout(*before, between(before->layout, after->layout, value.toDouble(), before->picture)));
    });
    connect(&m_move, &QVariantAnimation::finished, this, [this, after] {
        display(after);
        reframe();
        Q_EMIT laidOut();
    });
    m_move.start();
}

void GraphCanvas::selectionChanged()
{
    m_emphasis = {};
    if (selection().picked()) pickGroup({});
    if (m_drawing && m_drawing->made.report == report()) {
        m_emphasis = m_cursor.group.valid() ? emphasise(*m_drawing, m_cursor.group)
                                            : emphasise(*m_drawing, selection(), pickedValues());
    }
    viewChanged();
}

/// Where the eye is to be led: to the node, to where the value comes from, or to the first box of what spreads over
/// several, unless one of them is seen already.
std::int32_t GraphCanvas::boxToShow() const
{
    const GraphPicture& picture = m_drawing->picture;
    const NodeId node = selection().node;
    if (node.valid()) return node.index() < picture.boxOfNode.size() ? picture.boxOfNode[node.index()] : -1;
    const ValueId value = selection().value;
    if (value.valid() && value.index() < picture.boxOfValue.size()) {
        if (const std::int32_t box = picture.boxOfValue[value.index()]; box >= 0) return box;
        const NodeId reader = m_drawing->nodeFor(selection());
        return reader.valid() ? picture.boxOfNode[reader.index()] : -1;
    }
    std::int32_t first = -1;
    for (std::size_t i = 0; i < m_emphasis.boxes.size(); ++i) {
        if (m_emphasis.boxes[i] != 2) continue;
        if (first < 0) first = static_cast<std::int32_t>(i);
        if (m_view.visible().contains(m_drawing->boxRects[i].center())) return -1;
    }
    return first;
}

void GraphCanvas::revealSelection()
{
    m_revealWaiting = selection().picked() && !m_ownPick;
    if (!m_revealWaiting || !m_drawing || m_drawing->made.report != report()) return;
    if (const NodeId node = m_drawing->nodeFor(selection()); node.valid()) {
        Expansion expansion = m_asked.expansion;
        reveal(*m_asked.tree, expansion, node);
        if (expansion != m_asked.expansion) {
            request(std::move(expansion));
            return;
        }
    }
    if (m_jobs.busy(JobTag::Layout)) return;
    m_revealWaiting = false;
    const std::int32_t box = boxToShow();
    if (box < 0 && m_look.cut()) Q_EMIT noticed(tr("The graph hides what is selected; 0 shows all of it."));
    bringIntoView(box);
}

void GraphCanvas::bringIntoView(std::int32_t box)
{
    if (box < 0) return;
    const QPointF middle = m_drawing->boxRects[box].center();
    if (m_view.visible().contains(middle)) return;
    m_view.centre(middle);
    m_framing = Framing::Own;
    viewChanged();
}

void GraphCanvas::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.fillRect(area, toColor(style.palette->background));
    if (!m_drawing) {
        paintEmpty(painter, area, report() ? tr("Laying out the graph…") : emptyText(), style);
        return;
    }
    if (m_drawing->picture.boxes.empty()) {
        paintEmpty(painter, area, tr("This graph has no nodes that run."), style);
        return;
    }
    GraphViewport view = m_view;
    if (area.size() != QSizeF(size())) {
        view.area = room(area);
        view.fit(m_drawing->bounds());
    }
    paintGraph(painter, *m_drawing, view, m_emphasis, style);
    paintScope(painter, *m_drawing,
               QRectF(area.topLeft(), QPointF(filterField()->parentWidget()->x(), view.area.top())), style);
    paintMinimap(painter, room(area), *m_drawing, view, style);
}

void GraphCanvas::paintWhole(QPainter& painter, const QRectF& area, const Style& style)
{
    const GraphViewport seen = m_view;
    m_view.area = room(area);
    if (m_drawing) m_view.fit(m_drawing->bounds());
    paint(painter, area, style);
    m_view = seen;
}

/// As large as life, as far as groups are open.
QSizeF GraphCanvas::wholeSize() const
{
    const QSizeF wanted = m_drawing ? m_drawing->bounds().size() + 2 * QSizeF(OpeningAir, OpeningAir) : QSizeF();
    return wanted.expandedTo(minimumSizeHint());
}

void GraphCanvas::paintPointer(QPainter& painter)
{
    if (!m_drawing) return;
    if (m_cursor.box >= 0 && hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(toColor(looks().palette->accent), 1, Qt::DashLine));
        painter.drawRect(m_view.toScreen(m_drawing->boxRects[m_cursor.box]).adjusted(-6, -6, 6, 6));
    }
    if (pathWaits()) paintMark(painter, *m_drawing, m_view, looks());
    if (!m_pointer.tip.empty()) paintTip(painter, m_pointer.at, rect(), m_pointer.tip, looks());
}

void GraphCanvas::resizeEvent(QResizeEvent*)
{
    const QPointF middle = m_view.visible().center();
    const bool shown = !m_view.area.isEmpty();
    viewChanged();
    if (shown && m_framing == Framing::Own) m_view.centre(middle);
    reframe();
    viewChanged();
    reflow();
}

LayoutBox GraphCanvas::viewSize() const
{
    return {double(width()), double(height())};
}

/// In a view of another shape a graph has other columns, unless the user has moved to somewhere.
void GraphCanvas::reflow()
{
    if (!m_drawing || m_look.flow != FlowDirection::Fitting || m_framing == Framing::Own || !isVisible()) return;
    const LayoutBox before = m_drawing->made.view;
    const double now = double(width()) / std::max(height(), 1) * before.height / std::max(before.width, 1.0);
    if (std::max(now, 1 / now) > OtherShape) request(m_asked.expansion, false, true);
}

/// The map of the whole graph takes its room from the picture, or gives it back.
void GraphCanvas::viewChanged()
{
    showFilter();
    const QRectF area = room(rect());
    m_view.area = m_drawing ? graphParts(area, *m_drawing, m_view).picture : area;
    repaintPicture();
}

void GraphCanvas::frame(const QRectF& bounds)
{
    m_view.area = room(rect());
    m_view.fit(bounds);
    m_view.area = graphParts(room(rect()), *m_drawing, m_view).picture;
    m_view.fit(bounds);
    viewChanged();
}

void GraphCanvas::reframe()
{
    if (!m_drawing) return;
    if (m_framing == Framing::All)
        fit();
    else if (m_framing == Framing::Opening)
        openingView();
    else if (m_framing == Framing::Picked)
        frameOrFit();
}

void GraphCanvas::showEvent(QShowEvent* event)
{
    Canvas::showEvent(event);
    reflow();
    if (m_framing == Framing::Picked) frameOrFit();
}

void GraphCanvas::openingView()
{
    m_view.area = room(rect());
    m_view.fit(m_drawing->bounds());
    if (m_view.scale < LegibleScale && !m_drawing->boxRects.empty()) {
        m_view.scale = OpeningScale;
        m_view.area = graphParts(room(rect()), *m_drawing, m_view).picture;
        const GraphLayout& layout = m_drawing->layout;
        const bool columns = !layout.wraps.empty();
        const auto begin = [&](const QRectF& box) { return layout.rightwards ? box.left() : box.top(); };
        QRectF first = std::ranges::min(m_drawing->boxRects, {}, begin);
        const double top = first.bottom(); // the tops of all columns are about equally high
        for (const QRectF& box : m_drawing->boxRects)
            if (columns && box.left() < first.left() && box.top() < top) first = box;
        const double air = OpeningAir / m_view.scale;
        const auto leading = [air](double all, double seen,
                                   double at) { // all of it in the middle, or from its beginning
            return all < seen ? (all - seen) / 2 : std::clamp(at - seen / 2, -air, std::max(all + air - seen, -air));
        };
        const QSizeF seen = m_view.visible().size();
        const double left = leading(layout.width, seen.width(), first.center().x());
        m_view.origin = layout.rightwards ? QPointF(-air, leading(layout.height, seen.height(), first.center().y()))
                                          : QPointF(columns ? std::max(left, -air) : left, -air);
    }
    viewChanged();
}

void GraphCanvas::fit()
{
    if (!m_drawing) return;
    frame(m_drawing->bounds());
    m_framing = Framing::All;
}

bool GraphCanvas::frameSelection()
{
    m_framing = Framing::Picked;
    if (!m_drawing) return false;  // once there is one
    if (!isVisible()) return true; // it may have no size yet
    QRectF bounds;
    for (std::size_t i = 0; i < m_emphasis.boxes.size(); ++i) {
        if (m_emphasis.boxes[i] == 2) bounds = bounds.united(m_drawing->boxRects[i]);
    }
    if (bounds.isEmpty() && m_cursor.box >= 0) bounds = m_drawing->boxRects[m_cursor.box];
    const QPointF before = m_view.origin;
    const double scale = m_view.scale;
    if (!bounds.isEmpty()) frame(bounds.adjusted(-120, -120, 120, 120));
    m_framing = Framing::Own;
    return before != m_view.origin || scale != m_view.scale;
}

void GraphCanvas::toggleGroup(GroupId group)
{
    if (!m_asked.tree || !group.valid() || group == RootGroup) return;
    Expansion expansion = m_asked.expansion;
    expansion[group.index()] = !expansion[group.index()];
    m_framing = Framing::Own;
    request(std::move(expansion));
}

void GraphCanvas::expandAll()
{
    if (m_asked.tree) request(Expansion(m_asked.tree->groups.size(), 1));
}

void GraphCanvas::collapseAll()
{
    if (!m_asked.tree) return;
    Expansion expansion(m_asked.tree->groups.size(), 0);
    expansion[RootGroup.index()] = 1;
    m_look.allEnds = false;
    request(std::move(expansion));
}

} // namespace plimsoll::app
