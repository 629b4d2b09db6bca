#include "core/formats/files/json_text.h"
#include "core/report/writers.h"

#include <charconv>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

/// A number where all of the text is one: "4096", not "16 × 3".
Json jsonOf(const Cell& cell, ColumnInfo::Kind kind)
{
    std::string text = plainText(cell);
    double number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    const bool whole = kind == ColumnInfo::Kind::Number && !text.empty() && end == text.data() + text.size();
    if (!whole) return text;
    std::int64_t count = 0;
    const auto countEnd = std::from_chars(text.data(), text.data() + text.size(), count).ptr;
    return countEnd == end ? Json(count) : Json(number);
}

} // namespace

std::string writeJson(const FactTable& table, const OpenTable& open, std::span<const std::uint32_t> rows)
{
    Json list = Json::array();
    for (const std::uint32_t row : rows) {
        Json& object = list.emplace_back(Json::object());
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            object[std::string(table.columns[column].title)] =
                jsonOf(open.cell(row, column), table.columns[column].kind);
    }
    return jsonText(list);
}

std::string writeJson(const std::vector<FactSection>& sections)
{
    Json list = Json::array();
    for (const FactSection& section : sections)
        for (const Fact& fact : section.facts)
            list.push_back({{"Section", section.title}, {"Name", fact.name}, {"Value", plainText(fact.cell)}});
    return jsonText(list);
}

} // namespace plimsoll
