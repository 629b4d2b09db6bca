// The tables of a report that say how its offsets were found, and what makes the plan as high as it is.
#include "core/base/bytes.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/report_tables.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll {
namespace {

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4f s", seconds);
    return text;
}

std::string spaceOf(const Report& report, ArenaId arena)
{
    return report.program.map.arenas[arena.index()].space;
}

std::string areaText(double area)
{
    return formatCount(static_cast<std::int64_t>(std::min(area, 9e18)));
}

void addStorages(const Report& report, const PeakCauses& causes, const std::vector<StorageId>& storages,
                 const std::string& why, std::size_t most, DocumentTable& table)
{
    for (std::size_t i = 0; i < std::min(most, storages.size()); ++i) {
        const Storage& storage = report.program.storages[storages[i].index()];
        table.rows.push_back({spaceOf(report, causes.arena), why, storageTitle(report, storages[i]),
                              std::to_string(storages[i].number()), formatCount(storage.offset),
                              bytesText(storage.bytes), rangesText(storage.live)});
    }
    table.total += storages.size();
}

} // namespace

DocumentTable searchTable(const Report& report)
{
    DocumentTable table {"search", "How it was found", {{"What"}, {"Value", true}}, {}, 0, {}};
    if (!report.planning.search) return table;
    const SearchRecord& search = *report.planning.search;
    table.rows = {{"Algorithm", search.algorithm},
                  {"Found by", std::string(search.member())},
                  {"Why it ended", searchEnd(report)},
                  {report.verdict.completeness.complete() ? "Proved: no plan with this sharing is below"
                                                          : "No plan of what has a size is below",
                   bytesText(search.boundBytes)},
                  {"Work, in units of about 10 ns", formatCount(search.work)},
                  {"Time", secondsText(search.seconds)},
                  {"Seed", std::to_string(search.seed)}};
    if (search.workLimit) table.rows.push_back({"Limit of work", formatCount(*search.workLimit)});
    if (search.secondsLimit) table.rows.push_back({"Limit of time", secondsText(*search.secondsLimit)});
    table.total = table.rows.size();
    return table;
}

DocumentTable searchHistoryTable(const Report& report, std::size_t most)
{
    DocumentTable table {"search-history",
                         "Plans on the way",
                         {{"After", true}, {"Work", true}, {"Peak", true}, {"Bound", true}, {"Found by"}},
                         {},
                         0,
                         {}};
    if (!report.planning.search || report.planning.search->history.size() < 2) return table;
    const std::vector<Incumbent>& history = report.planning.search->history;
    const std::size_t shown = std::min(most, history.size());
    for (std::size_t i = history.size() - shown; i < history.size(); ++i) {
        const Incumbent& entry = history[i];
        table.rows.push_back({secondsText(entry.seconds), formatCount(entry.work), bytesText(entry.peakBytes),
                              bytesText(entry.boundBytes), std::string(entry.member)});
    }
    table.total = history.size();
    return table;
}

DocumentTable peakTable(const Report& report, std::size_t most)
{
    DocumentTable table {
        "peak",
        "What forces the peak",
        {{"Arena"}, {"Why"}, {"Holds"}, {"Storage", true}, {"Offset", true}, {"Bytes", true}, {"Live steps"}},
        {},
        0,
        {}};
    for (const PeakCauses& causes : explainPeak(report)) {
        addStorages(report, causes, causes.live, "alive at step " + formatCount(causes.fullestStep), most, table);
        if (causes.peakBytes <= causes.lowerBoundBytes) continue;
        addStorages(report, causes, causes.tower, "in the tower to the top", most, table);
        const std::string gap = gapSentence(report, causes);
        table.note += (table.note.empty() || gap.empty() ? "" : " ") + gap;
    }
    return table;
}

DocumentTable holesTable(const Report& report, std::size_t most)
{
    DocumentTable table {"holes",
                         "Holes: free bytes with live ones above",
                         {{"Arena"}, {"Bytes free", true}, {"Byte range"}, {"Steps"}, {"Bytes × steps", true}},
                         {},
                         0,
                         {}};
    const std::vector<Hole>& holes = report.memory.holes;
    for (std::size_t i = 0; i < std::min(most, holes.size()); ++i) {
        const Hole& hole = holes[i];
        table.rows.push_back({spaceOf(report, hole.arena), bytesText(hole.bytes.length()), rangeText(hole.bytes),
                              rangeText(hole.steps), areaText(hole.area())});
    }
    table.total = holes.size();
    table.note = "The largest (bytes × steps) first.";
    return table;
}

} // namespace plimsoll
