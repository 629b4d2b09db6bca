#pragma once

#include "kernels/common/call_tools.h"

namespace plimsoll::kernels {

/// Shape of the outcome of a broadcast operation and how its first two inputs are walked.
struct BroadcastPair
{
    Shape shape;
    Shape stridesA; ///< Elements.
    Shape stridesB;
};

/// The broadcast of two inputs: numpy's rules from opset 7 on; before, the attributes "broadcast" and "axis" place the
/// second input inside the first.
[[nodiscard]] Result<BroadcastPair> broadcastInputs(const KernelCall& call, const TensorView& a, const TensorView& b);

/// The shape that all inputs broadcast to.
[[nodiscard]] Result<Shape> broadcastAllInputs(const KernelCall& call);

} // namespace plimsoll::kernels
