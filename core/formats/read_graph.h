#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/plan/plan_file.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace plimsoll {

/// Reads a graph in any format we know. The content decides, not the name: ONNX, TensorFlow Lite, ExecuTorch, a
/// program of XLA, an MXNet symbol, graphs as PyTorch prints or exports them, plimsoll.graph/1, a table of buffers or a
/// memory snapshot (see packing_file.h). Of anything else the Error says what it looks like and what can be read.
/// "FILE#NAME" is one graph of a file that holds several (see fx_reader.h), or one device of a snapshot.
[[nodiscard]] Result<Graph> readGraph(const std::filesystem::path& path, const Context& context);

/// The same from memory (standard input): data files beside the graph are refused.
[[nodiscard]] Result<Graph> readGraph(std::span<const std::byte> bytes, const Context& context);

/// The file of "FILE#NAME": the part in front of the last "#", unless there is a file of the whole name.
[[nodiscard]] std::filesystem::path fileOfGraph(const std::filesystem::path& path);

/// The plan that such a file brings along, where it has a place for everything: see embedded_plan.h.
[[nodiscard]] std::optional<PlanFile> planWithin(const std::filesystem::path& path);

/// The graph that a shape, a plan or a record belongs to: 32 hexadecimal digits over names, operators, attributes,
/// types and nesting; not over weights, file names or the format it was read from.
[[nodiscard]] std::string graphDigest(const Graph& graph);

} // namespace plimsoll
