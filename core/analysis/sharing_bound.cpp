#include "core/analysis/sharing_bound.h"

#include "core/base/bytes.h"
#include "core/graph/value_strides.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace plimsoll {
namespace {

/// Union-find over values.
class Groups
{
public:
    explicit Groups(std::size_t values) : m_group(values)
    {
        std::iota(m_group.begin(), m_group.end(), std::size_t {0});
    }

    [[nodiscard]] std::size_t of(std::size_t value) const
    {
        while (m_group[value] != value)
            value = m_group[value];
        return value;
    }
    void join(ValueId a, ValueId b)
    {
        if (!a.valid() || !b.valid()) return;
        const std::size_t first = of(a.index());
        m_group[of(b.index())] = first;
        m_group[a.index()] = m_group[b.index()] = first;
    }

private:
    std::vector<std::size_t> m_group;
};

/// Steps, the last one included, at which the content of a value is there.
struct Stay
{
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Which value may be written over which at a node.
struct InPlace
{
    ValueId output;
    ValueId input;
};

/// What may lie inside of one another at a node.
struct Inside
{
    NodeId node;
    ValueId input;
    ValueId output;
};

/// The stays of all values that may lie in the same bytes: how many bytes they hold at each step, the largest of them.
class Group
{
public:
    void add(Stay stay, std::int64_t bytes) { m_stays.push_back({stay, bytes}); }

    void finish()
    {
        std::ranges::sort(m_stays, {}, [](const Weighted& one) { return one.stay.first; });
        std::multimap<std::int64_t, std::int64_t> ends; ///< Step behind the last → bytes.
        std::multiset<std::int64_t> now;
        const auto level = [&](std::int64_t step) {
            const std::int64_t bytes = now.empty() ? 0 : *now.rbegin();
            if (!m_levels.empty() && m_levels.back().first == step) m_levels.pop_back();
            m_levels.emplace_back(step, bytes);
        };
        const auto endUntil = [&](std::int64_t step) {
            for (; !ends.empty() && ends.begin()->first <= step; ends.erase(ends.begin())) {
                now.erase(now.find(ends.begin()->second));
                level(ends.begin()->first);
            }
        };
        for (const Weighted& one : m_stays) {
            endUntil(one.stay.first);
            now.insert(one.bytes);
            ends.emplace(one.stay.last + 1, one.bytes);
            level(one.stay.first);
            m_lasts.push_back(m_lasts.empty() ? one.stay.last : std::max(m_lasts.back(), one.stay.last));
        }
        endUntil(std::numeric_limits<std::int64_t>::max());
    }

    [[nodiscard]] const std::vector<std::pair<std::int64_t, std::int64_t>>& levels() const { return m_levels; }
    [[nodiscard]] std::int64_t bytesAt(std::int64_t step) const
    {
        const auto next = std::ranges::upper_bound(m_levels, step, {}, &std::pair<std::int64_t, std::int64_t>::first);
        return next == m_levels.begin() ? 0 : std::prev(next)->second;
    }
    /// Whether something that is there at \p step is still read later.
    [[nodiscard]] bool staysBeyond(std::int64_t step) const
    {
        const auto next =
            std::ranges::upper_bound(m_stays, step, {}, [](const Weighted& one) { return one.stay.first; });
        return next != m_stays.begin() && m_lasts[static_cast<std::size_t>(next - m_stays.begin()) - 1] > step;
    }

private:
    struct Weighted
    {
        Stay stay;
        std::int64_t bytes = 0;
    };
    std::vector<Weighted> m_stays;                               ///< By first step, once finished.
    std::vector<std::int64_t> m_lasts;                           ///< The latest end of a stay and all before it.
    std::vector<std::pair<std::int64_t, std::int64_t>> m_levels; ///< From that step on, so many bytes.
};

using GroupsByRoot = std::map<std::size_t, Group>;

class Bound
{
public:
    Bound(const Graph& graph, const Schedule& schedule, const ValueFacts& facts, const Implementations& implementations,
          const Policies& policies)
        : m_graph(graph), m_schedule(schedule), m_facts(facts), m_implementations(implementations),
          m_policies(policies), m_same(graph.values.size()), m_near(graph.values.size()), m_inPlace(graph.nodes.size())
    {
        m_stays.resize(graph.values.size());
    }

