#pragma once

#include "core/ops/node_facts.h"

namespace plimsoll {

/// Whether the attributes of a node that stand for a choice name one that its operator has: direction, mode,
/// reduction and their like, of the standard and of ai.onnx.ml; element types and numbers that must be above 0 too.
[[nodiscard]] Status checkChoices(const NodeFacts& facts);

} // namespace plimsoll
