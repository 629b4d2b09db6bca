#pragma once

#include "core/ops/op_schema.h"

namespace plimsoll::ops {

/// A loop that its condition alone ends, asked before the first trip and behind each: while of XLA, WHILE of TensorFlow
/// Lite. Owner: condition, state… → state…   Body: state… → condition, state…
extern const BodyTraits WhileLoop;

} // namespace plimsoll::ops
