#include "core/placement/exact/exact_model.h"

#include "core/base/bytes.h"
#include "core/base/narrow.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

/// Of items by section, and of pairs that overlap.
constexpr std::size_t ListLimit = 10'000'000;

bool counts(const FitItem& item)
{
    return item.bytes > 0 && !item.live.empty();
}

/// The begins of the steps that get a section, ascending.
std::vector<std::int64_t> sectionSteps(std::span<const FitItem> items)
{
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;
    for (const FitItem& item : items) {
        if (!counts(item)) continue;
        for (const Interval steps : item.live.intervals()) {
            begins.push_back(steps.begin);
            ends.push_back(steps.end);
        }
    }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    std::vector<std::int64_t> steps;
    auto begin = begins.begin();
    for (const std::int64_t end : ends) {
        if (begin == begins.end() || *begin >= end) continue;
        begin = std::lower_bound(begin, begins.end(), end);
        steps.push_back(*std::prev(begin));
    }
    return steps;
}

SectionRange sectionsOf(const std::vector<std::int64_t>& steps, Interval interval)
{
    const auto first = std::lower_bound(steps.begin(), steps.end(), interval.begin);
    const auto last = std::lower_bound(first, steps.end(), interval.end);
    return {narrow<std::int32_t>(first - steps.begin()), narrow<std::int32_t>(last - steps.begin())};
}

void join(std::vector<Interval>& intervals)
{
    std::sort(intervals.begin(), intervals.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (const Interval interval : intervals) {
        if (kept > 0 && interval.begin <= intervals[kept - 1].end) {
            intervals[kept - 1].end = std::max(intervals[kept - 1].end, interval.end);
        } else {
            intervals[kept++] = interval;
        }
    }
    intervals.resize(kept);
}

void append(Lists<Interval>& lists, const std::vector<Interval>& values)
{
    lists.values.insert(lists.values.end(), values.begin(), values.end());
    lists.close();
}

void addItems(std::span<const FitItem> items, FitModel& model)
{
    std::vector<std::size_t> order;
    for (std::size_t index = 0; index < items.size(); ++index)
        if (counts(items[index]) && !items[index].pin) order.push_back(index);
    std::ranges::sort(order, {}, [&items](std::size_t index) { // equal ones together: each finds its twin before it
        const Interval hull = items[index].live.hull();
        return std::tuple(hull.begin, hull.end, items[index].bytes, items[index].alignment,
                          items[index].live.intervals().size(), index);
    });
    for (const std::size_t index : order) {
        const FitItem& item = items[index];
        const bool equal = !model.source.empty() && items[model.source.back()].bytes == item.bytes &&
                           items[model.source.back()].alignment == item.alignment &&
                           items[model.source.back()].live == item.live;
        model.twin.push_back(equal ? itemCount(model) - 1 : -1);
        model.source.push_back(index);
        model.bytes.push_back(item.bytes);
        model.alignment.push_back(item.alignment);
        std::int64_t lifetime = 0;
        for (const Interval interval : item.live.intervals()) {
            model.ranges.values.push_back(sectionsOf(model.step, interval));
            lifetime += interval.length();
        }
        model.lifetime.push_back(lifetime);
        model.ranges.close();
        const auto ranges = model.ranges[itemCount(model) - 1];
        model.hull.push_back({ranges.front().begin, ranges.back().end});
    }
}

/// Pins whose bytes are gathered before they are joined.
constexpr std::size_t GatherLimit = 4096;

bool addLive(FitModel& model, const Context& context)
{
    std::vector<std::vector<std::int32_t>> live(model.step.size());
    std::size_t total = 0;
    model.load.assign(model.step.size(), 0);
    for (std::int32_t item = 0; item < itemCount(model); ++item) {
        for (const SectionRange range : model.ranges[item]) {
            total += static_cast<std::size_t>(range.end - range.begin);
            if (total > ListLimit || context.stopped()) return false;
            for (std::int32_t section = range.begin; section < range.end; ++section) {
                live[static_cast<std::size_t>(section)].push_back(item);
                model.load[static_cast<std::size_t>(section)] += model.bytes[static_cast<std::size_t>(item)];
            }
        }
    }
    for (const auto& list : live) {
        model.live.values.insert(model.live.values.end(), list.begin(), list.end());
        model.live.close();
    }
    return true;
}

/// An item that overlaps another is alive in its first section, or begins in a later one.
bool addNeighbours(FitModel& model, const Context& context)
{
    std::vector<std::vector<std::int32_t>> begins(model.step.size());
    for (std::int32_t item = 0; item < itemCount(model); ++item) {
        for (const SectionRange range : model.ranges[item])
            begins[static_cast<std::size_t>(range.begin)].push_back(item);
    }
    std::vector<std::int32_t> seen(model.bytes.size(), -1);
    auto& values = model.neighbours.values;
    for (std::int32_t item = 0; item < itemCount(model); ++item) {
        seen[static_cast<std::size_t>(item)] = item;
        const auto add = [&](std::int32_t other) {
            if (std::exchange(seen[static_cast<std::size_t>(other)], item) != item) values.push_back(other);
        };
        for (const SectionRange range : model.ranges[item]) {
            for (const std::int32_t other : model.live[range.begin])
                add(other);
            for (std::int32_t section = range.begin + 1; section < range.end; ++section)
                std::for_each(begins[static_cast<std::size_t>(section)].begin(),
                              begins[static_cast<std::size_t>(section)].end(), add);
        }
        if (values.size() > ListLimit || context.stopped()) return false;
        model.neighbours.close();
    }
    return true;
}

/// What pins take while an item is alive.
void gatherBlocked(const FitModel& model, std::int32_t item, std::vector<Interval>& blocked)
{
    blocked.clear();
    std::size_t most = GatherLimit;
    for (const SectionRange range : model.ranges[item]) {
        for (std::int32_t section = range.begin; section < range.end; ++section) {
            blocked.insert(blocked.end(), model.pinned[section].begin(), model.pinned[section].end());
            if (blocked.size() < most) continue;
            join(blocked);
            most = std::max(most, 2 * blocked.size());
        }
    }
    join(blocked);
}

bool addPins(std::span<const FitItem> items, FitModel& model, const Context& context)
{
    std::size_t total = 0;
    std::vector<std::vector<Interval>> pinned(model.step.size());
    for (const FitItem& item : items) {
        if (!item.pin) continue;
        if (!counts(item)) continue;
        model.hasPins = true;
        model.pinnedEnd = std::max(model.pinnedEnd, *item.pin + item.bytes);
        for (const Interval interval : item.live.intervals()) {
            const SectionRange range = sectionsOf(model.step, interval);
            total += static_cast<std::size_t>(range.end - range.begin);
            if (total > ListLimit || context.stopped()) return false;
            for (std::int32_t section = range.begin; section < range.end; ++section)
                pinned[static_cast<std::size_t>(section)].push_back({*item.pin, *item.pin + item.bytes});
        }
    }
    for (auto& list : pinned) {
        join(list);
        append(model.pinned, list);
    }
    std::vector<Interval> blocked;
    for (std::int32_t item = 0; item < itemCount(model); ++item) {
        if (model.hasPins) gatherBlocked(model, item, blocked);
        append(model.blocked, blocked);
        if (model.blocked.values.size() > ListLimit || context.stopped()) return false;
    }
    return true;
}

} // namespace