    SharingBound run(std::int64_t alignment, std::string_view space)
    {
        if (m_schedule.steps.empty()) return {};
        relate();
        findStays();
        relateParts();
        const std::int64_t room = callersRoom();
        const SharingBound plain = most(weights(1, false, space), 1, space, room);
        // Aligned offsets round what begins at them, but not what lies inside of something else.
        const SharingBound rounded =
            room > 0 ? SharingBound {} : most(weights(alignment, true, space), alignment, space, 0);
        SharingBound bound = rounded.bytes > plain.bytes ? rounded : plain;
        bound.bytes = checkedAlignUp(bound.bytes, alignment).value_or(bound.bytes);
        return bound;
    }

private:
    void relate();
    void relateNode(NodeId id);
    void relateBodies(NodeId owner);
    void findStays();
    void relateParts();
    void write(ValueId value, std::int64_t step);
    void read(ValueId value, BodyId reader, std::int64_t step);
    void stay(ValueId value, Stay stay);
    [[nodiscard]] std::int64_t firstFor(ValueId value, BodyId reader) const;
    [[nodiscard]] bool readAsViews(NodeId id, std::int64_t step);
    [[nodiscard]] std::int64_t callersRoom() const;
    [[nodiscard]] std::vector<std::int64_t> weights(std::int64_t alignment, bool alignedOnly,
                                                    std::string_view space) const;
    [[nodiscard]] SharingBound most(const std::vector<std::int64_t>& weight, std::int64_t alignment,
                                    std::string_view space, std::int64_t room) const;
    [[nodiscard]] GroupsByRoot group(const std::vector<std::int64_t>& weight) const;
    [[nodiscard]] std::int64_t overwritten(NodeId node, std::int64_t step, const GroupsByRoot& groups) const;

