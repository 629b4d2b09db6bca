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

std::int64_t endOf(const Storage& storage)
{
    return storage.offset + storage.bytes;
}

bool takesBytes(const Storage& storage)
{
    return storage.arena.valid() && storage.bytes > 0 && !storage.live.empty();
}

} // namespace

std::vector<ArenaPeak> arenaPeaks(const Report& report)
{
    const auto& arenas = report.program.map.arenas;
    std::vector<std::int64_t> tops(arenas.size(), 0);
    for (const Storage& storage : report.program.storages) {
        if (!takesBytes(storage)) continue;
        std::int64_t& top = tops[storage.arena.index()];
        top = std::max(top, endOf(storage));
    }
    std::vector<std::vector<Change>> changes(arenas.size()); // by step
    for (const Storage& storage : report.program.storages) {
        if (!takesBytes(storage)) continue;
        const std::size_t arena = storage.arena.index();
        const std::int64_t bytes = checkedAlignUp(storage.bytes, arenas[arena].alignment).value_or(storage.bytes);
        const auto end = static_cast<std::size_t>(storage.live.hull().end);
        if (changes[arena].size() <= end) changes[arena].resize(end + 1);
        for (const Interval& steps : storage.live.intervals()) {
            for (const auto& [step, sign] : {std::pair(steps.begin, 1), std::pair(steps.end, -1)}) {
                Change& change = changes[arena][static_cast<std::size_t>(step)];
                change.bytes += sign * bytes;
                if (endOf(storage) == tops[arena]) change.onTop += sign;
            }
        }
    }
    std::vector<ArenaPeak> peaks;
    for (std::size_t arena = 0; arena < arenas.size(); ++arena) {
        ArenaPeak& peak = peaks.emplace_back(ArenaPeak {ArenaId(arena), arenas[arena].bytes});
        Change now;
        for (std::size_t step = 0; step < changes[arena].size(); ++step) {
            now.bytes += changes[arena][step].bytes;
            now.onTop += changes[arena][step].onTop;
            if (now.onTop == 0 || now.bytes <= peak.liveBytes) continue;
            peak.liveBytes = now.bytes;
            peak.step = static_cast<std::int64_t>(step);
        }
    }
    return peaks;
}

Message peakPlaces(const Report& report)
{
    std::vector<ArenaPeak> peaks = arenaPeaks(report);
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
    std::vector<ArenaPeak> peaks = arenaPeaks(report);
    std::erase_if(peaks, [](const ArenaPeak& peak) { return peak.step < 0; });
    if (peaks.size() == 1) return peaks.front().step;
    const auto most = std::ranges::max_element(report.memory.liveBytes);
    return most == report.memory.liveBytes.end() ? -1 : most - report.memory.liveBytes.begin();
}

} // namespace plimsoll
