#include "core/pipeline/stages.h"

#include "core/base/bytes.h"
#include "core/ops/op_traits.h"
#include "core/placement/placement.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll::pipeline {
namespace {

Error bad(Message message, std::string where)
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

/// Turns the names of a plan into a memory map.
class NameResolver
{
public:
    NameResolver(const Subject& subject, const PlanFile& given, NodeId firstAdded)
        : m_subject(subject), m_given(given), m_firstAdded(firstAdded)
    {
        for (std::size_t value = 0; value < subject.graph.values.size(); ++value) {
            m_values.emplace(subject.graph.values[value].name, ValueId(value));
        }
        for (std::size_t node = 0; node < subject.graph.nodes.size(); ++node) {
            m_nodes.emplace(subject.graph.nodes[node].name, NodeId(node));
        }
    }

    Result<MemoryMap> run()
    {
        m_map.arenas = m_given.arenas;
        m_map.values.resize(m_subject.graph.values.size());
        for (PlannedArena& arena : m_map.arenas)
            PLIMSOLL_TRY(completeArena(arena));
        for (std::size_t index = 0; index < m_given.entries.size(); ++index) {
            PLIMSOLL_TRY(takeEntry(m_given.entries[index], "allocations[" + std::to_string(index) + "]"));
        }
        hostByDeclaration();
        PLIMSOLL_TRY(checkFused());
        PLIMSOLL_TRY(checkOrder());
        return std::move(m_map);
    }

private:
    Status completeArena(PlannedArena& arena) const
    {
        if (arena.alignment < 1 || arena.bytes < 0) {
            return bad("The arena of '" + arena.space + "' has a negative size or an alignment below 1.", "arenas");
        }
        const auto capacity = m_subject.program.policies.capacity.find(arena.space);
        if (!arena.capacityBytes && capacity != m_subject.program.policies.capacity.end())
            arena.capacityBytes = capacity->second;
        return {};
    }

    /// Views of the caller's bytes are there whatever the plan says; under outputs=external so are the outputs.
    void hostByDeclaration()
    {
        const Graph& graph = m_subject.graph;
        for (std::size_t index = 0; index < graph.values.size(); ++index) {
            const ValueId root = m_subject.facts.aliases.root[index];
            ValuePlacement& place = m_map.values[index];
            const bool brought = graph[root].role == ValueRole::Intermediate && m_subject.facts.isOutput[root.index()];
            const bool external = m_subject.facts.residence[index] == Residence::External;
            if (place.placed() || place.host.valid() || !external || (root == ValueId(index) && !brought)) continue;
            place = {{},
                     m_subject.facts.aliases.offset[index],
                     std::max<std::int64_t>(0, m_subject.facts.requiredBytes[index]),
                     root};
        }
    }

    Status takeGuest(const PlanFile::Entry& entry, const std::string& where)
    {
        const auto value = m_values.find(entry.value);
        const auto host = m_values.find(entry.host);
        if (value == m_values.end() || host == m_values.end())
            return bad("The graph has no value '" + (value == m_values.end() ? entry.value : entry.host) + "'. " +
                           std::string(OtherGraph),
                       where);
        ValuePlacement& place = m_map.values[value->second.index()];
        if (place.placed() || place.host.valid()) return bad("'" + entry.value + "' is placed twice.", where);
        const bool brought = value->second == host->second && m_subject.facts.isOutput[value->second.index()];
        const bool external = brought || m_subject.facts.residence[host->second.index()] == Residence::External;
        const std::int64_t room = m_subject.facts.requiredBytes[host->second.index()];
        const auto end = checkedAdd(entry.offset, entry.bytes);
        if (!external || entry.offset < 0 || entry.bytes < 0 || !end || *end > room) {
            return bad("'" + entry.value + "' cannot lie in '" + entry.host +
                           "': that is not the caller's, or too small.",
                       where);
        }
        place = {{}, entry.offset, entry.bytes, host->second};
        return {};
    }

