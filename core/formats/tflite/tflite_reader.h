#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Reads a TensorFlow Lite model (schema 3). Its operators are nodes of the domain "tflite" under their own names,
/// custom ones under their codes; IF and WHILE become If and Loop. Types are those that the file says. Inputs and
/// variable tensors are planned in the arena, where its interpreters keep them; constants are parameters. Of several
/// signatures or subgraphs the first is read where none is named.
///
/// Offsets that the file brings (OfflineMemoryAllocation) are pins, unless every value has one: then they are a plan to
/// be judged. Built without flatbuffers, it is Unsupported.
[[nodiscard]] Result<FormatContent> readTflite(const FormatInput& input, const Context& context);

} // namespace plimsoll
