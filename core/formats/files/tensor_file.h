#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll {

/// What a file of test data holds: a tensor, a sequence of them, or an optional of either.
struct TensorFile
{
    std::string name;                   ///< Of the value, where the file says it.
    TypeKind kind = TypeKind::Tensor;   ///< Tensor or Sequence; what an optional holds, when it holds something.
    bool present = true;                ///< False: an optional that is empty.
    std::vector<TensorLiteral> tensors; ///< One for a tensor. Their bytes are in memory.
};

/// Reads a .npy file or one of ONNX's .pb files. TensorProto, SequenceProto and OptionalProto cannot be told apart by
/// their bytes: \p kind is that of the value the file is for. An .npy file is always a tensor.
[[nodiscard]] Result<TensorFile> readTensorFile(const std::filesystem::path& path, TypeKind kind = TypeKind::Tensor);

} // namespace plimsoll
