#pragma once

#include "kernels/run/step/node_call.h"

namespace plimsoll::kernels {

/// Hands a node to the stream in use of its device. An Error names the node, the device, and where its tensors lie.
[[nodiscard]] Status launchOnDevice(NodeCall& call, Device& device, const Implementation& chosen);
/// The same, waits for it, and notes its time.
[[nodiscard]] Status runOnDevice(NodeCall& call, Device& device, const Implementation& chosen);

/// Brings the input of a copy to where its output lies, and notes its time. From one device to another by themselves
/// where they can, else through the host.
[[nodiscard]] Status copyAcross(NodeCall& call);
/// Hands a copy between the host and a device to its stream in use.
[[nodiscard]] Status launchCopy(NodeCall& call);

} // namespace plimsoll::kernels
