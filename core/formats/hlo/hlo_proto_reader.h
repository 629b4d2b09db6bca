#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Whether this is a program of XLA in one of protobuf's forms (HloProto, HloModuleProto, a compiled program as text),
/// or a profile that carries some (XSpace). Built without protobuf: false.
[[nodiscard]] bool looksLikeHloProto(const FormatInput& input);

/// As readHloText(), with the plan that XLA made, its buffer assignment. Instructions are in the order of the schedule
/// that the file brings.
[[nodiscard]] Result<FormatContent> readHloProto(const FormatInput& input, const Context& context);

} // namespace plimsoll