std::int64_t firstFree(const FitModel& model, std::int32_t item, std::int64_t offset)
{
    const auto index = static_cast<std::size_t>(item);
    const std::int64_t coarse = model.alignment[index];
    std::int64_t at = coarse == 1 ? offset : alignUp(offset, coarse);
    if (!model.hasPins) return at;
    for (const Interval taken : model.blocked[item]) {
        if (taken.end <= at) continue;
        if (taken.begin - at >= model.bytes[index]) break;
        at = alignUp(taken.end, coarse);
    }
    return at;
}

std::optional<FitModel> makeFitModel(std::span<const FitItem> items, const Context& context)
{
    FitModel model;
    model.step = sectionSteps(items);
    addItems(items, model);
    if (!addLive(model, context) || !addNeighbours(model, context) || !addPins(items, model, context))
        return std::nullopt;
    std::int64_t unit = 0;
    for (const FitItem& item : items)
        if (counts(item)) unit = std::gcd(std::gcd(unit, item.bytes), item.pin.value_or(0));
    for (const FitItem& item : items) {
        if (counts(item) && !item.pin && unit % item.alignment != 0) unit = std::gcd(unit, item.alignment);
    }
    model.unit = std::max<std::int64_t>(unit, 1);
    return model;
}

std::vector<std::int64_t> allOffsets(std::span<const FitItem> items, const FitModel& model,
                                     std::span<const std::int64_t> found)
{
    std::vector<std::int64_t> offsets(items.size(), 0);
    for (std::size_t index = 0; index < items.size(); ++index)
        offsets[index] = items[index].pin.value_or(0);
    for (std::size_t item = 0; item < found.size(); ++item)
        offsets[model.source[item]] = found[item];
    return offsets;
}

std::int64_t fullestStep(std::span<const FitItem> items)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    std::int64_t most = 0;
    for (const FitItem& item : items) {
        if (!counts(item)) continue;
        if (item.pin) {
            most = std::max(most, *item.pin + item.bytes);
            continue;
        }
        for (const Interval steps : item.live.intervals()) {
            changes.emplace_back(steps.begin, item.bytes);
            changes.emplace_back(steps.end, -item.bytes);
        }
    }
    std::sort(changes.begin(), changes.end());
    std::int64_t now = 0;
    for (const auto& [step, bytes] : changes)
        most = std::max(most, now += bytes);
    return most;
}

std::int64_t sectionBound(const FitModel& model, std::int32_t section)
{
    std::int64_t rest = model.load[static_cast<std::size_t>(section)];
    std::int64_t at = 0;
    for (const Interval taken : model.pinned[section]) {
        const std::int64_t hole = taken.begin - at;
        if (rest <= hole) break;
        rest -= hole;
        at = taken.end;
    }
    return rest > 0 ? at + rest : at;
}

} // namespace plimsoll
