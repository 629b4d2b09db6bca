#pragma once

#include "core/graph/graph.h"
#include "core/ops/saving.h"

namespace plimsoll {

/// Runs the backward graph \p times times, as loss.backward() does when it is called again: each pass reads what was
/// kept, and gradients add up in the bytes of the first ones, which are the last outputs. What is read at last is in
/// the readBy of \p saved.
[[nodiscard]] Graph repeatBackward(Graph graph, std::int64_t times, std::vector<SavedTensor>& saved);

/// Keeps all of \p saved until the last backward pass has ended: a node behind it that reads them and does nothing.
[[nodiscard]] Graph retain(Graph graph, const std::vector<SavedTensor>& saved);

} // namespace plimsoll
