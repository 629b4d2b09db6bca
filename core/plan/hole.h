#pragma once

#include "core/base/ids.h"
#include "core/base/interval.h"

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

} // namespace plimsoll
