#pragma once

#include "core/base/result.h"

namespace plimsoll {
struct Report;
}

namespace plimsoll::cli {

/// What the process returns. A contract: scripts rely on the numbers.
enum class ExitStatus {
    Fine = 0,
    Findings = 1,   ///< Of severity error; failed replays; an infeasible pack.
    Usage = 2,      ///< Wrong arguments.
    Unreadable = 3, ///< The input: the reason is on standard error.
    CannotRun = 4,  ///< No device, library or kernel; or stopped.
};

[[nodiscard]] ExitStatus statusOf(ErrorCode code);

/// Findings when the report has one of severity error.
[[nodiscard]] ExitStatus statusOf(const Report& report);

} // namespace plimsoll::cli
