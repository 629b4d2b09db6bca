#pragma once

#include "core/facts/fact_table.h"
#include "core/facts/words/text_pattern.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>

namespace plimsoll {

/// What is typed above a table, read once. Terms stand apart by blanks; all of them must hold (`and` may stand
/// between them), or all behind an `or`.
///
///     conv bytes>1KiB          a word that occurs in the row, and a comparison with a column
///     not role=input or relu   `not` turns the next term round; "two words" in quotes are one, and no comparison
///     node~^h\.[0-9]+ /conv.*3/ a regular expression that is found in a column, or in one of them
///
/// The three words, and the columns, are those of the language that is spoken, or English. A column is named by how its
/// title begins, without blanks: `live` is "Live range".
struct RowFilter
{
    struct Term
    {
        bool negated = false;
        std::optional<std::size_t> column; ///< Nothing: a word.
        std::string operation;             ///< = != < <= > >= ~
        std::string text;
        std::optional<std::int64_t> number;         ///< The text as a number, or as a size.
        std::shared_ptr<const TextPattern> pattern; ///< In place of the text; null: none.
    };
    std::vector<std::vector<Term>> ways; ///< One of which must hold. None: every row is left.
    Message complaint;                   ///< What cannot be meant as it stands; it is left out. Empty: nothing.
};
[[nodiscard]] RowFilter readRowFilter(std::string_view text, const FactTable& table);

/// How a cell reads where it is filtered and sorted: briefText, or a face's own.
using CellText = std::string (*)(const Cell&);
[[nodiscard]] bool matches(const RowFilter& filter, const OpenTable& table, std::size_t row, std::size_t columns,
                           CellText text);

/// Which rows are shown, and in which order.
struct RowQuery
{
    RowFilter filter;
    std::optional<std::size_t> sortedBy; ///< Nothing: in the table's own order.
    bool falling = false;
    bool leadersFirst = false; ///< Those that lead stand before the rest, whichever way it is sorted.
};
/// The first \p most of the rows that the filter leaves. Texts sort without regard to case; rows that sort alike keep
/// their order. Less than all once \p stop asks for an end.
[[nodiscard]] std::vector<std::uint32_t> pickRows(const RowQuery& query, const OpenTable& table, std::size_t columns,
                                                  CellText text, const std::stop_token& stop = {},
                                                  std::size_t most = std::numeric_limits<std::size_t>::max());

/// By column: whether some row has something there.
[[nodiscard]] std::vector<bool> usedColumns(const OpenTable& table, std::size_t columns, CellText text);

} // namespace plimsoll
