#include "core/plan/space_texts.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <optional>

namespace plimsoll {
namespace {

struct Part
{
    std::string_view text;
    std::string space;
    std::string_view what;
};

std::vector<Part> partsOf(std::string_view text)
{
    std::vector<Part> parts;
    while (!text.empty() && text != "none") {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            parts.push_back({part, "cpu", part});
        else
            parts.push_back({part, std::string(part.substr(0, equals)), part.substr(equals + 1)});
    }
    return parts;
}

Error usage(Message message)
{
    return Error {ErrorCode::BadUsage, std::move(message), {}, {}};
}

/// "0+16KiB:boot loader"
std::optional<ReservedBytes> regionOf(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const std::size_t plus = text.find('+');
    if (plus == std::string_view::npos || plus > colon) return std::nullopt;
    const auto offset = parseBytes(text.substr(0, plus));
    const auto bytes = parseBytes(text.substr(plus + 1, colon == std::string_view::npos ? colon : colon - plus - 1));
    const auto end = offset && bytes && *bytes > 0 ? checkedAdd(*offset, *bytes) : std::nullopt;
    if (!end) return std::nullopt;
    return ReservedBytes {{*offset, *end}, colon == std::string_view::npos ? "" : std::string(text.substr(colon + 1))};
}

} // namespace

Result<Capacities> parseCapacity(std::string_view text)
{
    Capacities capacities;
    for (const auto& [part, space, what] : partsOf(text)) {
        const auto bytes = parseBytes(what);
        if (!bytes || space.empty()) return usage(say("policy.capacity", word::Name {std::string(part)}));
        if (!capacities.emplace(space, *bytes).second) return usage(say("policy.capacity-twice", word::Name {space}));
    }
    return capacities;
}

std::string capacityText(const Capacities& capacities)
{
    std::string text;
    for (const auto& [space, bytes] : capacities)
        text += (text.empty() ? "" : ",") + space + "=" + std::to_string(bytes);
    return text.empty() ? "none" : text;
}

Result<ReservedRegions> parseReserved(std::string_view text)
{
    ReservedRegions reserved;
    for (const auto& [part, space, what] : partsOf(text)) {
        const auto region = regionOf(what);
        if (!region || space.empty()) return usage(say("policy.reserved", word::Name {std::string(part)}));
        reserved[space].push_back(*region);
    }
    return reserved;
}

std::string reservedText(const ReservedRegions& reserved)
{
    std::string text;
    for (const auto& [space, regions] : reserved) {
        for (const ReservedBytes& one : regions) {
            text += (text.empty() ? "" : ",") + space + "=" + std::to_string(one.bytes.begin) + "+" +
                    std::to_string(one.bytes.length()) + (one.why.empty() ? "" : ":" + one.why);
        }
    }
    return text.empty() ? "none" : text;
}

} // namespace plimsoll
