#pragma once

#include "kernels/run/step/node_call.h"

namespace plimsoll::kernels {

/// Stands in for an operator without a kernel: fills its outputs with a stream of pseudo-random elements keyed by the
/// operator's name, its attributes and every input's type and content (only the type of inputs whose content it
/// ignores). Equal inputs give equal outputs, different ones different outputs, so that a wrong byte shows later.
///
/// - Elements are as ExternalValues draws them: floats in [-1, 1), integers and bools 0 or 1, which stay legal as
/// indices.
/// - An output that is declared an identity or a view of an input is a copy of those bytes.
/// - What an operator moves as it is (Stack, Concat, Split of any dialect) is moved: in a plan it may be there already.
/// - Unknown dimensions are taken as 1, an unknown element type as float32; sequences get one element.
/// All inputs are hashed before the first output is written, so outputs may lie over inputs.
[[nodiscard]] Status fingerprintNode(NodeCall& call);

/// The key: everything that the outputs depend on.
[[nodiscard]] std::uint64_t fingerprintKey(const NodeCall& call);

/// Writes \p value from a key, with the type that the graph gives it.
[[nodiscard]] Status fingerprintValue(Memory& memory, ValueId value, std::uint64_t key);

/// Whether a dimension or type of \p value had to be guessed.
[[nodiscard]] bool typeIsGuessed(const Value& value);

/// What was guessed: "for 'y' (int32[?,4]) 1 for each unknown size was assumed".
[[nodiscard]] std::string guessOf(const Value& value);

} // namespace plimsoll::kernels
