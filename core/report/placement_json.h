#pragma once

#include "core/facts/report.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

[[nodiscard]] nlohmann::ordered_json historyJson(const std::vector<Incumbent>& history);

/// Adds "search", "peakCauses" and "holes" of plimsoll.report/1.
void addPlacement(const Report& report, nlohmann::ordered_json& json);

} // namespace plimsoll
