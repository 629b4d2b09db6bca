#pragma once

#include "core/formats/files/tensor_file.h"

#include <cstddef>
#include <span>

namespace plimsoll::onnx {

/// The content of a .pb file of ONNX's test data: TensorProto, SequenceProto or OptionalProto, as \p kind says.
[[nodiscard]] Result<TensorFile> readValueFile(std::span<const std::byte> bytes, TypeKind kind);

} // namespace plimsoll::onnx
