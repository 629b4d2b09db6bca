#pragma once

#include "core/base/result.h"
#include "core/facts/report.h"

#include <filesystem>
#include <string_view>

namespace plimsoll {

/// Whether a text begins like a plimsoll.report/1.
[[nodiscard]] bool isSavedReport(std::string_view head);

/// What a plimsoll.report/1 says of a plan, to be compared: values, storages, arenas, nodes, totals and findings. Its
/// graph has no edges: who reads what stands in no report. BadInput says the place in the file, and where the arenas
/// are not as high as the peak.
[[nodiscard]] Result<Report> readSavedReport(std::string_view text);

/// The same of a file, which every error names.
[[nodiscard]] Result<Report> openSavedReport(const std::filesystem::path& file);

} // namespace plimsoll
