#include "app/views/plan_scene.h"

#include "app/models/text.h"
#include "app/views/canvas_text.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace plimsoll::app {
namespace {

/// In how much of the curve's height the longest step is drawn.
constexpr double TimeShare = 0.35;

} // namespace

MeasuredSteps measuredSteps(const RunResult& run)
{
    MeasuredSteps steps;
    steps.ms = run.stepMs;
    steps.bytes.resize(steps.ms.size(), 0);
    for (const auto& [space, bytes] : run.bytesInUse) {
        for (std::size_t i = 0; i < std::min(bytes.size(), steps.bytes.size()); ++i)
            steps.bytes[i] += bytes[i];
    }
    return steps;
}

QString measuredText(const RunResult& run, std::int64_t step)
{
    const auto index = static_cast<std::size_t>(step);
    if (step < 0 || index >= run.stepMs.size()) return {};
    QString text = QObject::tr("measured: %1 ms").arg(run.stepMs[index], 0, 'g', 3);
    for (const auto& [space, bytes] : run.bytesInUse) {
        if (index < bytes.size())
            text += QObject::tr(", %1 in use in %2").arg(sizeText(bytes[index]), toQString(space));
    }
    return text;
}

void paintMeasured(QPainter& painter, const QRectF& area, const MeasuredSteps& measured, const PlanViewport& view,
                   double top, const Style& style)
{
    const double longest =
        std::accumulate(measured.ms.begin(), measured.ms.end(), 0.0, [](double a, double b) { return std::max(a, b); });
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(view.stepAt(area.left())));
    const auto last = std::min(std::ssize(measured.ms), static_cast<std::int64_t>(view.stepAt(area.right())) + 1);
    double painted = area.left();
    double tallest = 0;
    for (std::int64_t step = first; step < last; ++step) {
        const auto index = static_cast<std::size_t>(step);
        const double right = view.xOf(double(step + 1));
        tallest = std::max(tallest, longest > 0 ? measured.ms[index] / longest * TimeShare * area.height() : 0);
        if (right - painted < 1) continue; // steps that fall together: the longest of them
        painter.fillRect(QRectF(painted, area.bottom() - tallest, std::max(1.0, right - painted - 1), tallest),
                         toColor(style.palette->text, 0.35));
        const double y = area.bottom() - double(measured.bytes[index]) / top * area.height();
        painter.fillRect(QRectF(painted, y - 1, right - painted, 2), toColor(style.palette->text));
        painted = right;
        tallest = 0;
    }
}

} // namespace plimsoll::app
