#include "core/picture/row_stack.h"

#include "core/picture/age_stack.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Of the units of a row; the rest is air between two.
constexpr std::int64_t Filled = PlanRowUnits - PlanRowUnits / 10;

/// Where \p part of \p whole stands in a row.
Interval inRow(std::int64_t floor, Interval part, Interval whole)
{
    const auto share = [&](std::int64_t byte) {
        const double of = static_cast<double>(std::max<std::int64_t>(whole.length(), 1));
        return floor + static_cast<std::int64_t>(static_cast<double>(byte - whole.begin) / of * Filled);
    };
    const std::int64_t begin = share(part.begin);
    return {begin, std::max(share(part.end), begin + 1)};
}

Interval takenOf(const Report& report, StorageId id)
{
    const std::int64_t offset = report.program.storages[id.index()].offset;
    return {offset, offset + takenBytes(report, id)};
}

} // namespace

void standInRows(const Report& report, PlanAxis axis, PlanPicture& picture)
{
    const bool byValue = axis == PlanAxis::Values;
    const auto hasRow = [&](const PlanBar& bar) { return bar.value.valid() || bar.pattern == Pattern::Scratch; };
    if (byValue) std::erase_if(picture.bars, [&](const PlanBar& bar) { return !hasRow(bar); });
    std::vector<std::int64_t> ofStorage(report.program.storages.size(), -1);
    std::vector<std::int64_t> ofValue(report.program.values.size(), -1);
    const auto rowOf = [&](const PlanBar& bar) -> std::int64_t& {
        return byValue && bar.value.valid() ? ofValue[bar.value.index()] : ofStorage[bar.storage.index()];
    };
    for (const PlanBar& bar : picture.bars) { // sorted by first step
        std::vector<PlanRow>& rows = picture.lanes[bar.lane].rows;
        if (rowOf(bar) >= 0) continue;
        rowOf(bar) = std::ssize(rows);
        rows.push_back({bar.storage, byValue ? bar.value : ValueId()});
    }
    for (PlanBar& bar : picture.bars) {
        const std::int64_t floor = (std::ssize(picture.lanes[bar.lane].rows) - 1 - rowOf(bar)) * PlanRowUnits;
        const Interval whole = byValue ? bar.bytes : takenOf(report, bar.storage);
        bar.at = inRow(floor, bar.bytes, whole);
    }
    for (PlanLane& lane : picture.lanes) {
        std::ranges::reverse(lane.rows);
        lane.bytes = std::ssize(lane.rows) * PlanRowUnits;
        lane.extent = std::max<std::int64_t>(lane.bytes, 1);
        lane.reserved.clear();
    }
}

} // namespace plimsoll
