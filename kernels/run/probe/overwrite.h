#pragma once

#include "core/base/result.h"
#include "kernels/device.h"
#include "kernels/tensor_view.h"

#include <cstdint>

namespace plimsoll::kernels {

/// Gives every element another content than it has. Where the type has room for it all become one number, the first
/// from \p number on that no element is; in the others (bool, small floats and integers) each turns all of its bits;
/// strings grow by a letter.
void overwrite(const TensorView& tensor, std::int64_t number);
/// The same of a tensor in the memory of a device; nullptr is the host.
[[nodiscard]] Status overwriteOn(Device* device, const TensorView& tensor, std::int64_t number);

/// Bytes of the elements in which two values of one kind, type and shape differ; strings count their characters. All
/// bytes of \p now when those differ.
[[nodiscard]] std::int64_t changedBytes(const RuntimeValue& before, const RuntimeValue& now);

} // namespace plimsoll::kernels
