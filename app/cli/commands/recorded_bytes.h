#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

#include <filesystem>
#include <string>

namespace plimsoll::cli {

/// What the record of a run has of the bytes of each subject: what wrote there, and what they held after the step
/// (below 0: at the end). Errors: of readRunRecord().
[[nodiscard]] Result<std::string> recordedBytes(const Report& report, const std::filesystem::path& record,
                                                const std::vector<Focus>& subjects, std::int64_t step);

} // namespace plimsoll::cli
