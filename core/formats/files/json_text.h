#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace plimsoll {

/// A file's text. Names may be any bytes: what is no UTF-8 becomes U+FFFD.
template <typename Json>
[[nodiscard]] std::string jsonText(const Json& json, int indent = 1)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace plimsoll
