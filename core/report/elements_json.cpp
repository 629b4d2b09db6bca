#include "core/report/elements_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
std::optional<Number> parsed(const std::string& text)
{
    Number number {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Numbers as numbers, non-finite ones and strings as strings.
Json element(DType dtype, const std::string& text)
{
    if (dtype == DType::String) return text;
    if (text == "true" || text == "false") return text == "true";
    if (!isFloatingPoint(dtype)) {
        if (const auto number = parsed<std::int64_t>(text)) return *number;
        if (const auto number = parsed<std::uint64_t>(text)) return *number;
    }
    const auto number = parsed<double>(text);
    return number && std::isfinite(*number) ? Json(*number) : Json(text);
}

/// An element as text; what JSON has no number for stands there as a string already.
std::string elementText(const Json& json)
{
    if (json.is_string()) return json.get<std::string>();
    return json.is_number_float() ? fmt::format("{:.9g}", json.get<double>()) : json.dump();
}

} // namespace

nlohmann::ordered_json elementsJson(DType dtype, const std::vector<std::string>& elements)
{
    Json data = Json::array();
    for (const std::string& text : elements)
        data.push_back(element(dtype, text));
    return data;
}

std::vector<std::string> elementsFrom(const nlohmann::ordered_json& json)
{
    std::vector<std::string> elements;
    for (const Json& one : json.value("data", Json::array()))
        elements.push_back(elementText(one));
    return elements;
}

} // namespace plimsoll
