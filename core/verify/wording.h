#pragma once

#include "core/base/message.h"
#include "core/verify/clashes.h"

namespace plimsoll::verifying {

[[nodiscard]] Argument nameOf(const Graph& graph, ValueId value); ///< "'conv1_out'"; "nothing".
[[nodiscard]] Argument nameOf(const Graph& graph, NodeId node);
[[nodiscard]] Argument nameOf(const Graph& graph, const Party& party);
/// Whether the file itself says what the outputs of the node have to do with its inputs, so that it can be corrected
/// there; of other formats it follows from the operator.
[[nodiscard]] bool isDeclared(const Graph& graph, NodeId node);
/// "bytes [0, 64)", with "of arena 1 (sram)" behind it where the plan has several.
[[nodiscard]] Message place(const MemoryMap& map, ArenaId arena, Interval bytes);

} // namespace plimsoll::verifying
