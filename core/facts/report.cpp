#include "core/facts/report.h"

#include "core/plan/suppression.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {

std::size_t countFindings(const Report& report, Severity severity)
{
    const auto listed = std::count_if(report.verdict.findings.begin(), report.verdict.findings.end(),
                                      [severity](const Finding& finding) { return finding.severity == severity; });
    return static_cast<std::size_t>(listed) + report.verdict.leftOut[static_cast<std::size_t>(severity)];
}

std::size_t countFindings(const Report& report)
{
    const auto& leftOut = report.verdict.leftOut;
    return std::accumulate(leftOut.begin(), leftOut.end(), report.verdict.findings.size());
}

std::size_t countSuppressed(const Report& report, Severity severity)
{
    return static_cast<std::size_t>(std::ranges::count_if(report.verdict.findings, [severity](const Finding& finding) {
        return finding.severity == severity && isSuppressed(finding);
    }));
}

Message leftOutNote(const Report& report)
{
    const std::size_t all = countFindings(report);
    if (all == report.verdict.findings.size()) return {};
    return say("findings.left-out", report.verdict.findings.size(), all);
}

} // namespace plimsoll
