#pragma once

#include "core/base/result.h"
#include "core/formats/packing/packing_table.h"

#include <filesystem>
#include <iosfwd>
#include <string_view>

namespace plimsoll {

/// Whether a file begins as one that holds a table of buffers: a CSV (packing_csv.h) or a memory snapshot of PyTorch
/// (snapshot_table.h).
[[nodiscard]] bool looksLikePackingFile(std::string_view bytes);

/// The table of such a file. "FILE#cuda:1" is that of one device of a snapshot. Anything else is read as a CSV, whose
/// errors say what is missing.
[[nodiscard]] Result<PackingTable> readPackingFile(const std::filesystem::path& path,
                                                   std::size_t mostRows = MostPackingRows);

/// The same from what can be read only once: a table row by row, a snapshot as a whole.
[[nodiscard]] Result<PackingTable> readPackingStream(std::istream& input, std::size_t mostRows = MostPackingRows);

/// The same from memory; of a snapshot the busiest device.
[[nodiscard]] Result<PackingTable> readPackingBytes(std::string_view bytes, std::size_t mostRows = MostPackingRows);

} // namespace plimsoll
