#pragma once

#include "core/base/message.h"
#include "core/formats/snapshot/snapshot_names.h"
#include "core/formats/snapshot/snapshot_replay.h"

#include <vector>

namespace plimsoll {

/// What a replay comes to, in sentences; requests that were refused are in the record. \p height: of its picture.
[[nodiscard]] std::vector<Message> snapshotNotes(const DeviceSnapshot& snapshot, const SnapshotReplay& replay,
                                                 SnapshotCallers& callers, std::int64_t height);

} // namespace plimsoll
