#pragma once

#include <string>
#include <vector>

namespace plimsoll::cli {

/// Lines of cells in aligned columns, two spaces between them. What ends a line before the last column, such as a
/// sentence in place of numbers, takes no room of its column.
class TextTable
{
public:
    enum class Align { Left, Right };

    explicit TextTable(std::vector<Align> columns) : m_columns(std::move(columns)) {}

    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }

    /// \p indent spaces before every line; no spaces at its end.
    [[nodiscard]] std::string text(std::size_t indent) const;

private:
    [[nodiscard]] bool takesRoom(const std::vector<std::string>& row, std::size_t cell) const;

    std::vector<Align> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace plimsoll::cli
