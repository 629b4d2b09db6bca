#pragma once

#include <string_view>

namespace plimsoll {

/// Whether \p text is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).
[[nodiscard]] bool isUtf8(std::string_view text);

/// \p text without the byte order mark (EF BB BF) that some editors put first.
[[nodiscard]] inline std::string_view withoutByteOrderMark(std::string_view text)
{
    return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

} // namespace plimsoll