    const Graph& m_graph;
    const Schedule& m_schedule;
    const ValueFacts& m_facts;
    const Implementations& m_implementations;
    const Policies& m_policies;
    Groups m_same;                               ///< What may lie in the same bytes at any time.
    Groups m_near;                               ///< The same, and what may be written over one another.
    std::vector<std::vector<InPlace>> m_inPlace; ///< By NodeId.
    std::vector<Inside> m_parts;
    std::vector<std::vector<Stay>> m_stays; ///< By ValueId.
};

void Bound::relate()
{
    for (std::size_t value = 0; value < m_graph.values.size(); ++value)
        m_same.join(m_facts.aliases.root[value], ValueId(value));
    for (const Step& step : m_schedule.steps) {
        if (step.kind == StepKind::Node || step.kind == StepKind::Enter) relateNode(step.node);
        if (step.kind == StepKind::Enter) relateBodies(step.node);
    }
    m_near = m_same;
    for (const std::vector<InPlace>& pairs : m_inPlace) {
        for (const InPlace& pair : pairs)
            m_near.join(pair.input, pair.output);
    }
}

void Bound::relateNode(NodeId id)
{
    const Node& node = m_graph[id];
    const auto over = [&](int output, int input) {
        const InPlace pair {valueAt(node.outputs, output), valueAt(node.inputs, input)};
        if (pair.output.valid() && pair.input.valid()) m_inPlace[id.index()].push_back(pair);
    };
    for (const SubBuffer& part : m_facts.traits.parts(id)) {
        m_parts.push_back({id, valueAt(node.inputs, part.input), valueAt(node.outputs, part.output)});
        over(part.output, part.input);
    }
    for (const AliasTrait& trait : m_facts.traits[id]) {
        if (trait.kind == AliasKind::MayBeInPlace && m_implementations[id].inPlaceKnown) continue; // it says itself
        if (trait.kind == AliasKind::MayBeInPlace)
            over(trait.output, trait.input);
        else if (trait.kind != AliasKind::Fresh)
            m_same.join(valueAt(node.inputs, trait.input), valueAt(node.outputs, trait.output));
    }
    for (const Implementation::InPlacePair& pair : m_implementations[id].inPlace)
        over(pair.output, pair.input);
    if (!arrangesItsMemory(node)) return;
    for (std::size_t output = 0; output < node.outputs.size(); ++output) {
        for (std::size_t input = 0; input < node.inputs.size(); ++input)
            over(static_cast<int>(output), static_cast<int>(input));
    }
}

void Bound::relateBodies(NodeId owner)
{
    const Node& node = m_graph[owner];
    for (const BodyId body : node.bodies) {
        for (const BodyLink& link : bodyLinks(m_graph, owner, body)) {
            const ValueId in = valueAt(m_graph[body].inputs, link.bodyInput);
            const ValueId out = valueAt(m_graph[body].outputs, link.bodyOutput);
            for (const ValueId other : {in, out, valueAt(node.outputs, link.ownerOutput)}) {
                m_same.join(valueAt(node.inputs, link.ownerInput), other);
                m_same.join(in, other);
                m_same.join(out, other);
            }
        }
    }
}

void Bound::write(ValueId value, std::int64_t step)
{
    if (value.valid()) m_stays[value.index()].push_back({step, step});
}

/// A read in a nested graph is sure to come only where that runs.
void Bound::read(ValueId value, BodyId reader, std::int64_t step)
{
    if (value.valid() && !m_stays[value.index()].empty()) stay(value, {firstFor(value, reader), step});
}

/// From when on the content of a value must be there for that reader.
std::int64_t Bound::firstFor(ValueId value, BodyId reader) const
{
    const std::int64_t written = m_stays[value.index()].front().first;
    return reader == m_graph[value].body ? written : std::max(written, m_schedule.bodies[reader.index()].begin);
}

void Bound::stay(ValueId value, Stay stay)
{
    std::vector<Stay>& stays = m_stays[value.index()];
    const auto known = std::ranges::find(stays, stay.first, &Stay::first);
    if (known == stays.end())
        stays.push_back(stay);
    else
        known->last = std::max(known->last, stay.last);
}

/// A node that makes nothing but views needs no more of its input than the views show: these are there as long.
bool Bound::readAsViews(NodeId id, std::int64_t step)
{
    const Node& node = m_graph[id];
    std::vector<InPlace> views;
    for (const AliasTrait& trait : m_facts.traits[id]) {
        if (trait.kind == AliasKind::View)
            views.push_back({valueAt(node.outputs, trait.output), valueAt(node.inputs, trait.input)});
    }
    const auto isView = [&](ValueId output) {
        return !output.valid() || std::ranges::find(views, output, &InPlace::output) != views.end();
    };
    if (views.empty() || !std::ranges::all_of(node.outputs, isView)) return false;
    for (const InPlace& view : views) {
        if (view.output.valid() && view.input.valid() && !m_stays[view.input.index()].empty())
            stay(view.output, {firstFor(view.input, node.body), step});
    }
    return true;
}

void Bound::findStays()
{
    for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
        if (!m_graph.values[value].producer.valid() && m_graph.values[value].body == TopBody) write(ValueId(value), 0);
    }
    for (std::int64_t index = 0; index < m_schedule.length(); ++index) {
        const Step& step = m_schedule.steps[static_cast<std::size_t>(index)];
        const Node& node = m_graph[step.node];
        if (step.kind == StepKind::Enter) {
            for (const BodyId body : node.bodies) {
                for (const ValueId input : m_graph[body].inputs)
                    write(input, m_schedule.bodies[body.index()].begin);
            }
        }
        const bool views = step.kind == StepKind::Node && readAsViews(step.node, index);
        if ((step.kind == StepKind::Node && !views) || step.kind == StepKind::Enter) {
            for (std::size_t input = 0; input < node.inputs.size(); ++input) {
                if (readsContent(m_graph, step.node, static_cast<int>(input)))
                    read(node.inputs[input], step.body, index);
            }
        }
        if (step.kind == StepKind::Leave) {
            for (const ValueId output : m_graph[step.body].outputs)
                read(output, step.body, index);
        }
        if (step.kind == StepKind::Node || step.kind == StepKind::Exit) {
            for (const ValueId output : node.outputs)
                write(output, index);
        }
    }
    for (const ValueId output : m_graph.top().outputs)
        read(output, TopBody, m_schedule.length() - 1);
}

/// Where the input is read behind the node, both are there, and may be in the same bytes.
void Bound::relateParts()
{
    std::vector<std::int64_t> last(m_graph.values.size(), -1); ///< By group.
    for (std::size_t value = 0; value < last.size(); ++value) {
        for (const Stay stay : m_stays[value])
            last[m_same.of(value)] = std::max(last[m_same.of(value)], stay.last);
    }
    for (const Inside& one : m_parts) {
        const std::int64_t until = last[m_same.of(one.input.index())];
        if (until < m_schedule.nodes[one.node.index()].end) continue;
        m_same.join(one.input, one.output);
        m_near.join(one.input, one.output);
        std::int64_t& joined = last[m_same.of(one.input.index())];
        joined = std::max({joined, until, last[one.output.index()]});
    }
}

/// Of the caller, and written by nodes: buffers for outputs, and inputs that he cannot look at.
std::int64_t Bound::callersRoom() const
{
    std::int64_t room = 0;
    for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
        const Value& one = m_graph.values[value];
        if (m_facts.residence[value] != Residence::External) continue;
        const bool input = one.role == ValueRole::Input && (!one.visible || m_facts.donated[value]);
        const bool output = one.role == ValueRole::Intermediate && m_facts.isOutput[value];
        if (input || (output && m_policies.outputs == OutputsPolicy::External))
            room = checkedAdd(room, std::max<std::int64_t>(0, m_facts.requiredBytes[value])).value_or(room);
    }
    return room;
}

