#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/plan/plan_marks.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// More outlines than these are no help; the largest are drawn.
constexpr std::size_t MostHoles = 150;
/// Smaller ones would be a smear.
constexpr double SmallestHole = 8;

void paintName(QPainter& painter, const QRectF& rect, const Hole& hole, DrawnPlan& drawn, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    const QString text = QObject::tr("%1 free").arg(sizeText(hole.bytes.length()));
    const QRectF box(rect.left() + 5, rect.center().y() - metrics.height() / 2, metrics.horizontalAdvance(text),
                     metrics.height());
    if (box.right() > rect.right() - 3 || box.height() > rect.height() - 2) return;
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->mutedText));
    painter.drawText(box, Qt::AlignCenter, text);
    drawn.words.push_back(box);
}

} // namespace

void paintHoles(QPainter& painter, const PlanScene& scene, const PlanViewport& view, DrawnPlan& drawn,
                const Style& style)
{
    if (scene.picture.axis != PlanAxis::Address) return;
    const std::vector<Hole>& holes = scene.report->memory.holes;
    const auto picked = static_cast<std::size_t>(scene.emphasis.hole);
    const bool any = scene.emphasis.hole >= 0 && picked < holes.size();
    const QRectF frame = view.area.adjusted(-4, -4, 4, 4);
    const auto rectOf = [&](const Hole& hole) { return view.rectOf(hole.steps, stackedBytes(scene.picture, hole)); };
    for (std::size_t i = 0; scene.showHoles && i < std::min(MostHoles, holes.size()); ++i) {
        const QRectF rect = rectOf(holes[i]);
        const bool seen = rect.intersects(view.area) && rect.width() >= SmallestHole && rect.height() >= SmallestHole;
        if (!seen || (any && i == picked)) continue;
        const QRectF shown = rect.intersected(frame);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(toColor(style.palette->hole), 1, Qt::DashLine));
        painter.drawRect(shown.adjusted(1.5, 1.5, -1.5, -1.5));
        paintName(painter, rect.intersected(view.area), holes[i], drawn, style);
    }
    if (!any) return;
    QRectF rect = rectOf(holes[picked]);
    rect.setWidth(std::max(rect.width(), SmallestHole / 2));
    rect.setHeight(std::max(rect.height(), SmallestHole / 2));
    if (!rect.intersects(frame)) return;
    const QRectF shown = rect.intersected(frame);
    painter.fillRect(shown, toColor(style.palette->accent, 0.14));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->accent), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(shown.adjusted(1, 1, -1, -1));
    paintName(painter, rect.intersected(view.area), holes[picked], drawn, style);
}

const Hole* holeAt(const PlanScene& scene, std::int64_t step, std::int64_t stackedByte)
{
    const std::vector<Hole>& holes = scene.report->memory.holes;
    const auto found = std::find_if(holes.begin(), holes.end(), [&](const Hole& hole) {
        return scene.picture.axis == PlanAxis::Address && hole.steps.contains(step) &&
               stackedBytes(scene.picture, hole).contains(stackedByte);
    });
    return found == holes.end() ? nullptr : &*found;
}

} // namespace plimsoll::app
