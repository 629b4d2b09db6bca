#pragma once

#include "core/facts/tables.h"
#include "tests/support/planned.h"

#include <QTest>

namespace plimsoll::test {

/// A line for each row: its cells in full, with bars between them, and nothing for empty ones at the end.
inline std::string linesOf(const FactTable& table, const Plans& plans)
{
    const auto open = table.open(plans);
    std::string text = "\n";
    for (std::size_t row = 0; row < open->size(); ++row) {
        std::string line;
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            line += (column == 0 ? "" : " | ") + fullText(open->cell(row, column));
        text += line.substr(0, line.find_last_not_of(" |") + 1) + "\n";
    }
    return text;
}

/// Shows all of what is there, where it is not what it should be.
inline void compare(const std::string& there, const std::string& expected)
{
    QVERIFY2(there == expected, there.c_str());
}

} // namespace plimsoll::test
