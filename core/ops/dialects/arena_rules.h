#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Whether a value that the caller fills lies in the planned arena all the same: inputs and state of a TensorFlow Lite
/// model, state and those inputs of an ExecuTorch program that its caller does not see, whose interpreters keep them
/// there. Such an input makes room after its last read; state stays, and so does an input that is seen.
[[nodiscard]] bool liesInArena(const Graph& graph, const Value& value);

/// Whether the value is room in which its producer works, and no result: one of a node's last outputs, as many of
/// them as its attribute Workspaces says.
[[nodiscard]] bool isWorkspace(const Graph& graph, ValueId value);
inline constexpr std::string_view Workspaces = "workspaces";

/// Whether the node arranges what it reads and writes in memory itself, so that these may lie over each other: an NPU,
/// whose commands have the addresses built in.
[[nodiscard]] bool arrangesItsMemory(const Node& node);

/// Whether the file's own compiler brought the operator, so that only that compiler knows what it does with its
/// operands: a custom operator of TensorFlow Lite.
[[nodiscard]] bool isCustomOperator(const Node& node);
inline constexpr std::string_view CustomOverload = "custom"; ///< Of its origin.

} // namespace plimsoll
