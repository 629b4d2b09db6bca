#include "app/cli/commands/what_if_text.h"

#include "app/cli/text_table.h"
#include "core/facts/words/report_tables.h"

namespace plimsoll::cli {

std::string whatIfText(const Report& report)
{
    const DocumentTable shown = whatIfTable(report);
    if (shown.rows.empty()) {
        const bool worthIt = report.program.ownPlan && report.memory.peakBytes > 0;
        return worthIt ? "  plan --what-if tells which other policies would lower it\n" : "";
    }
    std::vector<TextTable::Align> alignment;
    std::vector<std::string> titles;
    for (const DocumentTable::Column& column : shown.columns) {
        alignment.push_back(column.number ? TextTable::Align::Right : TextTable::Align::Left);
        titles.push_back(column.title);
    }
    TextTable table(alignment);
    table.add(titles);
    for (const auto& row : shown.rows)
        table.add(row);
    return "\n" + shown.title + "\n" + table.text(2) + "  " + shown.note + "\n";
}

} // namespace plimsoll::cli
