#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll::cli {

/// Who computes how many nodes, the reorders between them, and the values that take more than their logical bytes.
/// Empty where the reference computes everything.
[[nodiscard]] std::string layoutsText(const Report& report);

} // namespace plimsoll::cli