    Status takeEntry(const PlanFile::Entry& entry, const std::string& where)
    {
        if (!entry.host.empty()) return takeGuest(entry, where);
        if (!entry.arena.valid() || entry.arena.index() >= m_map.arenas.size()) {
            return bad("'" + entry.value + "' is placed in arena " + std::to_string(entry.arena.number()) +
                           ", which the plan does not have.",
                       where);
        }
        if (entry.bytes < 0 || (entry.offset >= 0 && !checkedAdd(entry.offset, entry.bytes))) {
            return bad("'" + entry.value + "' has a size or an end that no arena can have.", where);
        }
        const ValuePlacement place {entry.arena, entry.offset, entry.bytes};
        if (const auto value = m_values.find(entry.value); value != m_values.end()) {
            if (m_map.values[value->second.index()].placed())
                return bad("'" + entry.value + "' is placed twice.", where);
            m_map.values[value->second.index()] = place;
            return {};
        }
        return takeScratch(entry.value, place, where);
    }

    Status takeScratch(const std::string& name, const ValuePlacement& place, const std::string& where)
    {
        const bool scratch = name.starts_with(ScratchPrefix);
        const auto node = scratch ? m_nodes.find(name.substr(ScratchPrefix.size())) : m_nodes.end();
        if (node == m_nodes.end()) {
            return bad("The graph has no " + std::string(scratch ? "node for '" : "value '") + name + "'. " +
                           std::string(OtherGraph),
                       where);
        }
        for (const ScratchPlacement& other : m_map.scratch) {
            if (other.node == node->second) return bad("'" + name + "' is placed twice.", where);
        }
        m_map.scratch.push_back({node->second, place});
        return {};
    }

    /// What a node hands on inside has no bytes of its own.
    Status checkFused() const
    {
        for (std::size_t index = 0; index < m_given.fused.size(); ++index) {
            const std::string& name = m_given.fused[index];
            const std::string where = "fused[" + std::to_string(index) + "]";
            const auto value = m_values.find(name);
            if (value == m_values.end())
                return bad("The graph has no value '" + name + "'. " + std::string(OtherGraph), where);
            const ValuePlacement& place = m_map.values[value->second.index()];
            if (m_subject.graph[value->second].role != ValueRole::Intermediate)
                return bad("'" + name + "' is no result of a node, so no node can keep it to itself.", where);
            if (place.placed() || place.host.valid())
                return bad("'" + name + "' is fused away and has a place at the same time.", where);
        }
        return {};
    }

    /// Whether the plan lacks a place for something the node reads or makes: the judge says so.
    [[nodiscard]] bool lacksPlace(const Node& node) const
    {
        const auto lacking = [&](ValueId value) {
            if (!value.valid()) return false;
            const ValuePlacement& place = m_map.values[value.index()];
            return m_subject.facts.residence[value.index()] == Residence::Planned && !place.placed() &&
                   !place.host.valid() && m_subject.facts.requiredBytes[value.index()] > 0;
        };
        return std::any_of(node.inputs.begin(), node.inputs.end(), lacking) ||
               std::any_of(node.outputs.begin(), node.outputs.end(), lacking);
    }

    /// What implementations added runs where it is needed, and what only this call takes apart has no place in the
    /// plan; all else must be named.
    Status checkComplete() const
    {
        const std::unordered_set<std::string_view> named(m_given.steps->begin(), m_given.steps->end());
        for (const Step& step : m_subject.program.schedule.steps) {
            if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
            const Node& node = m_subject.graph[step.node];
            if (step.node >= m_firstAdded || named.contains(node.name) || lacksPlace(node)) continue;
            return bad("The plan does not run node '" + node.name + "', which the graph does. " +
                           std::string(OtherGraph),
                       "steps");
        }
        return {};
    }

