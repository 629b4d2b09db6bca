#pragma once

#include "core/graph/graph.h"
#include "core/lower/types/infer_types.h"
#include "kernels/tensor_view.h"

#include <filesystem>
#include <map>
#include <optional>

namespace plimsoll::kernels {

/// One value from a file: .npy, or one of ONNX's .pb files of the kind that \p type says. A tensor of uint16 for a
/// value of bfloat16 is taken as its bits: ONNX's own test data up to 1.12 is written so.
[[nodiscard]] Result<RuntimeValue> readRuntimeValue(const std::filesystem::path& path, const TensorType& type);

/// The inputs of a graph that a folder holds: input_K.pb or input_K.npy for the K-th input, or <name>.npy / <name>.pb.
/// Inputs without a file are left out. \p folder must exist.
[[nodiscard]] Result<std::map<ValueId, RuntimeValue>> readInputs(const Graph& graph,
                                                                 const std::filesystem::path& folder);

/// Adds those that planning has added to the graph, by name: buffers of gradients, inputs of further calls.
[[nodiscard]] Status readFurtherInputs(const Graph& graph, const std::filesystem::path& folder,
                                       std::map<ValueId, RuntimeValue>& inputs);

/// output_K.pb or output_K.npy, by position; empty where there is no file.
[[nodiscard]] Result<std::vector<std::optional<RuntimeValue>>> readOutputs(const Graph& graph,
                                                                           const std::filesystem::path& folder);

/// The shapes of given inputs, for the symbols of the graph to be bound by.
[[nodiscard]] std::map<std::string, Shape> shapesOf(const Graph& graph, const std::map<ValueId, RuntimeValue>& inputs);

/// Gives inputs whose declared shape contradicts the data the shape of the data; what the data does not name stays.
void adoptShapes(Graph& graph, const std::map<ValueId, RuntimeValue>& inputs);

} // namespace plimsoll::kernels
