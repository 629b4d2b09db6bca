#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Whether a value that the caller fills lies in the planned arena all the same: inputs and state of a TensorFlow Lite
/// model, which its interpreters keep there. An input makes room after its last read; state stays.
[[nodiscard]] bool liesInArena(const Graph& graph, const Value& value);

/// Whether the node arranges what it reads and writes in memory itself, so that these may lie over each other: an NPU,
/// whose commands have the addresses built in.
[[nodiscard]] bool arrangesItsMemory(const Node& node);

} // namespace plimsoll
