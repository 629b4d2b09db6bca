#include "core/placement/exact/exact_search.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

/// Spreads the bits of two numbers and a flag over 64.
std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t value = a * 0x9E3779B97F4A7C15U ^ (b + 0x7F4A7C159E3779B9U) * 0xBF58476D1CE4E5B9U;
    value ^= value >> 29U;
    value *= 0x94D049BB133111EBU;
    return value ^ value >> 32U;
}

void addTo(DeadStates::Key& key, std::int32_t item, std::int64_t lowest, bool supported)
{
    const auto bits = static_cast<std::uint64_t>(lowest) * 2 + (supported ? 1 : 0);
    const std::uint64_t hash = mix(static_cast<std::uint64_t>(item), bits);
    key.low += hash;
    key.high += mix(hash, bits);
}

/// After so many steps that only postpone, bounds are settled at once.
constexpr std::int32_t PostponedInARow = 32;

} // namespace

void DeadStates::add(Key key, std::int64_t capacity)
{
    m_entries[key.low & (m_entries.size() - 1)] = {key, capacity};
}

bool DeadStates::contains(Key key, std::int64_t capacity) const
{
    const Entry& entry = m_entries[key.low & (m_entries.size() - 1)];
    return entry.key == key && entry.capacity >= capacity;
}

FitSearch::FitSearch(const FitModel& model, std::int64_t capacity, std::vector<std::int32_t> rank, Pick pick,
                     DeadStates& dead)
    : m_model(model), m_capacity(capacity), m_order {std::move(rank), {}, pick}, m_dead(dead)
{
}

SearchState FitSearch::run(std::int64_t nodes, const Context& context)
{
    m_context = &context;
    if (!m_started) start();
    if (!m_started) return m_state;
    const std::int64_t last = m_nodes + nodes;
    std::uint32_t steps = 0;
    while (m_state == SearchState::Running && m_nodes < last) {
        if (++steps % 16 == 0 && context.stopped()) break;
        step();
    }
    return m_state;
}

void FitSearch::start()
{
    const std::size_t items = m_model.bytes.size();
    const std::size_t sections = m_model.step.size();
    m_order.items.resize(items);
    std::iota(m_order.items.begin(), m_order.items.end(), 0);
    std::sort(m_order.items.begin(), m_order.items.end(), [this](std::int32_t a, std::int32_t b) {
        return std::pair(m_order.rank[at(a)], a) < std::pair(m_order.rank[at(b)], b);
    });
    m_now.lowest.assign(items, 0);
    m_now.support.assign(items, 0);
    m_now.offset.assign(items, 0);
    m_now.end = m_model.bytes;
    m_now.placed.assign(items, 0);
    m_now.rest = m_model.load;
    m_now.crossing.assign(sections, 0);
    m_now.queued.assign(sections, 0);
    m_now.failures.assign(sections, 1);
    m_now.next.assign(sections, {});
    m_now.nextTwin.assign(items, -1);
    m_now.trail.clear();
    m_now.queue.clear();
    for (std::int32_t item = 0; item < itemCount(m_model); ++item) {
        if (m_model.twin[at(item)] >= 0) m_now.nextTwin[at(m_model.twin[at(item)])] = item;
        for (std::int32_t section = m_model.hull[at(item)].begin; section + 1 < m_model.hull[at(item)].end; ++section)
            ++m_now.crossing[at(section)];
    }
    bool possible = m_capacity >= m_model.pinnedEnd;
    for (std::int32_t item = 0; possible && item < itemCount(m_model); ++item) {
        if (stopped()) return;
        m_now.support[at(item)] = firstFree(m_model, item, 0);
        possible = raise(item, m_now.support[at(item)]);
        touch(item);
    }
    m_started = true;
    if (!possible || !propagate()) {
        m_state = SearchState::Exhausted;
        return;
    }
    split({0, sectionCount(m_model)}, -1, -1);
}

void FitSearch::step()
{
    const auto index = narrow<std::int32_t>(m_frames.size()) - 1;
    Frame& frame = m_frames.back();
    const Choice choice = choose(frame.range);
    if (frame.item < 0) frame.key = choice.key;
    if (m_dead.contains(choice.key, m_capacity)) return exhausted(index);
    const std::int32_t item = choice.item;
    frame.item = item;
    if (m_now.lowest[at(item)] > m_now.support[at(item)]) {
        const bool creeps = ++m_now.postponed % PostponedInARow == 0;
        if (!(creeps ? settle(frame.range) : postpone(item)) || !propagate()) exhausted(index);
        return;
    }
    m_now.postponed = 0;
    ++m_nodes;
    frame.trail = m_now.trail.size();
    if (place(item) && propagate()) {
        split(frame.range, index, frame.pending);
    } else {
        fail(index);
    }
}

