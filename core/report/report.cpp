#include "core/report/report.h"

#include <algorithm>

namespace plimsoll {

std::size_t countFindings(const Report& report, Severity severity)
{
    return static_cast<std::size_t>(
        std::count_if(report.findings.begin(), report.findings.end(),
                      [severity](const Finding& finding) { return finding.severity == severity; }));
}

} // namespace plimsoll
