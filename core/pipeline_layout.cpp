#include "core/pipeline_mxnet.h"

#include "core/placement/placement.h"
#include "core/sharing/sharing.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::pipeline {
namespace {

/// Collects storages and the placement problem they pose.
class LayoutMaker
{
public:
    explicit LayoutMaker(const Subject& subject) : m_subject(subject) {}

    Result<Layout> run(const DecisionLog& log, const Context& context)
    {
        Sharing sharing = share(
            {m_subject.graph, m_subject.schedule, m_subject.facts, m_subject.implementations, m_subject.policies}, log);
        m_layout.map.values.resize(m_subject.graph.values.size());
        for (SharedStorage& storage : sharing.storages) {
            if (storage.host.valid()) lodge(storage, sharing);
            addStorage(storage);
        }
        addScratchpads();
        if (m_layout.problem.arenas.empty()) arenaOf("cpu");
        const bool mxnet = plansLikeMxnet(m_subject.policies);
        if (mxnet) orderLikeMxnet(m_subject, m_layout.storages, m_layout.problem);
        PLIMSOLL_ASSIGN(plan, place(m_layout.problem, m_subject.policies.placement, context));
        fillMap(sharing, plan);
        m_layout.storageOf = std::move(sharing.storageOf);
        m_layout.sharedAs = std::move(sharing.sharedAs);
        if (mxnet) m_layout.notes = mxnetNotes(m_subject, m_layout, plan);
        logMatchRanges(plan, log);
        return std::move(m_layout);
    }

private:
    void addStorage(SharedStorage& shared)
    {
        Storage storage {{}, 0, shared.bytes, std::move(shared.live), std::move(shared.values), {}};
        if (shared.residence == Residence::Planned) {
            storage.arena = arenaOf(shared.space);
            addBuffer(storage);
        }
        m_layout.storages.push_back(std::move(storage));
    }

    /// Everybody in the caller's bytes, but for inputs and the like, which are there in any case.
    void lodge(const SharedStorage& shared, const Sharing& sharing)
    {
        for (const ValueId value : shared.values) {
            const bool brought =
                m_subject.facts.isOutput[value.index()] && m_subject.graph[value].role == ValueRole::Intermediate;
            if (value == shared.host && !brought) continue;
            m_layout.map.values[value.index()] = {
                {},
                sharing.offset[value.index()],
                std::max<std::int64_t>(0, m_subject.facts.requiredBytes[value.index()]),
                shared.host};
        }
    }

    void addScratchpads()
    {
        for (std::size_t index = 0; index < m_subject.implementations.size(); ++index) {
            const std::int64_t bytes = m_subject.implementations[index].scratchpadBytes;
            const Interval steps = m_subject.schedule.nodes[index];
            if (bytes <= 0 || steps.empty()) continue;
            const std::string& device = m_subject.graph.nodes[index].device;
            Storage storage {arenaOf(device.empty() ? "cpu" : device), 0, bytes, LiveRanges(steps), {}, NodeId(index)};
            addBuffer(storage);
            m_layout.storages.push_back(std::move(storage));
        }
    }

    /// One arena for each memory space, in the order in which they turn up.
    ArenaId arenaOf(const std::string& space)
    {
        std::vector<Arena>& arenas = m_layout.problem.arenas;
        const auto found =
            std::find_if(arenas.begin(), arenas.end(), [&](const Arena& arena) { return arena.space == space; });
        if (found != arenas.end()) return ArenaId(static_cast<std::size_t>(found - arenas.begin()));
        const auto capacity = m_subject.policies.capacity.find(space);
        arenas.push_back({space, m_subject.policies.alignment, {}});
        if (capacity != m_subject.policies.capacity.end()) arenas.back().capacityBytes = capacity->second;
        return ArenaId(arenas.size() - 1);
    }

    void addBuffer(const Storage& storage)
    {
        std::int64_t alignment = m_subject.policies.alignment;
        for (const ValueId value : storage.values)
            alignment = std::max(alignment, alignmentOf(m_subject.graph[value].producer));
        alignment = std::max(alignment, alignmentOf(storage.scratchOf));
        m_layout.problem.buffers.push_back({storage.bytes, storage.live, alignment, storage.arena, {}, {}});
    }

    [[nodiscard]] std::int64_t alignmentOf(NodeId node) const
    {
        const auto& chosen = m_subject.implementations;
        return node.valid() && node.index() < chosen.size() ? chosen[node.index()].alignment : 1;
    }

    void fillMap(const Sharing& sharing, const Plan& plan)
    {
        std::size_t buffer = 0;
        MemoryMap& map = m_layout.map;
        for (Storage& storage : m_layout.storages) {
            if (!storage.arena.valid()) continue;
            storage.offset = plan.allocations[buffer++].offset;
            if (storage.scratchOf.valid())
                map.scratch.push_back({storage.scratchOf, {storage.arena, storage.offset, storage.bytes}});
            for (const ValueId value : storage.values) {
                const std::int64_t offset = storage.offset + sharing.offset[value.index()];
                map.values[value.index()] = {storage.arena, offset, m_subject.facts.requiredBytes[value.index()]};
            }
        }
        for (std::size_t arena = 0; arena < m_layout.problem.arenas.size(); ++arena) {
            const Arena& from = m_layout.problem.arenas[arena];
            map.arenas.push_back({from.space, plan.arenaBytes[arena], from.alignment, from.capacityBytes});
        }
        m_layout.heights = plan.arenaBytes;
    }

    const Subject& m_subject;
    Layout m_layout;
};

} // namespace

/// Lodging in an input is worth it for what it saves: two outputs that could share a copy of the input cannot share
/// the input itself. So it is planned with and without, and the lower plan kept.
Result<Layout> makeLayout(const Subject& subject, const DecisionLog& log, const Context& context)
{
    std::vector<Decision> decisions;
    const DecisionLog own = log.recording() ? DecisionLog(decisions) : DecisionLog();
    PLIMSOLL_ASSIGN(layout, LayoutMaker(subject).run(own, context));
    if (subject.policies.inputs != InputsPolicy::Protect) {
        std::vector<Decision> without;
        Policies policies = subject.policies;
        policies.inputs = InputsPolicy::Protect;
        const Subject guarded {subject.graph, subject.schedule, subject.facts, subject.implementations, policies};
        const DecisionLog second = log.recording() ? DecisionLog(without) : DecisionLog();
        PLIMSOLL_ASSIGN(other, LayoutMaker(guarded).run(second, context));
        const auto height = [](const Layout& one) {
            return std::accumulate(one.heights.begin(), one.heights.end(), std::int64_t {0});
        };
        if (height(other) < height(layout)) {
            layout = std::move(other);
            decisions = std::move(without);
        }
    }
    for (Decision& decision : decisions)
        log.add(std::move(decision));
    return layout;
}

} // namespace plimsoll::pipeline
