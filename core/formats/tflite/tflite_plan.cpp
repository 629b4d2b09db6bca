#include "core/formats/tflite/tflite_plan.h"
#include "core/formats/bad_input.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace plimsoll::tflite {
namespace {

constexpr std::int64_t Open = -1;

Error bad(Message message)
{
    return badInput(std::move(message), "metadata 'OfflineMemoryAllocation'");
}

std::vector<std::int64_t> wordsOf(std::span<const std::byte> bytes)
{
    std::vector<std::int64_t> words;
    for (std::size_t at = 0; at + sizeof(std::int32_t) <= bytes.size(); at += sizeof(std::int32_t)) {
        std::int32_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        words.push_back(word);
    }
    return words;
}

Error beyondNumbers(const std::string& value)
{
    return bad(say("tflite.plan-beyond", word::Name {value}));
}

/// Of bytes from \p offset on, which may be negative: it is a word of the file. Nothing beyond 63 bits.
std::optional<std::int64_t> endOf(std::int64_t offset, std::int64_t bytes)
{
    return offset < 0 ? std::optional(offset + bytes) : checkedAdd(offset, bytes);
}

/// Scratch tensors of one node are one region. Their ends are within 63 bits.
Status join(PlanFile::Entry& one, const PlanFile::Entry& other)
{
    const std::int64_t end = std::max(one.offset + one.bytes, other.offset + other.bytes);
    one.offset = std::min(one.offset, other.offset);
    const bool acrossZero = one.offset < 0 && end > 0;
    const auto bytes = acrossZero ? checkedAdd(end, -one.offset) : std::optional(end - one.offset);
    if (!bytes) return beyondNumbers(one.value);
    one.bytes = *bytes;
    return {};
}

} // namespace

Result<std::optional<OfflinePlan>> readOfflinePlan(const Model& model)
{
    if (!model.plan) return std::optional<OfflinePlan>();
    constexpr std::size_t Header = 3;
    std::vector<std::int64_t> words = wordsOf(model.plan->content);
    if (words.size() < Header) return bad(say("tflite.plan-cut-off"));
    const std::int64_t count = words[2];
    if (count < 0 || static_cast<std::size_t>(count) > words.size() - Header)
        return bad(say("tflite.plan-length", word::Number {count}, word::Number {words.size() - Header}));
    OfflinePlan plan;
    const auto subgraphs = static_cast<std::int64_t>(model.subgraphs.size());
    if (!model.compiledByVela && words[1] != subgraphs) { // some write the index of a subgraph, some the number of them
        if (words[1] < 0 || words[1] > subgraphs)
            return bad(say("tflite.plan-of-no-subgraph", word::Number {words[1]}, word::Number {subgraphs}));
        plan.subgraph = static_cast<std::size_t>(words[1]);
    }
    const std::size_t tensors = model.subgraphs[plan.subgraph].tensors.size();
    if (static_cast<std::size_t>(count) > tensors)
        return bad(
            say("tflite.plan-too-long", word::Number {count}, word::Number {tensors}, word::Number {plan.subgraph}));
    plan.offsets.assign(words.begin() + Header, words.begin() + Header + count);
    plan.offsets.resize(tensors, Open);
    return std::optional(std::move(plan));
}

std::vector<bool> placedTensors(const OfflinePlan& plan)
{
    std::vector<bool> placed;
    for (const std::int64_t offset : plan.offsets)
        placed.push_back(offset != Open);
    return placed;
}

std::optional<std::int64_t> offsetOf(const OfflinePlan& plan, const PlacedName& name)
{
    if (name.tensor >= plan.offsets.size()) return std::nullopt;
    const std::int64_t offset = plan.offsets[name.tensor];
    return offset == Open ? std::nullopt : std::optional(offset);
}

Result<std::optional<PlanFile>> completePlan(const OfflinePlan& plan, const std::vector<PlacedName>& placed)
{
    PlanFile out;
    std::unordered_map<std::string_view, std::size_t> entries; // by value
    std::int64_t height = 0;
    for (const PlacedName& name : placed) {
        const auto offset = offsetOf(plan, name);
        const auto bytes = name.type.bytes();
        if (!offset && name.needsPlace && bytes != 0) return std::optional<PlanFile>();
        if (!offset || !bytes) continue;
        const auto end = endOf(*offset, *bytes);
        if (!end) return beyondNumbers(name.value);
        height = std::max(height, *end);
        PlanFile::Entry entry {name.value, ArenaId(std::int32_t {0}), *offset, *bytes, {}};
        const auto [known, isNew] = entries.try_emplace(name.value, out.entries.size());
        if (isNew) {
            out.entries.push_back(std::move(entry));
        } else {
            PLIMSOLL_TRY(join(out.entries[known->second], entry));
        }
    }
    if (out.entries.empty()) return std::optional<PlanFile>();
    out.arenas = {{"cpu", height, 1, {}}};
    return std::optional(std::move(out));
}

} // namespace plimsoll::tflite
