#include "core/formats/snapshot/allocator_record.h"

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"

#include <algorithm>
#include <array>
#include <span>

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

Argument exactBytes(std::int64_t bytes)
{
    if (bytes < 1024) return word::Size {bytes};
    return say("snapshot.size", word::Size {bytes}, bytes);
}

Message refusalText(const AllocatorRefusal& refusal, std::int64_t repackedBytes)
{
    const std::int64_t room = refusal.freeBytes - refusal.foreignBytes + refusal.deviceFreeBytes;
    const std::vector<std::string>& frames = refusal.frames;
    const auto asIs = [](const std::string& frame) { return frame; };
    const Message none;
    return say("snapshot.refusal", refusal.time, exactBytes(refusal.requestBytes),
               frames.empty()       ? none
               : frames.size() == 1 ? say("snapshot.refusal-in", frames[0])
                                    : say("snapshot.refusal-called", frames[0],
                                          allOf(std::span(frames).subspan(1), asIs, word::List::Joint::Comma)),
               exactBytes(refusal.freeBytes), exactBytes(refusal.reservedBytes),
               refusal.foreignBytes > 0 ? say("snapshot.refusal-foreign", exactBytes(refusal.foreignBytes)) : none,
               refusal.largestHoleBytes > 0 ? say("snapshot.refusal-hole", exactBytes(refusal.largestHoleBytes))
                                            : say("snapshot.refusal-no-hole"),
               refusal.awaitingBytes > 0 ? say("snapshot.refusal-awaiting", exactBytes(refusal.awaitingBytes)) : none,
               exactBytes(refusal.deviceFreeBytes),
               room >= refusal.requestBytes ? say("snapshot.refusal-in-pieces") : none, word::Size {refusal.aliveBytes},
               repackedBytes >= 0 ? say("snapshot.refusal-repacked", exactBytes(repackedBytes)) : none);
}

Message earlierRefusals(const AllocatorRecord& record)
{
    const std::int64_t earlier = record.refusals - static_cast<std::int64_t>(record.refused.size());
    return earlier <= 0 ? Message() : say("snapshot.earlier-refusals", earlier);
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
