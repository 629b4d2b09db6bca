#include "core/facts/peak_causes.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

class Explainer
{
public:
    Explainer(const Report& report, ArenaId arena) : m_report(report)
    {
        m_causes.arena = arena;
        m_causes.peakBytes = report.program.map.arenas[arena.index()].bytes;
        if (arena.index() < report.memory.arenas.size())
            m_causes.lowerBoundBytes = report.memory.arenas[arena.index()].lowerBoundBytes;
        for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
            const Storage& storage = report.program.storages[i];
            if (storage.arena == arena && storage.bytes > 0 && !storage.live.empty()) m_storages.emplace_back(i);
        }
        const auto birth = [this](StorageId id) { return birthOf(id); };
        if (!std::ranges::is_sorted(m_storages, {}, birth)) std::ranges::stable_sort(m_storages, {}, birth);
    }

    [[nodiscard]] LiveRanges aboveBound() const
    {
        LiveRanges steps;
        for (const StorageId id : m_storages)
            if (endOf(id) > m_causes.lowerBoundBytes) steps.add(at(id).live);
        return steps;
    }

    PeakCauses run()
    {
        if (m_storages.empty()) return std::move(m_causes);
        findFullestStep();
        m_causes.aboveBound = aboveBound();
        for (const StorageId id : m_storages) {
            if (endOf(id) >= m_causes.peakBytes) m_causes.onTop.push_back(id);
        }
        if (m_causes.onTop.empty())
            return std::move(m_causes); // a plan that was handed in may reserve more than it uses
        m_causes.highestStep = birthOf(m_causes.onTop.front());
        for (const StorageId id : aliveAt(m_causes.highestStep))
            m_causes.liveThere += rounded(at(id).bytes);
        buildTower();
        return std::move(m_causes);
    }

private:
    [[nodiscard]] const Storage& at(StorageId id) const { return m_report.program.storages[id.index()]; }
    [[nodiscard]] std::int64_t birthOf(StorageId id) const { return at(id).live.hull().begin; }
    [[nodiscard]] std::int64_t rounded(std::int64_t bytes) const
    {
        return checkedAlignUp(bytes, m_report.program.map.arenas[m_causes.arena.index()].alignment).value_or(bytes);
    }
    /// Where a storage ends, rounded up.
    struct Ending
    {
        std::int64_t at = 0;
        StorageId storage;
    };
    [[nodiscard]] std::int64_t endOf(StorageId id) const { return rounded(at(id).offset + at(id).bytes); }

    void findFullestStep()
    {
        std::vector<std::int64_t> changes; // by step
        for (const StorageId id : m_storages) {
            const auto end = static_cast<std::size_t>(at(id).live.hull().end);
            if (changes.size() <= end) changes.resize(std::max(end + 1, 2 * changes.size()), 0);
            for (const Interval steps : at(id).live.intervals()) {
                changes[static_cast<std::size_t>(steps.begin)] += rounded(at(id).bytes);
                changes[static_cast<std::size_t>(steps.end)] -= rounded(at(id).bytes);
            }
        }
        std::int64_t now = 0;
        for (std::size_t step = 0; step < changes.size(); ++step) {
            now += changes[step];
            if (now <= m_causes.fullestBytes) continue;
            m_causes.fullestBytes = now;
            m_causes.fullestStep = static_cast<std::int64_t>(step);
        }
        m_causes.live = aliveAt(m_causes.fullestStep);
    }

    [[nodiscard]] std::vector<StorageId> aliveAt(std::int64_t step) const
    {
        std::vector<StorageId> live;
        for (const StorageId id : m_storages) {
            if (at(id).live.contains(step)) live.push_back(id);
        }
        std::stable_sort(live.begin(), live.end(),
                         [this](StorageId a, StorageId b) { return at(a).bytes > at(b).bytes; });
        return live;
    }

    void buildTower()
    {
        std::vector<Ending> byEnd;
        byEnd.reserve(m_storages.size());
        for (const StorageId id : m_storages)
            byEnd.push_back({endOf(id), id});
        std::ranges::stable_sort(byEnd, {}, &Ending::at);
        for (StorageId top = m_causes.onTop.front(); top.valid();) {
            m_causes.tower.push_back(top);
            const bool rests = at(top).offset > 0;
            top = rests ? biggestBeside(std::ranges::equal_range(byEnd, at(top).offset, {}, &Ending::at), top)
                        : StorageId();
        }
    }

    /// Of those that are alive together with \p top. Invalid where none is.
    template <typename Endings>
    [[nodiscard]] StorageId biggestBeside(const Endings& endings, StorageId top) const
    {
        StorageId found;
        for (const auto& [end, one] : endings) {
            const bool bigger = !found.valid() || at(one).bytes > at(found).bytes;
            if (bigger && overlaps(at(one).live, at(top).live)) found = one;
        }
        return found;
    }

    const Report& m_report;
    std::vector<StorageId> m_storages; ///< Of the arena, by first step.
    PeakCauses m_causes;
};

} // namespace

LiveRanges stepsAboveBound(const Report& report)
{
    LiveRanges steps;
    for (std::size_t arena = 0; arena < report.program.map.arenas.size(); ++arena)
        steps.add(Explainer(report, ArenaId(arena)).aboveBound());
    return steps;
}

std::vector<PeakCauses> explainPeak(const Report& report)
{
    std::vector<PeakCauses> all;
    for (std::size_t arena = 0; arena < report.program.map.arenas.size(); ++arena)
        all.push_back(Explainer(report, ArenaId(arena)).run());
    return all;
}

} // namespace plimsoll
