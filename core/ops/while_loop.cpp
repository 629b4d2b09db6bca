#include "core/ops/while_loop.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <span>

namespace plimsoll::ops {
namespace {

using Kind = BodyLink::Kind;

int countOf(std::span<const ValueId> values)
{
    return narrow<int>(values.size());
}

std::vector<BodyLink> links(const Graph& graph, NodeId owner, BodyId body)
{
    std::vector<BodyLink> links = {{Kind::Condition, 0, -1, 0, -1}};
    const int states = std::min({countOf(graph[body].inputs), countOf(graph[owner].inputs) - 1,
                                 countOf(graph[owner].outputs), countOf(graph[body].outputs) - 1});
    for (int i = 0; i < states; ++i)
        links.push_back({Kind::Carried, i + 1, i, i + 1, i});
    return links;
}

TensorType inner(const NodeFacts& facts, const BodyLink& link)
{
    return link.ownerInput < 0 ? TensorType {} : facts.type(static_cast<std::size_t>(link.ownerInput));
}

TensorType outer(const NodeFacts&, const BodyLink&, const TensorType& bodyOutput, std::int64_t)
{
    return bodyOutput;
}

std::int64_t unknownTrips(NodeFacts&)
{
    return UnknownSize;
}

} // namespace

const BodyTraits WhileLoop {
    .rule = BodyRule::Loop, .links = links, .inner = inner, .outer = outer, .trips = unknownTrips, .endless = true};

} // namespace plimsoll::ops
