#pragma once

#include "kernels/run/device/device_spaces.h"

namespace plimsoll::kernels {

/// Whether the backend that the policy asks for can run here, if it computes on devices. Unsupported with the reason,
/// even where nothing of a graph would be computed there: an answer of the CPU is none to the question for a device.
[[nodiscard]] Status checkPreferred(const Policies& policies, bool emulate);

/// The devices that the nodes of a plan are computed on, or, if asked, host memory standing in for each. Unsupported,
/// with the reason in one line, where one is not there.
[[nodiscard]] Result<RunDevices> openDevices(const PlannedProgram& program, bool emulate);

} // namespace plimsoll::kernels
