#include "core/facts/tables.h"

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

constexpr std::string_view wordFor(ConstraintKind kind)
{
    switch (kind) {
    case ConstraintKind::Pin:
        return "computed by";
    case ConstraintKind::Gradient:
        return "its gradient";
    case ConstraintKind::Recompute:
        return "computed anew";
    case ConstraintKind::Apart:
        return "apart from";
    case ConstraintKind::Together:
        return "together with";
    case ConstraintKind::Place:
        return "at offset";
    }
    return {};
}

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
          [](const Report&, const Constraint& row) { return cell::word(wordFor(row.kind)); }},
         {{"Other", "The other value, the implementation, the offset in bytes, or what becomes of the gradient", Long,
           24},
          [](const Report& report, const Constraint& row) {
              if (row.kind != ConstraintKind::Place) return cell::text(row.other);
              return cell::offset(report.program.constraints.places.at(row.of));
          }}});
    return table;
}

} // namespace plimsoll
