// What is written over the picture of a graph, in its corners.
#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"
#include "app/views/graph/graph_filter.h"
#include "app/views/graph/graph_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr double Margin = 8;
constexpr double Air = 6;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(GraphCaption)
};

QString nameOf(const Graph& graph, const GraphPlace& place)
{
    return toQString(place.node.valid() ? graph[place.node].name : graph[place.value].name);
}

QString scopeText(const GraphDrawing& drawing)
{
    const GraphScope& scope = drawing.made.look.scope;
    const Graph& graph = *drawing.made.report->program.graph;
    if (!scope.at.valid()) return {};
    const QString at = nameOf(graph, scope.at);
    switch (scope.kind) {
    case ScopeKind::Whole:
        return {};
    case ScopeKind::Around:
        return scope.hops == 1 ? Words::tr("Beside %1").arg(at)
                               : Words::tr("Within %1 hops of %2").arg(countText(scope.hops), at);
    case ScopeKind::Sources:
        return Words::tr("What %1 comes from").arg(at);
    case ScopeKind::Uses:
        return Words::tr("What uses %1").arg(at);
    case ScopeKind::Path:
        if (scope.whole()) return Words::tr("From %1 to …").arg(at);
        return Words::tr("From %1 to %2").arg(at, nameOf(graph, scope.other));
    }
    return {};
}

} // namespace

void paintMark(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view, const Style& style)
{
    const GraphPlace& at = drawing.made.look.scope.at;
    const auto& boxes = at.node.valid() ? drawing.picture.boxOfNode : drawing.picture.boxOfValue;
    const std::size_t index = at.node.valid() ? at.node.index() : at.value.index();
    if (!at.valid() || index >= boxes.size() || boxes[index] < 0) return;
    const QRectF box = view.toScreen(drawing.boxRects[boxes[index]]);
    const QFontMetricsF text(style.smallFont);
    const QString word = Words::tr("from here");
    const QSizeF size(text.horizontalAdvance(word) + 2 * Air, text.height() + 2);
    const QRectF flag(QPointF(box.left(), box.top() - size.height()), size);
    const Clip clip(painter, view.area);
    painter.setPen(QPen(toColor(style.palette->accent), 2.5, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(-3, -3, 3, 3));
    painter.fillRect(flag, toColor(style.palette->accent));
    painter.setFont(style.smallFont);
    painter.setPen(toColor(textOn(style.palette->accent)));
    painter.drawText(flag, Qt::AlignCenter, word);
}

void paintScope(QPainter& painter, const GraphDrawing& drawing, const QRectF& strip, const Style& style)
{
    const GraphLook& look = drawing.made.look;
    const QString scope = scopeText(drawing);
    if ((look.whole() && scope.isEmpty()) || strip.isEmpty()) return;
    const Message complaint = filterComplaint(look.filter);
    const auto shown =
        drawing.lit.empty() ? std::ssize(drawing.picture.boxes) : std::count(drawing.lit.begin(), drawing.lit.end(), 1);
    const QFontMetricsF text(style.smallFont);
    const QString counted = look.whole() ? QString() : Words::tr("  ·  %1 boxes").arg(countText(shown));
    const QString after = complaint.empty() ? counted + Words::tr("  ·  0: whole graph") : QString();
    const double room = strip.width() - 2 * (Margin + Air) - text.horizontalAdvance(after);
    if (room <= 0) return;
    const QString filter = look.filter.empty() ? QString() : Words::tr("Filter %1").arg(toQString(look.filter));
    const QString both = !complaint.empty()                    ? windowText(complaint)
                         : scope.isEmpty() || filter.isEmpty() ? scope + filter
                                                               : Words::tr("%1, %2").arg(scope, filter);
    const QString words =
        (complaint.empty() ? shortened(both, text, room) : text.elidedText(both, Qt::ElideRight, room)) + after;
    const QSizeF size(text.horizontalAdvance(words) + 2 * Air, text.height() + Air);
    const QRectF rect(QPointF(strip.left() + Margin, strip.center().y() - size.height() / 2), size);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(toColor(complaint.empty() ? style.palette->accent : style.palette->warning), 1));
    painter.setBrush(toColor(style.palette->panel));
    painter.drawRoundedRect(rect, 4, 4);
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->text));
    painter.drawText(rect, Qt::AlignCenter, words);
}

} // namespace plimsoll::app
