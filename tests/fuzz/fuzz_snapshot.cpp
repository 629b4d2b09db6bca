#include "core/formats/packing/packing_graph.h"
#include "core/formats/snapshot/pickle_reader.h"
#include "core/formats/snapshot/snapshot_table.h"

#include <cstdint>

/// Pickles, and memory snapshots in them or in JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static_cast<void>(readPickle(bytes).ok());
    const auto table = readSnapshotTable(bytes, {});
    if (!table.ok()) return 0;
    static_cast<void>(packingGraph(table.value(), "fuzzed").ok());
    static_cast<void>(packingPlan(table.value()).has_value());
    return 0;
}
