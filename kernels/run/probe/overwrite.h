#pragma once

#include "core/plan/run_result.h"
#include "kernels/run/memory/bound_handles.h"

#include <cstdint>

namespace plimsoll::kernels {

/// Gives every element another content than it has. Where the type has room for it all become one number, the first
/// from \p number on that no element is; in the others (bool, small floats and integers) each turns all of its bits;
/// strings grow by a letter.
void overwrite(const TensorView& tensor, std::int64_t number);

/// Writes through a handle, as far as the policy lets it: the outcome, the bytes it was moved to, or the reason why
/// not.
void writeThrough(BoundHandles& handles, std::size_t handle, ProbeWrite& result);

/// Bytes of the elements in which two values of one kind, type and shape differ; strings count their characters. All
/// bytes of \p now when those differ.
[[nodiscard]] std::int64_t changedBytes(const RuntimeValue& before, const RuntimeValue& now);

} // namespace plimsoll::kernels
