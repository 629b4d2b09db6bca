#pragma once

#include "kernels/kernel.h"

#include <chrono>
#include <limits>
#include <string>

namespace plimsoll::kernels {

/// How long a run may take, all of it together, from when this was made.
struct TimeLimit
{
    using Clock = std::chrono::steady_clock;

    double seconds = std::numeric_limits<double>::infinity();
    std::string option {}; ///< That raises it: "max-seconds".
    Clock::time_point begin = Clock::now();
};

/// Refuses what cannot end in the time that is left (Stopped): it is said before it begins. A run whose time is over is
/// stopped by its supervisor.
[[nodiscard]] Status checkTime(const TimeLimit& limit, const Effort& effort);

} // namespace plimsoll::kernels
