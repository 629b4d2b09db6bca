#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace plimsoll {

/// The same JSON with escapes ("\\u202e") for what a terminal would obey or does not show (core/base/characters.h).
[[nodiscard]] std::string withoutHidden(std::string json);

/// A file's text. Names may be any bytes: what is no UTF-8 becomes U+FFFD.
template <typename Json>
[[nodiscard]] std::string jsonText(const Json& json, int indent = 1)
{
    return withoutHidden(json.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

} // namespace plimsoll
