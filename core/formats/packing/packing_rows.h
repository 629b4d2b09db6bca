#pragma once

#include <cstddef>
#include <istream>

namespace plimsoll {

/// How many lines of a table are not blank, the header among them.
struct PackingRows
{
    std::size_t rows = 0;
    std::size_t lastLine = 0; ///< Number of the last one that was counted, from 1.
};

/// Counts no further than \p most, nor beyond a line of more than 64 KiB, which no table has. Holds one block, however
/// large the table is.
[[nodiscard]] PackingRows countPackingRows(std::istream& input, std::size_t most);

} // namespace plimsoll
