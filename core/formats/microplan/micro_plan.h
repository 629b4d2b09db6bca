#pragma once

#include "core/formats/format.h"
#include "core/formats/packing/packing_table.h"

namespace plimsoll {

/// Whether a text holds a memory plan as TensorFlow Lite Micro prints it.
[[nodiscard]] bool looksLikeMicroPlan(const FormatInput& input);

/// The buffers of such a plan (MicroMemoryPlanner::PrintMemoryPlan), wherever they stand in a log:
///
///     0 (id=0): size=64, offset=128, first_used=0 last_used=3    →    buffer0, steps [0, 4), bytes [128, 192)
///
/// The last step is inclusive there. Of several plans the first is read; "FILE#2" is the second.
[[nodiscard]] Result<PackingTable> readMicroPlan(const FormatInput& input, std::size_t mostRows);

} // namespace plimsoll
