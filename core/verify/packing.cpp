#include "core/verify/packing.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace plimsoll {
namespace {

struct Event
{
    std::int64_t step = 0;
    bool birth = false; ///< Deaths come first: what ends at a step is not alive there.
    std::uint32_t buffer = 0;

    friend bool operator<(const Event& a, const Event& b)
    {
        return std::tie(a.step, a.birth, a.buffer) < std::tie(b.step, b.birth, b.buffer);
    }
};

class Judge
{
public:
    Judge(const Problem& problem, std::span<const Allocation> allocations, std::size_t most)
        : m_problem(problem), m_allocations(allocations), m_most(most), m_alive(problem.arenas.size()),
          m_load(problem.arenas.size(), 0)
    {
        m_verdict.arenaBytes.assign(problem.arenas.size(), 0);
        m_verdict.liveBytes.assign(problem.arenas.size(), 0);
    }

    PackingVerdict run()
    {
        for (std::size_t buffer = 0; buffer < m_problem.buffers.size(); ++buffer)
            judgeAlone(BufferId(static_cast<std::int32_t>(buffer)));
        std::sort(m_events.begin(), m_events.end());
        for (const Event& event : m_events) {
            if (!m_verdict.complete) break;
            const BufferId buffer(static_cast<std::int32_t>(event.buffer));
            event.birth ? enter(buffer, event.step) : leave(buffer);
        }
        return std::move(m_verdict);
    }

private:
    void add(PackingFault fault)
    {
        m_verdict.complete = m_verdict.complete && m_verdict.faults.size() < m_most;
        if (m_verdict.complete) m_verdict.faults.push_back(fault);
    }

    [[nodiscard]] std::int64_t offsetOf(BufferId id) const { return m_allocations[id.index()].offset; }
    [[nodiscard]] std::int64_t endOf(BufferId id) const { return offsetOf(id) + m_problem.buffers[id.index()].bytes; }

    /// What can be said without its neighbours. Only buffers that have an end take part in the sweep.
    void judgeAlone(BufferId id)
    {
        const Buffer& buffer = m_problem.buffers[id.index()];
        const std::int64_t offset = offsetOf(id);
        const std::int64_t step = buffer.live.hull().begin;
        if (offset > std::numeric_limits<std::int64_t>::max() - buffer.bytes) {
            add({PackingFault::Kind::BeyondNumbers, id, {}, step, {}});
            return;
        }
        const Interval bytes {offset, offset + buffer.bytes};
        if (buffer.pinnedOffset && offset != *buffer.pinnedOffset)
            add({PackingFault::Kind::Moved, id, {}, step, bytes});
        if (!buffer.pinnedOffset && offset % buffer.alignment != 0)
            add({PackingFault::Kind::Misaligned, id, {}, step, bytes});
        if (offset < 0) add({PackingFault::Kind::BelowArena, id, {}, step, bytes});
        if (buffer.bytes == 0 || buffer.live.empty()) return;
        const std::size_t arena = buffer.arena.index();
        m_verdict.arenaBytes[arena] = std::max(m_verdict.arenaBytes[arena], bytes.end);
        const auto& capacity = m_problem.arenas[arena].capacityBytes;
        if (capacity && bytes.end > *capacity)
            add({PackingFault::Kind::BeyondCapacity, id, {}, step, {std::max(offset, *capacity), bytes.end}});
        for (const Interval& steps : buffer.live.intervals()) {
            m_events.push_back({steps.begin, true, static_cast<std::uint32_t>(id.index())});
            m_events.push_back({steps.end, false, static_cast<std::uint32_t>(id.index())});
        }
    }

    /// What is alive has disjoint bytes, apart from those that were found to clash: these stand beside the others.
    void enter(BufferId id, std::int64_t step)
    {
        const std::size_t arena = m_problem.buffers[id.index()].arena.index();
        m_load[arena] += m_problem.buffers[id.index()].bytes;
        m_verdict.liveBytes[arena] = std::max(m_verdict.liveBytes[arena], m_load[arena]);
        auto& alive = m_alive[arena];
        bool clashes = false;
        const auto meet = [&](BufferId other) {
            const Interval shared {std::max(offsetOf(id), offsetOf(other)), std::min(endOf(id), endOf(other))};
            if (shared.begin >= shared.end) return;
            clashes = true;
            add({PackingFault::Kind::Overlap, id, other, step, shared});
        };
        auto next = alive.lower_bound(offsetOf(id));
        if (next != alive.begin()) meet(std::prev(next)->second);
        for (; next != alive.end() && next->first < endOf(id); ++next)
            meet(next->second);
        for (const BufferId other : m_beside)
            if (m_problem.buffers[other.index()].arena.index() == arena) meet(other);
        if (clashes)
            m_beside.push_back(id);
        else
            alive.emplace(offsetOf(id), id);
    }

    void leave(BufferId id)
    {
        const std::size_t arena = m_problem.buffers[id.index()].arena.index();
        m_load[arena] -= m_problem.buffers[id.index()].bytes;
        if (std::erase(m_beside, id) == 0) m_alive[arena].erase(offsetOf(id));
    }

    const Problem& m_problem;
    std::span<const Allocation> m_allocations;
    std::size_t m_most;
    std::vector<Event> m_events;
    std::vector<std::map<std::int64_t, BufferId>> m_alive; ///< By ArenaId: by offset.
    std::vector<BufferId> m_beside; ///< Alive, too, but they clashed when they came; no more than faults.
    std::vector<std::int64_t> m_load;
    PackingVerdict m_verdict;
};

} // namespace

PackingVerdict judgePacking(const Problem& problem, std::span<const Allocation> allocations, std::size_t most)
{
    return Judge(problem, allocations, most).run();
}

std::string_view packingFaultId(PackingFault::Kind kind)
{
    switch (kind) {
    case PackingFault::Kind::Overlap:
        return "overlap";
    case PackingFault::Kind::Misaligned:
        return "misaligned";
    case PackingFault::Kind::Moved:
        return "moved";
    case PackingFault::Kind::BelowArena:
        return "below-arena";
    case PackingFault::Kind::BeyondCapacity:
        return "beyond-capacity";
    case PackingFault::Kind::BeyondNumbers:
        return "beyond-numbers";
    }
    return "";
}

} // namespace plimsoll
