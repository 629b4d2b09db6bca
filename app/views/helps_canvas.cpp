#include "app/views/helps_canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "core/facts/callers_bytes.h"
#include "core/facts/offers.h"
#include "core/facts/words/policy_effect.h"

#include <QPainter>

#include <algorithm>

namespace plimsoll::app {

HelpsCanvas::HelpsCanvas(QWidget* parent) : TradeOffCanvas(parent)
{
    setObjectName(QStringLiteral("helpsCanvas"));
    setAccessibleName(tr("Time against peak of other policies"));
    setAccessibleDescription(HelpsCanvas::whatItIs());
}

std::vector<TradeOff> HelpsCanvas::points() const
{
    std::vector<TradeOff> points;
    if (!report()) return points;
    const auto timed = [](const PolicyChange& change) { return change.cost.kernelMs > 0; };
    if (std::ranges::none_of(report()->policyChanges, timed)) return points;
    const std::int64_t untimed = kernelTime(report()->program).untimedNodes;
    for (const PolicyChange& change : report()->policyChanges) {
        points.push_back({change.cost, {}});
        if (change.cost.untimedNodes != untimed) points.back().cost.kernelMs = 0; // it says less than this plan's
    }
    return points;
}

/// What is lower and faster than this plan.
void HelpsCanvas::paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const
{
    const QPointF now = plot.at({.peakBytes = report()->memory.peakBytes});
    const QRectF lower(plot.area.topLeft(), QPointF(now.x(), plot.area.bottom()));
    painter.fillRect(lower, toColor(style.palette->curve, 0.1));
}

QStringList HelpsCanvas::tipOf(std::size_t point) const
{
    const PolicyChange& change = report()->policyChanges[point];
    QStringList lines = {windowText(say("text", changesList(valuesOf(change))))};
    const double ms = points()[point].cost.kernelMs;
    lines << (ms > 0 ? tr("%1 in %2").arg(sizeTip(change.cost.peakBytes), durationText(ms / 1e3))
                     : tr("%1, time not known").arg(sizeTip(change.cost.peakBytes)));
    lines << tr("peak beside this plan: %1").arg(changeText(change.cost.peakBytes - report()->memory.peakBytes));
    const std::int64_t callers = change.cost.externalBytes - callersBytes(*report());
    if (callers != 0) lines << tr("of the caller beside this plan: %1").arg(changeText(callers));
    lines << tr("double-click or Return: plan so");
    return lines;
}

QString HelpsCanvas::whatItIs() const
{
    return tr("Time and peak of the plan that each change of policies makes. Arrow keys go from point to point; Return "
              "plans so.");
}

} // namespace plimsoll::app
