#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll {

/// At most about \p most bytes of UTF-8: of what is longer, the middle is left out and counted, "abc…(1,200
/// bytes)…xyz".
[[nodiscard]] std::string shortMiddle(std::string_view text, std::size_t most);

/// The same for each word (no blanks in it) that is longer than \p most, all else as it is.
[[nodiscard]] std::string shortWords(std::string_view text, std::size_t most);

} // namespace plimsoll
