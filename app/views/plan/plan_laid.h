#pragma once

#include "app/views/plan/plan_marks.h"

#include <QColor>
#include <QImage>
#include <QPointF>

#include <algorithm>
#include <array>
#include <vector>

namespace plimsoll::app {

/// Bars below this many pixels are only coverage.
constexpr double SmallestBar = 3;

/// The colours of one kind of bar.
struct Ink
{
    QColor fill;
    Rgb sliver; ///< Of one that is too small for an edge: as dark as the edges of others.
    QColor edge;
    QColor text;
    QColor faintText;
    QColor pattern;
};

/// The colours of all bars, worked out once a frame.
struct Inks
{
    std::array<std::array<Ink, 2>, ColourCount + 1> all; ///< By colour: full, dimmed.
    bool dim = false;                                    ///< Bars of what is not picked are dimmed.

    [[nodiscard]] const Ink& of(const PlanBar& bar, const PlanScene& scene) const
    {
        const std::size_t colour = std::min<std::size_t>(bar.colour, ColourCount);
        return all[colour][dim && !scene.emphasis.storages[bar.storage.index()] ? 1 : 0];
    }
};

/// The bars that are seen in some columns of the picture.
struct SeenBars
{
    QPointF at;
    QImage slivers;             ///< From there on; null where there are none.
    std::vector<DrawnBar> bars; ///< The others that begin in it, in painting order.
    bool nothing = true;        ///< Not even a sliver.
};

/// What they are of, then what they are.
struct LaidBars
{
    const PlanBar* all; ///< Of the picture.
    PlanViewport view;
    Theme theme;
    double scale;
    std::vector<char> lit; ///< By StorageId: keeps its full colour; empty: all do.

    Inks inks {};
    std::vector<SeenBars> seen {}; ///< From left to right.

    [[nodiscard]] bool ofSame(const LaidBars& other) const
    {
        return all == other.all && view == other.view && theme == other.theme && scale == other.scale &&
               lit == other.lit;
    }
};

} // namespace plimsoll::app
