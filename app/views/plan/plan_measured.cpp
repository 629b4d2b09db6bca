#include "app/views/plan/plan_scene.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace plimsoll::app {
namespace {

/// In how much of the curve's height the longest step is drawn.
constexpr double TimeShare = 0.35;

void addSteps(std::vector<std::int64_t>& sums, const std::vector<std::int64_t>& bytes)
{
    for (std::size_t i = 0; i < std::min(bytes.size(), sums.size()); ++i)
        sums[i] += bytes[i];
}

/// nullptr for a memory that is no device's.
const RunResult::Held* heldIn(const RunResult& run, const std::string& space)
{
    const auto found = std::ranges::find(run.held, space, &RunResult::Held::space);
    return found == run.held.end() ? nullptr : &*found;
}

} // namespace

MeasuredSteps measuredSteps(const RunResult& run)
{
    MeasuredSteps steps;
    steps.ms = run.stepMs;
    steps.bytes.resize(steps.ms.size(), 0);
    for (const auto& [space, bytes] : run.bytesInUse)
        addSteps(steps.bytes, bytes);
    if (run.held.empty()) return steps;
    steps.held.resize(steps.ms.size(), 0);
    for (const auto& [space, bytes] : run.bytesInUse) {
        const RunResult::Held* const held = heldIn(run, space);
        addSteps(steps.held, held ? held->steps : bytes);
    }
    return steps;
}

QString measuredText(const RunResult& run, std::int64_t step)
{
    const auto index = static_cast<std::size_t>(step);
    if (step < 0 || index >= run.stepMs.size()) return {};
    QString text = QObject::tr("measured: %1 ms").arg(realText(run.stepMs[index], 3));
    for (const auto& [space, bytes] : run.bytesInUse) {
        if (index < bytes.size())
            text += QObject::tr(", %1 in use in %2").arg(sizeText(bytes[index]), toQString(space));
        const RunResult::Held* const held = heldIn(run, space);
        if (held && index < held->steps.size())
            text += QObject::tr(", which held %1").arg(sizeText(held->steps[index]));
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
        const auto yOf = [&](std::int64_t bytes) {
            return std::max(area.top() + 1, area.bottom() - double(bytes) / top * area.height());
        };
        painter.fillRect(QRectF(painted, yOf(measured.bytes[index]) - 1, right - painted, 2),
                         toColor(style.palette->text));
        if (!measured.held.empty())
            painter.fillRect(QRectF(painted, yOf(measured.held[index]), right - painted, 1),
                             toColor(style.palette->text, 0.6));
        painted = right;
        tallest = 0;
    }
}

} // namespace plimsoll::app
