#pragma once

#include "core/lower/types/infer_types.h"
#include "core/plan/decision.h"
#include "core/plan/policies.h"

#include <string_view>
#include <unordered_set>

namespace plimsoll {

/// Turns values that are known before the run into constants, and marks the nodes that compute them as ahead of it.
/// Shapes: what shape arithmetic knows in full (the constant gets its bytes here). All: also every pure node whose
/// inputs are constants (the executor computes it once, before the first step). Nodes whose outputs are not needed any
/// more are marked ahead too: such a node need not run at all, and an Intermediate that it would write takes no bytes.
/// What must run before the first step is a node that is ahead and has an output that is a Constant without data.
/// Graph outputs, nodes with bodies and nodes inside a body that depend on it stay.
/// Ids do not change. What is \p kept is computed during the run by its node: a plan at hand has a place for it.
[[nodiscard]] Graph fold(const InferredGraph& inferred, FoldPolicy policy, const DecisionLog& log,
                         const std::unordered_set<std::string_view>& kept = {});

/// Marks nodes ahead that no output depends on. Operators that are not known here, effects, nodes with bodies, what is
/// saved for a backward graph and what is \p kept stay.
[[nodiscard]] Graph dropDeadNodes(Graph graph, const std::unordered_set<std::string_view>& kept = {});

} // namespace plimsoll
