#include "core/verify/checks.h"

#include "core/base/bytes.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <limits>

namespace plimsoll::verifying {
namespace {

/// Looking for the neighbour of an undersized value costs a pass over all values.
constexpr int MostNeighbourSearches = 1'000;

std::int64_t endOf(std::int64_t offset, std::int64_t bytes)
{
    if (offset < 0 || bytes < 0) return offset + std::max<std::int64_t>(bytes, 0);
    return checkedAdd(offset, bytes).value_or(std::numeric_limits<std::int64_t>::max());
}

class PlacementChecks
{
public:
    PlacementChecks(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
        : m_facts(facts), m_graph(facts.graph()), m_walk(walk), m_findings(findings)
    {
    }

    void run()
    {
        for (std::size_t i = 0; i < m_facts.values.size(); ++i)
            checkValue(ValueId(i));
        for (const ScratchFacts& scratch : m_facts.scratch)
            checkScratchSize(scratch);
        for (const ScratchPlacement& scratch : m_facts.map.scratch) {
            if (scratch.node.valid() && scratch.node.index() < m_graph.nodes.size())
                checkWhere({ValueId(), scratch.node}, scratch.where);
        }
        checkMissingScratch();
        checkAlignments();
    }

private:
    void checkValue(ValueId value);
    void checkGuest(ValueId value);
    void checkSize(ValueId value, const ValuePlacement& where);
    void checkScratchSize(const ScratchFacts& scratch);
    void checkWhere(const Party& party, const ValuePlacement& where);
    void checkAlignment(const Party& party, const ValuePlacement& where);
    void checkDemands(ValueId value, const ValuePlacement& where);
    void checkMissingScratch();
    void checkAlignments();
    [[nodiscard]] std::int64_t alignmentFor(const Party& party) const;
    [[nodiscard]] ValueId neighbourIn(ValueId value, ArenaId arena, Interval bytes);
    [[nodiscard]] Finding about(Rule rule, const Party& party, const ValuePlacement& where) const;
    [[nodiscard]] NodeId writerOf(ValueId value) const;
    [[nodiscard]] Argument name(const Party& party) const { return nameOf(m_graph, party); }
    [[nodiscard]] Argument name(ValueId value) const { return nameOf(m_graph, value); }
    [[nodiscard]] Argument name(NodeId node) const { return nameOf(m_graph, node); }
    [[nodiscard]] const PlannedArena& arenaOf(ArenaId arena) const { return m_facts.map.arenas[arena.index()]; }

    const PlanFacts& m_facts;
    const Graph& m_graph;
    const Walk& m_walk;
    std::vector<Finding>& m_findings;
    int m_searches = 0;
};

/// The producer; for what a nested graph is handed, its owner.
NodeId PlacementChecks::writerOf(ValueId value) const
{
    const Value& v = m_graph[value];
    return v.role == ValueRole::BodyInput ? m_graph[v.body].owner : v.producer;
}

Finding PlacementChecks::about(Rule rule, const Party& party, const ValuePlacement& where) const
{
    Finding finding;
    finding.rule = rule;
    NodeId node = party.scratchOf;
    if (party.value.valid()) {
        finding.values.push_back(party.value);
        finding.steps = stepsInUse(m_facts, m_walk, party.value);
        node = writerOf(party.value);
    } else {
        finding.steps = m_facts.program.schedule.nodes[node.index()];
    }
    if (node.valid()) finding.nodes.push_back(node);
    finding.arena = where.arena;
    finding.bytes = {where.offset, endOf(where.offset, where.bytes)};
    return finding;
}

void PlacementChecks::checkValue(ValueId value)
{
    const PlaceFacts& facts = m_facts[value];
    const auto& placements = m_facts.map.values;
    if (value.index() < placements.size() && placements[value.index()].placed()) {
        const ValuePlacement& where = placements[value.index()];
        if (where.bytes == 0 && facts.requiredBytes <= 0) return;
        checkSize(value, where);
        checkWhere({value, {}}, where);
        checkDemands(value, where);
        return;
    }
    if (facts.walkable && !facts.external) return checkGuest(value);
    const bool needsPlace = !facts.external && !facts.aliasesCaller && facts.requiredBytes > 0;
    if (!needsPlace || m_walk.touched[value.index()].empty()) return;
    Finding finding = about(Rule::MissingAllocation, {value, {}}, {});
    finding.bytes = {};
    finding.message = say("missing-allocation", name(value), facts.requiredBytes, finding.steps);
    finding.fix = say("fix.give-bytes", facts.requiredBytes);
    m_findings.push_back(std::move(finding));
}

/// Who lies in bytes that were meant for \p value while it is in use: the first by id, or nobody.
ValueId PlacementChecks::neighbourIn(ValueId value, ArenaId arena, Interval bytes)
{
    if (++m_searches > MostNeighbourSearches) return {};
    const Interval steps = stepsInUse(m_facts, m_walk, value);
    for (std::size_t i = 0; i < m_facts.values.size(); ++i) {
        const PlaceFacts& other = m_facts.values[i];
        if (ValueId(i) == value || !other.walkable || other.arena != arena || !overlaps(other.write, bytes)) continue;
        if (overlaps(stepsInUse(m_facts, m_walk, ValueId(i)), steps)) return ValueId(i);
    }
    return {};
}

/// A value in the bytes of a host: those have an end, and of its own it brings as much as is needed.
void PlacementChecks::checkGuest(ValueId value)
{
    const PlaceFacts& facts = m_facts[value];
    const ValueId host = m_facts.map.values[value.index()].host;
    if (facts.brought || facts.write.end <= std::max<std::int64_t>(0, m_facts[host].requiredBytes)) return;
    Finding finding = about(Rule::BeyondCapacity, {value, {}}, m_facts.map.values[value.index()]);
    finding.message =
        say("beyond-capacity.guest", name(value), facts.write.end, name(host), m_facts[host].requiredBytes);
    finding.fix = say("fix.own-bytes", name(value));
    m_findings.push_back(std::move(finding));
}

void PlacementChecks::checkSize(ValueId value, const ValuePlacement& where)
{
    const std::int64_t required = m_facts[value].requiredBytes;
    if (where.bytes >= required) return;
    Finding finding = about(Rule::Undersized, {value, {}}, where);
    finding.bytes = {endOf(where.offset, where.bytes), endOf(where.offset, required)};
    const ValueId neighbour = neighbourIn(value, where.arena, finding.bytes);
    const NodeId writer = finding.nodes.empty() ? NodeId() : finding.nodes.front();
    finding.message = say("undersized", name(value), where.bytes, required, finding.steps,
                          place(m_facts.map, where.arena, finding.bytes),
                          writer.valid() ? say("undersized.writer", name(writer)) : Message(),
                          neighbour.valid() ? say("undersized.neighbour", name(neighbour)) : Message());
    if (neighbour.valid()) finding.values.push_back(neighbour);
    finding.fix = say("fix.reserve-for", required, name(value));
    m_findings.push_back(std::move(finding));
}

void PlacementChecks::checkScratchSize(const ScratchFacts& scratch)
{
    if (scratch.reservedBytes >= scratch.requiredBytes) return;
    Finding finding =
        about(Rule::Undersized, {ValueId(), scratch.node}, {scratch.arena, scratch.write.begin, scratch.requiredBytes});
    finding.message =
        say("undersized.scratchpad", name(scratch.node), scratch.reservedBytes, scratch.requiredBytes, finding.steps);
    finding.fix = say("fix.reserve", scratch.requiredBytes);
    m_findings.push_back(std::move(finding));
}

void PlacementChecks::checkWhere(const Party& party, const ValuePlacement& where)
{
    if (!where.placed()) return;
    Finding finding = about(Rule::BeyondCapacity, party, where);
    if (where.arena.index() >= m_facts.map.arenas.size()) {
        finding.message = say("beyond-capacity.no-arena", name(party), word::Number {where.arena.number()},
                              m_facts.map.arenas.size());
        finding.fix = say("fix.declared-arena");
        m_findings.push_back(std::move(finding));
        return;
    }
    const PlannedArena& arena = arenaOf(where.arena);
    if (where.offset < 0) {
        finding.message =
            say("beyond-capacity.below", name(party), where.offset, word::Number {where.arena.number()}, finding.steps);
        finding.fix = say("fix.offset");
        m_findings.push_back(finding);
    } else if (finding.bytes.end > arena.bytes) {
        finding.message = say("beyond-capacity.outside", name(party), place(m_facts.map, where.arena, finding.bytes),
                              finding.steps, arena.bytes, word::Number {where.arena.number()});
        // Before its first byte nothing can be reserved.
        finding.fix = where.offset >= 0 ? say("fix.inside-or-reserve", finding.bytes.end) : say("fix.inside");
        m_findings.push_back(finding);
    }
    checkAlignment(party, where);
}

/// The alignment of an arena holds where a storage begins; what goes on in the bytes of another value lies where that
/// one does. What a node writes must suit its implementation wherever it lies.
void PlacementChecks::checkAlignment(const Party& party, const ValuePlacement& where)
{
    const AliasKind made = party.value.valid() ? m_walk.madeAs[party.value.index()] : AliasKind::Fresh;
    const bool isWritten = made != AliasKind::View && made != AliasKind::Identity;
    const auto misses = [&](std::int64_t alignment) { return alignment > 1 && where.offset % alignment != 0; };
    const std::int64_t own = arenaOf(where.arena).alignment;
    const std::int64_t demanded = alignmentFor(party);
    const bool offGrid = made == AliasKind::Fresh && misses(own);
    if (!offGrid && !(isWritten && misses(demanded))) return;
    const std::int64_t alignment = offGrid ? own : demanded;
    Finding finding = about(Rule::Misaligned, party, where);
    finding.message =
        say("misaligned", name(party), place(m_facts.map, where.arena, finding.bytes), finding.steps, where.offset,
            offGrid ? say("misaligned.arena", alignment)
                    : say("misaligned.implementation", alignment, name(finding.nodes.front())));
    finding.fix = say("fix.align", alignment);
    m_findings.push_back(std::move(finding));
}

/// What the implementation asks for whose output or scratchpad it is.
std::int64_t PlacementChecks::alignmentFor(const Party& party) const
{
    const NodeId node = party.value.valid() ? m_graph[party.value].producer : party.scratchOf;
    return node.valid() ? implementationOf(m_facts.program, node).alignment : 1;
}

/// What the graph itself asks of the place of a value.
void PlacementChecks::checkDemands(ValueId value, const ValuePlacement& where)
{
    const Value& v = m_graph[value];
    if (v.alignment > 1 && where.offset % v.alignment != 0) {
        Finding finding = about(Rule::Misaligned, {value, {}}, where);
        finding.message = say("misaligned.own", name(value), place(m_facts.map, where.arena, finding.bytes),
                              where.offset, v.alignment);
        finding.fix = say("fix.align", v.alignment);
        m_findings.push_back(std::move(finding));
    }
    if (!v.pinnedOffset || where.offset == *v.pinnedOffset) return;
    Finding finding = about(Rule::Moved, {value, {}}, where);
    finding.message = say("moved", name(value), place(m_facts.map, where.arena, finding.bytes), *v.pinnedOffset);
    finding.fix = say("fix.put-at", *v.pinnedOffset);
    m_findings.push_back(std::move(finding));
}

void PlacementChecks::checkMissingScratch()
{
    for (const Step& step : m_facts.program.schedule.steps) {
        if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
        const std::int64_t required = implementationOf(m_facts.program, step.node).scratchpadBytes;
        if (required <= 0 || !m_facts.scratchOf[step.node.index()].empty()) continue;
        Finding finding = about(Rule::MissingAllocation, {ValueId(), step.node}, {});
        finding.bytes = {};
        finding.message = say("missing-allocation.scratchpad", name(step.node), required, finding.steps);
        finding.fix = m_facts.program.policies.backend == BackendPolicy::Captured
                          ? say("fix.give-scratchpad", required)
                          : say("fix.give-scratchpad-or-captured", required, Remedy::policy("backend", "captured"));
        m_findings.push_back(std::move(finding));
    }
}

/// A plan keeps its own alignment; that it is lower than the one asked for is said once for each arena.
void PlacementChecks::checkAlignments()
{
    const std::int64_t wanted = m_facts.program.policies.alignment;
    for (std::size_t a = 0; a < m_facts.map.arenas.size(); ++a) {
        const std::int64_t own = std::max<std::int64_t>(m_facts.map.arenas[a].alignment, 1);
        if (wanted <= 1 || own >= wanted) continue;
        const auto& values = m_facts.values;
        const auto isOff = [&](const PlaceFacts& value) {
            return value.walkable && value.arena == ArenaId(a) && !value.write.empty() &&
                   value.write.begin % wanted != 0;
        };
        const auto first = std::find_if(values.begin(), values.end(), isOff);
        if (first == values.end()) continue;
        const ValueId value(static_cast<std::size_t>(first - values.begin()));
        Finding finding = about(Rule::Misaligned, {value, {}}, m_facts.map.values[value.index()]);
        finding.severity = Severity::Warning;
        finding.message = say("misaligned.grid", word::Number {a}, own, wanted, name(value), first->write.begin,
                              std::count_if(values.begin(), values.end(), isOff));
        finding.fix = say("fix.alignment", Remedy::policy("alignment", std::to_string(own)), word::Number {wanted});
        m_findings.push_back(std::move(finding));
    }
}

} // namespace

Interval stepsInUse(const PlanFacts& facts, const Walk& walk, ValueId value)
{
    const Interval touched = walk.touched[value.index()];
    const NodeId producer = facts.graph()[value].producer;
    if (!touched.empty() || !producer.valid()) return touched;
    return facts.program.schedule.nodes[producer.index()];
}

void checkPlacements(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    PlacementChecks(facts, walk, findings).run();
}

} // namespace plimsoll::verifying
