#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll {

/// The report as plimsoll.report/1, indented. Always valid UTF-8: bytes of names that are none become U+FFFD.
[[nodiscard]] std::string writeReportJson(const Report& report);

} // namespace plimsoll
