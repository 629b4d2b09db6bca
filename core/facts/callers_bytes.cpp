#include "core/facts/callers_bytes.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {

std::int64_t callersBytes(const Report& report)
{
    std::int64_t bytes = report.externalBytes;
    for (std::size_t i = 0; i < report.map.values.size(); ++i) {
        const bool buffer =
            report.map.values[i].host == ValueId(i) && report.graph->values[i].role == ValueRole::Intermediate;
        if (buffer)
            bytes = checkedAdd(bytes, std::max<std::int64_t>(0, report.values[i].requiredBytes)).value_or(bytes);
    }
    return bytes;
}

} // namespace plimsoll
