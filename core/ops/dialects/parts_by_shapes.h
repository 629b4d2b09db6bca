#pragma once

#include "core/ops/node_facts.h"

/// Maps of operators of which the axis is not read: tensors that are joined, or that one is cut into, differ from it
/// along that one axis.
namespace plimsoll::ops {

/// Of inputs that are joined in their order.
AccessMap joinedByShapes(NodeFacts& facts, std::size_t input, std::size_t output);
/// Of outputs that an input is cut into, in their order.
AccessMap cutByShapes(NodeFacts& facts, std::size_t input, std::size_t output);

} // namespace plimsoll::ops
