#include "core/facts/tables/row_query.h"

#include <algorithm>

namespace plimsoll {

std::size_t FactTable::column(std::string_view name) const
{
    const auto found = std::ranges::find(columns, name, &ColumnInfo::title);
    return static_cast<std::size_t>(found - columns.begin());
}

FactTable listTable(FactTable table, std::vector<Fact> (*rows)(const Plans&))
{
    using enum ColumnInfo::Kind;
    return factTable<Fact>(
        std::move(table), {.rows = rows},
        {{{"What", "", Words, 30}, [](const Report&, const Fact& row) { return cell::word(row.name); }},
         {{"Value", "", Long, 30}, [](const Report&, const Fact& row) { return row.cell; }}});
}

Cell sumOf(const FactTable& table, const OpenTable& open)
{
    if (table.sum.empty() || open.size() == 0) return cell::blank();
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < open.size(); ++row)
        sum += open.cell(row, table.column(table.sum)).number;
    return cell::change(sum);
}

DocumentTable documentTable(const FactTable& table, const Plans& plans, std::size_t most)
{
    const auto open = table.open(plans);
    DocumentTable shown;
    shown.total = open->size() + (table.leftOut ? table.leftOut(plans.report) : 0);
    RowQuery query {.falling = !table.rising, .leadersFirst = true};
    if (table.sortedBy >= 0) query.sortedBy = static_cast<std::size_t>(table.sortedBy);
    const std::vector<std::uint32_t> rows = pickRows(query, *open, table.columns.size(), briefText, {}, most);
    shown.rows.resize(rows.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        std::vector<Cell> cells;
        for (const std::uint32_t row : rows)
            cells.push_back(open->cell(row, column));
        if (std::ranges::all_of(cells, [](const Cell& cell) { return fullText(cell).empty(); })) continue;
        shown.columns.push_back(&table.columns[column]);
        for (std::size_t row = 0; row < rows.size(); ++row)
            shown.rows[row].push_back(std::move(cells[row]));
    }
    if (shown.rows.empty() && table.whyEmpty) shown.note = table.whyEmpty(plans.report);
    if (table.note && !(shown.rows.empty() && shown.note.empty()))
        shown.note = together(shown.note, table.note(plans.report));
    if (const Cell sum = sumOf(table, *open); sum.kind == Cell::Kind::Change)
        shown.note = together(shown.note, sum.number == 0 ? say("table.sum-none") : say("table.sum", fullText(sum)));
    if (shown.rows.size() < shown.total)
        shown.note = together(shown.note, say("table.shown", shown.rows.size(), shown.total));
    return shown;
}

} // namespace plimsoll
