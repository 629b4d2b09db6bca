#include "core/base/bytes.h"
#include "core/lower/call_sequence.h"
#include "core/lower/donation.h"
#include "core/lower/gradient/recompute.h"
#include "core/lower/gradient/repeat_backward.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <set>

namespace plimsoll::pipeline {
namespace {

/// A second pass reads what the first one has let go.
Error refusedPass(const Graph& graph, const std::vector<SavedTensor>& saved, std::int64_t passes)
{
    std::set<ValueId> values;
    std::int64_t bytes = 0;
    for (const SavedTensor& one : saved) {
        const bool planned = graph[one.value].role == ValueRole::Intermediate;
        if (values.insert(one.value).second && planned) bytes += graph[one.value].type.bytes().value_or(0);
    }
    return {ErrorCode::BadUsage,
            say("training.let-go", word::Number {passes}, values.size(), bytes, Remedy::policy("retain-graph", "on")),
            "policy backwards",
            {}};
}

/// Walks back from the gradients: whose each node works for. By NodeId.
std::vector<std::set<ValueId>> variablesByNode(const Graph& graph)
{
    std::vector<std::set<ValueId>> variables(graph.nodes.size());
    const std::vector<ValueId>& outputs = graph.top().outputs;
    const std::vector<ValueId>& gradients = graph.boundary.variables;
    const std::size_t first = outputs.size() - std::min(outputs.size(), gradients.size());
    for (std::size_t i = first; i < outputs.size(); ++i) {
        if (graph[outputs[i]].producer.valid())
            variables[graph[outputs[i]].producer.index()].insert(gradients[i - first]);
    }
    const std::vector<NodeId>& order = graph.top().nodes;
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        for (const ValueId input : graph[*id].inputs) {
            const NodeId from = input.valid() ? graph[input].producer : NodeId();
            if (from.valid() && from != *id) variables[from.index()].merge(std::set(variables[id->index()]));
        }
    }
    return variables;
}

/// Everything that the backward half of a captured graph reads of what it was handed.
std::vector<SavedTensor> savedOf(const Graph& graph)
{
    const std::vector<std::set<ValueId>> variablesOf = variablesByNode(graph);
    const std::vector<NodeId>& order = graph.top().nodes;
    const auto begin = std::ranges::find(order, graph.boundary.firstBackward);
    std::vector<SavedTensor> saved;
    for (const ValueId value : graph.boundary.saved) {
        const auto reads = [&](NodeId node) {
            return !graph.decided[node].ahead && std::ranges::count(graph[node].inputs, value) > 0;
        };
        std::set<ValueId> variables;
        NodeId last;
        for (auto id = begin; id != order.end(); ++id) {
            if (!reads(*id)) continue;
            last = *id;
            variables.merge(std::set(variablesOf[id->index()]));
        }
        if (!last.valid() || graph[value].role == ValueRole::Constant) continue;
        NodeId by = graph[value].producer;
        if (const auto first = std::find_if(order.begin(), begin, reads); !by.valid() && first != begin) by = *first;
        SavedTensor one {value, by.valid() ? by : last, last, {}, SavingReason::Captured, 0, {}};
        one.neededFor.assign(variables.begin(), variables.end());
        saved.push_back(std::move(one));
    }
    return saved;
}

/// Where backward begins, as far as it is made of nodes of ours.
void findBoundary(JointGraph& joint)
{
    Graph& graph = joint.graph;
    if (!graph.loss.valid()) return;
    const std::vector<NodeId>& order = graph.top().nodes;
    const auto first = std::find_if(order.begin(), order.end(), [&](NodeId node) { return isBackward(graph, node); });
    graph.boundary.firstBackward = first == order.end() ? NodeId() : *first;
}

/// One backward pass after the other is another way of calling a graph than forward and backward in turn.
Status checkCalls(const JointGraph& joint, const Policies& policies, bool once)
{
    const auto refuse = [](Message why) { return Error {ErrorCode::BadUsage, std::move(why), "policy backwards", {}}; };
    if (policies.backwards > 1 && !joint.graph.loss.valid() && joint.graph.boundary.firstBackward.valid())
        return refuse(say("training.captured-once"));
    if ((policies.backwards > 1 || policies.retainGraph) && !once) return refuse(say("training.calls-once"));
    if (policies.backwards > 1 && !policies.retainGraph && !joint.saved.empty())
        return refusedPass(joint.graph, joint.saved, policies.backwards);
    return {};
}

std::vector<RecomputedReport> recomputeWhatIsAsked(JointGraph& joint, const PlanRequest& request,
                                                   const DecisionLog& log)
{
    const RecomputeRequest wanted {request.policies.recompute == RecomputePolicy::Cheap,
                                   request.constraints.recomputed};
    if ((!wanted.cheap && wanted.names.empty()) || !joint.graph.boundary.firstBackward.valid()) return {};
    Recomputation less = recompute(std::move(joint.graph), std::move(joint.saved), wanted, log);
    joint.graph = std::move(less.graph);
    joint.saved = std::move(less.saved);
    joint.notes.insert(joint.notes.end(), less.notes.begin(), less.notes.end());
    std::set<std::string_view> names;
    std::vector<RecomputedReport> recomputed;
    for (RecomputedTensor& one : less.recomputed) {
        names.insert(joint.graph[one.value].name);
        const std::int64_t bytes = joint.graph[one.value].type.bytes().value_or(0);
        recomputed.push_back({std::move(one), bytes});
    }
    // What was decided of keeping them holds no longer.
    log.retract([&](const Decision& one) { return one.kind == DecisionKind::Save && names.contains(one.subject); });
    return recomputed;
}

} // namespace

JointGraph capturedJoint(Graph graph)
{
    JointGraph joint;
    if (graph.boundary.firstBackward.valid()) joint.saved = savedOf(graph);
    joint.graph = std::move(graph);
    return joint;
}

Result<TrainedGraph> adjustTraining(JointGraph joint, const PlanRequest& request, const DecisionLog& log)
{
    const Policies& policies = request.policies;
    PLIMSOLL_ASSIGN(calls, parseCalls(policies.calls));
    PLIMSOLL_TRY(checkCalls(joint, policies, calls.empty()));
    findBoundary(joint);
    std::vector<RecomputedReport> recomputed = recomputeWhatIsAsked(joint, request, log);
    joint.graph = repeatBackward(std::move(joint.graph), policies.backwards, joint.saved);
    PLIMSOLL_ASSIGN(called, repeatCalls(std::move(joint), calls));
    findBoundary(called);
    if (!called.graph.boundary.firstBackward.valid()) recomputed.clear();
    Graph graph = std::move(called.graph);
    std::vector<Donation> donations = findDonations(graph, called.saved, policies.retainGraph);
    if (policies.donation == DonationPolicy::On) {
        std::replace(donations.begin(), donations.end(), Donation::Possible, Donation::Donated);
        graph = donate(std::move(graph), called.saved, donations, log);
    }
    if (policies.retainGraph) graph = retain(std::move(graph), called.saved);
    const std::set<ValueId> donated(graph.boundary.donated.begin(), graph.boundary.donated.end());
    std::vector<SavedReport> saved;
    for (std::size_t i = 0; i < called.saved.size(); ++i) {
        const bool given = donated.contains(called.saved[i].value);
        saved.push_back({std::move(called.saved[i]), 0, 0, given ? Donation::Donated : donations[i]});
    }
    return TrainedGraph {std::move(graph), std::move(saved), std::move(recomputed), std::move(called.notes)};
}

} // namespace plimsoll::pipeline
