#pragma once

#include "core/placement/placement.h"

namespace plimsoll {

/// MXNet's sized blocks: a freed block is handed on whole, to a request within the match range of Problem::blockRule:
/// of those that are large enough the smallest, or else the largest, which grows. Source: the plan-memory pass of
/// apache/mxnet v1.x (src/nnvm/plan_memory.cc). Gaps in live ranges are not used.
[[nodiscard]] Result<Plan> placeInSizedBlocks(const Problem& problem, const Context& context);

} // namespace plimsoll
