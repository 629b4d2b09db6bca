#include "core/facts/report.h"

#include "core/base/plural.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {

std::size_t countFindings(const Report& report, Severity severity)
{
    const auto listed = std::count_if(report.findings.begin(), report.findings.end(),
                                      [severity](const Finding& finding) { return finding.severity == severity; });
    return static_cast<std::size_t>(listed) + report.findingsLeftOut[static_cast<std::size_t>(severity)];
}

std::size_t countFindings(const Report& report)
{
    const auto& leftOut = report.findingsLeftOut;
    return std::accumulate(leftOut.begin(), leftOut.end(), report.findings.size());
}

std::string leftOutNote(const Report& report)
{
    const std::size_t all = countFindings(report);
    if (all == report.findings.size()) return {};
    return "The first " + countText(report.findings.size()) + " of " + countText(all) + " are listed and marked.";
}

} // namespace plimsoll
