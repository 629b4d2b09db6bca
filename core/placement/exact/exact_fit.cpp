#include "core/placement/exact/exact_fit.h"

#include "core/placement/exact/exact_race.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// A pin, or what has no place beside the pins, alone; else what is alive in a section that is too full.
std::optional<FitConflict> plainConflict(std::span<const FitItem> items, const FitModel& model, std::int64_t capacity)
{
    for (std::size_t index = 0; index < items.size(); ++index) {
        const FitItem& item = items[index];
        if (!item.pin || item.bytes == 0 || item.live.empty() || *item.pin <= capacity - item.bytes) continue;
        return FitConflict {item.live.hull().begin, {index}, *item.pin + item.bytes};
    }
    for (std::int32_t item = 0; item < itemCount(model); ++item) {
        const std::int64_t bytes = model.bytes[static_cast<std::size_t>(item)];
        const std::size_t index = model.source[static_cast<std::size_t>(item)];
        const std::int64_t end = firstFree(model, item, 0) + bytes;
        if (end > capacity) return FitConflict {items[index].live.hull().begin, {index}, end};
    }
    for (std::int32_t section = 0; section < sectionCount(model); ++section) {
        if (sectionBound(model, section) <= capacity) continue;
        FitConflict conflict {model.step[static_cast<std::size_t>(section)], {}, 0};
        for (std::size_t index = 0; index < items.size(); ++index) {
            if (items[index].bytes == 0 || !items[index].live.contains(conflict.step)) continue;
            conflict.items.push_back(index);
            conflict.bytes += items[index].bytes;
        }
        return conflict;
    }
    return std::nullopt;
}

} // namespace

FitAnswer fitInto(std::span<const FitItem> items, std::int64_t capacity, const FitOptions& options,
                  const Context& context)
{
    FitAnswer answer;
    const std::optional<FitModel> model = makeFitModel(items, context);
    if (!model) return answer;
    answer.conflict = plainConflict(items, *model, capacity);
    if (answer.conflict) {
        answer.verdict = FitVerdict::Impossible;
        return answer;
    }
    FitRace race(*model, options.nodes, options.seed, context);
    SearchState state = SearchState::Running;
    for (int round = 0; state == SearchState::Running && !race.over(); ++round)
        state = race.probe(std::min(capacity, stackedBytes(*model)), round);
    answer.nodes = race.used();
    if (state == SearchState::Exhausted) answer.verdict = FitVerdict::Impossible;
    if (state == SearchState::Found) {
        answer.verdict = FitVerdict::Fits;
        answer.offsets = allOffsets(items, *model, race.found());
    }
    return answer;
}

std::int64_t exactBound(std::span<const FitItem> items)
{
    const std::optional<FitModel> model = makeFitModel(items, {});
    return model ? loadBound(*model) : fullestStep(items);
}

} // namespace plimsoll
