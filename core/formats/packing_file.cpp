#include "core/formats/packing_file.h"

#include "core/formats/from_file.h"
#include "core/formats/graph_place.h"
#include "core/formats/mapped_file.h"
#include "core/formats/memory_snapshot.h"
#include "core/formats/packing_csv.h"
#include "core/formats/snapshot_table.h"

#include <sstream>

namespace plimsoll {
namespace {

std::string_view textOf(const MappedFile& file)
{
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

} // namespace

bool looksLikePackingFile(std::string_view bytes)
{
    return looksLikeMemorySnapshot(bytes) || looksLikePackingTable(bytes);
}

/// A pipe can be read once, and whoever writes into it sees it closed: only its reader may open it.
Result<PackingTable> readPackingFile(const std::filesystem::path& path, std::size_t mostRows)
{
    const GraphPlace place = graphPlace(path);
    std::error_code none;
    if (std::filesystem::is_regular_file(place.file, none)) {
        PLIMSOLL_ASSIGN(file, MappedFile::open(place.file));
        if (looksLikeMemorySnapshot(textOf(file)))
            return fromFile(readSnapshotTable(textOf(file), place.graph, mostRows), place.file);
    }
    if (!place.graph.empty()) return onlyOneGraph(place);
    return readPackingCsv(place.file, mostRows);
}

Result<PackingTable> readPackingBytes(std::string_view bytes, std::size_t mostRows)
{
    if (looksLikeMemorySnapshot(bytes)) return readSnapshotTable(bytes, {}, mostRows);
    std::istringstream stream {std::string(bytes)};
    return readPackingCsv(stream, mostRows);
}

} // namespace plimsoll
