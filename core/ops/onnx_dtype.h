#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// The element type of a TensorProto.DataType number of onnx.proto; Unknown for a number it does not have.
[[nodiscard]] DType dtypeFromOnnx(std::int64_t number);

/// An attribute that names an element type (Cast's "to"): ONNX's number, or a name, "float32" or "FLOAT".
/// \p fallback where there is no such attribute.
[[nodiscard]] DType dtypeAttribute(const Node& node, std::string_view name, DType fallback);

} // namespace plimsoll
