#pragma once

#include "core/base/progress.h"
#include "core/graph/graph.h"
#include "core/plan/implementation.h"

#include <oneapi/dnnl/dnnl.hpp>

namespace plimsoll::kernels::onednn {

/// Executes the reorders that the offers of \p catalogue can make necessary, a few times for each type of tensor and
/// pair of layouts, and adds what they take (core/plan/reorder_times.h).
void measureReorders(const Graph& graph, const dnnl::engine& engine, Catalogue& catalogue, const Context& context);

} // namespace plimsoll::kernels::onednn
