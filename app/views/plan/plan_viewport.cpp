#include "app/views/plan/plan_viewport.h"

#include <algorithm>

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

void PlanViewport::setWorld(double stepCount, double byteCount)
{
    worldSteps = std::max(stepCount, 1.0);
    worldBytes = std::max(byteCount, 1.0);
    clamp();
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
    steps = {0, worldSteps};
    bytes = {0, highestByte()};
}

void PlanViewport::frame(double firstStep, double lastStep, double firstByte, double lastByte)
{
    const double stepSpan = std::max({(lastStep - firstStep) * 1.5, FewestSteps, std::min(12.0, worldSteps)});
    const double byteSpan = std::max((lastByte - firstByte) * 1.8, FewestBytes);
    steps = {(firstStep + lastStep - stepSpan) / 2, stepSpan};
    bytes = {(firstByte + lastByte - byteSpan) / 2, byteSpan};
    clamp();
}

void PlanViewport::zoomSteps(double factor, double aboutX)
{
    zoom(steps, factor, stepAt(aboutX), FewestSteps, worldSteps * (1 + StepAir));
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
    steps.first = step - steps.span / 2;
    bytes.first = byte - bytes.span / 2;
    clamp();
}

void PlanViewport::clamp()
{
    keepInside(steps, worldSteps * (1 + StepAir));
    keepInside(bytes, highestByte());
}

} // namespace plimsoll::app
