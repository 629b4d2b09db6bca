#pragma once

#include "core/facts/fact_table.h"

namespace plimsoll::test {

/// What the first row of a document's table says under a title; "no such column" where it has none.
inline std::string firstUnder(const DocumentTable& table, std::string_view title)
{
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (table.columns[column]->title == title) return fullText(table.rows.front().at(column));
    return "no such column";
}

} // namespace plimsoll::test
