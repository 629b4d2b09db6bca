#pragma once

#include <algorithm>
#include <vector>

namespace plimsoll::kernels {

/// A quarter of the times, the half and three quarters of them are at most so long.
struct Quartiles
{
    double lower = 0;
    double median = 0;
    double upper = 0;
    [[nodiscard]] bool steady() const { return upper <= 1.25 * lower; }
};

/// \p times is not empty.
[[nodiscard]] inline Quartiles quartilesOf(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    const std::size_t last = times.size() - 1;
    return {times[last / 4], times[last / 2], times[last - last / 4]};
}

/// What an execution takes, of which each says its milliseconds; below 0 where one fails. The first warms up and does
/// not count, unless it takes seconds. Then the median of a few; where they differ more are made, and where these still
/// do, because threads wait for one another on a busy machine, the lower quartile counts. So no single time decides.
template <typename Execute>
[[nodiscard]] double typicalTime(const Execute& execute)
{
    constexpr std::size_t Least = 3;
    constexpr std::size_t Most = 7;
    constexpr std::size_t MostUnsteady = 25;
    constexpr double EnoughMs = 60; ///< For all of them, once there are a few that agree.
    constexpr double LongMs = 600;  ///< For all of them, whether they agree or not.
    constexpr double SecondsMs = 2000;
    const double first = execute();
    if (first < 0 || first >= SecondsMs) return first;
    std::vector<double> times;
    double spent = 0;
    Quartiles now;
    do {
        times.push_back(execute());
        if (times.back() < 0) return times.back();
        spent += times.back();
        now = quartilesOf(times);
        const bool enough = times.size() >= Most || spent >= EnoughMs;
        if (times.size() >= Least && enough && now.steady()) return now.median;
    } while (times.size() < Least ? spent < SecondsMs : times.size() < MostUnsteady && spent < LongMs);
    return now.steady() ? now.median : now.lower;
}

} // namespace plimsoll::kernels
