#include "core/formats/tflite_plan.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::tflite {
namespace {

constexpr std::int64_t Open = -1;

Error bad(std::string message)
{
    return {ErrorCode::BadInput, std::move(message), "metadata 'OfflineMemoryAllocation'", {}};
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

/// Of the field that some fill with the index of a subgraph and some with the number of them.
Result<std::size_t> subgraphOf(const Model& model, std::int64_t field)
{
    const auto count = static_cast<std::int64_t>(model.subgraphs.size());
    if (model.compiledByVela || field == count) return std::size_t {0};
    if (field >= 0 && field < count) return static_cast<std::size_t>(field);
    return bad("The plan is for subgraph " + std::to_string(field) + "; there are " + std::to_string(count) + ".");
}

/// Scratch tensors of one node are one region.
void addEntry(PlanFile& plan, PlanFile::Entry entry)
{
    const auto same = std::find_if(plan.entries.begin(), plan.entries.end(),
                                   [&](const PlanFile::Entry& other) { return other.value == entry.value; });
    if (same == plan.entries.end()) return plan.entries.push_back(std::move(entry));
    const std::int64_t end = std::max(same->offset + same->bytes, entry.offset + entry.bytes);
    same->offset = std::min(same->offset, entry.offset);
    same->bytes = end - same->offset;
}

} // namespace

Result<std::optional<OfflinePlan>> readOfflinePlan(const Model& model)
{
    if (!model.plan) return std::optional<OfflinePlan>();
    constexpr std::size_t Header = 3;
    std::vector<std::int64_t> words = wordsOf(model.plan->content);
    if (words.size() < Header) return bad("The plan is cut off.");
    const std::int64_t count = words[2];
    if (count < 0 || static_cast<std::size_t>(count) > words.size() - Header)
        return bad("The plan says that it has " + std::to_string(count) + " offsets; there are " +
                   std::to_string(words.size() - Header) + ".");
    OfflinePlan plan;
    PLIMSOLL_ASSIGN(subgraph, subgraphOf(model, words[1]));
    plan.subgraph = subgraph;
    const std::size_t tensors = model.subgraphs[subgraph].tensors.size();
    if (static_cast<std::size_t>(count) > tensors)
        return bad("The plan has " + std::to_string(count) + " offsets for the " + std::to_string(tensors) +
                   " tensors of subgraph " + std::to_string(subgraph) + ".");
    plan.offsets.assign(words.begin() + Header, words.begin() + Header + count);
    plan.offsets.resize(tensors, Open);
    return std::optional(std::move(plan));
}

std::optional<std::int64_t> offsetOf(const OfflinePlan& plan, const PlacedName& name)
{
    if (name.tensor >= plan.offsets.size()) return std::nullopt;
    const std::int64_t offset = plan.offsets[name.tensor];
    return offset == Open ? std::nullopt : std::optional(offset);
}

std::optional<PlanFile> completePlan(const OfflinePlan& plan, const std::vector<PlacedName>& placed)
{
    PlanFile out;
    std::int64_t height = 0;
    for (const PlacedName& name : placed) {
        const auto offset = offsetOf(plan, name);
        const auto bytes = name.type.bytes();
        if (!offset && name.needsPlace && bytes != 0) return std::nullopt;
        if (!offset || !bytes) continue;
        addEntry(out, {name.value, ArenaId(std::int32_t {0}), *offset, *bytes, {}});
        height = std::max(height, checkedAdd(*offset, *bytes).value_or(height));
    }
    if (out.entries.empty()) return std::nullopt;
    out.arenas = {{"cpu", height, 1, {}}};
    return out;
}

} // namespace plimsoll::tflite
