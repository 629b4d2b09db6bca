#pragma once

#include "core/facts/boundary.h"
#include "core/facts/focus.h"
#include "core/facts/report.h"
#include "core/picture/interval_index.h"
#include "core/picture/storage_colours.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace plimsoll {

/// What is laid over the fill of a bar, so that colour never speaks alone.
enum class Pattern : std::uint8_t {
    Plain,
    InPlace,  ///< Diagonal hatch: written over the bytes of an input.
    View,     ///< Dots: a view, an identity or a new version of the same bytes.
    Padding,  ///< Vertical stripes: bytes of the storage that no value fills at that time.
    Scratch,  ///< Cross-hatch: the temporary of one node.
    Rounding, ///< The other diagonal: what rounding up to the alignment takes behind a storage.
};
[[nodiscard]] std::string_view patternName(Pattern pattern); ///< "written in place", "padding", …; empty for Plain.

[[nodiscard]] Pattern patternOf(const PlannedValue& value);

/// What the height of a bar means.
enum class PlanAxis : std::uint8_t {
    Address,
    Age,      ///< Storages that are alive stand one on the other without holes, the oldest at the bottom.
    Storages, ///< One row for each, the first that is born at the top: heights are no bytes.
    Values,   ///< Likewise, of each value.
};
[[nodiscard]] constexpr bool inRows(PlanAxis axis)
{
    return axis == PlanAxis::Storages || axis == PlanAxis::Values;
}

/// One rectangle of the time × address picture: a value, or the rest of a storage, during one live interval.
///
///     bytes ^
///           |      +--- storage 3: padding ---+
///           | +--- value a ---+-- value b ----+      b is drawn over a: it was written later
///           +--------------------------------------> steps
struct PlanBar
{
    Interval steps;
    Interval bytes; ///< In the arena of its lane.
    StorageId storage;
    ValueId value; ///< Invalid: the storage itself (its padding, or a scratchpad).
    Interval at;   ///< Where it is drawn in its lane; by address at its bytes, which are addresses in any case.
    std::int32_t lane = 0;
    ColourIndex colour = NoColour;
    Pattern pattern = Pattern::Plain;
    bool output = false;       ///< A value that the caller can see: dashed outline.
    bool asked = false;        ///< Its place or its partners are asked for: a corner is marked.
    std::int32_t finding = -1; ///< The worst that names the value, in Report::findings.
};

/// What stands in a row of PlanAxis::Storages and Values. Rows are so many units high as bytes are otherwise.
struct PlanRow
{
    StorageId storage;
    ValueId value; ///< Invalid where the row is of a storage.
};
inline constexpr std::int64_t PlanRowUnits = 1000;

/// One arena. Lanes are stacked, with a gap between two of them, so that a byte of any arena has one height in the
/// picture: base + byte.
struct PlanLane
{
    ArenaId arena;
    std::string title; ///< "cpu"
    std::int64_t base = 0;
    std::int64_t bytes = 0;  ///< Height of the plan in it, or of the storages that are alive at once.
    std::int64_t extent = 0; ///< Height of the lane: bytes, or the capacity where that is near.
    std::int64_t lowerBoundBytes = 0;
    std::optional<std::int64_t> capacityBytes;
    std::vector<ReservedBytes> reserved {}; ///< Kept free: hatched, at all steps.
    std::vector<PlanRow> rows {};           ///< The lowest first; empty where heights are bytes.
};

/// The contested steps × bytes of a finding.
struct FindingMark
{
    std::size_t finding = 0; ///< In Report::findings.
    Severity severity = Severity::Error;
    std::int32_t lane = -1; ///< -1: it has no bytes in any arena; only steps.
    Interval steps;         ///< Never empty.
    Interval bytes;         ///< In the arena; empty where lane is -1.
};

/// Bytes of a storage that is dead, which some stream may not have yet: it has not waited for the nodes that used them.
struct WaitMark
{
    StorageId storage;
    std::int32_t lane = 0;
    Interval steps; ///< From behind its last step to where the last stream has waited.
    Interval bytes; ///< In the arena.
};

/// Values outside the picture, so that nothing is silently missing.
struct OutsideSummary
{
    std::size_t externalValues = 0;
    std::int64_t externalBytes = 0;
    std::size_t unplannedValues = 0;
};