    /// All of it, in the order in which the graph was captured, and no other.
    Status checkOrder() const
    {
        std::int64_t last = -1;
        std::unordered_map<std::string_view, std::size_t> seen;
        if (!m_given.steps) return {};
        for (std::size_t index = 0; index < m_given.steps->size(); ++index) {
            const std::string& name = (*m_given.steps)[index];
            const std::string where = "steps[" + std::to_string(index) + "]";
            const auto node = m_nodes.find(name);
            if (node == m_nodes.end())
                return bad("The graph has no node '" + name + "'. " + std::string(OtherGraph), where);
            const Interval span = m_subject.program.schedule.nodes[node->second.index()];
            if (span.empty()) continue;
            const auto [first, isNew] = seen.try_emplace(name, index);
            if (!isNew)
                return bad("The plan names '" + name + "' twice, at first in steps[" + std::to_string(first->second) +
                               "]; each node runs once.",
                           where);
            if (span.begin <= last)
                return bad("The plan runs '" + name +
                               "' in another order than the graph; only the captured order can be judged.",
                           where);
            last = span.begin;
        }
        return checkComplete();
    }

    const Subject& m_subject;
    const PlanFile& m_given;
    const NodeId m_firstAdded;
    std::unordered_map<std::string_view, ValueId> m_values;
    std::unordered_map<std::string_view, NodeId> m_nodes;
    MemoryMap m_map;
};

/// Finds out which values of a plan are meant to share: those that some node (or loop) hands on to each other and that
/// meet in bytes and in time. Others at the same bytes reuse them, or clash.
class Grouping
{
public:
    Grouping(const Subject& subject, PlacedGraph& placed)
        : m_subject(subject), m_placed(placed), m_group(subject.graph.values.size())
    {
        std::iota(m_group.begin(), m_group.end(), std::size_t {0});
        m_placed.sharedAs.assign(m_group.size(), AliasKind::Fresh);
    }

    void run()
    {
        const Graph& graph = m_subject.graph;
        for (std::size_t value = 0; value < m_group.size(); ++value) {
            const ValueId source = m_subject.facts.aliases.source[value];
            if (source.valid()) relate(source, ValueId(value), m_subject.facts.aliases.kind[value]);
        }
        for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
            if (!m_subject.program.schedule.nodes[index].empty()) relateNode(NodeId(index));
        }
        makeStorages();
    }

private:
    static ValueId at(const std::vector<ValueId>& values, int position)
    {
        return position >= 0 && static_cast<std::size_t>(position) < values.size()
                   ? values[static_cast<std::size_t>(position)]
                   : ValueId();
    }

    void relateNode(NodeId id)
    {
        const Node& node = m_subject.graph[id];
        for (const AliasTrait& trait : m_subject.facts.traits[id]) {
            relate(at(node.inputs, trait.input), at(node.outputs, trait.output), trait.kind);
        }
        for (const BodyId body : node.bodies) {
            for (const BodyLink& link : bodyLinks(m_subject.graph, id, body))
                relateLink(node, m_subject.graph[body], link);
        }
    }

    void relateLink(const Node& owner, const Body& body, const BodyLink& link)
    {
        const ValueId in = at(body.inputs, link.bodyInput);
        const ValueId out = at(body.outputs, link.bodyOutput);
        relate(at(owner.inputs, link.ownerInput), in, AliasKind::Identity);
        relate(in, out, AliasKind::Identity);
        relate(in, at(owner.outputs, link.ownerOutput), AliasKind::Identity);
        relate(out, at(owner.outputs, link.ownerOutput), AliasKind::Identity);
    }

    void relate(ValueId earlier, ValueId later, AliasKind kind)
    {
        if (!earlier.valid() || !later.valid() || earlier == later) return;
        const ValuePlacement& a = m_placed.map.values[earlier.index()];
        const ValuePlacement& b = m_placed.map.values[later.index()];
        const bool known = a.placed() || a.host.valid() || external(earlier);
        const ValueId host = a.host.valid() || a.placed() ? a.host : earlier;
        if (!known || a.arena != b.arena || host != b.host) return;
        if (!overlaps(Interval {a.offset, a.offset + a.bytes}, Interval {b.offset, b.offset + b.bytes})) return;
        if (!overlaps(m_subject.facts.live[earlier.index()], m_subject.facts.live[later.index()])) return;
        m_placed.sharedAs[later.index()] = kind;
        m_group[find(later.index())] = find(earlier.index());
    }

