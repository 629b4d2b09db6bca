#pragma once

#include "core/facts/report.h"

#include <string>
#include <string_view>

namespace plimsoll::cli {

/// Where a value, node or storage is, who shares its bytes, and every decision about it; who lies on bytes, and why.
/// \p subject is the name of a value or a node, the number of a storage, or bytes as readAreas() takes them: then what
/// they hold at \p step is told, too, unless that is -1. BadUsage, with names that come near, when it is none of these.
[[nodiscard]] Result<std::string> explanation(const Report& report, std::string_view subject, std::int64_t step);

/// Why the values of these names share their bytes, or why they do not, in one sentence.
[[nodiscard]] Result<std::string> explainPair(const Report& report, std::string_view first, std::string_view second);

} // namespace plimsoll::cli
