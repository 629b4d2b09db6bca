#include "app/cli/commands/report_formats.h"

#include "core/report/report_json.h"
#include "core/report/writers.h"

#include <algorithm>
#include <array>

namespace plimsoll::cli {
namespace {

constexpr std::array Formats = {
    ReportFormat {".html", writeHtml},    ReportFormat {".json", writeReportJson},
    ReportFormat {".md", writeMarkdown},  ReportFormat {".buffers.csv", writeBuffersCsv}, // before the other
    ReportFormat {".csv", writeCsv},      ReportFormat {".svg", writeSvg},
    ReportFormat {".dot", writeGraphDot},
};

} // namespace

Result<ReportFormat> findReportFormat(std::string_view file)
{
    const auto* found = std::find_if(Formats.begin(), Formats.end(),
                                     [file](const ReportFormat& format) { return file.ends_with(format.extension); });
    if (found != Formats.end()) return *found;
    return Error {
        ErrorCode::BadUsage, say("cli.report-ending", word::Name {std::string(file)}, reportExtensions()), {}, {}};
}

std::string reportExtensions()
{
    std::string text;
    for (const ReportFormat& format : Formats)
        text += (text.empty() ? "" : ", ") + std::string(format.extension);
    return text;
}

} // namespace plimsoll::cli
