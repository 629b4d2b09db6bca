#pragma once

#include "core/formats/onnx/onnx_tensor.h"

namespace plimsoll::onnx {

/// How many bytes the sparse tensors of one file may still take when every element is written down: a few bytes of a
/// file can claim any shape.
struct DenseRoom
{
    std::int64_t bytes = 256 << 20;
};

/// SparseTensorProto: as many numbers as positions, which rise and lie inside the shape. The literal holds every
/// element; Tensor::kept says how many the file lists. Errors: positions that do not fit the shape or are out of
/// order, lengths that differ, strings, and more elements than \p room has bytes for.
[[nodiscard]] Result<Tensor> readSparseTensor(WireBytes message, const Source& source, DenseRoom& room);

} // namespace plimsoll::onnx
