#include "core/facts/range_changes.h"
#include "core/facts/tables.h"

#include <unordered_map>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

/// A change, and the value of the plan now; invalid where it is no more.
struct ChangeRow
{
    RangeChange change;
    ValueId value;
};

std::vector<ChangeRow> changesOf(const Plans& plans)
{
    if (!plans.previous) return {};
    std::unordered_map<std::string_view, ValueId> ids;
    const auto& values = plans.report.program.graph->values;
    for (std::size_t i = 0; i < values.size(); ++i)
        ids.emplace(values[i].name, ValueId(i));
    std::vector<ChangeRow> rows;
    for (RangeChange& change : changedRanges(*plans.previous, plans.report)) {
        const auto found = ids.find(change.value);
        rows.push_back({std::move(change), found == ids.end() ? ValueId() : found->second});
    }
    return rows;
}

} // namespace

const FactTable& changesTable()
{
    static const FactTable table = factTable<ChangeRow>(
        {.id = "changes",
         .title = "Changes",
         .empty = "No value is alive longer or shorter than under the choices before."},
        {.rows = changesOf, .focus = [](const Report&, const ChangeRow& row) { return Focus::on(row.value); }},
        {{{"Value", "What is alive longer or shorter, or lies elsewhere", Long, 24},
          [](const Report&, const ChangeRow& row) { return cell::text(row.change.value); }},
         {{"Bytes", "That it takes", Number, 9},
          [](const Report&, const ChangeRow& row) { return cell::bytes(row.change.bytes); }},
         {{"Before", "Its steps under the choices before", Words, 12},
          [](const Report&, const ChangeRow& row) { return cell::steps(row.change.before); }},
         {{"Now", "Its steps under those of now", Words, 12},
          [](const Report&, const ChangeRow& row) { return cell::steps(row.change.after); }},
         {{"At the peak", "How many of its bytes more are alive in the arena at its fullest step", Number, 10},
          [](const Report&, const ChangeRow& row) {
              return cell::change(row.change.afterPeak - row.change.beforePeak);
          }},
         {{"Place", "Where it lay before, and where it lies", Words, 16},
          [](const Report&, const ChangeRow& row) {
              const auto place = [](const std::string& name) { return name.empty() ? std::string("none") : name; };
              const auto& [before, after] = std::tie(row.change.beforePlace, row.change.afterPlace);
              return cell::text(before == after ? place(after) : place(before) + " → " + place(after));
          }},
         {{"Reason", "Why it is kept for backward, was, or lies elsewhere", Long, 20},
          [](const Report&, const ChangeRow& row) { return cell::sentence(row.change.reason); }}});
    return table;
}

} // namespace plimsoll
