#include "core/facts/arena_peaks.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// By step, of one arena: by how much more (or less) is alive than at the step before.
using Changes = std::vector<std::int64_t>;

void add(Changes& changes, Interval steps, std::int64_t bytes)
{
    const auto end = static_cast<std::size_t>(steps.end);
    if (changes.size() <= end) changes.resize(end + 1, 0);
    changes[static_cast<std::size_t>(steps.begin)] += bytes;
    changes[end] -= bytes;
}

} // namespace

std::vector<ArenaPeak> arenaPeaks(const Report& report)
{
    const auto& arenas = report.program.map.arenas;
    if (arenas.size() == 1 && !report.memory.liveBytes.empty()) { // the curve of all arenas is its own
        const std::vector<std::int64_t>& live = report.memory.liveBytes;
        const auto most = std::ranges::max_element(live);
        if (*most <= 0) return {{ArenaId(std::size_t {0}), arenas.front().bytes}};
        return {{ArenaId(std::size_t {0}), arenas.front().bytes, most - live.begin(), *most}};
    }
    std::vector<Changes> changes(arenas.size());
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid() || storage.bytes <= 0) continue;
        const std::size_t arena = storage.arena.index();
        const std::int64_t bytes = checkedAlignUp(storage.bytes, arenas[arena].alignment).value_or(storage.bytes);
        for (const Interval& steps : storage.live.intervals())
            add(changes[arena], steps, bytes);
    }
    std::vector<ArenaPeak> peaks;
    for (std::size_t arena = 0; arena < arenas.size(); ++arena) {
        ArenaPeak& peak = peaks.emplace_back(ArenaPeak {ArenaId(arena), arenas[arena].bytes});
        std::int64_t now = 0;
        for (std::size_t step = 0; step < changes[arena].size(); ++step) {
            now += changes[arena][step];
            if (now <= peak.liveBytes) continue;
            peak.liveBytes = now;
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
        Message part =
            say("peak.in", word::Size {peak.bytes}, report.program.map.arenas[peak.arena.index()].space, peak.step);
        sum = sum.empty() ? std::move(part) : say("plus", std::move(sum), std::move(part));
    }
    return say("peak.places", std::move(sum));
}

} // namespace plimsoll
