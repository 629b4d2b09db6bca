#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

#include <string>
#include <string_view>

namespace plimsoll::cli {

/// What a text means: the name of a value or a node (or both), the number of a storage, or bytes as readAreas() takes
/// them, at \p step unless that is -1. BadUsage, with names that come near, when it is none of these.
[[nodiscard]] Result<std::vector<Focus>> findSubject(const Report& report, std::string_view subject, std::int64_t step);

/// Where a value, node or storage is, who shares its bytes, and every decision about it; who lies on bytes, and why.
[[nodiscard]] std::string explanation(const Report& report, const std::vector<Focus>& subject);

/// Why the values of these names share their bytes, or why they do not, in one sentence.
[[nodiscard]] Result<std::string> explainPair(const Report& report, std::string_view first, std::string_view second);

} // namespace plimsoll::cli
