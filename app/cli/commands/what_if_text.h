#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll::cli {

/// What other policies would save; where nobody has asked, a line that says how to.
[[nodiscard]] std::string whatIfText(const Report& report);

} // namespace plimsoll::cli
