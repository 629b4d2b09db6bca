#pragma once

#include "core/graph/graph.h"

#include <string>

namespace plimsoll {

/// Where in a program it was made, as far as the file tells: "model.py:21 in Block.forward, module blocks.0". Of a
/// value that of its producer.
[[nodiscard]] std::string sourceText(const Graph& graph, NodeId node);
[[nodiscard]] std::string sourceText(const Graph& graph, ValueId value);

/// The same without the module.
[[nodiscard]] std::string sourceLine(const Graph& graph, NodeId node);
[[nodiscard]] std::string sourceLine(const Graph& graph, ValueId value);

} // namespace plimsoll
