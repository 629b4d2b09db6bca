#pragma once

#include "core/formats/named_builder.h"
#include "core/formats/tflite/tflite_model.h"

namespace plimsoll::tflite {

/// The element type of a code of the schema; Unknown for those that have no fixed size or are not known here.
[[nodiscard]] DType dtypeOf(int type);

/// With the sizes with which the file was written, whatever is open.
[[nodiscard]] TensorType writtenType(const Tensor& tensor);

/// Whether all inputs of a model that are open are so in their first dimension alone. That is the symbol "batch", and
/// open first dimensions of other tensors follow from it. All else has the size it was written with.
[[nodiscard]] bool hasOpenBatch(const Subgraph& entry);

/// The type of an input of the whole model; dimensions that it leaves open become symbols.
[[nodiscard]] TensorType inputType(const Tensor& tensor, bool openBatch);
/// The type of any other tensor. \p build gets notes on what was taken for what.
[[nodiscard]] TensorType computedType(const Tensor& tensor, bool openBatch, NamedBuilder& build);

} // namespace plimsoll::tflite
