#pragma once

#include "core/graph/tensor_type.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace plimsoll {

/// Elements as text that round-trips: numbers as numbers, non-finite ones and strings as strings.
[[nodiscard]] nlohmann::ordered_json elementsJson(DType dtype, const std::vector<std::string>& elements);
/// Those under "data".
[[nodiscard]] std::vector<std::string> elementsFrom(const nlohmann::ordered_json& json);

} // namespace plimsoll
