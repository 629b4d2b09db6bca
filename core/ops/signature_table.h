#pragma once

#include "core/ops/signature.h"

namespace plimsoll::ops {

/// Sorted by name, then by version.
std::span<const Signature> signatures();

} // namespace plimsoll::ops
