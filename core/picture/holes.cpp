#include "core/picture/plan_picture.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

/// How many bars cover each byte of a lane, as runs of equal cover, while a sweep moves along the steps. A run that is
/// free and has something live above it is a hole; it is written down when it changes.
class Cover
{
public:
    Cover(std::int32_t lane, std::vector<Hole>& holes) : m_lane(lane), m_holes(holes) { m_runs[0] = {}; }

    void change(Interval bytes, int by, std::int64_t step)
    {
        split(bytes.begin);
        split(bytes.end);
        const auto end = m_runs.find(bytes.end);
        for (auto run = m_runs.find(bytes.begin); run != end; ++run) {
            if (run->second.count == 0) close(run, step);
            run->second.count += by;
            run->second.since = step;
        }
        join(bytes.begin, step);
        join(bytes.end, step);
    }

private:
    struct Run
    {
        int count = 0;
        std::int64_t since = 0;
    };
    using Runs = std::map<std::int64_t, Run>;

    void split(std::int64_t byte)
    {
        const auto after = m_runs.upper_bound(byte);
        const auto here = std::prev(after);
        if (here->first != byte) m_runs.emplace_hint(after, byte, here->second);
    }

    /// Makes one run of the two that meet at \p byte, if both are covered alike.
    void join(std::int64_t byte, std::int64_t step)
    {
        const auto upper = m_runs.find(byte);
        if (upper == m_runs.end() || upper == m_runs.begin()) return;
        const auto lower = std::prev(upper);
        if (lower->second.count != upper->second.count) return;
        if (lower->second.since != upper->second.since && lower->second.count == 0) {
            close(lower, step);
            close(upper, step);
            lower->second.since = step;
        }
        m_runs.erase(upper);
    }

    void close(Runs::const_iterator run, std::int64_t step)
    {
        const auto next = std::next(run);
        if (next == m_runs.end() || run->second.since >= step) return;
        m_holes.push_back({m_lane, {run->second.since, step}, {run->first, next->first}});
    }

    std::int32_t m_lane;
    std::vector<Hole>& m_holes;
    Runs m_runs; ///< The last run reaches upwards without end.
};

struct Event
{
    std::int64_t step = 0;
    int by = 0;
    std::int32_t lane = 0;
    Interval bytes;
};

} // namespace

std::vector<Hole> findHoles(const PlanPicture& picture)
{
    std::vector<Event> events;
    events.reserve(2 * picture.bars.size());
    for (const PlanBar& bar : picture.bars) {
        events.push_back({bar.steps.begin, 1, bar.lane, bar.bytes});
        events.push_back({bar.steps.end, -1, bar.lane, bar.bytes});
    }
    // Births before deaths, so that bytes handed over at a step are never free in between.
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.step != b.step ? a.step < b.step : a.by > b.by; });
    std::vector<Hole> holes;
    std::vector<Cover> covers;
    for (std::size_t i = 0; i < picture.lanes.size(); ++i)
        covers.emplace_back(static_cast<std::int32_t>(i), holes);
    for (const Event& event : events)
        covers[static_cast<std::size_t>(event.lane)].change(event.bytes, event.by, event.step);
    return holes;
}

} // namespace plimsoll
