#pragma once

#include <string_view>

namespace plimsoll {

/// Whether \p text is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).
[[nodiscard]] bool isUtf8(std::string_view text);

} // namespace plimsoll
