#include "core/pipeline/stages.h"

#include "core/base/plural.h"
#include "core/facts/completeness.h"
#include "core/facts/words/policy_effect.h"
#include "core/formats/read_graph.h"
#include "core/lower/choose/check_catalogue.h"
#include "core/lower/choose/sparse_offers.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace plimsoll::pipeline {
namespace {

/// Sizes that the file fixes and the request changed. Weights and reshapes may have been made for the old ones.
void noteRebound(const Graph& captured, const Graph& planned, std::vector<std::string>& notes)
{
    for (const ValueId id : captured.top().inputs) {
        const auto& before = captured[id].type.dims;
        const auto after = planned[id].type.shape();
        if (!before || !after || before->size() != after->size()) continue;
        for (std::size_t axis = 0; axis < after->size(); ++axis) {
            const Dim& dim = (*before)[axis];
            if (!dim.known() || dim.size == (*after)[axis]) continue;
            notes.push_back("Input '" + captured[id].name + "' is " + describe(captured[id].type) +
                            " in the file and was planned as " + describe(planned[id].type) +
                            ", as the given shape says.");
            break;
        }
    }
}

void notePoliciesWithoutEffect(const Report& report, std::vector<std::string>& notes)
{
    for (const PolicyInfo& policy : policyTable()) {
        const std::string why = whyChosenWithoutEffect(report.program, policy);
        if (why.empty()) continue;
        notes.push_back(std::string(policy.id) + "=" + policyValue(report.program.policies, policy.id) +
                        " has no effect: " + why + ".");
    }
}

void noteOtherGraph(const Report& report, const PlanRequest& request, std::vector<std::string>& notes)
{
    if (!request.givenPlan || !request.givenPlan->graphDigest) return;
    const std::string& digest = report.captured.digest;
    if (*request.givenPlan->graphDigest == digest) return;
    notes.push_back("The plan was made for another graph, or for other shapes or policies: it names the graph " +
                    *request.givenPlan->graphDigest + ", and this one is " + digest + ". It is judged all the same.");
}

/// "'a', 'b', 'c' and 4 more".
std::string shortList(const std::vector<std::string>& names)
{
    constexpr std::size_t Most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), Most); ++i)
        text += (i == 0 ? "'" : ", '") + names[i] + "'";
    return names.size() <= Most ? text : text + " and " + std::to_string(names.size() - Most) + " more";
}

/// What a plan says of implementations goes before the policy, and may be more than is known here.
void noteNamedImplementations(const Report& report, const PlanRequest& request, std::vector<std::string>& notes)
{
    if (!namesImplementations(request)) return;
    if (request.policies.backend != BackendPolicy::Captured)
        notes.push_back("backend=" + policyValue(request.policies, "backend") +
                        " has no effect: the plan says which implementations it was made with.");
    std::map<std::string_view, const Implementation*> chosen;
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node)
        chosen.emplace(report.program.graph->nodes[node].name, &report.program.implementations[node]);
    std::vector<std::string> unknown;
    for (const auto& [node, name] : *request.givenPlan->implementations) {
        const auto found = chosen.find(node);
        if (found == chosen.end() || !pinMeans(name, *found->second)) unknown.push_back(node);
    }
    if (!unknown.empty())
        notes.push_back("The plan names implementations that it does not describe and that this machine does not have: "
                        "those of " +
                        shortList(unknown) + ". These nodes are judged with plain layouts and without scratchpads.");
}

/// What the caller brings has no size then, and is not counted among his bytes.
void noteUnbounded(const Graph& planned, std::vector<std::string>& notes)
{
    for (const Value& value : planned.values) {
        if (!value.type.isSparse() || value.type.maxStored >= 0 || value.producer.valid()) continue;
        notes.push_back("Nobody says how much of '" + value.name + "', " + describe(value.type) +
                        ", is kept at most, so its bytes are counted nowhere; say it with --max-stored " + value.name +
                        "=….");
    }
}

