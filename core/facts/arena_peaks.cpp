#include "core/facts/arena_peaks.h"

#include "core/base/bytes.h"
#include "core/facts/words/names.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// From one step of an arena to the next.
struct Change
{
    std::int64_t bytes = 0; ///< That are alive, rounded.
    std::int64_t onTop = 0; ///< Storages that reach as high as any.
};

/// How high the storages of an arena reach, and from when to when any of them reaches so high. Elsewhere is no peak.
///
///     top    ....####..####..
///     steps      |--------|
struct Top
{
    std::int64_t end = 0;
    Interval steps;
};

/// As far as its arena is laid out in steps of its alignment: a byte less or more there changes no arena.
std::int64_t endOf(const Storage& storage, const PlannedProgram& program)
{
    const std::int64_t end = storage.offset + storage.bytes;
    return checkedAlignUp(end, program.map.arenas[storage.arena.index()].alignment).value_or(end);
}

bool takesBytes(const Storage& storage)
{
    return storage.arena.valid() && storage.bytes > 0 && !storage.live.empty();
}

std::vector<Top> topsOf(const PlannedProgram& program)
{
    std::vector<Top> tops(program.map.arenas.size());
    for (const Storage& storage : program.storages) {
        if (!takesBytes(storage)) continue;
        Top& top = tops[storage.arena.index()];
        const std::int64_t end = endOf(storage, program);
        const Interval live = storage.live.hull();
        if (end > top.end)
            top = {end, live};
        else if (end == top.end)
            top.steps = {std::min(top.steps.begin, live.begin), std::max(top.steps.end, live.end)};
    }
    return tops;
}

ArenaPeak peakOf(ArenaPeak peak, const std::vector<Change>& changes, std::int64_t step)
{
    Change now;
    for (const Change& change : changes) {
        now.bytes += change.bytes;
        now.onTop += change.onTop;
        const std::int64_t bytes = std::min(now.bytes, peak.bytes); // where some lie inside of others they count once
        if (now.onTop > 0 && bytes > peak.liveBytes) {
            peak.liveBytes = bytes;
            peak.step = step;
        }
        ++step;
    }
    return peak;
}

} // namespace

std::vector<ArenaPeak> arenaPeaks(const PlannedProgram& program)
{
    const auto& arenas = program.map.arenas;
    const std::vector<Top> tops = topsOf(program);
    std::vector<std::vector<Change>> changes; // by arena, and by step from the first of its top
    for (const Top& top : tops)
        changes.emplace_back(static_cast<std::size_t>(top.steps.length()) + 1);
    for (const Storage& storage : program.storages) {
        if (!takesBytes(storage)) continue;
        const std::size_t arena = storage.arena.index();
        const Top& top = tops[arena];
        for (const Interval& live : storage.live.intervals()) {
            const Interval steps = intersection(live, top.steps);
            if (steps.empty()) continue;
            const std::int64_t bytes = checkedAlignUp(storage.bytes, arenas[arena].alignment).value_or(storage.bytes);
            for (const auto& [step, sign] : {std::pair(steps.begin, 1), std::pair(steps.end, -1)}) {
                Change& change = changes[arena][static_cast<std::size_t>(step - top.steps.begin)];
                change.bytes += sign * bytes;
                if (endOf(storage, program) == top.end) change.onTop += sign;
            }
        }
    }
    std::vector<ArenaPeak> peaks;
    for (std::size_t arena = 0; arena < arenas.size(); ++arena)
        peaks.push_back(peakOf({ArenaId(arena), arenas[arena].bytes}, changes[arena], tops[arena].steps.begin));
    return peaks;
}

std::int64_t plannedStorages(const PlannedProgram& program)
{
    return std::ranges::count_if(program.storages, [](const Storage& storage) { return storage.arena.valid(); });
}

Message peakPlaces(const Report& report)
{
    std::vector<ArenaPeak> peaks = report.memory.peaks;
    std::erase_if(peaks, [](const ArenaPeak& peak) { return peak.step < 0 || peak.bytes <= 0; });
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const ArenaPeak& a, const ArenaPeak& b) { return a.bytes > b.bytes; });
    if (peaks.empty()) return {};
    if (peaks.size() == 1) return say("peak.at", peaks.front().step);
    Message sum;
    for (const ArenaPeak& peak : peaks) {
        Message part = say("peak.in", word::Size {peak.bytes}, arenaName(report, peak.arena), peak.step);
        sum = sum.empty() ? std::move(part) : say("plus", std::move(sum), std::move(part));
    }
    return say("peak.places", std::move(sum));
}

std::int64_t peakStep(const Report& report)
{
    std::vector<ArenaPeak> peaks = report.memory.peaks;
    std::erase_if(peaks, [](const ArenaPeak& peak) { return peak.step < 0; });
    if (peaks.size() == 1) return peaks.front().step;
    const auto most = std::ranges::max_element(report.memory.liveBytes);
    return most == report.memory.liveBytes.end() ? -1 : most - report.memory.liveBytes.begin();
}

} // namespace plimsoll
