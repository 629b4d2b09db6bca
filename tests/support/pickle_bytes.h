#pragma once

#include <string>
#include <string_view>

namespace plimsoll::test {

/// A JSON text as Python's pickle module would write the same data: each text once, then by its number.
/// \p protocol is 2 (BINPUT, as PyTorch's own pickler writes) or 4 (MEMOIZE, frames).
[[nodiscard]] std::string pickleOf(std::string_view json, int protocol = 4);

} // namespace plimsoll::test
