#include "core/analysis/versions.h"
#include "core/base/bytes.h"
#include "core/lower/call_sequence.h"
#include "core/lower/donation.h"
#include "core/lower/gradient/gradient_requests.h"
#include "core/lower/unroll.h"
#include "core/ops/derivatives/derivatives.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <limits>
#include <map>

namespace plimsoll::pipeline {
namespace {

Message remedyFor(const SavedTensor& saved)
{
    if (saved.reason == SavingReason::Captured) return say("fix.partitioner");
    if (saved.reason == SavingReason::SaveAll) return say("fix.let-go", Remedy::policy("saved", "guarded"));
    return say("fix.other-formula", Remedy::policy("saved", "exact"));
}

Message because(const SavedTensor& saved)
{
    if (saved.reason == SavingReason::SeveralFormulas) return say("saved.formulas", saved.formulas);
    return say("text", savingReasonId(saved.reason));
}

/// Beside the results: what PyTorch's gradient reads and ours computes anew.
bool isOnlyHeld(const Graph& graph, const SavedTensor& saved)
{
    const Derivative* derivative =
        saved.reason == SavingReason::Output ? derivatives26().find(graph, saved.savedBy) : nullptr;
    return derivative && std::ranges::none_of(derivative->entries, [&](const GradientEntry& entry) {
               return std::ranges::any_of(mentionsOf(entry.formula), [&](const Mention& mention) {
                   return mention.name == saved.name && mention.kind == Mention::Kind::Value;
               });
           });
}

/// The slots that keep one storage; none of them may be needed.
using Slots = std::vector<const SavedReport*>;

Finding needless(const PlannedProgram& planned, const Slots& slots)
{
    const Graph& graph = *planned.graph;
    const SavedTensor& first = slots.front()->tensor;
    Finding finding;
    finding.rule = Rule::NeedlessSave;
    finding.severity = ruleSeverity(finding.rule);
    finding.values = {first.value};
    for (const SavedReport* slot : slots)
        finding.nodes.push_back(slot->tensor.readBy);
    const ValuePlacement& place = planned.map.values[first.value.index()];
    finding.arena = place.arena;
    if (place.placed()) finding.bytes = {place.offset, place.offset + place.bytes};
    finding.steps = {planned.schedule.stepOf(first.savedBy), planned.schedule.stepOf(first.readBy) + 1};
    finding.message =
        say("needless-save", word::Name {graph[first.value].name}, slots.front()->heldBytes,
            word::Name {graph[first.savedBy].name}, word::Name {graph[first.readBy].name}, because(first));
    finding.fix = remedyFor(first);
    return finding;
}

/// A storage from the first forward node that keeps it to the last backward node that reads it.
struct Held
{
    std::int64_t bytes = 0;
    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = 0;
};

Result<JointGraph> jointOf(Graph forward, const std::optional<Training>& training, SavedPolicy saved,
                           const DecisionLog& log)
{
    if (!training) return capturedJoint(std::move(forward));
    PLIMSOLL_ASSIGN(unrolled, unrollLoops(std::move(forward), training->derivatives, log));
    PLIMSOLL_ASSIGN(joint, addBackward(std::move(unrolled), training->derivatives, savingRuleOf(saved), log));
    joint.graph = offerGradients(std::move(joint.graph));
    return joint;
}

} // namespace

Result<std::optional<Training>> trainingOf(const Graph& captured, const PlanRequest& request)
{
    if (!captured.loss.valid()) {
        if (request.constraints.gradients.empty()) return std::optional<Training> {};
        return Error {ErrorCode::BadUsage,
                      say("training.no-loss", word::Name {request.constraints.gradients.begin()->first}),
                      {},
                      {}};
    }
    DerivativeSet derivatives = derivativesFor(request.policies.saved, request.derivatives);
    Graph forward = captured;
    PLIMSOLL_TRY(settleGradientRequests(forward, request.constraints.gradients, request.policies.gradients));
    forward = nameSavedOutputs(std::move(forward), derivatives, savingRuleOf(request.policies.saved));
    return std::optional(Training {std::move(forward), std::move(derivatives)});
}

Result<TrainedGraph> makeJoint(Graph forward, const std::optional<Training>& training, const PlanRequest& request,
                               const DecisionLog& log)
{
    const std::string file = forward.file.path.string();
    auto made = jointOf(std::move(forward), training, request.policies.saved, log);
    if (!made.ok()) {
        Error error = made.error();
        if (error.file.empty()) error.file = file;
        return error;
    }
    // Where there is a backward half, a note says what it cannot compute anew.
    const bool backward = training || made.value().graph.boundary.firstBackward.valid();
    for (const std::string& name : request.constraints.recomputed) {
        if (!backward && !findValue(made.value().graph, name).valid())
            return Error {ErrorCode::BadUsage, say("training.no-value", word::Name {name}), {}, {}};
    }
    return adjustTraining(std::move(made).value(), request, log);
}

TrainingUse trainingUse(const PlannedProgram& planned, const ValueFacts& facts, std::vector<SavedReport> saved,
                        std::vector<RecomputedReport> recomputed)
{
    const Graph& graph = *planned.graph;
    std::map<std::size_t, Held> held; // by storage, or by root where there is none
    for (SavedReport& one : saved) {
        const ValueId value = one.tensor.value;
        const ValueId root = facts.aliases.root[value.index()];
        one.heldBytes = std::max<std::int64_t>(0, graph[root].type.bytes().value_or(0));
        const Value& kept = graph[root];
        const bool ahead = kept.producer.valid() && graph.decided[kept.producer].ahead;
        const bool made = kept.role == ValueRole::Intermediate || kept.role == ValueRole::BodyInput;
        if (ahead || !made) continue; // the caller's: the bytes are there anyway, kept or not
        one.bytes = graph[value].type.bytes().value_or(0);
        const StorageId storage = planned.values[root.index()].storage;
        Held& all = held[storage.valid() ? storage.index() : planned.storages.size() + root.index()];
        all.bytes = std::max(all.bytes, one.heldBytes);
        all.begin = std::min(all.begin, planned.schedule.stepOf(one.tensor.savedBy));
        all.end = std::max(all.end, planned.schedule.stepOf(one.tensor.readBy));
    }
    std::map<std::int64_t, std::int64_t> changes; // by step
    for (const auto& [key, one] : held) {
        changes[one.begin] += one.bytes;
        changes[one.end + 1] -= one.bytes;
    }
    // Kept at once: of one call, all of them; of several, those that wait for their backward.
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (const auto& [step, change] : changes)
        most = std::max(most, now += change);
    return {std::move(saved), std::move(recomputed), most};
}

std::vector<Finding> versionClashes(const PlannedProgram& planned, const std::vector<SavedReport>& saved,
                                    const std::vector<Finding>& judged)
{
    std::vector<SavedTensor> checked;
    for (const SavedReport& one : saved) {
        const SavingReason reason = one.tensor.reason; // PyTorch checks what eager mode saves
        if (reason != SavingReason::Captured && reason != SavingReason::Recomputation) checked.push_back(one.tensor);
    }
    const Graph& graph = *planned.graph;
    std::vector<Finding> findings;
    for (const VersionClash& clash : findVersionClashes(graph, planned.schedule, checked)) {
        const SavedTensor& one = checked[clash.saved];
        // Whether the judge met other bytes where the backward node reads the value.
        const bool real = std::ranges::any_of(judged, [&](const Finding& other) {
            return other.rule == Rule::SavedOverwritten && !other.values.empty() && other.values.front() == one.value;
        });
        Finding finding;
        finding.rule = Rule::SavedVersion;
        finding.values = {one.value};
        finding.nodes = {one.readBy, clash.writer, one.savedBy};
        finding.steps = {planned.schedule.stepOf(clash.writer), planned.schedule.stepOf(one.readBy) + 1};
        const ValuePlacement& place = planned.map.values[one.value.index()];
        finding.arena = place.arena;
        if (place.placed()) finding.bytes = {place.offset, place.offset + place.bytes};
        finding.message =
            say("saved-version", word::Name {graph[one.value].name}, word::Name {graph[one.savedBy].name},
                word::Number {clash.found}, word::Name {graph[one.readBy].name}, word::Number {clash.expected},
                word::Name {graph[clash.writer].name}, findings.empty() ? say("saved-version.stops") : Message(),
                real ? Message() : say("saved-version.intact"),
                one.neededFor.empty() ? say("saved-version.needless") : Message());
        finding.fix = one.neededFor.empty() ? remedyFor(one) : say("fix.write-after");
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> needlessSaves(const PlannedProgram& planned, const std::vector<SavedReport>& saved)
{
    std::map<ValueId, Slots> byValue;
    std::map<ValueId, bool> needed;
    for (const SavedReport& one : saved) {
        byValue[one.tensor.value].push_back(&one);
        needed[one.tensor.value] = needed[one.tensor.value] || !one.tensor.neededFor.empty() || one.bytes == 0 ||
                                   isOnlyHeld(*planned.graph, one.tensor);
    }
    std::vector<const Slots*> largest;
    for (const auto& [value, slots] : byValue) {
        if (!needed[value]) largest.push_back(&slots);
    }
    std::stable_sort(largest.begin(), largest.end(),
                     [](const Slots* a, const Slots* b) { return a->front()->heldBytes > b->front()->heldBytes; });
    std::vector<Finding> findings;
    for (const Slots* slots : largest)
        findings.push_back(needless(planned, *slots));
    return findings;
}

} // namespace plimsoll::pipeline
