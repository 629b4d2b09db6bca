#pragma once

#include "core/base/result.h"
#include "core/formats/packing/packing_table.h"

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string_view>

namespace plimsoll {

/// Whether a text begins with a line that names the columns which readPackingCsv() needs.
[[nodiscard]] bool looksLikePackingTable(std::string_view text);

/// Reads the CSV of MiniMalloc in its dialects: a header with columns in any order, `id` (or `buffer`, `buffer_id`),
/// `lower` (`start`, `begin`), `upper` (exclusive) or `end` (inclusive), `size`; optionally `alignment`, `hint`, `gaps`
/// ("a-b" half-open, separated by spaces) and `offset`. Other columns are passed over; empty cells of optional columns
/// mean nothing. Reads as a stream: memory grows with the rows alone, and no line is longer than 64 KiB. A file with
/// too many rows is refused before any is kept. Errors say the line: columns that are missing or there twice, cells
/// that are missing, no number, negative or beyond 63 bits, upper < lower, gaps outside the life, ids that repeat, too
/// many rows, and files without any header.
[[nodiscard]] Result<PackingTable> readPackingCsv(const std::filesystem::path& path,
                                                  std::size_t mostRows = MostPackingRows);
[[nodiscard]] Result<PackingTable> readPackingCsv(std::istream& input, std::size_t mostRows = MostPackingRows);

/// A table that came in another form, with the offsets of \p allocations in the last column. Ids hold no commas there.
[[nodiscard]] Status writePackingCsv(const PackingTable& table, std::span<const Allocation> allocations,
                                     std::ostream& output);

/// Repeats \p input, which readPackingCsv() has read, line by line with the offsets of \p plan in a last column
/// `offset`; an `offset` column that is there is replaced.
[[nodiscard]] Status writePackingCsv(std::istream& input, const Plan& plan, std::ostream& output);

} // namespace plimsoll
