#include "core/graph/captured_strides.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

std::string strideKeys(const std::vector<std::int64_t>& strides)
{
    return nlohmann::json {{"pytorch", {{"stride", strides}}}}.dump();
}

std::vector<std::int64_t> capturedStrides(const Value& value)
{
    if (!value.type.dims || value.extra.find("\"stride\"") == std::string::npos) return {};
    const nlohmann::json extra = nlohmann::json::parse(value.extra, nullptr, false);
    if (!extra.is_object() || !extra.contains("pytorch") || !extra["pytorch"].is_object()) return {};
    const auto found = extra["pytorch"].find("stride");
    if (found == extra["pytorch"].end() || !found->is_array() || found->size() != value.type.dims->size()) return {};
    std::vector<std::int64_t> strides;
    for (const nlohmann::json& stride : *found) {
        if (!stride.is_number_integer() || stride.get<std::int64_t>() < 0) return {};
        strides.push_back(stride.get<std::int64_t>());
    }
    return strides;
}

} // namespace plimsoll