    [[nodiscard]] bool external(ValueId value) const
    {
        return m_subject.facts.residence[value.index()] == Residence::External;
    }

    std::size_t find(std::size_t value)
    {
        while (m_group[value] != value)
            value = m_group[value] = m_group[m_group[value]];
        return value;
    }

    void makeStorages()
    {
        std::vector<StorageId> ids(m_group.size());
        m_placed.storageOf.assign(m_group.size(), StorageId());
        for (std::size_t index = 0; index < m_group.size(); ++index) {
            const ValuePlacement& place = m_placed.map.values[index];
            const bool external = m_subject.facts.residence[index] == Residence::External;
            if (!place.placed() && !place.host.valid() && !external) continue;
            // What is in the caller's bytes stays with them.
            const std::size_t host = place.host.valid() ? place.host.index() : index;
            const std::size_t key = place.placed() ? find(index) : host;
            if (!ids[key].valid()) {
                ids[key] = StorageId(m_placed.storages.size());
                m_placed.storages.push_back({place.arena, place.offset, 0, {}, {}, {}});
            }
            addToStorage(m_placed.storages[ids[key].index()], ValueId(index));
            m_placed.storageOf[index] = ids[key];
        }
    }

    void addToStorage(Storage& storage, ValueId id)
    {
        const ValuePlacement& place = m_placed.map.values[id.index()];
        const std::int64_t end =
            std::max(storage.offset + storage.bytes, place.placed() || place.host.valid()
                                                         ? place.offset + place.bytes
                                                         : m_subject.facts.requiredBytes[id.index()]);
        if (place.placed()) storage.offset = std::min(storage.offset, place.offset);
        storage.bytes = end - storage.offset;
        storage.values.push_back(id);
        storage.live.add(m_subject.facts.live[id.index()]);
    }

    const Subject& m_subject;
    PlacedGraph& m_placed;
    std::vector<std::size_t> m_group; ///< By ValueId: union-find.
};

Status addScratchAndProblem(const Subject& subject, PlacedGraph& placed)
{
    for (const ScratchPlacement& scratch : placed.map.scratch) {
        const ValuePlacement& where = scratch.where;
        const LiveRanges live(subject.program.schedule.nodes[scratch.node.index()]);
        placed.storages.push_back({where.arena, where.offset, where.bytes, live, {}, scratch.node});
    }
    std::optional<std::int64_t> stated = 0;
    for (const PlannedArena& arena : placed.map.arenas) {
        placed.problem.arenas.push_back({arena.space, arena.alignment, arena.capacityBytes});
        placed.heights.push_back(arena.bytes); // used or not
        stated = stated ? checkedAdd(*stated, arena.bytes) : stated;
    }
    if (!stated) return bad("The arenas together have more bytes than 63 bits count.", "arenas");
    for (const Storage& storage : placed.storages) {
        if (!storage.arena.valid()) continue;
        const Arena& arena = placed.problem.arenas[storage.arena.index()];
        placed.problem.buffers.push_back({storage.bytes, storage.live, 1, storage.arena, {}, {}});
        const auto end = checkedAlignUp(std::max<std::int64_t>(0, storage.offset + storage.bytes), arena.alignment);
        if (!end) return bad("Its allocations reach beyond what any arena can have.", "arena of '" + arena.space + "'");
        std::int64_t& height = placed.heights[storage.arena.index()];
        height = std::max(height, *end);
    }
    return checkSizes(subject.graph, placed);
}

Error inFile(Error error, const PlanFile& given)
{
    error.file = given.file;
    return error;
}

} // namespace

Result<PlacedGraph> takePlacement(const Subject& subject, const PlanFile& given, NodeId firstAdded)
{
    PlacedGraph placed;
    Result<MemoryMap> map = NameResolver(subject, given, firstAdded).run();
    if (!map.ok()) return inFile(map.error(), given);
    placed.map = std::move(map).value();
    Grouping(subject, placed).run();
    const Status sizes = addScratchAndProblem(subject, placed);
    if (sizes.ok()) return placed;
    return inFile(sizes.error(), given);
}

} // namespace plimsoll::pipeline
