#pragma once

#include "core/base/progress.h"
#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

/// Milliseconds that a recipe takes here: the best of a few executions on bytes of its own, after one to warm up. -1
/// where it cannot be executed.
[[nodiscard]] double measureMs(const Recipe& recipe, const dnnl::engine& engine);
/// Executes the reorders that the offers of \p catalogue can make necessary, a few times for each type of tensor and
/// pair of layouts, and adds what they take (Catalogue::reorders).
void measureReorders(const Graph& graph, const dnnl::engine& engine, Catalogue& catalogue, const Context& context);

} // namespace plimsoll::kernels::onednn
