#pragma once

#include "core/facts/report.h"

namespace plimsoll::app {

/// Whether what is shown of it would take more than a few milliseconds to make: then the window leaves it to a worker.
[[nodiscard]] inline bool isLarge(const Report& report)
{
    constexpr std::size_t Few = 5000;
    return report.program.values.size() >= Few;
}

} // namespace plimsoll::app
