#pragma once

#include "kernels/runtime/device_spaces.h"

namespace plimsoll::kernels {

/// The devices that the nodes of a plan are computed on, or, if asked, host memory standing in for each. Unsupported,
/// with the reason in one line, where one is not there.
[[nodiscard]] Result<RunDevices> openDevices(const Report& report, bool emulate);

} // namespace plimsoll::kernels
