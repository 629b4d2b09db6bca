#pragma once

#include <string>
#include <vector>

namespace plimsoll::cli {

/// Lines of cells in aligned columns, two spaces between them.
class TextTable
{
public:
    enum class Align { Left, Right };

    explicit TextTable(std::vector<Align> columns) : m_columns(std::move(columns)) {}

    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }

    /// \p indent spaces before every line; no spaces at its end.
    [[nodiscard]] std::string text(std::size_t indent) const;

private:
    std::vector<Align> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace plimsoll::cli
