#pragma once

#include "core/plan/reserved_bytes.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace plimsoll {

/// What is reserved in an arena, as plans and reports list it.
[[nodiscard]] nlohmann::ordered_json reservedJson(const std::vector<ReservedBytes>& reserved);

} // namespace plimsoll
