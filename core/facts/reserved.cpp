#include "core/facts/reserved.h"

#include "core/formats/snapshot/allocator_record.h"

#include <algorithm>

namespace plimsoll {

std::optional<std::int64_t> reservedBytes(const Report& report)
{
    if (report.program.ownPlan) return std::nullopt;
    const auto record = allocatorOf(*report.program.graph);
    if (!record || record->heightBytes != report.memory.peakBytes) return std::nullopt;
    // A file without segments says nothing of what was reserved.
    if (record->mostReservedBytes < report.memory.lowerBoundBytes) return std::nullopt;
    return record->mostReservedBytes;
}

std::int64_t mostTakenBytes(const Report& report)
{
    return reservedBytes(report).value_or(report.memory.peakBytes);
}

std::size_t countRefusals(const Report& report)
{
    return static_cast<std::size_t>(std::ranges::count(report.verdict.findings, Rule::OutOfMemory, &Finding::rule));
}

} // namespace plimsoll
