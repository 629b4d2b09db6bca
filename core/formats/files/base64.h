#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// Any bytes as letters (RFC 4648, section 4), and back. Nothing where a text is none of that.
[[nodiscard]] std::string toBase64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);

} // namespace plimsoll
