// What is written over the picture of a graph, in its corners.
#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
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
        return Words::tr("From %1 to %2").arg(at, nameOf(graph, scope.other));
    }
    return {};
}

} // namespace

void paintScope(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view, const Style& style)
{
    const GraphLook& look = drawing.made.look;
    if (look.whole()) return;
    const auto shown =
        drawing.lit.empty() ? std::ssize(drawing.picture.boxes) : std::count(drawing.lit.begin(), drawing.lit.end(), 1);
    const QFontMetricsF text(style.smallFont);
    const QString after = Words::tr("  ·  %1 boxes  ·  0: whole graph").arg(countText(shown));
    const double room = view.area.width() - 2 * (Margin + Air) - text.horizontalAdvance(after);
    if (room <= 0) return;
    const QString scope = look.scope.whole() ? QString() : scopeText(drawing);
    const QString filter = look.filter.empty() ? QString() : Words::tr("Filter %1").arg(toQString(look.filter));
    const QString both = scope.isEmpty() || filter.isEmpty() ? scope + filter : Words::tr("%1, %2").arg(scope, filter);
    const QString words = shortened(both, text, room) + after;
    const QRectF rect(view.area.topLeft() + QPointF(Margin, Margin),
                      QSizeF(text.horizontalAdvance(words) + 2 * Air, text.height() + Air));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(toColor(style.palette->accent), 1));
    painter.setBrush(toColor(style.palette->panel));
    painter.drawRoundedRect(rect, 4, 4);
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->text));
    painter.drawText(rect, Qt::AlignCenter, words);
}

} // namespace plimsoll::app
