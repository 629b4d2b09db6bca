#pragma once

#include "core/base/interval.h"
#include "core/picture/step_places.h"

#include <QPointF>
#include <QRectF>

#include <memory>

namespace plimsoll::app {

/// A stretch of one axis: the world from \c first on, \c span long.
struct AxisWindow
{
    double first = 0;
    double span = 1;
    [[nodiscard]] double last() const { return first + span; }
    friend bool operator==(const AxisWindow&, const AxisWindow&) = default;
};

/// Which steps and bytes are seen, and where: step ↔ place ↔ x, byte ↔ y. Bytes grow upwards, as in every memory map.
///
///     last byte  +----------------+ area.top()
///                |                |
///     first byte +----------------+ area.bottom()
///          first step        last step
struct PlanViewport
{
    QRectF area {0, 0, 1, 1}; ///< Pixels; never empty.
    double worldSteps = 1;    ///< The picture is [0, worldSteps) × [0, worldBytes).
    double worldBytes = 1;
    std::shared_ptr<const StepPlaces> places; ///< Of a compact axis; null: each step is its own place.
    AxisWindow steps;                         ///< In places.
    AxisWindow bytes;

    [[nodiscard]] double placeOf(double step) const { return places ? places->placeOf(step) : step; }
    [[nodiscard]] double stepOf(double place) const { return places ? places->stepOf(place) : place; }
    [[nodiscard]] double worldPlaces() const { return placeOf(worldSteps); }

    [[nodiscard]] double xOf(double step) const
    {
        return area.left() + (placeOf(step) - steps.first) / steps.span * area.width();
    }
    [[nodiscard]] double yOf(double byte) const
    {
        return area.bottom() - (byte - bytes.first) / bytes.span * area.height();
    }
    [[nodiscard]] double stepAt(double x) const { return stepOf(placeAt(x)); }
    [[nodiscard]] double byteAt(double y) const
    {
        return bytes.first + (area.bottom() - y) / area.height() * bytes.span;
    }
    [[nodiscard]] double pixelsPerStep() const { return area.width() / steps.span; } ///< Where it is not quiet.
    [[nodiscard]] double pixelsPerByte() const { return area.height() / bytes.span; }
    [[nodiscard]] QRectF rectOf(double firstStep, double lastStep, double firstByte, double lastByte) const;
    [[nodiscard]] QRectF rectOf(Interval stepRange, Interval byteRange) const
    {
        return rectOf(double(stepRange.begin), double(stepRange.end), double(byteRange.begin), double(byteRange.end));
    }

    /// The steps that are seen stay, also from one axis to the other.
    void setWorld(double stepCount, double byteCount, std::shared_ptr<const StepPlaces> axis = nullptr);
    [[nodiscard]] AxisWindow seenSteps() const;
    void showSteps(const AxisWindow& seen);
    /// Keeps what is seen and spreads it over another area.
    void setArea(const QRectF& pixels);
    /// Everything, with a little air above.
    void fit();
    void fitBytes() { bytes = {0, highestByte()}; } ///< The steps stay.
    /// These steps and bytes, with air around them.
    void frame(double firstStep, double lastStep, double firstByte, double lastByte);
    /// \p factor above 1 shows less. What is under \p about stays there.
    void zoomSteps(double factor, double aboutX);
    void zoomBytes(double factor, double aboutY);
    /// Moves the picture with the pointer by pixels.
    void pan(QPointF pixels);
    /// Brings a step or a byte to the middle, without a change of zoom.
    void centre(double step, double byte);
    /// Brings steps × bytes to the middle along the axes on which they are out of view; false: they are seen.
    bool reveal(const QRectF& world);

    friend bool operator==(const PlanViewport&, const PlanViewport&) = default;

private:
    [[nodiscard]] double placeAt(double x) const { return steps.first + (x - area.left()) / area.width() * steps.span; }
    void clamp();
    [[nodiscard]] double highestByte() const; ///< To which the bytes can be seen: a name fits above the world.
};

} // namespace plimsoll::app
