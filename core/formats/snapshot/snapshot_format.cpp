#include "core/formats/formats.h"
#include "core/formats/snapshot/memory_snapshot.h"
#include "core/formats/snapshot/snapshot_table.h"

namespace plimsoll {

const Format SnapshotFormat {
    .id = "memory snapshot",
    .title = "PyTorch's memory",
    .name = "memory snapshot of PyTorch",
    .plural = "formats.snapshots",
    .extensions = "pickle pkl json",
    .howToGet = "A snapshot of the allocator's memory (`torch.cuda.memory._dump_snapshot`).",
    .plan = "judged",
    .terms = {1, BackendPolicy::Captured},
    .several = true,
    .recognise = [](const FormatInput& input) { return looksLikeMemorySnapshot(input.text()); },
    .readTable = [](const FormatInput& input,
                    std::size_t mostRows) { return readSnapshotTable(input.text(), input.graph, mostRows); },
};

} // namespace plimsoll
