#pragma once

#include "core/picture/plan_picture.h"

#include <set>
#include <string>
#include <vector>

namespace plimsoll {

/// What a row of the live-range picture stands for.
enum class RowKind : std::uint8_t { Value, Storage };

/// What of the rows is looked at, and how. Rows are known by the name of the value, or of the storage (storageName):
/// another plan has them, too.
struct RowChoice
{
    std::set<std::string, std::less<>> pinned {}; ///< They stand first.
    std::set<std::string, std::less<>> hidden {};
    bool byModule = false; ///< Under headings, as modulesOf says.

    friend bool operator==(const RowChoice&, const RowChoice&) = default;
};

struct LiveSpan
{
    Interval steps;
    Pattern pattern = Pattern::Plain;
};

struct LiveRow
{
    StorageId storage; ///< Invalid: a heading.
    ValueId value;     ///< Invalid where rows are storages.
    ColourIndex colour = NoColour;
    std::int64_t bytes = 0;
    std::vector<LiveSpan> spans; ///< Sorted and disjoint.
    std::string heading {};      ///< "encoder/layer.3 (12)": of the rows up to the next.
};

/// One row per value or per storage: those that are pinned, then by module if wished; of each in the order in which
/// they come to life, planned ones first, then the caller's.
struct LiveRangePicture
{
    RowKind kind = RowKind::Value;
    std::int64_t steps = 0;
    std::vector<LiveRow> rows;
    std::vector<PassTurn> turns;
    std::vector<std::int32_t> rowOfValue;   ///< By ValueId; -1: none.
    std::vector<std::int32_t> rowOfStorage; ///< By StorageId; its first row.
    std::size_t pinned = 0;                 ///< So many of the rows, the first ones, are.
    std::size_t hidden = 0;                 ///< So many are left out.
    bool modules = false;                   ///< Some row has a heading.
};

[[nodiscard]] LiveRangePicture makeLiveRangePicture(const Report& report, const StorageColours& colours, RowKind kind,
                                                    const RowChoice& choice = {});

/// What a choice knows a row by.
[[nodiscard]] const std::string& rowName(const Report& report, const LiveRow& row);

/// The first row that comes to life at \p step or later; as many as there are: none does.
[[nodiscard]] std::size_t firstRowFrom(const LiveRangePicture& picture, double step);

[[nodiscard]] std::string rowLabel(const Report& report, const LiveRow& row);

} // namespace plimsoll
