#include "core/analysis/lifetimes.h"

#include "core/ops/dialects/arena_rules.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {
namespace {

bool isExternal(const Value& value)
{
    return value.role == ValueRole::Input || value.role == ValueRole::Parameter || value.role == ValueRole::Constant;
}

/// How the outputs of one owner come to be written, by output position.
struct OwnerWrites
{
    std::vector<std::vector<std::int64_t>> leaves; ///< Steps at which a branch hands the output over.
    std::vector<bool> stacked;                     ///< Written piece by piece, from Enter on.
};

struct Read
{
    std::int64_t step = 0;
    BodyId body; ///< In which it counts: the reader's, or one around it.
};

bool runs(const Graph& graph, const Schedule& schedule, NodeId node)
{
    return !schedule.nodes[node.index()].empty() && !graph.decided[node].fusedInto.valid();
}

/// From \p begin, a step of \p level, to the last read. When that is inside a branch, the bytes matter up to the
/// Enter, and then in each branch on its own: the branches never run one after the other.
void liveUntilRead(const Graph& graph, const Schedule& schedule, LiveRanges& ranges, BodyId level, std::int64_t begin,
                   const std::vector<Read>& reads)
{
    const auto last =
        std::max_element(reads.begin(), reads.end(), [](const Read& a, const Read& b) { return a.step < b.step; });
    if (last == reads.end()) return;
    if (last->body == level) return ranges.add({begin, last->step + 1});
    NodeId owner = graph[last->body].owner; // the one that stands in the level and has the reader inside it
    while (graph[owner].body != level)
        owner = graph[graph[owner].body].owner;
    ranges.add({begin, schedule.stepOf(owner) + 1});
    for (const BodyId branch : graph[owner].bodies) {
        const Interval steps = schedule.bodies[branch.index()];
        std::vector<Read> inside;
        std::copy_if(reads.begin(), reads.end(), std::back_inserter(inside),
                     [steps](const Read& read) { return steps.contains(read.step); });
        liveUntilRead(graph, schedule, ranges, branch, steps.begin, inside);
    }
}

class Lifetimes
{
public:
    Lifetimes(const Graph& graph, const Schedule& schedule, const std::vector<bool>& donated)
        : m_graph(graph), m_schedule(schedule), m_donated(donated), m_ranges(graph.values.size()),
          m_reads(graph.values.size()), m_ownerWrites(graph.nodes.size()), m_rules(graph.bodies.size(), BodyRule::Once)
    {
    }

    std::vector<LiveRanges> run()
    {
        for (std::size_t body = 1; body < m_graph.bodies.size(); ++body)
            m_rules[body] = bodyRule(m_graph, m_graph.bodies[body].owner);
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            if (runs(m_graph, m_schedule, NodeId(node))) readInputs(NodeId(node));
        }
        for (std::size_t body = 1; body < m_graph.bodies.size(); ++body) {
            if (runs(m_graph, m_schedule, m_graph.bodies[body].owner)) followLinks(BodyId(body));
        }
        for (const ValueId output : m_graph.top().outputs)
            read(output, TopBody, m_end - 1);
        for (std::size_t value = 0; value < m_graph.values.size(); ++value)
            define(ValueId(value));
        return std::move(m_ranges);
    }

private:
    /// Notes a read. What a loop reads from outside it, every iteration reads again: that counts as a read at the
    /// loop's Exit. What a vendor operator's body reads counts where it happens, in the body of the operator.
    void read(ValueId value, BodyId from, std::int64_t step)
    {
        if (!value.valid()) return;
        Read noted {step, from};
        for (BodyId body = from; body != m_graph[value].body && body != TopBody;) {
            const NodeId owner = m_graph[body].owner;
            const BodyRule rule = m_rules[body.index()];
            body = m_graph[owner].body;
            if (rule == BodyRule::Loop) noted.step = std::max(noted.step, m_schedule.exitStep(owner));
            if (rule != BodyRule::Branch) noted.body = body;
        }
        m_reads[value.index()].push_back(noted);
    }

    void readInputs(NodeId id)
    {
        const Node& node = m_graph[id];
        const bool once = !node.bodies.empty() && bodyRule(m_graph, id) == BodyRule::Once;
        const std::int64_t step = once ? m_schedule.exitStep(id) : m_schedule.stepOf(id);
        for (std::size_t input = 0; input < node.inputs.size(); ++input) {
            if (readsContent(m_graph, id, static_cast<int>(input))) read(node.inputs[input], node.body, step);
        }
        if (!node.bodies.empty()) {
            m_ownerWrites[id.index()].leaves.resize(node.outputs.size());
            m_ownerWrites[id.index()].stacked.resize(node.outputs.size());
        }
    }