/// A plan without a byte would look like a good one.
void noteNothingPlanned(const Report& report, std::vector<std::string>& notes)
{
    const auto holdsBytes = [](const Storage& storage) { return storage.arena.valid() && storage.bytes > 0; };
    const bool left = std::ranges::find(report.verdict.findings, Rule::MissingAllocation, &Finding::rule) !=
                      report.verdict.findings.end();
    if (left || !report.verdict.completeness.complete() || std::ranges::any_of(report.program.storages, holdsBytes))
        return;
    std::size_t callers = 0;
    std::size_t empty = 0;
    for (const PlannedValue& value : report.program.values) {
        if (!value.storage.valid()) continue;
        const bool external = !report.program.storages[value.storage.index()].arena.valid();
        ++(external ? callers : empty);
    }
    notes.push_back("Nothing in this graph needs planned bytes: " + plural(callers, "value") +
                    " outside the arenas (inputs, weights, constants and what lies in them), " + countText(empty) +
                    " without bytes, " + countText(report.memory.unplanned.size()) +
                    " of a size that is known at run time only.");
}

/// The file has something to say that the policy does not ask for.
void noteUnusedStreams(const Report& report, const PlanRequest& request, std::vector<std::string>& notes)
{
    std::set<std::int64_t> streams;
    for (const NodeId node : report.program.graph->top().nodes)
        if (const auto stream = (*report.program.graph)[node].stream) streams.insert(*stream);
    const bool given = request.givenPlan && request.givenPlan->streams;
    if (streams.size() < 2 || report.program.policies.streams != 1 || given) return;
    notes.push_back("The graph file puts its nodes on " + std::to_string(streams.size()) +
                    " streams, and the plan runs them on one; -p streams=captured plans for those.");
}

/// Later opsets may have changed what an operator means.
void noteFutureOpset(const Graph& captured, std::vector<std::string>& notes)
{
    const auto asked = captured.opsets.find("");
    if (asked == captured.opsets.end() || asked->second <= NewestOpset) return;
    notes.push_back("The graph is of opset " + std::to_string(asked->second) + " of ONNX, and " +
                    std::to_string(NewestOpset) +
                    " is the newest that is known here: operators are taken as they were " + "defined then.");
}

/// What stands in a file may have been meant for something.
void noteUnknownKeys(const std::string& whose, const std::vector<std::string>& keys, std::vector<std::string>& notes)
{
    if (keys.empty()) return;
    notes.push_back(whose + " has keys that mean nothing here, and that are passed over: " + shortList(keys) + ".");
}

/// The policy names the backends of this program.
bool isOurs(std::string_view backend)
{
    const std::vector<std::string_view>& ours = findPolicy("backend")->values;
    return std::ranges::find(ours, backend) != ours.end();
}

std::set<std::string> strangeBackends(const Catalogue& catalogue)
{
    std::set<std::string> strange;
    for (const auto& [node, offers] : catalogue.offers) {
        for (const Implementation& offer : offers)
            if (!isOurs(offer.backend)) strange.insert(offer.backend);
    }
    return strange;
}

/// What is odd about offers that a file brings.
void noteOddOffers(const Catalogue& catalogue, const Graph& captured, const Report& report,
                   std::vector<std::string>& notes)
{
    noteUnknownKeys("The catalogue " + catalogue.file, catalogue.unknownKeys, notes);
    const std::string whose = "The catalogue " + catalogue.file + " ";
    if (const auto strange = strangeNodes(catalogue, captured, *report.program.graph); !strange.empty())
        notes.push_back(whose + "has offers for " + plural(strange.size(), "node") +
                        " that this graph does not have, so they have no effect: " + shortList(strange) + ".");
    for (const std::string& backend : strangeBackends(catalogue))
        notes.push_back(whose + "has offers of '" + backend + "', which is no backend of this program: they are " +
                        "planned with like any other, and cannot run here.");
    std::vector<std::string> odd;
    for (const Decision& decision : report.decisions) {
        const bool isNew = odd.empty() || odd.back() != decision.subject;
        if (decision.rule == "unknown-layout" && isNew) odd.push_back(decision.subject);
    }
    if (!odd.empty())
        notes.push_back(whose + "has offers in layouts that their tensors cannot have, which are passed over: " +
                        shortList(odd) + "; explain says why.");
}

