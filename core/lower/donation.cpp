#include "core/lower/donation.h"

#include "core/base/narrow.h"
#include "core/lower/byte_families.h"
#include "core/ops/derivatives/formula.h"
#include "core/ops/saving.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

bool sameBytes(const Graph& graph, ValueId a, ValueId b)
{
    const auto bytes = graph[a].type.bytes();
    return bytes && bytes == graph[b].type.bytes();
}

/// Offers every fresh output of the node the bytes of that input.
void offer(Graph& graph, NodeId id, ValueId value)
{
    Node& node = graph[id];
    const auto input = narrow<int>(std::ranges::find(node.inputs, value) - node.inputs.begin());
    for (std::size_t output = 0; output < node.outputs.size(); ++output) {
        if (!node.outputs[output].valid() || !sameBytes(graph, value, node.outputs[output])) continue;
        const auto listed = [&](const AliasTrait& trait) { return trait.output == static_cast<int>(output); };
        const bool view = std::ranges::any_of(*node.declared->traits, [&](const auto& trait) {
            return listed(trait) && trait.kind != AliasKind::MayBeInPlace;
        });
        if (!view)
            node.declared.edit().traits->push_back({static_cast<int>(output), input, AliasKind::MayBeInPlace, 0});
    }
}

} // namespace

Graph offerGradients(Graph graph)
{
    for (const NodeId id : std::vector<NodeId>(graph.top().nodes)) {
        const Node& node = graph[id];
        if (node.domain != GradientDomain || !node.declared->traits) continue;
        const auto* names = findAttribute<std::vector<std::string>>(node, "grad.names");
        std::set<ValueId> offered;
        for (std::size_t i = 0; names && i < std::min(names->size(), node.inputs.size()); ++i) {
            const ValueId value = node.inputs[i];
            const bool made =
                value.valid() && graph[value].producer.valid() && isBackward(graph, graph[value].producer);
            if (made && isGradientName((*names)[i]) && offered.insert(value).second) offer(graph, id, value);
        }
    }
    return graph;
}

std::vector<Donation> findDonations(const Graph& graph, const std::vector<SavedTensor>& saved, bool retained)
{
    if (saved.empty()) return {};
    const ByteFamilies families(graph);
    // By ValueId of roots: what holds the family beside the plan.
    std::vector<Donation> holders(graph.values.size(), Donation::Possible);
    const std::vector<ValueId>& outputs = graph.top().outputs;
    const std::size_t first = outputs.size() - std::min(outputs.size(), graph.boundary.gradients);
    for (std::size_t i = outputs.size(); i-- > 0;)
        holders[families.root(outputs[i]).index()] = i < first ? Donation::Output : Donation::Gradient;
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        const bool callers = !graph.values[value].producer.valid() || graph.values[value].role == ValueRole::Constant;
        if (callers) holders[families.root(ValueId(value)).index()] = Donation::Input;
    }
    std::vector<Donation> donations;
    for (const SavedTensor& one : saved) {
        const Donation held = holders[families.root(one.value).index()];
        donations.push_back(held == Donation::Possible && retained ? Donation::Retained : held);
    }
    return donations;
}

Graph donate(Graph graph, const std::vector<SavedTensor>& saved, const std::vector<Donation>& donations,
             const DecisionLog& log)
{
    std::vector<ValueId>& donated = graph.boundary.donated;
    std::set<ValueId> told(donated.begin(), donated.end());
    for (std::size_t i = 0; i < saved.size(); ++i) {
        const SavedTensor& one = saved[i];
        if (!one.readBy.valid()) continue;
        const bool may = donations[i] == Donation::Donated;
        const bool first = told.insert(one.value).second;
        if (may && first) donated.push_back(one.value);
        if (may && graph[one.readBy].domain == GradientDomain) offer(graph, one.readBy, one.value);
        if (!log.recording() || !first) continue;
        const std::string& name = graph[one.value].name;
        log.add(
            {DecisionKind::Donation, name, graph[one.readBy].name, may, std::string(donationId(donations[i])),
             may ? say("donate", word::Name {name}) : say("donate.not", word::Name {name}, donationId(donations[i])),
             graph[one.value].type.bytes().value_or(0)});
    }
    return graph;
}

} // namespace plimsoll
