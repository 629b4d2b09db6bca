#include "core/verify/choices.h"

#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <optional>

namespace plimsoll::verifying {
namespace {

/// What the graph itself holds.
class Literals : public FactSource
{
public:
    explicit Literals(const Graph& graph) : m_graph(graph) {}

    [[nodiscard]] const TensorType& type(ValueId value) const override { return m_graph[value].type; }
    [[nodiscard]] bool hasContent(ValueId value) const override
    {
        return m_graph[value].role == ValueRole::Constant && m_graph[value].data->present();
    }
    [[nodiscard]] const PartialTensor& content(ValueId value) override
    {
        const auto [known, isNew] = m_read.try_emplace(value);
        const auto shape = m_graph[value].type.shape();
        const bool scalar = shape && elementCount(*shape) == 1;
        if (isNew && scalar && hasContent(value))
            known->second = readElements(m_graph[value].type.dtype, *shape, *m_graph[value].data);
        return known->second;
    }

private:
    const Graph& m_graph;
    std::map<ValueId, PartialTensor> m_read; ///< Scalars alone.
};

std::optional<std::int64_t> constantNumber(const Graph& graph, ValueId value)
{
    if (!value.valid()) return std::nullopt;
    Literals literals(graph);
    const PartialTensor& read = literals.content(value);
    if (!read.complete() || read.elements.size() != 1 || read.elements.front()->isFloat) return std::nullopt;
    return read.elements.front()->integer;
}

} // namespace

Branches takenBy(const Taken& taken, const ChoiceId& choice)
{
    const auto known = taken.find(choice);
    return known == taken.end() ? Branches() : known->second;
}

Branches possibleBranches(const Graph& graph, NodeId owner)
{
    const ValueId condition = valueAt(graph[owner].inputs, 0);
    const auto number = constantNumber(graph, condition);
    const auto count = static_cast<std::int64_t>(graph[owner].bodies.size());
    if (!number || count == 0) return {};
    std::int64_t branch = *number >= 0 && *number < count ? *number : count - 1; // as XLA counts them
    if (graph[condition].type.dtype == DType::Bool) branch = *number != 0 ? 0 : 1;
    return {branch, branch + 1};
}

std::int64_t mostTrips(const Graph& graph, NodeId owner)
{
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const BodyTraits& traits = bodyTraits(graph, owner);
    if (traits.batched && traits.batched(graph, graph[owner])) return most;
    Literals literals(graph);
    NodeFacts facts(graph, owner, literals);
    if (const std::int64_t trips = traits.trips ? traits.trips(facts) : UnknownSize; trips >= 0) most = trips;
    for (const BodyId body : graph[owner].bodies) {
        for (const BodyLink& link : bodyLinks(graph, owner, body)) {
            if (link.kind != BodyLink::Kind::Condition) continue;
            if (constantNumber(graph, valueAt(graph[owner].inputs, link.ownerInput)) == 0) return 0;
            const bool once = constantNumber(graph, valueAt(graph[body].outputs, link.bodyOutput)) == 0;
            if (once) most = std::min<std::int64_t>(most, 1);
        }
    }
    return most;
}

} // namespace plimsoll::verifying
