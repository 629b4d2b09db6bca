#include "app/views/plan/plan_ghost.h"

#include <QPainter>

#include <set>
#include <string>
#include <tuple>

namespace plimsoll::app {
namespace {

using Place = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Place placeOf(const Report& report, const PlanPicture& picture, const PlanBar& bar)
{
    const Interval bytes = stackedBytes(picture, bar);
    return {barLabel(report, bar), bar.steps.begin, bar.steps.end, bytes.begin, bytes.end};
}

} // namespace

std::vector<QRectF> makeGhost(const PlanScene& now, const Report& before)
{
    std::set<Place> places;
    for (const PlanBar& bar : now.picture.bars)
        places.insert(placeOf(*now.report, now.picture, bar));
    std::vector<QRectF> ghost;
    const PlanPicture old = makePlanPicture(before, {});
    for (const PlanBar& bar : old.bars) {
        const bool thing = bar.value.valid() || bar.pattern == Pattern::Scratch;
        if (!thing || places.contains(placeOf(before, old, bar))) continue;
        const Interval bytes = stackedBytes(old, bar);
        ghost.emplace_back(double(bar.steps.begin), double(bytes.begin), double(bar.steps.length()),
                           double(bytes.length()));
    }
    return ghost;
}

void paintGhost(QPainter& painter, const std::vector<QRectF>& ghost, const PlanViewport& view, const Style& style)
{
    painter.save();
    painter.setClipRect(view.area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->accent), 1));
    for (const QRectF& bar : ghost) {
        const QRectF rect = view.rectOf(bar.left(), bar.right(), bar.top(), bar.bottom());
        if (rect.intersects(view.area)) painter.drawRect(rect.intersected(view.area.adjusted(-2, -2, 2, 2)));
    }
    painter.restore();
}

} // namespace plimsoll::app
