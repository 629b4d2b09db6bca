#pragma once

#include "core/base/result.h"
#include "core/plan/problem.h"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A placement problem from a table of buffers.
struct PackingTable
{
    Problem problem;                                  ///< One arena, alignment 1, no capacity.
    std::vector<std::string> ids;                     ///< By BufferId, as the file has them.
    std::vector<std::optional<std::int64_t>> offsets; ///< Given ones, by BufferId; empty without such a column.
    /// Gaps in which part of a buffer stays ("a-b@low:high"): taken as if all of it stayed, which is safe.
    std::int64_t partialGaps = 0;
};

/// More rows are refused unless more are asked for: a table of this many takes some 1.3 GiB.
inline constexpr std::size_t MostPackingRows = 8'000'000;

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

/// Repeats \p input, which readPackingCsv() has read, line by line with the offsets of \p plan in a last column
/// `offset`; an `offset` column that is there is replaced.
[[nodiscard]] Status writePackingCsv(std::istream& input, const Plan& plan, std::ostream& output);

} // namespace plimsoll
