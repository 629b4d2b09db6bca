#include "core/pipeline/stages.h"

#include "core/base/bytes.h"
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
void noteRebound(const Graph& captured, const Graph& planned, std::vector<Message>& notes)
{
    for (const ValueId id : captured.top().inputs) {
        const auto& before = captured[id].type.dims;
        const auto after = planned[id].type.shape();
        if (!before || !after || before->size() != after->size()) continue;
        for (std::size_t axis = 0; axis < after->size(); ++axis) {
            const Dim& dim = (*before)[axis];
            if (!dim.known() || dim.size == (*after)[axis]) continue;
            notes.push_back(say("note.rebound", word::Name {captured[id].name}, describe(captured[id].type),
                                describe(planned[id].type)));
            break;
        }
    }
}

/// What a plan says of implementations goes before the policy, and may be more than is known here.
void noteNamedImplementations(const Report& report, const PlanRequest& request, std::vector<Message>& notes)
{
    if (!namesImplementations(request)) return;
    if (request.policies.backend != BackendPolicy::Captured)
        notes.push_back(say("note.without-effect", Remedy::policy("backend", policyValue(request.policies, "backend")),
                            say("note.plan-names")));
    std::map<std::string_view, const Implementation*> chosen;
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node)
        chosen.emplace(report.program.graph->nodes[node].name, &report.program.implementations[NodeId(node)]);
    std::vector<std::string> unknown;
    for (const auto& [node, name] : *request.givenPlan->implementations) {
        const auto found = chosen.find(node);
        if (found == chosen.end() || !pinMeans(name, *found->second)) unknown.push_back(node);
    }
    if (!unknown.empty()) notes.push_back(say("note.unknown-implementations", namesOf(unknown)));
}

/// A plan without a byte would look like a good one.
void noteNothingPlanned(const Report& report, std::vector<Message>& notes)
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
    notes.push_back(say("note.nothing-planned", callers, empty, report.memory.unplanned.size()));
}

/// Values of which less may be used than is planned.
void noteBounded(const Report& report, std::vector<Message>& notes)
{
    std::size_t bounded = 0;
    std::int64_t bytes = 0;
    for (const PlannedValue& value : report.program.values) {
        if (!isBounded(value)) continue;
        ++bounded;
        bytes = checkedAdd(bytes, value.requiredBytes).value_or(bytes);
    }
    if (bounded > 0) notes.push_back(say("note.bounded", bounded, word::Size {bytes}));
}

/// What stands in a file may have been meant for something.
void noteUnknownKeys(const Message& whose, const std::vector<std::string>& keys, std::vector<Message>& notes)
{
    if (keys.empty()) return;
    notes.push_back(say("note.unknown-keys", whose, namesOf(keys)));
}

/// What is odd about offers that a file brings.
void noteOddOffers(const Catalogue& catalogue, const Graph& captured, const Report& report, std::vector<Message>& notes)
{
    noteUnknownKeys(say("note.catalogue", catalogue.file), catalogue.unknownKeys, notes);
    if (const auto nodes = strangeNodes(catalogue, captured, *report.program.graph); !nodes.empty())
        notes.push_back(say("note.strange-nodes", catalogue.file, nodes.size(), namesOf(nodes)));
    const std::vector<std::string_view>& ours = findPolicy("backend")->values; // names the backends of this program
    std::set<std::string> strange;
    for (const auto& [node, offers] : catalogue.offers) {
        for (const Implementation& offer : offers)
            if (std::ranges::find(ours, offer.backend) == ours.end()) strange.insert(offer.backend);
    }
    for (const std::string& backend : strange)
        notes.push_back(say("note.strange-backend", catalogue.file, word::Name {backend}));
    std::vector<std::string> odd;
    for (const Decision& decision : report.decisions) {
        const bool isNew = odd.empty() || odd.back() != decision.subject;
        if (decision.rule == "unknown-layout" && isNew) odd.push_back(decision.subject);
    }
    if (!odd.empty())
        notes.push_back(say("note.odd-layouts", catalogue.file, namesOf(odd), Remedy::command("explain")));
}

/// The capture lay in another memory than what was chosen computes in.
void noteCapturedDevice(const Report& report, std::vector<Message>& notes)
{
    std::set<std::string> spaces;
    for (const Value& value : report.program.graph->values)
        if (!value.at->space.empty() && value.at->space != "cpu") spaces.insert(value.at->space);
    bool device = false;
    bool library = false;
    for (const Implementation& chosen : report.program.implementations.chosen()) {
        device = device || !chosen.device.empty();
        library = library || (!chosen.backend.empty() && chosen.backend != "reference");
    }
    if (spaces.empty() || device || !library) return;
    notes.push_back(say(spaces.size() > 1 ? "note.captured-on-several" : "note.captured-on", *spaces.begin(),
                        Remedy::toggle("backend", "captured"), Remedy::toggle("backend", "cuda")));
}

