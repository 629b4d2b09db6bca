#pragma once

#include "core/formats/onnx/onnx_model.h"
#include "core/formats/reading_room.h"

namespace plimsoll::onnx {

/// Replaces every call of a function of the model, at any depth, by the function's nodes. Inner names get the call's
/// name in front, "call/inner". Errors: a function that calls itself, calls with too many inputs or outputs, an
/// expansion that \p room has no place for, and functions written for another operator set than the model's.
[[nodiscard]] Status inlineFunctions(Model& model, ReadingRoom& room);

} // namespace plimsoll::onnx
