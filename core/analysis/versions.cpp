#include "core/analysis/versions.h"

#include "core/ops/op_traits.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

/// Values with one version counter, and the nodes that write them.
class Families
{
public:
    Families(const Graph& graph, const Schedule& schedule)
        : m_schedule(schedule), m_root(graph.values.size()), m_writes(graph.values.size())
    {
        std::iota(m_root.begin(), m_root.end(), std::size_t {0});
        std::vector<std::pair<NodeId, ValueId>> writes;
        for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
            const NodeId id(index);
            if (schedule.nodes[index].empty()) continue;
            for (const AliasTrait& trait : aliasTraits(graph, id)) {
                const ValueId input = graph[id].inputs[static_cast<std::size_t>(trait.input)];
                const ValueId output = graph[id].outputs[static_cast<std::size_t>(trait.output)];
                if (!output.valid() || !sharesVersionCounter(graph, id, trait)) continue;
                m_root[root(output.index())] = root(input.index());
                if (trait.kind == AliasKind::Mutates) writes.emplace_back(id, output);
            }
        }
        for (const auto& [node, value] : writes)
            m_writes[root(value.index())].push_back(node);
        for (std::vector<NodeId>& nodes : m_writes)
            std::sort(nodes.begin(), nodes.end(),
                      [&](NodeId a, NodeId b) { return schedule.stepOf(a) < schedule.stepOf(b); });
    }

    /// By step of the schedule.
    [[nodiscard]] const std::vector<NodeId>& writesTo(ValueId value) { return m_writes[root(value.index())]; }

    /// How many of them have happened before \p step.
    [[nodiscard]] std::int64_t version(const std::vector<NodeId>& writes, std::int64_t step) const
    {
        return std::count_if(writes.begin(), writes.end(),
                             [&](NodeId write) { return m_schedule.stepOf(write) < step; });
    }

private:
    std::size_t root(std::size_t value)
    {
        while (m_root[value] != value)
            value = m_root[value] = m_root[m_root[value]];
        return value;
    }

    const Schedule& m_schedule;
    std::vector<std::size_t> m_root; ///< By ValueId: union-find.
    std::vector<std::vector<NodeId>> m_writes;
};

} // namespace

std::vector<VersionClash> findVersionClashes(const Graph& graph, const Schedule& schedule,
                                             std::span<const SavedTensor> saved)
{
    std::vector<VersionClash> clashes;
    if (saved.empty()) return clashes;
    Families families(graph, schedule);
    for (std::size_t i = 0; i < saved.size(); ++i) {
        const std::vector<NodeId>& writes = families.writesTo(saved[i].value);
        // An output is saved after the kernel ran, which may have written it in place.
        const std::int64_t expected = families.version(writes, schedule.stepOf(saved[i].savedBy) + 1);
        const std::int64_t found = families.version(writes, schedule.stepOf(saved[i].readBy));
        if (found > expected) clashes.push_back({i, expected, found, writes[static_cast<std::size_t>(expected)]});
    }
    std::stable_sort(clashes.begin(), clashes.end(), [&](const VersionClash& a, const VersionClash& b) {
        return schedule.stepOf(saved[a.saved].readBy) < schedule.stepOf(saved[b.saved].readBy);
    });
    return clashes;
}

} // namespace plimsoll
