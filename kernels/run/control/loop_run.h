#pragma once

#include "kernels/run/control/control_flow.h"

namespace plimsoll::kernels {

/// Executes Loop, Scan (8 and later) and SequenceMap, as their links (core/ops/op_traits.h) say what travels when:
///
///     Enter   owner's inputs → body's inputs, first slices
///     body    ┐
///     Leave   ┘ once for each iteration: slices out, carried state and next slices in
///     Exit    final state and stacked slices → owner's outputs
[[nodiscard]] Status runLoop(OwnerRun& run);

} // namespace plimsoll::kernels
