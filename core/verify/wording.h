#pragma once

#include "core/graph/graph.h"
#include "core/plan/memory_map.h"

namespace plimsoll::verifying {

[[nodiscard]] std::string quoted(const Graph& graph, ValueId value); ///< "'conv1_out'"
[[nodiscard]] std::string quoted(const Graph& graph, NodeId node);
/// "'a', 'b', 'c' and 4 more"
[[nodiscard]] std::string listed(const std::vector<std::string>& quotedNames);
/// Whether the file itself says what the outputs of the node have to do with its inputs, so that it can be corrected
/// there; of other formats it follows from the operator.
[[nodiscard]] bool isDeclared(const Graph& graph, NodeId node);
[[nodiscard]] std::string range(Interval interval); ///< "[0, 64)"

/// "bytes [0, 64)", with "of arena 1 (sram)" behind it where the plan has several.
[[nodiscard]] std::string place(const MemoryMap& map, ArenaId arena, Interval bytes);

} // namespace plimsoll::verifying
