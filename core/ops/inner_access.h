#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// What an element of a result is made of by two operations in a row: \p outer reads what \p inner makes.
[[nodiscard]] AccessMap composed(const AccessMap& outer, const AccessMap& inner);

/// By output of a node of which the operations inside are known: the ways in which its elements are made of those of
/// the input, after something may have been written. More than a few dozen are one that reads anything.
[[nodiscard]] std::vector<std::vector<AccessMap>> waysTo(const InnerOperations& inside, int input);

/// What is known of the operations inside of a node: what a file says; else, where an implementation computes others
/// along with it or widens what it may write over, the maps of their operators, each of which takes what the one before
/// it made. What an operator itself may write over stays in place. Where nothing is known of the first, it is taken at
/// its implementation's word; of those behind it, any element is read. Null for all other nodes.
[[nodiscard]] std::shared_ptr<const InnerOperations> operationsInside(const Graph& graph, NodeId node);

/// Whether such a node reads elements of the input for others than those at the same place. Nothing is known of other
/// nodes: false.
[[nodiscard]] bool readsElsewhere(const Graph& graph, NodeId node, int input);

} // namespace plimsoll
