#pragma once

#include "core/facts/report.h"

#include <memory>
#include <vector>

namespace plimsoll {

/// Where steps stand on a compact axis. A step is one place wide; a quiet stretch of many steps, in which nothing large
/// begins or ends, only a few, and its steps alike.
///
///     steps   0   1   2   3 ………………… 1003  1004
///             +---+---+---+---quiet---+-----+
///     places  0   1   2   3          14    15
struct StepPlaces
{
    std::vector<double> ofStep {0.0}; ///< Where each step begins, then where the last one ends. Rises.
    std::vector<Interval> quiet;      ///< Stretches that are narrower than their steps. Sorted.
    double msPerPlace = 0;            ///< Of an axis of time; 0: it is none.

    /// Any number of steps and places: outside of all steps both go on alike.
    [[nodiscard]] double placeOf(double step) const;
    [[nodiscard]] double stepOf(double place) const;
};

/// \p busy: whether something begins or ends, by step.
[[nodiscard]] StepPlaces compactSteps(const std::vector<char>& busy);

/// An axis of time: a step is as wide as it took, and the whole as wide as one of steps. One that took next to none has
/// a thousandth of a place. Null where the run has measured nothing.
[[nodiscard]] std::shared_ptr<const StepPlaces> timedSteps(const RunResult& run);

/// Large is what takes more than a hundredth of the height of the plan.
[[nodiscard]] std::shared_ptr<const StepPlaces> compactSteps(const Report& report);

} // namespace plimsoll
