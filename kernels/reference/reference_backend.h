#pragma once

#include "kernels/backend.h"

namespace plimsoll::kernels {

/// The plain loops, for dense and for sparse tensors.
[[nodiscard]] std::unique_ptr<BackendSession> beginReference();

} // namespace plimsoll::kernels
