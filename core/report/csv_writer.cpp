#include "core/facts/tables.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace plimsoll {

std::string writeCsv(const Report& report)
{
    const FactTable& table = valuesFile();
    const auto open = table.open({report});
    std::string text;
    for (const ColumnInfo& column : table.columns)
        text += (text.empty() ? "" : ",") + std::string(column.title);
    text += "\r\n";
    for (std::size_t row = 0; row < open->size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            text += (column == 0 ? "" : ",") + escapeCsv(plainText(open->cell(row, column)));
        text += "\r\n";
    }
    return text;
}

} // namespace plimsoll
