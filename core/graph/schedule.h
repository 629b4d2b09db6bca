#pragma once

#include "core/base/interval.h"
#include "core/graph/graph.h"

namespace plimsoll {

/// What happens at one step.
enum class StepKind : std::uint8_t {
    Node,  ///< A node without bodies runs: reads its inputs, writes its outputs.
    Enter, ///< An owner reads its inputs and writes the inputs of its bodies.
    Leave, ///< A body hands over: If writes its outputs; a loop writes its carried inputs and its slices.
    Exit,  ///< An owner writes the outputs that no Leave has written: final loop state.
};

struct Step
{
    StepKind kind = StepKind::Node;
    NodeId node;
    BodyId body; ///< Leave: the body that ends. Otherwise the body the node stands in.
};

/// The position of every node. Nested graphs are numbered inline:
///
///     step  0      1       2     3      4       5      6      7
///           Enter  then.a  then.b Leave else.c  Leave  Exit   next
///           [----------------- owner spans [0, 7) ------------)
///
/// Nodes computed ahead of the run have no step: their span is empty, at 0.
struct Schedule
{
    SharedVector<Step> steps;
    SharedVector<Interval> nodes; ///< By NodeId: [Enter, Exit] for owners, one step for others.
    std::vector<Interval> bodies; ///< By BodyId: the steps of its nodes and its Leave; the top spans everything.
    std::vector<std::vector<NodeId>> order; ///< By BodyId: its nodes as they run; those computed ahead are among them.

    [[nodiscard]] std::int64_t length() const { return static_cast<std::int64_t>(steps.size()); }
    [[nodiscard]] std::int64_t stepOf(NodeId node) const { return nodes[node.index()].begin; }
    [[nodiscard]] std::int64_t leaveStep(BodyId body) const { return bodies[body.index()].end - 1; }
    [[nodiscard]] std::int64_t exitStep(NodeId owner) const { return nodes[owner.index()].end - 1; }
};

/// The schedule in captured order.
[[nodiscard]] Schedule scheduleInCapturedOrder(const Graph& graph);
/// By BodyId: each the nodes of its body, in whatever order.
[[nodiscard]] Schedule scheduleInOrder(const Graph& graph, std::vector<std::vector<NodeId>> order);
[[nodiscard]] bool isCapturedOrder(const Graph& graph, const Schedule& schedule);

} // namespace plimsoll
