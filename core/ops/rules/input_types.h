#pragma once

#include "core/ops/node_facts.h"

namespace plimsoll {

/// Whether the definition of the operator takes inputs of these element types: of each kind, and alike where it wants
/// them alike. Inputs of an unknown type pass.
[[nodiscard]] Status checkInputTypes(const NodeFacts& facts);

} // namespace plimsoll
