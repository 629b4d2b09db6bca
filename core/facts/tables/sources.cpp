#include "core/facts/report.h"
#include "core/facts/tables.h"
#include "core/facts/words/source_text.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

/// What one line of the program, or one module with all inside it, brings into the plan.
struct SourceRow
{
    std::string place;
    bool module = false;
    std::size_t nodes = 0;
    std::size_t values = 0;
    std::int64_t writtenBytes = 0;
    std::int64_t peakBytes = 0; ///< Of the storages that are alive where their arena has most live bytes.
    ValueId largest;            ///< Of those; of all where none is alive then.
    std::int64_t largestBytes = -1;
    std::int64_t liveBytes = 0; ///< Of all that is alive then, from anywhere.
};

using RowsByPlace = std::map<std::pair<bool, std::string>, SourceRow>;

/// "blocks.0.attention" is in "blocks", "blocks.0" and itself.
template <typename Visit>
void eachPlace(RowsByPlace& rows, const std::string& line, const std::string& module, const Visit& visit)
{
    const auto at = [&](bool isModule, std::string place) {
        SourceRow& row = rows[{isModule, place}];
        row.place = std::move(place);
        row.module = isModule;
        visit(row);
    };
    if (!line.empty()) at(false, line);
    for (std::size_t end = 0; end < module.size(); ++end) {
        end = std::min(module.find('.', end), module.size());
        at(true, module.substr(0, end));
    }
}

/// The value whose bytes a storage holds at a step; the last of those that are alive then, as an earlier one may only
/// be looked at.
ValueId heldAt(const Report& report, const Storage& storage, std::int64_t step)
{
    const auto holds = [&](ValueId id) { return report.program.values[id.index()].live.contains(step); };
    const auto held = std::find_if(storage.values.rbegin(), storage.values.rend(), holds);
    return held == storage.values.rend() ? ValueId() : *held;
}

void takeLargest(SourceRow& row, ValueId value, std::int64_t bytes)
{
    if (bytes <= row.largestBytes) return;
    row.largest = value;
    row.largestBytes = bytes;
}

std::vector<SourceRow> sourceRows(const Plans& plans)
{
    const Report& report = plans.report;
    const Graph& graph = *report.program.graph;
    RowsByPlace rows;
    const std::vector<ArenaPeak>& peaks = report.memory.peaks;
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid()) continue; // the caller's bytes
        const std::int64_t step = peaks[storage.arena.index()].step;
        if (!storage.live.contains(step)) continue;
        const ValueId value = heldAt(report, storage, step);
        const NodeId node = value.valid() ? graph[value].producer : storage.scratchOf;
        if (!node.valid()) continue;
        eachPlace(rows, value.valid() ? sourceLine(graph, value) : sourceLine(graph, node), graph[node].from->module,
                  [&](SourceRow& row) {
                      row.peakBytes += storage.bytes;
                      if (value.valid()) takeLargest(row, value, storage.bytes);
                  });
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        eachPlace(rows, sourceLine(graph, NodeId(i)), graph.nodes[i].from->module, [](SourceRow& row) { ++row.nodes; });
    for (std::size_t i = 0; i < std::min(graph.values.size(), report.program.values.size()); ++i) {
        const ValueId id(i);
        const NodeId producer = graph[id].producer;
        if (!producer.valid()) continue;
        const std::int64_t bytes = std::max<std::int64_t>(0, report.program.values[i].requiredBytes);
        eachPlace(rows, sourceLine(graph, id), graph[producer].from->module, [&](SourceRow& row) {
            ++row.values;
            row.writtenBytes += bytes;
            if (row.peakBytes == 0) takeLargest(row, id, bytes);
        });
    }
    std::int64_t live = 0;
    for (const ArenaPeak& peak : peaks)
        live += peak.liveBytes;
    std::vector<SourceRow> made;
    for (auto& [place, row] : rows) {
        row.liveBytes = live;
        made.push_back(std::move(row));
    }
    return made;
}

} // namespace

const FactTable& sourcesTable()
{
    static const FactTable table = factTable<SourceRow>(
        {.id = "sources",
         .title = "By source",
         .empty = "The file does not say where the model was written.",
         .sortedBy = 2},
        {.rows = sourceRows, .focus = [](const Report&, const SourceRow& row) { return Focus::on(row.largest); }},
        {{{"Place", "A line of the program, or a module with all inside it", Long, 30},
          [](const Report&, const SourceRow& row) { return cell::text(row.place); }},
         {{"Kind", "Line or module", Words, 7},
          [](const Report&, const SourceRow& row) { return cell::word(row.module ? "module" : "line"); }},
         {{"At the peak", "Bytes of what was made there and is alive when most is", Number, 9},
          [](const Report&, const SourceRow& row) { return cell::bytes(row.peakBytes); }},
         {{"Share", "Of all that is alive then", Number, 7},
          [](const Report&, const SourceRow& row) {
              if (row.liveBytes <= 0) return cell::blank();
              return cell::percent(static_cast<double>(row.peakBytes) / static_cast<double>(row.liveBytes));
          }},
         {{"Written", "Bytes of all values that are made there", Number, 9},
          [](const Report&, const SourceRow& row) { return cell::bytes(row.writtenBytes); }},
         {{"Values", "That are made there", Number, 6},
          [](const Report&, const SourceRow& row) { return cell::count(row.values); }},
         {{"Nodes", "That stand there", Number, 6},
          [](const Report&, const SourceRow& row) { return cell::count(row.nodes); }},
         {{"Largest", "The largest of them at the peak; elsewhere of all", Long, 20},
          [](const Report& report, const SourceRow& row) { return cell::value(report, row.largest); }}});
    return table;
}

} // namespace plimsoll
