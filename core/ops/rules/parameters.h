#pragma once

#include "core/ops/node_facts.h"

namespace plimsoll::ops {

/// Whether an input, if it is there, has so many numbers, in whatever rank: files give biases and states in several.
/// \p because ends the error: "one for each channel of float32[1,8,4,4]". An unknown size, -1, fits all.
[[nodiscard]] Status checkNumbers(const NodeFacts& facts, std::size_t input, std::int64_t wanted,
                                  const Message& because);

/// Whether an input can be stretched to the shape of input 0 by numpy's rule.
[[nodiscard]] Status checkStretches(const NodeFacts& facts, std::size_t input);

} // namespace plimsoll::ops
