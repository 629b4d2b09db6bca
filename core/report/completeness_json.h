#pragma once

#include "core/facts/report.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

/// The "incomplete" of plimsoll.report/1 and plimsoll.compare/1; null where the plan is complete. For the .cpp files of
/// JSON writers: the header is heavy.
[[nodiscard]] nlohmann::ordered_json incompleteJson(const Report& report);

} // namespace plimsoll
