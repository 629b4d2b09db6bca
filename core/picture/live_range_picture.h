#pragma once

#include "core/picture/plan_picture.h"

#include <vector>

namespace plimsoll {

/// What a row of the live-range picture stands for.
enum class RowKind : std::uint8_t { Value, Storage };

struct LiveSpan
{
    Interval steps;
    Pattern pattern = Pattern::Plain;
};

struct LiveRow
{
    StorageId storage;
    ValueId value; ///< Invalid where rows are storages.
    ColourIndex colour = NoColour;
    std::int64_t bytes = 0;
    std::vector<LiveSpan> spans; ///< Sorted and disjoint.
};

/// One row per value or per storage, in the order in which they come to life; planned ones first, then the caller's.
struct LiveRangePicture
{
    RowKind kind = RowKind::Value;
    std::int64_t steps = 0;
    std::vector<LiveRow> rows;
    std::vector<PassTurn> turns;
    std::vector<std::int32_t> rowOfValue;   ///< By ValueId; -1: none.
    std::vector<std::int32_t> rowOfStorage; ///< By StorageId; its first row.
};

[[nodiscard]] LiveRangePicture makeLiveRangePicture(const Report& report, const StorageColours& colours, RowKind kind);

/// The first row that comes to life at \p step or later; as many as there are: none does.
[[nodiscard]] std::size_t firstRowFrom(const LiveRangePicture& picture, double step);

[[nodiscard]] std::string rowLabel(const Report& report, const LiveRow& row);

} // namespace plimsoll
