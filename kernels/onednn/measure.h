#pragma once

#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

/// Milliseconds that a recipe takes here: the best of a few executions on bytes of its own, after one to warm up. -1
/// where it cannot be executed.
[[nodiscard]] double measureMs(const Recipe& recipe, const dnnl::engine& engine);
/// The same of a reorder.
[[nodiscard]] double measureReorderMs(const dnnl::memory::desc& from, const dnnl::memory::desc& to,
                                      const dnnl::engine& engine);

} // namespace plimsoll::kernels::onednn
