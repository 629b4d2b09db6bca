#include "app/views/sweep_front_canvas.h"

#include "app/views/canvas_text.h"
#include "app/views/sweep_canvas.h"

#include <QPainter>

#include <algorithm>
#include <map>

namespace plimsoll::app {
namespace {

/// By the sizes of their points: those that no other beats in peak and time, the fastest first.
std::map<std::vector<std::string>, std::vector<TradeOff>> frontsOf(const Sweep& sweep)
{
    std::map<std::vector<std::string>, std::vector<TradeOff>> fronts;
    for (const SweepPoint& point : sweep.points)
        if (point.cost.kernelMs > 0) fronts[sizesOf(sweep, point)].push_back({point.cost, {}});
    for (auto& [sizes, points] : fronts) {
        std::ranges::sort(points, {},
                          [](const TradeOff& one) { return std::pair(one.cost.kernelMs, one.cost.peakBytes); });
        std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
        std::erase_if(points, [&](const TradeOff& one) {
            const bool beaten = one.cost.peakBytes >= lowest;
            lowest = std::min(lowest, one.cost.peakBytes);
            return beaten;
        });
    }
    return fronts;
}

} // namespace

SweepFrontCanvas::SweepFrontCanvas(QWidget* parent) : TradeOffCanvas(parent)
{
    setObjectName(QStringLiteral("sweepFrontCanvas"));
    setAccessibleName(tr("Time against peak of a sweep"));
    setAccessibleDescription(SweepFrontCanvas::whatItIs());
}

QString SweepFrontCanvas::whatItIs() const
{
    return tr("Time and peak of each combination, with a line through those that no other of the same sizes beats in "
              "both. Arrow keys go from point to point; Return plans so.");
}

std::vector<TradeOff> SweepFrontCanvas::points() const
{
    if (!report() || !report()->sweep) return {};
    std::vector<TradeOff> points;
    for (const SweepPoint& point : report()->sweep->points)
        points.push_back({point.cost, {}});
    const auto timed = [](const TradeOff& point) { return point.cost.kernelMs > 0; };
    return std::ranges::any_of(points, timed) ? points : std::vector<TradeOff>();
}

void SweepFrontCanvas::paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->curve), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    for (const auto& [sizes, front] : frontsOf(*report()->sweep))
        painter.drawPolyline(stairs(front, plot));
}

QStringList SweepFrontCanvas::tipOf(std::size_t point) const
{
    return sweepTip(*report()->sweep, point);
}

} // namespace plimsoll::app
