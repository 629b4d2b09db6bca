#pragma once

#include "core/plan/problem.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

/// Independent judges of plans, for tests and benchmarks: they share no code with the packers.
namespace packing_check {

/// What is wrong with one buffer by itself; empty when nothing is.
inline std::string troubleOfOne(const plimsoll::Problem& problem, const plimsoll::Plan& plan, std::size_t i)
{
    const plimsoll::Buffer& buffer = problem.buffers[i];
    const plimsoll::Allocation& at = plan.allocations[i];
    const std::string who = "buffer " + std::to_string(i);
    if (at.arena != buffer.arena) return who + " is in the wrong arena";
    if (buffer.pinnedOffset) return at.offset == *buffer.pinnedOffset ? "" : who + " left its pin";
    if (at.offset < 0 || at.offset % buffer.alignment != 0) return who + " is misaligned";
    if (buffer.live.empty()) return {}; // it takes no bytes
    if (at.offset + buffer.bytes > plan.arenaBytes[buffer.arena.index()]) return who + " is beyond its arena";
    return {};
}

/// All pairs that meet in time, one by one. Pins may clash with each other.
inline std::string slowTrouble(const plimsoll::Problem& problem, const plimsoll::Plan& plan)
{
    const auto meetInTime = [](const plimsoll::Buffer& a, const plimsoll::Buffer& b) {
        for (const plimsoll::Interval x : a.live.intervals()) {
            for (const plimsoll::Interval y : b.live.intervals()) {
                if (x.begin < y.end && y.begin < x.end) return true;
            }
        }
        return false;
    };
    if (plan.allocations.size() != problem.buffers.size()) return "allocations are missing";
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        if (const std::string wrong = troubleOfOne(problem, plan, i); !wrong.empty()) return wrong;
        const plimsoll::Buffer& a = problem.buffers[i];
        const std::int64_t from = plan.allocations[i].offset;
        for (std::size_t j = 0; j < i; ++j) {
            const plimsoll::Buffer& b = problem.buffers[j];
            const std::int64_t other = plan.allocations[j].offset;
            if (a.arena != b.arena || (a.pinnedOffset && b.pinnedOffset) || a.bytes == 0 || b.bytes == 0) continue;
            if (from < other + b.bytes && other < from + a.bytes && meetInTime(a, b))
                return "buffers " + std::to_string(j) + " and " + std::to_string(i) + " overlap";
        }
    }
    return {};
}

/// The same for plans of any size, without pins: a walk through time with the live buffers by offset.
inline std::string sweepTrouble(const plimsoll::Problem& problem, const plimsoll::Plan& plan)
{
    struct Event
    {
        std::int64_t step = 0;
        bool begins = false;
        std::size_t buffer = 0;
    };
    if (plan.allocations.size() != problem.buffers.size()) return "allocations are missing";
    std::vector<Event> events;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        if (const std::string wrong = troubleOfOne(problem, plan, i); !wrong.empty()) return wrong;
        if (problem.buffers[i].bytes == 0) continue;
        for (const plimsoll::Interval live : problem.buffers[i].live.intervals()) {
            events.push_back({live.begin, true, i});
            events.push_back({live.end, false, i});
        }
    }
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.step != b.step ? a.step < b.step : a.begins < b.begins; });
    std::vector<std::map<std::int64_t, std::size_t>> live(problem.arenas.size());
    for (const Event& event : events) {
        const std::int64_t offset = plan.allocations[event.buffer].offset;
        auto& here = live[problem.buffers[event.buffer].arena.index()];
        if (!event.begins) {
            here.erase(offset);
            continue;
        }
        const auto [at, fresh] = here.emplace(offset, event.buffer);
        const bool below =
            at != here.begin() && std::prev(at)->first + problem.buffers[std::prev(at)->second].bytes > offset;
        const auto next = std::next(at);
        if (!fresh || below || (next != here.end() && next->first < offset + problem.buffers[event.buffer].bytes))
            return "buffer " + std::to_string(event.buffer) + " overlaps another";
    }
    return {};
}

} // namespace packing_check
