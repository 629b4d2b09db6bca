#include "core/picture/step_places.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll {
namespace {

/// In a picture of 500 pixels a bar of this part of the height has an outline.
constexpr std::int64_t LargeShare = 100;

/// Of one and two steps these are one and two, so that nothing is narrowed for little; a longer one is still the wider.
double widthOf(Interval quiet)
{
    return 1 + std::log2(double(quiet.length()));
}

void mark(const LiveRanges& live, std::vector<char>& busy)
{
    for (const Interval& steps : live.intervals()) {
        if (steps.end > std::ssize(busy)) busy.resize(steps.end); // a given plan may reach beyond its steps
        busy[steps.begin] = 1;
        busy[steps.end - 1] = 1;
    }
}

} // namespace

double StepPlaces::placeOf(double step) const
{
    const auto count = double(ofStep.size() - 1);
    if (step < 0) return step;
    if (step >= count) return ofStep.back() + (step - count);
    const auto at = static_cast<std::size_t>(step);
    return ofStep[at] + (step - double(at)) * (ofStep[at + 1] - ofStep[at]);
}

double StepPlaces::stepOf(double place) const
{
    if (place < 0) return place;
    if (place >= ofStep.back()) return double(ofStep.size() - 1) + (place - ofStep.back());
    const auto next = std::upper_bound(ofStep.begin(), ofStep.end(), place);
    const double begin = *(next - 1);
    return double(next - 1 - ofStep.begin()) + (place - begin) / (*next - begin);
}

StepPlaces compactSteps(const std::vector<char>& busy)
{
    StepPlaces places;
    places.ofStep.reserve(busy.size() + 1);
    for (std::size_t step = 0; step < busy.size();) {
        const double begin = places.ofStep.back();
        const auto next = std::find(busy.begin() + std::ptrdiff_t(step), busy.end(), 1);
        const Interval quiet {std::int64_t(step), next - busy.begin()};
        if (quiet.empty()) {
            places.ofStep.push_back(begin + 1);
            ++step;
            continue;
        }
        const double width = widthOf(quiet) / double(quiet.length());
        if (width < 1) places.quiet.push_back(quiet);
        for (std::int64_t i = 1; i <= quiet.length(); ++i)
            places.ofStep.push_back(begin + double(i) * width);
        step = std::size_t(quiet.end);
    }
    return places;
}

std::shared_ptr<const StepPlaces> timedSteps(const RunResult& run)
{
    constexpr double Narrowest = 1e-3;
    const double all = std::accumulate(run.stepMs.begin(), run.stepMs.end(), 0.0);
    if (!(all > 0) || !std::isfinite(all)) return nullptr;
    StepPlaces places;
    places.msPerPlace = all / double(run.stepMs.size());
    for (const double ms : run.stepMs)
        places.ofStep.push_back(places.ofStep.back() + std::max(ms / places.msPerPlace, Narrowest));
    return std::make_shared<const StepPlaces>(std::move(places));
}

std::shared_ptr<const StepPlaces> compactSteps(const Report& report)
{
    std::int64_t height = 0;
    for (const PlannedArena& arena : report.program.map.arenas)
        height += arena.bytes;
    std::vector<char> busy(report.program.schedule.steps.size(), 0);
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid()) continue;
        if (storage.bytes > height / LargeShare) mark(storage.live, busy);
        for (const ValueId id : storage.values) {
            const PlannedValue& value = report.program.values[id.index()];
            if (mostBytes(value) > height / LargeShare) mark(value.live, busy);
        }
    }
    return std::make_shared<const StepPlaces>(compactSteps(busy));
}

} // namespace plimsoll