    void followLinks(BodyId id)
    {
        const Body& body = m_graph[id];
        const Node& owner = m_graph[body.owner];
        const std::int64_t leave = m_schedule.leaveStep(id);
        OwnerWrites& writes = m_ownerWrites[body.owner.index()];
        const auto in = [](int position, std::size_t size) {
            return position >= 0 && static_cast<std::size_t>(position) < size;
        };
        for (const ValueId output : body.outputs)
            read(output, id, leave);
        for (const BodyLink& link : bodyLinks(m_graph, body.owner, id)) {
            const auto output = static_cast<std::size_t>(link.ownerOutput);
            switch (link.kind) {
            case BodyLink::Kind::Branch:
                if (in(link.ownerOutput, writes.leaves.size())) writes.leaves[output].push_back(leave);
                break;
            case BodyLink::Kind::ScanInput:
                read(valueAt(owner.inputs, link.ownerInput), owner.body, leave);
                break;
            case BodyLink::Kind::ScanOutput:
                if (in(link.ownerOutput, writes.stacked.size())) writes.stacked[output] = true;
                break;
            case BodyLink::Kind::Opaque:
                read(valueAt(body.outputs, link.bodyOutput), id, m_schedule.exitStep(body.owner));
                break;
            case BodyLink::Kind::Carried:
            case BodyLink::Kind::Iteration:
            case BodyLink::Kind::Condition:
                break; // read at Enter and Leave, written over the whole span
            }
        }
    }

    void live(ValueId value, std::int64_t begin)
    {
        m_ranges[value.index()].add({begin, begin + 1});
        liveUntilRead(m_graph, m_schedule, m_ranges[value.index()], m_graph[value].body, begin, m_reads[value.index()]);
    }

    void define(ValueId id)
    {
        const Value& value = m_graph[id];
        const bool donated = id.index() < m_donated.size() && m_donated[id.index()];
        const bool lent = value.role == ValueRole::Input && !value.visible && liesInArena(m_graph, value);
        if (donated || lent) { // free after the last read, though the caller has filled it
            live(id, 0);
        } else if (isExternal(value)) {
            m_ranges[id.index()].add({0, m_end});
        } else if (value.role == ValueRole::BodyInput) {
            const NodeId owner = m_graph[value.body].owner;
            if (!owner.valid() || !runs(m_graph, m_schedule, owner)) return;
            live(id, m_schedule.stepOf(owner));
            if (m_rules[value.body.index()] == BodyRule::Loop)
                m_ranges[id.index()].add({m_schedule.leaveStep(value.body), m_schedule.exitStep(owner) + 1});
        } else if (value.producer.valid() && runs(m_graph, m_schedule, value.producer) &&
                   !m_graph.decided[id].fusedInto.valid()) {
            if (m_graph[value.producer].bodies.empty()) {
                live(id, m_schedule.stepOf(value.producer));
            } else {
                defineOwnerOutput(id);
            }
        }
    }

    void defineOwnerOutput(ValueId id)
    {
        const Value& value = m_graph[id];
        const OwnerWrites& writes = m_ownerWrites[value.producer.index()];
        const auto output = static_cast<std::size_t>(value.producerOutput);
        if (writes.stacked[output]) {
            m_ranges[id.index()].add(m_schedule.nodes[value.producer.index()]); // every iteration writes, read or not
            live(id, m_schedule.stepOf(value.producer));
        } else if (writes.leaves[output].empty()) {
            live(id, m_schedule.exitStep(value.producer));
        } else {
            for (const std::int64_t leave : writes.leaves[output])
                m_ranges[id.index()].add({leave, leave + 1});
            live(id, *std::max_element(writes.leaves[output].begin(), writes.leaves[output].end()));
        }
    }

    const Graph& m_graph;
    const Schedule& m_schedule;
    const std::vector<bool>& m_donated;
    /// Of the run. Where no step is taken, what is handed in is there all the same, at once, and handed out.
    std::int64_t m_end = std::max<std::int64_t>(1, m_schedule.length());
    std::vector<LiveRanges> m_ranges;
    std::vector<std::vector<Read>> m_reads; ///< By ValueId.
    std::vector<OwnerWrites> m_ownerWrites; ///< By NodeId; empty for leaves.
    std::vector<BodyRule> m_rules;          ///< By BodyId: of the body's owner.
};

} // namespace

std::vector<LiveRanges> findLiveRanges(const Graph& graph, const Schedule& schedule, const std::vector<bool>& donated)
{
    return Lifetimes(graph, schedule, donated).run();
}

} // namespace plimsoll
