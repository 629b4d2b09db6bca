#pragma once

#include "core/formats/onnx/onnx_tensor.h"
#include "core/formats/reading_room.h"

namespace plimsoll::onnx {

/// SparseTensorProto: as many numbers as positions, which rise and lie inside the shape. The literal holds every
/// element; Tensor::kept says how many the file lists. Errors: positions that do not fit the shape or are out of
/// order, lengths that differ, strings, and more elements than \p room has bytes for.
[[nodiscard]] Result<Tensor> readSparseTensor(WireBytes message, const Source& source, ReadingRoom& room);

} // namespace plimsoll::onnx
