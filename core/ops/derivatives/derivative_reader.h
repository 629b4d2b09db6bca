#pragma once

#include "core/ops/derivatives/derivatives.h"

namespace plimsoll {

/// Reads the language of derivatives.h. Everything that a formula names must be an argument, an output or a gradient of
/// one. Errors say what is wrong in which line.
[[nodiscard]] Result<std::vector<Derivative>> readDerivatives(std::string_view text);

} // namespace plimsoll
