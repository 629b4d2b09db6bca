#pragma once

#include "core/base/progress.h"
#include "core/formats/onnx/onnx_model.h"
#include "core/formats/onnx/onnx_tensor.h"
#include "core/formats/reading_room.h"

namespace plimsoll::onnx {

/// How deep graphs may be nested in attributes of nodes, and types in types.
inline constexpr int MaxDepth = 64;

/// ModelProto. Weights are skipped (see Source). Errors say the byte and the path, "graph.node[12] 'conv1'".
[[nodiscard]] Result<Model> parseModel(WireBytes file, const Source& source, const Context& context, ReadingRoom& room);

/// TypeProto.
[[nodiscard]] Result<TensorType> parseType(WireBytes message, int depth = 0);

} // namespace plimsoll::onnx
