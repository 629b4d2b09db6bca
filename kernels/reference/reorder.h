#pragma once

#include "core/plan/layout.h"
#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// Copies a tensor of \p shape from one layout to another, element by element; pad lanes of the target become zero.
/// Both are as large as their layouts say; elements have \p elementSize bytes.
struct LaidOut
{
    std::byte* data = nullptr;
    Layout layout;
};
void reorderElements(const LaidOut& from, const LaidOut& to, const Shape& shape, std::size_t elementSize);

/// The kernel of plimsoll::Reorder: from the layout "from" to "to", read as a tensor of shape "readAs" where that is
/// given.
[[nodiscard]] Status reorder(KernelCall& call);

} // namespace plimsoll::kernels
