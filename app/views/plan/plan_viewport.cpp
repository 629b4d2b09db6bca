#include "app/views/plan/plan_viewport.h"

#include <algorithm>
#include <utility>

namespace plimsoll::app {
namespace {

/// Beyond the last step and above the highest byte, as a part of the world. Above, the peak is named.
constexpr double StepAir = 0.03;
constexpr double ByteAir = 0.07;
/// What the name needs there, in pixels.
constexpr double NamePixels = 20;
constexpr double FewestSteps = 2;
constexpr double FewestBytes = 16;

void zoom(AxisWindow& window, double factor, double about, double fewest, double most)
{
    const double span = std::clamp(window.span / factor, std::min(fewest, most), most);
    window.first = about - (about - window.first) * span / window.span;
    window.span = span;
}

void keepInside(AxisWindow& window, double world)
{
    window.span = std::min(window.span, world);
    window.first = std::clamp(window.first, 0.0, std::max(0.0, world - window.span));
}

} // namespace

QRectF PlanViewport::rectOf(double firstStep, double lastStep, double firstByte, double lastByte) const
{
    return {QPointF(xOf(firstStep), yOf(lastByte)), QPointF(xOf(lastStep), yOf(firstByte))};
}

void PlanViewport::setWorld(double stepCount, double byteCount, std::shared_ptr<const StepPlaces> axis)
{
    const AxisWindow seen = seenSteps();
    places = std::move(axis);
    worldSteps = std::max(stepCount, 1.0);
    worldBytes = std::max(byteCount, 1.0);
    showSteps(seen);
    clamp();
}

AxisWindow PlanViewport::seenSteps() const
{
    if (!places) return steps;
    const double first = stepOf(steps.first);
    return {first, stepOf(steps.last()) - first};
}

void PlanViewport::showSteps(const AxisWindow& seen)
{
    steps = seen;
    if (!places) return;
    steps.first = placeOf(seen.first);
    steps.span = placeOf(seen.last()) - steps.first;
}

void PlanViewport::setArea(const QRectF& pixels)
{
    const bool whole = bytes == AxisWindow {0, highestByte()};
    area = pixels;
    area.setWidth(std::max(area.width(), 1.0));
    area.setHeight(std::max(area.height(), 1.0));
    if (whole) bytes.span = highestByte();
}

double PlanViewport::highestByte() const
{
    const double name = area.height() > 4 * NamePixels ? NamePixels / (area.height() - NamePixels) : 0;
    return worldBytes * (1 + std::max(ByteAir, name));
}

void PlanViewport::fit()
{
    steps = {0, worldPlaces()};
    bytes = {0, highestByte()};
}

void PlanViewport::frame(double firstStep, double lastStep, double firstByte, double lastByte)
{
    const double first = placeOf(firstStep);
    const double last = placeOf(lastStep);
    const double stepSpan = std::max({(last - first) * 1.5, FewestSteps, std::min(12.0, worldPlaces())});
    const double byteSpan = std::max((lastByte - firstByte) * 1.8, FewestBytes);
    steps = {(first + last - stepSpan) / 2, stepSpan};
    bytes = {(firstByte + lastByte - byteSpan) / 2, byteSpan};
    clamp();
}

void PlanViewport::zoomSteps(double factor, double aboutX)
{
    zoom(steps, factor, placeAt(aboutX), FewestSteps, worldPlaces() * (1 + StepAir));
    clamp();
}

void PlanViewport::zoomBytes(double factor, double aboutY)
{
    zoom(bytes, factor, byteAt(aboutY), FewestBytes, highestByte());
    clamp();
}

void PlanViewport::pan(QPointF pixels)
{
    steps.first -= pixels.x() / pixelsPerStep();
    bytes.first += pixels.y() / pixelsPerByte();
    clamp();
}

void PlanViewport::centre(double step, double byte)
{
    steps.first = placeOf(step) - steps.span / 2;
    bytes.first = byte - bytes.span / 2;
    clamp();
}

bool PlanViewport::reveal(const QRectF& world)
{
    const AxisWindow seen = seenSteps();
    const bool stepsSeen = world.left() < seen.last() && world.right() > seen.first;
    const bool bytesSeen = world.top() < bytes.last() && world.bottom() > bytes.first;
    if (!stepsSeen) steps.first = placeOf(world.center().x()) - steps.span / 2;
    if (!bytesSeen) bytes.first = world.center().y() - bytes.span / 2;
    clamp();
    return !stepsSeen || !bytesSeen;
}

void PlanViewport::clamp()
{
    keepInside(steps, worldPlaces() * (1 + StepAir));
    keepInside(bytes, highestByte());
}

} // namespace plimsoll::app
