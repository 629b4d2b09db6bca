#pragma once

#include "core/formats/packing/packing_table.h"

#include "core/base/result.h"

#include <string_view>

namespace plimsoll {

/// The memory snapshot of a PyTorch program (see memory_snapshot.h) as a table of buffers: every allocation of one
/// device with its life in events (see snapshot_replay.h), at the address that it had. Addresses are laid side by side
/// in their order, without those that never were in a segment:
///
///     0x7f0000000000 ├ segment ┤ … 0x7f8000000000 ├ segment ┤        0 ├ segment ┼ segment ┤
///
/// \p wanted is the device, "cuda:1", or empty. Notes say what was reserved and alive, where the peak is, what is alive
/// there, which requests were refused and why, and where the file contradicts itself.
[[nodiscard]] Result<PackingTable> readSnapshotTable(std::string_view bytes, std::string_view wanted,
                                                     std::size_t mostRows = MostPackingRows);

} // namespace plimsoll
