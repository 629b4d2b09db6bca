#pragma once

#include "core/ops/node_facts.h"

namespace plimsoll {

/// Whether the definition of the operator allows a node like this, whatever the sizes of its inputs: how many inputs,
/// outputs and bodies it has, of which kind its attributes are, which choices they make, and of which types its inputs
/// are, as far as these are known.
[[nodiscard]] Status checkForm(const NodeFacts& facts);

} // namespace plimsoll
