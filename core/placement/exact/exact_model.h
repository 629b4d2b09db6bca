#pragma once

#include "core/base/narrow.h"
#include "core/placement/exact/exact_fit.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace plimsoll {

/// Lists of numbers end to end: list i is [starts[i], starts[i + 1]) of values.
template <typename T>
struct Lists
{
    std::vector<std::int32_t> starts {0};
    std::vector<T> values;

    [[nodiscard]] std::span<const T> operator[](std::int32_t list) const
    {
        const auto index = static_cast<std::size_t>(list);
        return {values.data() + starts[index], values.data() + starts[index + 1]};
    }
    void close() { starts.push_back(narrow<std::int32_t>(values.size())); }
    [[nodiscard]] std::int32_t count() const { return narrow<std::int32_t>(starts.size()) - 1; }
};

/// Half-open range of sections.
struct SectionRange
{
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

/// What the exact search works on: the items that can move, and time cut into the sections that matter. A section
/// stands for one step; steps at which no more is alive than at a neighbouring one are left out, so that two items
/// overlap if and only if they share a section.
struct FitModel
{
    std::vector<std::size_t> source; ///< By item: its index among the FitItems.
    std::vector<std::int64_t> bytes; ///< Above 0.
    std::vector<std::int64_t> alignment;
    std::vector<std::int64_t> lifetime; ///< By item: steps.
    std::vector<std::int32_t> twin;     ///< By item: the equal one before it, which may lie lower; -1 for none.
    std::vector<SectionRange> hull;     ///< By item.
    Lists<SectionRange> ranges;         ///< By item: the sections in which it is alive.
    Lists<std::int32_t> neighbours;     ///< By item: those that overlap it.
    Lists<Interval> blocked;            ///< By item: bytes that pins take while it is alive; sorted, joined.

    std::vector<std::int64_t> step; ///< By section.
    std::vector<std::int64_t> load; ///< By section: bytes of the items, without pins.
    Lists<std::int32_t> live;       ///< By section: its items.
    Lists<Interval> pinned;         ///< By section: bytes that pins take; sorted, joined.

    std::int64_t unit = 1;      ///< Divides every offset and end of a plan that is pushed down.
    std::int64_t pinnedEnd = 0; ///< No plan is lower.
    bool hasPins = false;
};

[[nodiscard]] inline std::int32_t itemCount(const FitModel& model)
{
    return narrow<std::int32_t>(model.bytes.size());
}
[[nodiscard]] inline std::int32_t sectionCount(const FitModel& model)
{
    return narrow<std::int32_t>(model.step.size());
}

/// The lowest offset from \p offset on that suits alignment and pins of the item.
[[nodiscard]] std::int64_t firstFree(const FitModel& model, std::int32_t item, std::int64_t offset);

/// Empty where the items overlap in too many ways to search among them (the lists would take over 128 MiB), or when
/// stopped.
[[nodiscard]] std::optional<FitModel> makeFitModel(std::span<const FitItem> items, const Context& context);

/// Offsets by FitItem from those \p found by item of the model.
[[nodiscard]] std::vector<std::int64_t> allOffsets(std::span<const FitItem> items, const FitModel& model,
                                                   std::span<const std::int64_t> found);

/// Without a model: the most bytes alive at any step, or the end of the highest pin.
[[nodiscard]] std::int64_t fullestStep(std::span<const FitItem> items);

/// The least capacity that leaves \p section of \p model room for its load, around the pins.
[[nodiscard]] std::int64_t sectionBound(const FitModel& model, std::int32_t section);

} // namespace plimsoll
