#include "core/plan/run_result.h"

#include <algorithm>

namespace plimsoll {

std::int64_t WriteProbe::detachedBytes() const
{
    std::int64_t bytes = 0;
    for (const ProbeWrite& write : writes)
        bytes += write.detachedBytes;
    return bytes;
}

std::int64_t RunResult::Held::peakBytes() const
{
    return steps.empty() ? arenaBytes + ownBytes : *std::ranges::max_element(steps);
}

} // namespace plimsoll
