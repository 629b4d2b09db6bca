#include "kernels/run/control/out_of_order.h"

#include "kernels/run/memory/sparse_values.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::kernels {
namespace {

/// Adds what the node reads, or a node inside of it, of what is still to be made.
void addReadsOf(const Graph& graph, NodeId node, const std::set<NodeId>& later, std::set<ValueId>& early)
{
    const auto add = [&](ValueId value) {
        if (value.valid() && later.contains(graph[value].producer)) early.insert(value);
    };
    std::ranges::for_each(graph[node].inputs, add);
    for (const BodyId body : graph[node].bodies) {
        std::ranges::for_each(graph[body].outputs, add);
        for (const NodeId inner : graph[body].nodes)
            addReadsOf(graph, inner, later, early);
    }
}

void addEarly(const Program& program, const std::vector<NodeId>& order, std::set<ValueId>& early)
{
    const auto runs = [&](NodeId node) { return !program.schedule.nodes[node.index()].empty(); };
    std::set<NodeId> later;
    std::ranges::copy_if(order, std::inserter(later, later.end()), runs);
    for (const NodeId node : order) {
        later.erase(node);
        if (runs(node) && !later.empty()) addReadsOf(*program.graph, node, later, early);
    }
}

} // namespace

std::set<ValueId> findTooEarly(const Program& program)
{
    std::set<ValueId> early;
    for (const std::vector<NodeId>& order : program.schedule.order)
        addEarly(program, order, early);
    return early;
}

void keepEarly(Run& run, ValueId value)
{
    if (run.compared.oracle != Comparison::Oracle::Kept || !run.compared.early.values.contains(value)) return;
    run.compared.early.made.insert_or_assign({value, run.now.iteration}, run.oracle.value(value));
}

void adoptEarly(Run& run, BodyId body)
{
    if (run.compared.oracle != Comparison::Oracle::Adopted || body == TopBody) return;
    const Graph& graph = run.planned.graph();
    for (const ValueId value : run.compared.early.values) {
        const auto made = run.compared.early.made.find({value, run.now.iteration});
        if (graph[value].body != body || made == run.compared.early.made.end()) continue;
        run.oracle.set(value, made->second);
        const ValuePlacement& where = run.start.program.map.values[value.index()];
        const auto shape = heldShape(graph[value].type);
        if ((where.placed() || where.host.valid()) && shape)
            (void)run.planned.produce(value, graph[value].type.dtype, *shape);
    }
}

} // namespace plimsoll::kernels