/// By ValueId; 0 for what may lie outside of the arenas, and of \p alignedOnly for what may lie inside something else.
std::vector<std::int64_t> Bound::weights(std::int64_t alignment, bool alignedOnly, std::string_view space) const
{
    std::set<std::size_t> outside;
    std::set<std::size_t> inside;
    for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
        const Residence residence = m_facts.residence[value];
        if (residence == Residence::External || residence == Residence::Unplanned) outside.insert(m_same.of(value));
        if (m_facts.aliases.offset[value] != 0) inside.insert(m_near.of(value));
    }
    for (const Inside& one : m_parts)
        inside.insert(m_near.of(one.input.index()));
    std::vector<std::int64_t> weight(m_graph.values.size(), 0);
    for (std::size_t value = 0; value < weight.size(); ++value) {
        const Value& one = m_graph.values[value];
        const std::int64_t bytes = liesOnItself(one) ? 0 : one.type.bytes().value_or(0);
        const bool counts = m_facts.residence[value] == Residence::Planned && !outside.contains(m_same.of(value)) &&
                            (space.empty() || m_facts.space[value] == space);
        if (counts && !(alignedOnly && inside.contains(m_near.of(value))))
            weight[value] = checkedAlignUp(bytes, alignment).value_or(bytes);
    }
    return weight;
}

GroupsByRoot Bound::group(const std::vector<std::int64_t>& weight) const
{
    GroupsByRoot groups;
    for (std::size_t value = 0; value < weight.size(); ++value) {
        if (weight[value] <= 0) continue;
        Group& mine = groups[m_same.of(value)];
        for (const Stay stay : m_stays[value])
            mine.add(stay, weight[value]);
    }
    for (auto& [root, one] : groups)
        one.finish();
    return groups;
}

/// What need not be there beside the rest while a node runs: either the inputs that end there and may be written over,
/// or the outputs that may be written over them.
std::int64_t Bound::overwritten(NodeId node, std::int64_t step, const GroupsByRoot& groups) const
{
    std::set<std::size_t> inputs;
    std::set<std::size_t> outputs;
    for (const InPlace& pair : m_inPlace[node.index()]) {
        const std::size_t input = m_same.of(pair.input.index());
        const std::size_t output = m_same.of(pair.output.index());
        const auto ends = groups.find(input);
        if (input == output || ends == groups.end() || ends->second.staysBeyond(step)) continue;
        inputs.insert(input);
        outputs.insert(output);
    }
    const auto sum = [&](const std::set<std::size_t>& roots) {
        std::int64_t bytes = 0;
        for (const std::size_t root : roots) {
            const auto found = groups.find(root);
            if (found != groups.end()) bytes += found->second.bytesAt(step);
        }
        return bytes;
    };
    return std::min(sum(inputs), sum(outputs));
}

SharingBound Bound::most(const std::vector<std::int64_t>& weight, std::int64_t alignment, std::string_view space,
                         std::int64_t room) const
{
    std::optional<std::int64_t> all = 0;
    for (const std::int64_t bytes : weight)
        all = all ? checkedAdd(*all, bytes) : all;
    if (!all) return {}; // more than 63 bits: placement refuses it
    const GroupsByRoot groups = group(weight);
    std::vector<std::int64_t> changes(static_cast<std::size_t>(std::max<std::int64_t>(1, m_schedule.length())) + 1, 0);
    for (const auto& [root, one] : groups) {
        std::int64_t before = 0;
        for (const auto& [step, bytes] : one.levels()) {
            changes[static_cast<std::size_t>(step)] += bytes - before;
            before = bytes;
        }
    }
    SharingBound bound;
    std::int64_t alive = 0;
    for (std::int64_t index = 0; index < m_schedule.length(); ++index) {
        const Step& step = m_schedule.steps[static_cast<std::size_t>(index)];
        alive += changes[static_cast<std::size_t>(index)];
        std::int64_t bytes = alive;
        if (step.kind == StepKind::Node || step.kind == StepKind::Enter) {
            bytes -= overwritten(step.node, index, groups);
            const std::string& device = m_graph[step.node].at->device;
            const bool here = space.empty() || space == (device.empty() ? "cpu" : device);
            if (here) bytes += alignUp(m_implementations[step.node].scratchpadBytes, alignment);
        }
        bytes -= std::min(bytes, room);
        if (bytes > bound.bytes) bound = {bytes, index};
    }
    return bound;
}

} // namespace

SharingBound boundForAnySharing(const Graph& graph, const Schedule& schedule, const ValueFacts& facts,
                                const Implementations& implementations, const Policies& policies,
                                std::int64_t alignment, std::string_view space)
{
    return Bound(graph, schedule, facts, implementations, policies).run(alignment, space);
}

} // namespace plimsoll
