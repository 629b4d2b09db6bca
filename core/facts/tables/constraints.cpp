#include "core/facts/about/asked.h"
#include "core/facts/tables.h"

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

Focus focusOn(const Report& report, const Constraint& row)
{
    const Graph& graph = *report.program.graph;
    return row.kind == ConstraintKind::Pin ? Focus::on(findNode(graph, row.of)) : Focus::on(findValue(graph, row.of));
}

} // namespace

const FactTable& constraintsTable()
{
    static const FactTable table = factTable<Constraint>(
        {.id = "constraints", .title = "Constraints", .empty = "Nothing is asked of single values or nodes."},
        {.rows = [](const Plans& plans) { return listed(plans.report.program.constraints); }, .focus = focusOn},
        {{{"Of", "The value or node of which it is asked", Long, 24},
          [](const Report&, const Constraint& row) { return cell::text(row.of); }},
         {{"What", "What is asked of it", Words, 14},
          [](const Report& report, const Constraint& row) { return cell::word(askedWords(report, row).what); }},
         {{"Other", "The other value, the implementation, the offset in bytes, or what becomes of the gradient", Long,
           24},
          [](const Report& report, const Constraint& row) { return askedWords(report, row).other; }}});
    return table;
}

} // namespace plimsoll