/// Where the caller's tensors are taken to be, once a node computes on the device that they were captured on.
void noteCallersMemory(const Graph& captured, const Report& report, std::vector<Message>& notes)
{
    const Graph& graph = *report.program.graph;
    std::set<std::string> devices;
    for (const Implementation& chosen : report.program.implementations.chosen())
        devices.insert(chosen.device);
    devices.erase(std::string());
    if (devices.empty()) return;
    std::set<std::string_view> before; // captured there
    for (const Value& value : captured.values) {
        if (devices.contains(value.at->space)) before.insert(value.name);
    }
    std::map<std::string, std::size_t> there;
    std::vector<std::string> here;
    std::vector<ValueId> values; // what the caller brings, and what is handed back
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const ValueRole role = graph.values[i].role;
        if (role == ValueRole::Input || role == ValueRole::Parameter) values.emplace_back(i);
    }
    const std::set<ValueId> brought(values.begin(), values.end());
    const std::set<ValueId> made(graph.top().outputs.begin(), graph.top().outputs.end());
    std::ranges::set_difference(made, brought, std::back_inserter(values));
    for (const ValueId value : values) {
        if (devices.contains(graph[value].at->space))
            ++there[graph[value].at->space];
        else if (before.contains(graph[value].name))
            here.push_back(graph[value].name);
    }
    for (const auto& [device, count] : there)
        notes.push_back(say("note.callers-memory", count, device));
    if (!here.empty()) notes.push_back(say("note.callers-copies", namesOf(here)));
}

} // namespace

std::vector<Message> listNotes(const Graph& captured, const Report& report, const PlanRequest& request)
{
    std::vector<Message> notes = captured.notes;
    noteRebound(captured, *report.program.graph, notes);
    // Later opsets may have changed what an operator means.
    const auto opset = captured.opsets.find("");
    if (opset != captured.opsets.end() && opset->second > NewestOpset)
        notes.push_back(say("note.future-opset", word::Number {opset->second}, word::Number {NewestOpset}));
    // What the caller brings has no size then, and is not counted among the caller's bytes.
    for (const Value& value : report.program.graph->values) {
        if (!value.type.isSparse() || value.type.maxStored >= 0 || value.producer.valid()) continue;
        notes.push_back(say("note.unbounded", word::Name {value.name}, describe(value.type),
                            say("remedy.max-stored", Remedy::option("max-stored", value.name + "=…"))));
    }
    for (const PolicyInfo& policy : policyTable()) {
        const Message why = whyChosenWithoutEffect(report.program, policy);
        const auto chosen = Remedy::policy(std::string(policy.id), policyValue(report.program.policies, policy.id));
        if (!why.empty()) notes.push_back(say("note.without-effect", chosen, why));
    }
    const auto madeFor = request.givenPlan ? request.givenPlan->graphDigest : std::nullopt;
    if (madeFor && *madeFor != report.captured.digest)
        notes.push_back(say("note.other-graph", *madeFor, report.captured.digest));
    noteNamedImplementations(report, request, notes);
    if (request.givenPlan)
        noteUnknownKeys(say("note.plan", request.givenPlan->file), request.givenPlan->unknownKeys, notes);
    std::set<std::int64_t> streams; // that the file has, and the policy does not ask for
    for (const NodeId node : report.program.graph->top().nodes)
        if (const auto stream = (*report.program.graph)[node].at->stream) streams.insert(*stream);
    const bool given = request.givenPlan && request.givenPlan->streams;
    if (streams.size() > 1 && report.program.policies.streams == 1 && !given)
        notes.push_back(
            say("note.unused-streams", word::Number {streams.size()}, Remedy::toggle("streams", "captured")));
    noteNothingPlanned(report, notes);
    noteBounded(report, notes);
    // Where a size follows from theirs, the plan is incomplete, and says so.
    if (const std::vector<std::string> names = unsizedWeights(report); !names.empty())
        notes.push_back(say("note.unsized-weights", namesOf(names), names.size()));
    if (request.catalogue && !request.catalogue->file.empty())
        noteOddOffers(*request.catalogue, captured, report, notes);
    noteCapturedDevice(report, notes);
    noteCallersMemory(captured, report, notes);
    return notes;
}

} // namespace plimsoll::pipeline
