#include "core/picture/live_range_picture.h"

#include "core/base/plural.h"
#include "core/facts/english/english.h"
#include "core/picture/colour_by.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
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

/// Pinned rows come first, hidden ones go.
void choose(const Report& report, const RowChoice& choice, LiveRangePicture& picture)
{
    const auto all = picture.rows.size();
    if (!choice.hidden.empty())
        std::erase_if(picture.rows, [&](const LiveRow& row) { return choice.hidden.contains(rowName(report, row)); });
    picture.hidden = all - picture.rows.size();
    if (choice.pinned.empty()) return;
    const auto others = std::stable_partition(picture.rows.begin(), picture.rows.end(), [&](const LiveRow& row) {
        return choice.pinned.contains(rowName(report, row));
    });
    picture.pinned = static_cast<std::size_t>(others - picture.rows.begin());
}

/// Behind those that are pinned: modules in the order in which they come to life, what is in none last.
void putUnderHeadings(const Report& report, LiveRangePicture& picture)
{
    const std::vector<std::string> modules = modulesOf(report);
    const auto moduleOf = [&](const LiveRow& row) {
        const auto& tenants = report.program.storages[row.storage.index()].values;
        const ValueId value = row.value.valid() || tenants.empty() ? row.value : tenants.front();
        return value.valid() ? modules[value.index()] : std::string();
    };
    std::vector<LiveRow> rows(picture.rows.begin(), picture.rows.begin() + static_cast<std::ptrdiff_t>(picture.pinned));
    std::vector<std::string> order;
    std::map<std::string, std::vector<LiveRow>> groups;
    for (std::size_t i = picture.pinned; i < picture.rows.size(); ++i) {
        const std::string module = moduleOf(picture.rows[i]);
        if (!groups.contains(module) && !module.empty()) order.push_back(module);
        groups[module].push_back(std::move(picture.rows[i]));
    }
    picture.modules = !order.empty();
    if (groups.contains({})) order.emplace_back();
    for (const std::string& module : order) {
        std::vector<LiveRow>& group = groups[module];
        const std::string name = module.empty() ? std::string(spoken("no module")) : module;
        if (picture.modules) rows.push_back(LiveRow {.heading = name + " (" + countText(group.size()) + ")"});
        std::ranges::move(group, std::back_inserter(rows));
    }
    picture.rows = std::move(rows);
}

} // namespace

const std::string& rowName(const Report& report, const LiveRow& row)
{
    return row.value.valid() ? (*report.program.graph)[row.value].name : storageName(report.program, row.storage);
}

LiveRangePicture makeLiveRangePicture(const Report& report, const StorageColours& colours, RowKind kind,
                                      const RowChoice& choice)
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
    choose(report, choice, picture);
    if (choice.byModule) putUnderHeadings(report, picture);

    picture.rowOfStorage.assign(report.program.storages.size(), -1);
    picture.rowOfValue.assign(report.program.values.size(), -1);
    for (std::size_t i = picture.rows.size(); i-- > 0;) { // backwards, so that the first row of a storage stays
        const LiveRow& row = picture.rows[i];
        if (!row.storage.valid()) continue;
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
    if (!row.storage.valid()) return row.heading;
    if (row.value.valid()) return (*report.program.graph)[row.value].name;
    const Storage& storage = report.program.storages[row.storage.index()];
    if (storage.scratchOf.valid()) return english(say("where.scratchpad-of", storageName(report.program, row.storage)));
    std::string label = "s" + std::to_string(row.storage.number()) + " " + storageName(report.program, row.storage);
    if (storage.values.size() > 1) label += " +" + countText(storage.values.size() - 1);
    return label;
}

} // namespace plimsoll