/// Takes back what was done since \p frame put its item down, and puts it down no more.
void FitSearch::fail(std::int32_t frame)
{
    m_frames.resize(at(frame) + 1);
    m_pending.resize(m_frames.back().pendingCount);
    undo(m_frames.back().trail);
    if (!postpone(m_frames.back().item) || !propagate()) exhausted(frame);
}

void FitSearch::exhausted(std::int32_t frame)
{
    while (true) {
        m_dead.add(m_frames[at(frame)].key, m_capacity);
        frame = m_frames[at(frame)].failTo;
        if (frame < 0) {
            m_state = SearchState::Exhausted;
            return;
        }
        m_frames.resize(at(frame) + 1);
        m_pending.resize(m_frames.back().pendingCount);
        undo(m_frames.back().trail);
        if (postpone(m_frames.back().item) && propagate()) return;
    }
}

/// Goes on with the independent parts of \p range, of which none may fail without \p owner failing.
void FitSearch::split(SectionRange range, std::int32_t owner, std::int32_t pending)
{
    std::int32_t begin = range.begin;
    bool any = false;
    for (std::int32_t section = range.begin; section < range.end; ++section) {
        any = any || m_now.rest[at(section)] > 0;
        if (section + 1 < range.end && m_now.crossing[at(section)] > 0) continue;
        if (any) {
            m_pending.push_back({{begin, section + 1}, owner, pending});
            pending = narrow<std::int32_t>(m_pending.size()) - 1;
        }
        begin = section + 1;
        any = false;
    }
    if (pending < 0) {
        m_state = SearchState::Found;
        return;
    }
    const Pending next = m_pending[at(pending)];
    Frame frame;
    frame.failTo = next.owner;
    frame.pending = next.next;
    frame.range = next.range;
    frame.pendingCount = m_pending.size();
    frame.trail = m_now.trail.size();
    m_frames.push_back(frame);
}

FitSearch::Choice FitSearch::choose(SectionRange range)
{
    Choice choice;
    std::int64_t lowest = Never;
    for (const std::int32_t item : m_order.items) {
        if (m_now.placed[at(item)] != 0) continue;
        const std::int32_t begin = m_model.hull[at(item)].begin;
        if (begin < range.begin || begin >= range.end) continue;
        addTo(choice.key, item, m_now.lowest[at(item)], m_now.lowest[at(item)] == m_now.support[at(item)]);
        if (m_now.lowest[at(item)] < lowest) {
            lowest = m_now.lowest[at(item)];
            choice.item = item;
        }
    }
    if (m_order.pick != Pick::Lowest) choice.item = sinkToBottom(tightest(range));
    return choice;
}

/// Of the section that leaves the fewest items a chance to be next: the lowest of them.
std::int32_t FitSearch::tightest(SectionRange range)
{
    std::int32_t best = -1;
    std::pair<double, std::int64_t> least {static_cast<double>(Never), Never};
    for (std::int32_t section = range.begin; section < range.end; ++section) {
        if (m_now.rest[at(section)] == 0) continue;
        Next& next = m_now.next[at(section)];
        if (!next.fresh) next = nextOf(section);
        const double weight = m_order.pick == Pick::Failing ? static_cast<double>(m_now.failures[at(section)]) : 1;
        const std::pair<double, std::int64_t> score {static_cast<double>(next.candidates) / weight, next.slack};
        if (score < least) {
            least = score;
            best = next.lowest;
        }
    }
    return best;
}

FitSearch::Next FitSearch::nextOf(std::int32_t section) const
{
    const std::int64_t latest = latestStart(section);
    Next next {true, -1, 0, 0};
    std::int64_t floor = Never;
    for (const std::int32_t item : m_model.live[section]) {
        const std::int64_t lowest = m_now.lowest[at(item)];
        if (lowest <= latest) ++next.candidates;
        if (lowest < floor ||
            (lowest == floor && next.lowest >= 0 && m_order.rank[at(item)] < m_order.rank[at(next.lowest)])) {
            floor = lowest;
            next.lowest = item;
        }
    }
    next.slack = latest - floor;
    return next;
}

/// \p item, or what must be decided before it since it would fit under it.
std::int32_t FitSearch::sinkToBottom(std::int32_t item) const
{
    while (true) {
        const std::int64_t lowest = m_now.lowest[at(item)];
        std::int32_t under = -1;
        for (const std::int32_t other : m_model.neighbours[item]) {
            if (m_now.end[at(other)] <= lowest && (under < 0 || m_order.rank[at(other)] < m_order.rank[at(under)]))
                under = other;
        }
        if (under < 0) return item;
        item = under;
    }
}

} // namespace plimsoll
