#include "core/formats/snapshot/allocator_record.h"

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"
#include "core/base/plural.h"

#include <algorithm>
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

constexpr std::array<std::pair<const char*, std::int64_t AllocatorRefusal::*>, 11> RefusalNumbers {{
    {"time", &AllocatorRefusal::time},
    {"step", &AllocatorRefusal::step},
    {"requestBytes", &AllocatorRefusal::requestBytes},
    {"aliveBytes", &AllocatorRefusal::aliveBytes},
    {"reservedBytes", &AllocatorRefusal::reservedBytes},
    {"freeBytes", &AllocatorRefusal::freeBytes},
    {"foreignBytes", &AllocatorRefusal::foreignBytes},
    {"awaitingBytes", &AllocatorRefusal::awaitingBytes},
    {"largestHoleBytes", &AllocatorRefusal::largestHoleBytes},
    {"largestHoleOffset", &AllocatorRefusal::largestHoleOffset},
    {"deviceFreeBytes", &AllocatorRefusal::deviceFreeBytes},
}};

constexpr std::size_t MostRefusals = 64; ///< That are read from a graph.
constexpr std::size_t MostFrames = 64;

/// Whole numbers of an object; false where one is missing, or below \p least.
template <typename T, std::size_t N>
bool readNumbers(const nlohmann::json& object, const std::array<std::pair<const char*, std::int64_t T::*>, N>& names,
                 std::int64_t least, T& made)
{
    return std::ranges::all_of(names, [&](const auto& one) {
        const auto number = object.find(one.first);
        if (number == object.end() || !number->is_number_integer()) return false;
        made.*one.second = number->template get<std::int64_t>();
        return made.*one.second >= least;
    });
}

std::vector<AllocatorRefusal> readRefusals(const nlohmann::json& record)
{
    std::vector<AllocatorRefusal> made;
    const auto list = record.find("refused");
    if (list == record.end() || !list->is_array()) return made;
    for (const auto& item : *list) {
        AllocatorRefusal refusal;
        if (made.size() == MostRefusals || !item.is_object() || !readNumbers(item, RefusalNumbers, -1, refusal)) break;
        const auto frames = item.find("frames");
        for (std::size_t i = 0; frames != item.end() && frames->is_array() && i < std::min(frames->size(), MostFrames);
             ++i)
            if ((*frames)[i].is_string()) refusal.frames.push_back((*frames)[i].get<std::string>());
        made.push_back(std::move(refusal));
    }
    return made;
}

} // namespace

std::string exactBytes(std::int64_t bytes)
{
    const std::string text = formatBytes(bytes);
    const std::string count = formatCount(bytes) + " B";
    return text == count ? text : text + " (" + count + ")";
}

std::string refusalText(const AllocatorRefusal& refusal, std::int64_t repackedBytes)
{
    std::string text =
        "Out of memory at event " + formatCount(refusal.time) + ": asked for " + exactBytes(refusal.requestBytes);
    for (std::size_t i = 0; i < refusal.frames.size(); ++i)
        text += (i == 0 ? " in " : i == 1 ? ", called by " : ", ") + refusal.frames[i];
    text +=
        "; " + exactBytes(refusal.freeBytes) + " of the " + exactBytes(refusal.reservedBytes) + " reserved are free";
    if (refusal.foreignBytes > 0) text += ", " + exactBytes(refusal.foreignBytes) + " of them for other streams only";
    text += refusal.largestHoleBytes > 0 ? "; the largest hole is " + exactBytes(refusal.largestHoleBytes)
                                         : std::string("; there is no hole for it");
    if (refusal.awaitingBytes > 0)
        text += "; " + exactBytes(refusal.awaitingBytes) + " are given up, but other streams may still use them";
    text += "; the device had " + exactBytes(refusal.deviceFreeBytes) + " left.";
    if (refusal.freeBytes - refusal.foreignBytes + refusal.deviceFreeBytes >= refusal.requestBytes)
        text += " There was room enough: it is in pieces.";
    text += " " + formatBytes(refusal.aliveBytes) + " were in use";
    if (repackedBytes >= 0) text += "; the requests that were met need " + exactBytes(repackedBytes) + " when repacked";
    return text + ".";
}

std::string earlierRefusals(const AllocatorRecord& record)
{
    const std::int64_t earlier = record.refusals - static_cast<std::int64_t>(record.refused.size());
    if (earlier <= 0) return {};
    return plural(earlier, "request") + (earlier == 1 ? " was" : " were") + " refused before these.";
}

nlohmann::ordered_json allocatorJson(const AllocatorRecord& record)
{
    nlohmann::ordered_json json = {{"device", record.device}};
    for (const auto& [name, field] : Numbers)
        json[name] = record.*field;
    json["refusals"] = record.refusals;
    json["refused"] = nlohmann::ordered_json::array();
    for (const AllocatorRefusal& refusal : record.refused) {
        nlohmann::ordered_json one;
        for (const auto& [name, field] : RefusalNumbers)
            one[name] = refusal.*field;
        one["frames"] = refusal.frames;
        json["refused"].push_back(std::move(one));
    }
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
    if (!readNumbers(*found, Numbers, 0, record)) return std::nullopt;
    record.refused = readRefusals(*found);
    const auto refusals = found->find("refusals");
    const bool counted = refusals != found->end() && refusals->is_number_integer();
    record.refusals = counted ? std::max<std::int64_t>(0, refusals->get<std::int64_t>()) : 0;
    return record;
}

} // namespace plimsoll
