#include "core/picture/boundary.h"

#include <algorithm>

namespace plimsoll {

std::int64_t boundaryStep(const Report& report)
{
    if (report.gradients == 0) return -1;
    const auto& steps = report.schedule.steps;
    const auto first = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
        return step.node.valid() && isBackward((*report.graph)[step.node]);
    });
    return first == steps.end() ? -1 : first - steps.begin();
}

} // namespace plimsoll
