#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace plimsoll::checks {

/// What a person wants to read of a plimsoll.device-checks/1: what failed, and what was measured, line by line. Empty
/// where nothing failed and nothing was measured.
[[nodiscard]] std::string tableOf(const nlohmann::ordered_json& json);

} // namespace plimsoll::checks
