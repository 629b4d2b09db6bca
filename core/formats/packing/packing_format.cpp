#include "core/formats/formats.h"
#include "core/formats/packing/packing_csv.h"

#include <sstream>

namespace plimsoll {

const Format PackingFormat {
    .id = "packing table",
    .title = "CSV",
    .name = "table of buffers (CSV)",
    .plural = "formats.buffers",
    .extensions = "csv",
    .howToGet = "A bare table of buffers: lower, upper, size.",
    .plan = "judged",
    .terms = {1, BackendPolicy::Captured}, // It says alignments row by row.
    .recognise = [](const FormatInput& input) { return looksLikePackingTable(input.text()); },
    .readTable = [](const FormatInput& input, std::size_t mostRows) -> Result<PackingTable> {
        if (!input.file.empty()) return readPackingCsv(input.file, mostRows);
        std::istringstream rows {std::string(input.text())};
        return readPackingCsv(rows, mostRows);
    },
};

} // namespace plimsoll
