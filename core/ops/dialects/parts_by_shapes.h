#pragma once

#include "core/ops/node_facts.h"

/// Maps of operators that join tensors or cut one up. Where the axis is not read, it is the one along which their
/// shapes differ.
namespace plimsoll::ops {

/// Of inputs that are joined in their order.
AccessMap joinedByShapes(NodeFacts& facts, std::size_t input, std::size_t output);
/// Of outputs that an input is cut into, in their order.
AccessMap cutByShapes(NodeFacts& facts, std::size_t input, std::size_t output);
/// Of inputs of one shape, each at an index of its own along a new axis; \p rank is theirs.
AccessMap stackedAlong(std::size_t axis, std::size_t rank, std::size_t input);
/// The same where the axis is not read; anything where more than one may be the new one.
AccessMap stackedByShapes(NodeFacts& facts, std::size_t input, std::size_t output);
/// Of outputs that are the indices along an axis of the input.
AccessMap unstackedByShapes(NodeFacts& facts, std::size_t input, std::size_t output);

} // namespace plimsoll::ops