/// The capture lay in another memory than what was chosen computes in.
void noteCapturedDevice(const Report& report, std::vector<std::string>& notes)
{
    std::set<std::string> spaces;
    for (const Value& value : report.program.graph->values)
        if (!value.space.empty() && value.space != "cpu") spaces.insert(value.space);
    bool device = false;
    bool library = false;
    for (const Implementation& chosen : report.program.implementations) {
        device = device || !chosen.device.empty();
        library = library || (!chosen.backend.empty() && chosen.backend != "reference");
    }
    if (spaces.empty() || device || !library) return;
    notes.push_back("The graph was captured on " + *spaces.begin() + (spaces.size() > 1 ? " and other devices" : "") +
                    ", and is planned with the kernels of the CPU, their layouts and scratchpads among them. -p "
                    "backend=captured plans for its tensors alone, -p backend=cuda for kernels of a CUDA device.");
}

/// Names of what the caller brings, and what he is handed.
std::vector<ValueId> callersValues(const Graph& graph)
{
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const ValueRole role = graph.values[i].role;
        if (role == ValueRole::Input || role == ValueRole::Parameter) values.emplace_back(i);
    }
    const std::set<ValueId> brought(values.begin(), values.end());
    std::set<ValueId> made(graph.top().outputs.begin(), graph.top().outputs.end());
    std::ranges::copy_if(made, std::back_inserter(values), [&](ValueId value) { return !brought.contains(value); });
    return values;
}

/// Where the caller's tensors are taken to be, once somebody computes on the device that they were captured on.
void noteCallersMemory(const Graph& captured, const Report& report, std::vector<std::string>& notes)
{
    const Graph& graph = *report.program.graph;
    std::set<std::string> devices;
    for (const Implementation& chosen : report.program.implementations)
        devices.insert(chosen.device);
    devices.erase(std::string());
    if (devices.empty()) return;
    std::set<std::string_view> before; // captured there
    for (const Value& value : captured.values) {
        if (devices.contains(value.space)) before.insert(value.name);
    }
    std::map<std::string, std::size_t> there;
    std::vector<std::string> here;
    for (const ValueId value : callersValues(graph)) {
        if (devices.contains(graph[value].space))
            ++there[graph[value].space];
        else if (before.contains(graph[value].name))
            here.push_back(graph[value].name);
    }
    for (const auto& [device, count] : there)
        notes.push_back("The caller is taken to have " + plural(count, "tensor") + " in the memory of " + device +
                        ", as captured: nothing is copied for " + (count == 1 ? "it." : "them."));
    if (!here.empty())
        notes.push_back(
            "Captured on a device, but taken to be in the memory of the CPU, with copies: " + shortList(here) +
            " (no size before the run, read ahead of it, or written in place by the CPU).");
}

/// Where a size follows from theirs, the plan is incomplete, and says so.
void noteUnsizedWeights(const Report& report, std::vector<std::string>& notes)
{
    const std::vector<std::string> names = unsizedWeights(report);
    if (!names.empty())
        notes.push_back("The file gives no shape for " + shortList(names) + ": externalBytes is without " +
                        (names.size() == 1 ? "it" : "them") + ".");
}

} // namespace

std::vector<std::string> listNotes(const Graph& captured, const Report& report, const PlanRequest& request)
{
    std::vector<std::string> notes = captured.notes;
    noteRebound(captured, *report.program.graph, notes);
    noteFutureOpset(captured, notes);
    noteUnbounded(*report.program.graph, notes);
    notePoliciesWithoutEffect(report, notes);
    noteOtherGraph(report, request, notes);
    noteNamedImplementations(report, request, notes);
    if (request.givenPlan)
        noteUnknownKeys("The plan " + request.givenPlan->file, request.givenPlan->unknownKeys, notes);
    noteUnusedStreams(report, request, notes);
    noteNothingPlanned(report, notes);
    noteUnsizedWeights(report, notes);
    if (request.catalogue && !request.catalogue->file.empty())
        noteOddOffers(*request.catalogue, captured, report, notes);
    noteCapturedDevice(report, notes);
    noteCallersMemory(captured, report, notes);
    return notes;
}

} // namespace plimsoll::pipeline
