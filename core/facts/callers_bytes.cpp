#include "core/facts/callers_bytes.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {

std::int64_t callersBytes(const Report& report)
{
    std::int64_t bytes = report.memory.externalBytes;
    for (std::size_t i = 0; i < report.program.map.values.size(); ++i) {
        const bool buffer = report.program.map.values[i].host == ValueId(i) &&
                            report.program.graph->values[i].role == ValueRole::Intermediate;
        if (buffer)
            bytes =
                checkedAdd(bytes, std::max<std::int64_t>(0, report.program.values[i].requiredBytes)).value_or(bytes);
    }
    return bytes;
}

} // namespace plimsoll
