#include "core/formats/plimsoll/access_json.h"

#include "core/ops/inner_access.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using Json = nlohmann::json;
using Kind = AccessMap::Kind;

constexpr std::array<std::string_view, 4> KindNames = {"nothing", "order", "axes", "anything"}; ///< By Kind.
constexpr std::int64_t MostRank = 64;

/// The key of an object that is a position below \p count.
Result<std::size_t> readPosition(const JsonPlace& place, const std::string& key, std::size_t count)
{
    std::size_t number = 0;
    const char* const end = key.data() + key.size();
    const auto [next, failed] = std::from_chars(key.data(), end, number);
    if (failed != std::errc() || next != end || number >= count)
        return place.error(say("graph-json.access-key", word::Name {key}, word::Number(count)));
    return number;
}

Result<AccessAxis> readAxis(const JsonPlace& place)
{
    if (place.word() == "any") return AccessAxis {};
    PLIMSOLL_TRY(place.expectObject());
    AccessAxis axis {AccessAxis::One};
    if (place.has("from")) {
        PLIMSOLL_ASSIGN(from, place.at("from").integer());
        if (from < 0 || from >= MostRank) return place.at("from").error(say("graph-json.access-axis"));
        axis.from = static_cast<int>(from);
    }
    PLIMSOLL_SET(axis.start, place.integerOr("start", 0));
    PLIMSOLL_SET(axis.step, place.integerOr("step", 1));
    PLIMSOLL_TRY(place.forEachField("moved", [&](const std::string& key, const JsonPlace& times) -> Status {
        PLIMSOLL_ASSIGN(what, readPosition(times, key, 1U << 20U));
        PLIMSOLL_SET(axis.moved[what], times.integer());
        return {};
    }));
    return axis;
}

/// "same" is "order": where one index is the other the shapes are the same.
Result<AccessMap> readMap(const JsonPlace& place)
{
    if (place.word() == "same") return AccessMap {Kind::Order};
    if (place.isObject()) {
        AccessMap map {Kind::Axes};
        PLIMSOLL_TRY(place.readList("axes", map.axes, readAxis));
        return map;
    }
    PLIMSOLL_ASSIGN(name, place.text());
    const auto* found = std::ranges::find(KindNames, name);
    if (found == KindNames.end() || name == "axes") return place.error(say("graph-json.access-map", word::Name {name}));
    return AccessMap {static_cast<Kind>(found - KindNames.begin())};
}

Json axisJson(const AccessAxis& axis)
{
    if (axis.from == AccessAxis::Any) return "any";
    Json json = Json::object();
    if (axis.from >= 0) json["from"] = axis.from;
    if (axis.start != 0) json["start"] = axis.start;
    if (axis.step != 1) json["step"] = axis.step;
    for (const auto& [what, times] : axis.moved)
        json["moved"][std::to_string(what)] = times;
    return json;
}

Json mapJson(const AccessMap& map)
{
    if (map.kind != Kind::Axes) return KindNames[static_cast<std::size_t>(map.kind)];
    Json json = {{"axes", Json::array()}};
    for (const AccessAxis& axis : map.axes)
        json["axes"].push_back(axisJson(axis));
    return json;
}

} // namespace

Result<std::shared_ptr<const InnerOperations>> readAccess(const JsonPlace& place, std::size_t inputs,
                                                          std::size_t outputs)
{
    auto inside = std::make_shared<InnerOperations>();
    for (std::size_t output = 0; output < outputs; ++output) {
        const std::string key = std::to_string(output);
        std::vector<bool> told(inputs, false);
        std::vector<InnerOperand>& operands = inside->operands.emplace_back();
        PLIMSOLL_TRY(place.forEachField(key.c_str(), [&](const std::string& name, const JsonPlace& maps) -> Status {
            PLIMSOLL_ASSIGN(input, readPosition(maps, name, inputs));
            told[input] = true;
            const auto read = [&](const JsonPlace& one) -> Status {
                PLIMSOLL_ASSIGN(map, readMap(one));
                operands.push_back({false, input, std::move(map)});
                return {};
            };
            return maps.isList() ? maps.forEachElement(read) : read(maps);
        }));
        for (std::size_t input = 0; input < inputs; ++input) {
            if (!told[input]) operands.push_back({false, input, {}});
        }
        inside->results.push_back(output);
    }
    PLIMSOLL_TRY(place.forEachField([&](const std::string& output, const JsonPlace&) -> Status {
        PLIMSOLL_TRY(readPosition(place, output, outputs));
        return {};
    }));
    return std::shared_ptr<const InnerOperations>(std::move(inside));
}

nlohmann::json accessJson(const InnerOperations& inside, std::size_t inputs)
{
    Json json = Json::object();
    for (std::size_t input = 0; input < inputs; ++input) {
        const auto ways = waysTo(inside, static_cast<int>(input));
        for (std::size_t output = 0; output < ways.size(); ++output) {
            Json& maps = json[std::to_string(output)][std::to_string(input)];
            maps = ways[output].empty() ? Json("nothing") : Json::array();
            for (const AccessMap& map : ways[output])
                maps.push_back(mapJson(map));
        }
    }
    return json;
}

} // namespace plimsoll
