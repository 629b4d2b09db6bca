#pragma once

#include "core/base/result.h"
#include "core/formats/packing/packing_table.h"

#include <filesystem>
#include <iosfwd>

namespace plimsoll {

/// The table of buffers in a file of any format that is one (Format::readTable); "FILE#cuda:1" is that of one device of
/// a snapshot. Any other text is read as a CSV, whose errors say what is missing.
[[nodiscard]] Result<PackingTable> readPackingFile(const std::filesystem::path& path,
                                                   std::size_t mostRows = MostPackingRows);

/// The same from what can be read only once: a CSV row by row, others as a whole.
[[nodiscard]] Result<PackingTable> readPackingStream(std::istream& input, std::size_t mostRows = MostPackingRows);

} // namespace plimsoll
