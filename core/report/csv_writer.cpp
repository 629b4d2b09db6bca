#include "core/facts/tables.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

#include <numeric>

namespace plimsoll {

std::string writeCsv(const FactTable& table, const OpenTable& open, std::span<const std::uint32_t> rows)
{
    std::string text;
    for (const ColumnInfo& column : table.columns)
        text += (text.empty() ? "" : ",") + escapeCsv(column.title);
    text += "\r\n";
    for (const std::uint32_t row : rows) {
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            text += (column == 0 ? "" : ",") + escapeCsv(plainText(open.cell(row, column)));
        text += "\r\n";
    }
    return text;
}

std::string writeCsv(const std::vector<FactSection>& sections)
{
    std::string text = "Section,Name,Value\r\n";
    for (const FactSection& section : sections)
        for (const Fact& fact : section.facts)
            text +=
                escapeCsv(section.title) + "," + escapeCsv(fact.name) + "," + escapeCsv(plainText(fact.cell)) + "\r\n";
    return text;
}

std::string writeCsv(const Report& report)
{
    const auto open = valuesFile().open({report});
    std::vector<std::uint32_t> rows(open->size());
    std::iota(rows.begin(), rows.end(), 0);
    return writeCsv(valuesFile(), *open, rows);
}

} // namespace plimsoll