/// The time × address picture of a plan, as plain data. Bars are sorted by their first step and, among equals, in
/// painting order: a bar covers those before it.
struct PlanPicture
{
    PlanAxis axis = PlanAxis::Address;
    std::int64_t steps = 0;       ///< The picture spans [0, steps).
    std::int64_t heightBytes = 0; ///< The picture spans [0, heightBytes) over all lanes and gaps.
    std::vector<PlanLane> lanes;
    std::vector<PlanBar> bars;
    IntervalIndex barIndex;     ///< Over the steps of bars.
    std::set<Pattern> patterns; ///< That bars have.
    bool outputs = false;       ///< Some bar is an output…
    bool asked = false;         ///< …and one of what is asked for.
    std::vector<FindingMark> findings;
    std::vector<WaitMark> waits; ///< Of a plan of several streams.
    std::vector<PassTurn> turns;
    LiveRanges aboveBound;               ///< Steps at which some arena is in use above its lower bound.
    std::vector<std::int64_t> liveBytes; ///< By step.
    std::int64_t peakStep = 0;           ///< As peakStep says; 0 where there are no steps.
    std::int64_t peakBytes = 0;
    std::int64_t lowerBoundBytes = 0;
    OutsideSummary outside;
};

/// By age, bars are cut where they sink because one beneath has died. What has addresses of its own is left out:
/// reserved bytes, waits; of findings the steps stay. With too many pieces it is by address all the same. In rows
/// likewise nothing is left that has addresses of its own.
[[nodiscard]] PlanPicture makePlanPicture(const Report& report, const StorageColours& colours,
                                          PlanAxis axis = PlanAxis::Address);

/// Where a bar or a mark stands in the stacked lanes.
template <typename Mark>
[[nodiscard]] Interval stackedBytes(const PlanPicture& picture, const Mark& mark)
{
    const std::int64_t base = picture.lanes[mark.lane].base;
    return {base + mark.bytes.begin, base + mark.bytes.end};
}

[[nodiscard]] inline Interval stackedBytes(const PlanPicture& picture, const PlanBar& bar)
{
    const std::int64_t base = picture.lanes[bar.lane].base;
    return {base + bar.at.begin, base + bar.at.end};
}

/// The same of a hole; lanes stand in the order of arenas.
[[nodiscard]] inline Interval stackedBytes(const PlanPicture& picture, const Hole& hole)
{
    const std::int64_t base = picture.lanes[hole.arena.index()].base;
    return {base + hole.bytes.begin, base + hole.bytes.end};
}

/// The same of an area.
[[nodiscard]] inline Interval stackedBytes(const PlanPicture& picture, const PlanArea& area)
{
    const std::int64_t base = picture.lanes[area.arena.index()].base;
    return {base + area.bytes.begin, base + area.bytes.end};
}

/// The byte there, at all steps; none between the arenas and above them, nor where heights are no addresses.
[[nodiscard]] std::optional<PlanArea> areaAt(const PlanPicture& picture, std::int64_t stackedByte);

/// The topmost bar at a step and a stacked byte; its position in bars.
[[nodiscard]] std::optional<std::size_t> barAt(const PlanPicture& picture, std::int64_t step, std::int64_t stackedByte);

/// The mark of the worst finding there.
[[nodiscard]] const FindingMark* findingAt(const PlanPicture& picture, std::int64_t step, std::int64_t stackedByte);

/// The name to write on a bar: of the value; "scratchpad of conv1"; "padding".
[[nodiscard]] std::string barLabel(const Report& report, const PlanBar& bar);

/// From when to when it is alive: longer than the bar where that is a piece.
[[nodiscard]] Interval liveSteps(const Report& report, const PlanBar& bar);

/// One sentence with every fact: "relu3, storage 7, 1.2 MiB, steps 14 to 19, written in place". For tips and screen
/// readers.
[[nodiscard]] Message barDescription(const Report& report, const PlanBar& bar);

/// When the bytes of a value are written and read: the triangles of the ruler. Sorted, without repeats.
struct Accesses
{
    std::vector<std::int64_t> writes;
    std::vector<std::int64_t> reads;
};
[[nodiscard]] Accesses findAccesses(const Report& report, ValueId value);

} // namespace plimsoll
