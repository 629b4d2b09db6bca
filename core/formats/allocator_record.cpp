#include "core/formats/allocator_record.h"

#include <nlohmann/json.hpp>

#include <array>

namespace plimsoll {
namespace {

constexpr std::array<std::pair<const char*, std::int64_t AllocatorRecord::*>, 6> Numbers {{
    {"mostReservedBytes", &AllocatorRecord::mostReservedBytes},
    {"mostReservedTime", &AllocatorRecord::mostReservedTime},
    {"mostAliveBytes", &AllocatorRecord::mostAliveBytes},
    {"mostAliveTime", &AllocatorRecord::mostAliveTime},
    {"reservedThenBytes", &AllocatorRecord::reservedThenBytes},
    {"heightBytes", &AllocatorRecord::heightBytes},
}};

} // namespace

nlohmann::ordered_json allocatorJson(const AllocatorRecord& record)
{
    nlohmann::ordered_json json = {{"device", record.device}};
    for (const auto& [name, field] : Numbers)
        json[name] = record.*field;
    return json;
}

std::string allocatorKeys(const AllocatorRecord& record)
{
    return nlohmann::ordered_json {{"allocator", allocatorJson(record)}}.dump();
}

std::optional<AllocatorRecord> allocatorOf(const Graph& graph)
{
    if (graph.extra.find("\"allocator\"") == std::string::npos) return std::nullopt; // it may be long
    const auto keys = nlohmann::json::parse(graph.extra, nullptr, false);
    const auto found = keys.is_object() ? keys.find("allocator") : keys.end();
    if (found == keys.end() || !found->is_object()) return std::nullopt;
    AllocatorRecord record;
    if (const auto device = found->find("device"); device != found->end() && device->is_string())
        record.device = device->get<std::string>();
    for (const auto& [name, field] : Numbers) {
        const auto number = found->find(name);
        if (number == found->end() || !number->is_number_integer()) return std::nullopt;
        record.*field = number->get<std::int64_t>();
        if (record.*field < 0) return std::nullopt;
    }
    return record;
}

} // namespace plimsoll
