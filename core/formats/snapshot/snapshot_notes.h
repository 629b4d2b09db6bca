#pragma once

#include "core/formats/snapshot/snapshot_names.h"
#include "core/formats/snapshot/snapshot_replay.h"

#include <string>
#include <vector>

namespace plimsoll {

/// What a replay comes to, in sentences; requests that were refused are in the record.
[[nodiscard]] std::vector<std::string> snapshotNotes(const DeviceSnapshot& snapshot, const SnapshotReplay& replay,
                                                     SnapshotCallers& callers);

} // namespace plimsoll
