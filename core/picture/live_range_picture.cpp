#include "core/picture/live_range_picture.h"

#include "core/base/plural.h"
#include "core/facts/english/english.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace plimsoll {
namespace {

std::vector<LiveSpan> spansOf(const LiveRanges& live, Pattern pattern)
{
    std::vector<LiveSpan> spans;
    for (const Interval& steps : live.intervals())
        spans.push_back({steps, pattern});
    return spans;
}

void addRows(const Report& report, StorageId id, LiveRow row, LiveRangePicture& picture)
{
    const Storage& storage = report.program.storages[id.index()];
    if (picture.kind == RowKind::Storage || storage.scratchOf.valid()) {
        row.bytes = storage.bytes;
        row.spans = spansOf(storage.live, storage.scratchOf.valid() ? Pattern::Scratch : Pattern::Plain);
        picture.rows.push_back(std::move(row));
        return;
    }
    for (ValueId valueId : storage.values) {
        const PlannedValue& value = report.program.values[valueId.index()];
        row.value = valueId;
        row.bytes = std::max<std::int64_t>(mostBytes(value), 0);
        row.spans = spansOf(value.live, patternOf(value));
        picture.rows.push_back(row);
    }
}

std::tuple<bool, std::int64_t> birth(const LiveRow& row)
{
    const std::int64_t first =
        row.spans.empty() ? std::numeric_limits<std::int64_t>::max() : row.spans.front().steps.begin;
    return {row.colour == NoColour, first};
}

} // namespace

LiveRangePicture makeLiveRangePicture(const Report& report, const StorageColours& colours, RowKind kind)
{
    LiveRangePicture picture;
    picture.kind = kind;
    picture.steps = report.program.schedule.length();
    picture.turns = passTurns(report);
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const ColourIndex colour = i < colours.size() ? colours[i] : NoColour;
        addRows(report, StorageId(i), LiveRow {.storage = StorageId(i), .colour = colour}, picture);
    }
    std::stable_sort(picture.rows.begin(), picture.rows.end(),
                     [](const LiveRow& a, const LiveRow& b) { return birth(a) < birth(b); });

    picture.rowOfStorage.assign(report.program.storages.size(), -1);
    picture.rowOfValue.assign(report.program.values.size(), -1);
    for (std::size_t i = picture.rows.size(); i-- > 0;) { // backwards, so that the first row of a storage stays
        const LiveRow& row = picture.rows[i];
        picture.rowOfStorage[row.storage.index()] = static_cast<std::int32_t>(i);
        if (row.value.valid()) picture.rowOfValue[row.value.index()] = static_cast<std::int32_t>(i);
        for (const LiveSpan& span : row.spans)
            picture.steps = std::max(picture.steps, span.steps.end);
    }
    if (kind == RowKind::Storage) {
        for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
            for (ValueId value : report.program.storages[i].values)
                picture.rowOfValue[value.index()] = picture.rowOfStorage[i];
        }
    }
    return picture;
}

std::size_t firstRowFrom(const LiveRangePicture& picture, double step)
{
    const auto begins = [&](const LiveRow& row) {
        return !row.spans.empty() && static_cast<double>(row.spans.front().steps.begin) >= step;
    };
    return static_cast<std::size_t>(std::ranges::find_if(picture.rows, begins) - picture.rows.begin());
}

std::string rowLabel(const Report& report, const LiveRow& row)
{
    if (row.value.valid()) return (*report.program.graph)[row.value].name;
    const Storage& storage = report.program.storages[row.storage.index()];
    if (storage.scratchOf.valid()) return english(say("where.scratchpad-of", storageName(report, row.storage)));
    std::string label = "s" + std::to_string(row.storage.number()) + " " + storageName(report, row.storage);
    if (storage.values.size() > 1) label += " +" + countText(storage.values.size() - 1);
    return label;
}

} // namespace plimsoll
