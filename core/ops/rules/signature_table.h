#pragma once

#include "core/ops/rules/signature.h"

namespace plimsoll::ops {

/// Sorted by name, then by version.
std::span<const Signature> signatures();

} // namespace plimsoll::ops
