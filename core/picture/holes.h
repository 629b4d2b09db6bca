#pragma once

#include "core/report/report.h"

#include <vector>

namespace plimsoll {

/// Free bytes of an arena with live ones above them, as a rectangle of steps × bytes: what a better placement might
/// fill.
struct Hole
{
    ArenaId arena;
    Interval steps;
    Interval bytes;

    /// Bytes × steps; the product may be beyond 63 bits.
    [[nodiscard]] double area() const
    {
        return static_cast<double>(steps.length()) * static_cast<double>(bytes.length());
    }
};

/// All holes of a plan, by one sweep over the steps; the largest (bytes × steps) first, then by step and offset. What
/// the alignment of an arena leaves over is no hole. O(n log n) on a legal plan.
[[nodiscard]] std::vector<Hole> findHoles(const Report& report);

} // namespace plimsoll
