#pragma once

#include "kernels/runtime/node_call.h"

namespace plimsoll::kernels {

/// Computes a node on its device and waits for it. An Error names the node, the device, and where its tensors lie.
[[nodiscard]] Status runOnDevice(NodeCall& call, Device& device, const Implementation& chosen);

/// Brings the input of a copy to where its output lies.
[[nodiscard]] Status copyAcross(NodeCall& call);

} // namespace plimsoll::kernels
