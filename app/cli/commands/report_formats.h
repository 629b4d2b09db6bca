#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll::cli {

/// One way to write a report, chosen by the end of the file name.
struct ReportFormat
{
    std::string_view extension; ///< ".json"
    std::string (*write)(const Report&) = nullptr;
};

/// BadUsage names the endings that there are.
[[nodiscard]] Result<ReportFormat> findReportFormat(std::string_view file);

[[nodiscard]] std::string reportExtensions(); ///< ".html, .json, …"

} // namespace plimsoll::cli
