#pragma once

#include <span>
#include <string_view>

namespace plimsoll::ops {

/// One word for each input of an operator, in order: the sets of types that it may have, parted by bars, and behind a
/// colon a letter that it shares with all inputs that must be of the same type. A star stands for the word before it,
/// as often as there are inputs.
///
///     "bool any:T any:T"      Where: any two of one type, by bools
///     "float:T *"             Sum: all of one type
///
/// Sets: float (16 to 64 bits), int (8 to 64 bits), number (both), byte (8 bits), small (what tensors are quantised
/// to), any, and the names of types.
struct InputTypes
{
    std::string_view op;
    std::string_view words;
};

/// Of the standard's own domain, sorted by name.
std::span<const InputTypes> inputTypes();

} // namespace plimsoll::ops
