#include "core/facts/peak_causes.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <unordered_map>

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
        std::stable_sort(m_storages.begin(), m_storages.end(),
                         [this](StorageId a, StorageId b) { return birthOf(a) < birthOf(b); });
    }

    PeakCauses run()
    {
        if (m_storages.empty()) return std::move(m_causes);
        findFullestStep();
        for (const StorageId id : m_storages) {
            if (endOf(id) > m_causes.lowerBoundBytes) m_causes.aboveBound.add(at(id).live);
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
    [[nodiscard]] std::int64_t endOf(StorageId id) const { return rounded(at(id).offset + at(id).bytes); }

    void findFullestStep()
    {
        std::vector<std::pair<std::int64_t, std::int64_t>> changes; // step, bytes; what ends comes first
        for (const StorageId id : m_storages) {
            for (const Interval steps : at(id).live.intervals()) {
                changes.emplace_back(steps.begin, rounded(at(id).bytes));
                changes.emplace_back(steps.end, -rounded(at(id).bytes));
            }
        }
        std::sort(changes.begin(), changes.end());
        std::int64_t now = 0;
        for (const auto& [step, bytes] : changes) {
            now += bytes;
            if (now <= m_causes.fullestBytes) continue;
            m_causes.fullestBytes = now;
            m_causes.fullestStep = step;
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

    /// Of several beneath, the biggest.
    void buildTower()
    {
        std::unordered_map<std::int64_t, std::vector<StorageId>> byEnd;
        for (const StorageId id : m_storages)
            byEnd[endOf(id)].push_back(id);
        StorageId top = m_causes.onTop.front();
        while (top.valid()) {
            m_causes.tower.push_back(top);
            const auto beneath = byEnd.find(at(top).offset);
            StorageId next;
            if (beneath != byEnd.end() && at(top).offset > 0) {
                for (const StorageId id : beneath->second) {
                    const bool bigger = !next.valid() || at(id).bytes > at(next).bytes;
                    if (bigger && overlaps(at(id).live, at(top).live)) next = id;
                }
            }
            top = next;
        }
    }

    const Report& m_report;
    std::vector<StorageId> m_storages; ///< Of the arena, by first step.
    PeakCauses m_causes;
};

} // namespace

std::vector<PeakCauses> explainPeak(const Report& report)
{
    std::vector<PeakCauses> all;
    for (std::size_t arena = 0; arena < report.program.map.arenas.size(); ++arena)
        all.push_back(Explainer(report, ArenaId(arena)).run());
    return all;
}

} // namespace plimsoll
