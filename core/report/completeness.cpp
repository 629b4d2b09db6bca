#include "core/report/completeness.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"

namespace plimsoll {

std::string incompleteText(const Report& report)
{
    if (report.unplanned.empty()) return {};
    const auto missing = static_cast<std::int64_t>(report.unplanned.size());
    std::string reason = report.unplanned.front().reason;
    if (reason.ends_with('.')) reason.pop_back();
    return formatCount(missing) + " of " + countText(report.values.size()) + " values " +
           (missing == 1 ? "has" : "have") + " no size (" + reason + ")";
}

} // namespace plimsoll
