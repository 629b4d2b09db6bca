#include "core/report/report_json.h"

#include "core/facts/english/english.h"
#include "core/facts/file_nodes.h"
#include "core/facts/plan_digest.h"
#include "core/facts/sparse_use.h"
#include "core/facts/words/gradient_rows.h"
#include "core/facts/words/request_kind.h"
#include "core/formats/files/json_text.h"
#include "core/formats/plimsoll/constraints_json.h"
#include "core/formats/plimsoll/offer_json.h"
#include "core/formats/plimsoll/reserved_json.h"
#include "core/graph/value_strides.h"
#include "core/report/completeness_json.h"
#include "core/report/placement_json.h"
#include "core/report/run_json.h"

#include <algorithm>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json intervals(const LiveRanges& live)
{
    Json list = Json::array();
    for (const Interval steps : live.intervals())
        list.push_back({steps.begin, steps.end});
    return list;
}

Json interval(Interval range)
{
    return Json::array({range.begin, range.end});
}

template <typename Tag>
Json idOrNull(StrongId<Tag> id)
{
    return id.valid() ? Json(id.number()) : Json(nullptr);
}

Json sizeOrNull(std::int64_t bytes)
{
    return bytes >= 0 ? Json(bytes) : Json(nullptr);
}

template <typename Ids>
Json names(const Graph& graph, const Ids& ids)
{
    Json list = Json::array();
    for (const auto id : ids) {
        if (id.valid()) list.push_back(graph[id].name);
    }
    return list;
}

Json shapeJson(const TensorType& type)
{
    if (!type.dims) return nullptr;
    Json dims = Json::array();
    for (const Dim& dim : *type.dims) {
        dims.push_back(dim.known() ? Json(dim.size) : dim.symbol->empty() ? Json(nullptr) : Json(*dim.symbol));
    }
    return dims;
}

template <typename Id>
Json nameOrNull(const Report& report, Id id)
{
    return id.valid() ? Json((*report.program.graph)[id].name) : Json(nullptr);
}

Json given(const GivenPlanBounds& bounds)
{
    Json json {{"peakBytes", bounds.peakBytes}, {"anySharingBoundBytes", bounds.anySharingBoundBytes}};
    if (bounds.ownPeakBytes) json["ownPeakBytes"] = *bounds.ownPeakBytes;
    return json;
}

std::string_view role(const Report& report, const Uses& uses, ValueId id)
{
    switch ((*report.program.graph)[id].role) {
    case ValueRole::Input:
        return "input";
    case ValueRole::Parameter:
        return "parameter";
    case ValueRole::Constant:
        return "constant";
    case ValueRole::BodyInput:
        return "body-input";
    case ValueRole::Intermediate:
        break;
    }
    const auto& results = uses.results[id.index()];
    const bool output =
        std::any_of(results.begin(), results.end(), [](const Uses::Result& result) { return result.body == TopBody; });
    return output ? "output" : "intermediate";
}

/// What there was to choose from.
Json offersFor(const Report& report, const std::string& node)
{
    Json list = Json::array();
    if (!report.planning.catalogue) return list;
    const auto offers = report.planning.catalogue->offers.find(node);
    if (offers == report.planning.catalogue->offers.end()) return list;
    for (const Implementation& offer : offers->second)
        list.push_back(offerJson(offer));
    return list;
}

Json handleName(const Report& report, std::size_t index)
{
    const Handle& handle = report.program.handles[index];
    return {{"kind", handle.kind == Handle::Kind::Output ? "output" : "input"},
            {"index", handle.index},
            {"value", (*report.program.graph)[handle.value].name}};
}

/// Of very many handles each names few partners, or their pairs would be most of the report.
Json handleNames(const Report& report, const std::vector<std::size_t>& indexes)
{
    constexpr std::size_t MostNames = 20'000;
    const std::size_t most =
        std::max<std::size_t>(8, MostNames / std::max<std::size_t>(1, report.program.handles.size()));
    Json list = Json::array();
    for (const std::size_t index : indexes | std::views::take(most))
        list.push_back(handleName(report, index));
    return list;
}

Json graph(const Report& report)
{
    return {{"name", report.program.graph->name},
            {"format", report.program.graph->file.format},
            {"digest", report.captured.digest},
            {"nodes", fileNodes(report)},
            {"values", report.program.graph->values.size()},
            {"inputs", names(*report.program.graph, report.program.graph->top().inputs)},
            {"outputs", names(*report.program.graph, report.program.graph->top().outputs)},
            {"subgraphs", report.program.graph->bodies.size() - 1}};
}

Json policies(const Report& report)
{
    Json json = Json::object();
    for (const PolicyInfo& policy : policyTable())
        json[std::string(policy.id)] = policyValue(report.program.policies, policy.id);
    return json;
}

void addTotals(const Report& report, Json& json)
{
    json["planDigest"] = planDigest(report);
    json["peakBytes"] = report.memory.peakBytes;
    json["lowerBoundBytes"] = report.memory.lowerBoundBytes;
    json["noReuseBytes"] = report.memory.noReuseBytes;
    json["boundaryBytes"] = report.training.boundaryBytes;
    json["externalBytes"] = report.memory.externalBytes;
    json["parameterBytes"] = report.memory.parameterBytes;
    json["preparedBytes"] = report.memory.preparedBytes;
    json["fallbackBytes"] = report.memory.fallbackBytes;
    json["detachBytes"] = report.memory.detachBytes;
    if (report.verdict.given) json["given"] = given(*report.verdict.given);
    json["planningMs"] = report.planning.ms;
}

Json arenas(const Report& report)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i) {
        const PlannedArena& arena = report.program.map.arenas[i];
        list.push_back(
            {{"space", arena.space},
             {"bytes", arena.bytes},
             {"lowerBoundBytes", i < report.memory.arenas.size() ? report.memory.arenas[i].lowerBoundBytes : 0},
             {"noReuseBytes", i < report.memory.arenas.size() ? report.memory.arenas[i].noReuseBytes : 0},
             {"alignment", arena.alignment},
             {"capacityBytes", arena.capacityBytes ? Json(*arena.capacityBytes) : Json(nullptr)}});
        if (!arena.reserved.empty()) list.back()["reserved"] = reservedJson(arena.reserved);
    }
    return list;
}

/// The nodes of the graph as they run, without those that planning added.
Json steps(const Report& report)
{
    Json list = Json::array();
    const NodeId added = report.captured.firstAddedNode;
    for (const Step& step : report.program.schedule.steps) {
        const bool begins = step.kind == StepKind::Node || step.kind == StepKind::Enter;
        if (begins && !(added.valid() && step.node >= added)) list.push_back((*report.program.graph)[step.node].name);
    }
    return list;
}

Json storages(const Report& report)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        Json json {{"id", i},
                   {"arena", idOrNull(storage.arena)},
                   {"offset", storage.offset},
                   {"bytes", storage.bytes},
                   {"liveRanges", intervals(storage.live)},
                   {"values", names(*report.program.graph, storage.values)}};
        if (storage.scratchOf.valid()) json["scratchOf"] = (*report.program.graph)[storage.scratchOf].name;
        list.push_back(std::move(json));
    }
    return list;
}

Json values(const Report& report)
{
    Json list = Json::array();
    const Uses uses = findUses(*report.program.graph);
    const std::vector<RequestKind> kinds = requestKinds(report);
    for (std::size_t i = 0; i < report.program.values.size(); ++i) {
        const PlannedValue& value = report.program.values[i];
        const TensorType& type = report.program.graph->values[i].type;
        list.push_back({{"name", report.program.graph->values[i].name},
                        {"storage", idOrNull(value.storage)},
                        {"fusedInto", nameOrNull(report, report.program.graph->decided[ValueId(i)].fusedInto)},
                        {"role", role(report, uses, ValueId(i))},
                        {"dtype", dtypeName(type.dtype)},
                        {"shape", shapeJson(type)},
                        {"layout", layoutOf(*report.program.graph, report.program.implementations, ValueId(i))},
                        {"logicalBytes", sizeOrNull(value.logicalBytes)},
                        {"requiredBytes", sizeOrNull(value.requiredBytes)},
                        {"offset", value.offset},
                        {"liveRanges", intervals(value.live)},
                        {"request", requestName(kinds[i])},
                        {"visible", value.visible}});
        if (type.isSparse()) {
            list.back()["storageType"] = storageTypeName(type.storage);
            list.back()["maxStored"] = sizeOrNull(type.maxStored);
        }
        if (const auto view = stridedView(report.program.graph->values[i])) {
            list.back()["strides"] = view->strides;
            list.back()["spanBytes"] = view->spanBytes;
        }
        if (!report.program.graph->values[i].at->space.empty())
            list.back()["space"] = report.program.graph->values[i].at->space;
        const ValueId host = report.program.map.values[i].host;
        if (host.valid() && host != ValueId(i)) list.back()["host"] = (*report.program.graph)[host].name;
    }
    return list;
}

Json fallbacks(const Report& report)
{
    Json list = Json::array();
    for (const DenseFallback& fallback : report.memory.fallbacks) {
        list.push_back({{"node", (*report.program.graph)[fallback.node].name},
                        {"reason", english(fallback.reason)},
                        {"temporaries", names(*report.program.graph, fallback.temporaries)}});
    }
    return list;
}

Json unplanned(const Report& report)
{
    Json list = Json::array();
    for (const UnplannedValue& value : report.memory.unplanned) {
        list.push_back({{"value", (*report.program.graph)[value.value].name},
                        {"reason", english(value.reason)},
                        {"upperBoundBytes", sizeOrNull(value.upperBoundBytes)}});
    }
    return list;
}

Json handles(const Report& report)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < report.program.handles.size(); ++i) {
        const Handle& handle = report.program.handles[i];
        Json json = handleName(report, i);
        json["writable"] = handle.writable;
        json["detaches"] = handle.detaches;
        json["detachBytes"] = handle.detachBytes;
        json["together"] = handleNames(report, handle.together);
        json["aliases"] = handleNames(report, handle.aliases);
        const std::size_t partners = handle.together.size() + handle.aliases.size();
        if (json["together"].size() + json["aliases"].size() < partners) json["partners"] = partners;
        list.push_back(std::move(json));
    }
    return list;
}

Json bindings(const Report& report)
{
    Json json = Json::object();
    for (const Binding& binding : report.captured.bindings) {
        json[binding.dim] = {{"value", binding.size}, {"assumed", binding.assumed}};
        if (binding.fromPlan) json[binding.dim]["fromPlan"] = true;
    }
    return json;
}

Json nodes(const Report& report)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < report.program.graph->nodes.size(); ++i) {
        const Node& node = report.program.graph->nodes[i];
        const Interval steps = report.program.schedule.nodes[i];
        const Implementation& implementation = report.program.implementations[NodeId(i)];
        Json json {{"name", node.name},
                   {"op", qualifiedOp(node)},
                   {"step", steps.empty() ? Json(nullptr) : Json(steps.begin)},
                   {"implementation", implementation.name}};
        json.update(offerJson(implementation));
        json["name"] = node.name;
        if (steps.length() > 1) json["endStep"] = steps.end;
        if (report.captured.firstAddedNode.valid() && NodeId(i) >= report.captured.firstAddedNode) json["added"] = true;
        const NodeId computer = report.program.graph->decided[NodeId(i)].fusedInto;
        if (computer.valid()) json["fusedInto"] = nameOrNull(report, computer);
        if (report.program.streams.several() && node.body == TopBody && !steps.empty())
            json["stream"] = report.program.streams.of(NodeId(i));
        const auto dispatch = sparseDispatchName(sparseDispatchOf(report, NodeId(i)));
        if (!dispatch.empty()) json["dispatch"] = dispatch;
        if (!node.from->source.empty()) json["source"] = node.from->source;
        if (!node.from->module.empty()) json["module"] = node.from->module;
        if (const auto offers = offersFor(report, node.name); !offers.empty()) json["offers"] = offers;
        list.push_back(std::move(json));
    }
    return list;
}

Json events(const Report& report)
{
    Json list = Json::array();
    for (const StreamEvent& event : report.program.streams.events)
        list.push_back({{"after", (*report.program.graph)[event.signal].name},
                        {"before", (*report.program.graph)[event.waiter].name}});
    return list;
}

Json saved(const Report& report)
{
    Json list = Json::array();
    for (const SavedReport& saved : report.training.saved) {
        list.push_back({{"value", (*report.program.graph)[saved.tensor.value].name},
                        {"bytes", saved.bytes},
                        {"heldBytes", saved.heldBytes},
                        {"savedBy", (*report.program.graph)[saved.tensor.savedBy].name},
                        {"readBy", (*report.program.graph)[saved.tensor.readBy].name},
                        {"as", saved.tensor.name},
                        {"neededFor", names(*report.program.graph, saved.tensor.neededFor)},
                        {"formulas", saved.tensor.formulas},
                        {"reason", savingReasonId(saved.tensor.reason)},
                        {"donation", donationId(saved.donation)}});
    }
    return list;
}

Json recomputed(const Report& report)
{
    Json list = Json::array();
    for (const RecomputedReport& one : report.training.recomputed) {
        Json nodes = Json::array();
        for (const NodeId node : one.tensor.nodes)
            nodes.push_back((*report.program.graph)[node].name);
        list.push_back({{"value", (*report.program.graph)[one.tensor.value].name},
                        {"copy", (*report.program.graph)[one.tensor.copy].name},
                        {"bytes", one.bytes},
                        {"nodes", std::move(nodes)},
                        {"movedBytes", one.tensor.movedBytes}});
    }
    return list;
}

Json gradientRequests(const Report& report)
{
    Json list = Json::array();
    for (const GradientRow& row : gradientRows(report)) {
        list.push_back({{"variable", (*report.program.graph)[row.variable].name},
                        {"request", gradientRequestName(row.request)},
                        {"gradient", nameOrNull(report, row.gradient)},
                        {"buffer", nameOrNull(report, row.buffer)}});
    }
    return list;
}

Json decisions(const Report& report)
{
    Json list = Json::array();
    for (const Decision& decision : report.decisions) {
        list.push_back({{"kind", decisionKindId(decision.kind)},
                        {"subject", decision.subject},
                        {"other", decision.other},
                        {"accepted", decision.accepted},
                        {"rule", decision.rule},
                        {"reason", english(decision.reason)},
                        {"bytes", decision.bytes}});
    }
    return list;
}

Json timeAgainstPeak(const Report& report)
{
    Json list = Json::array();
    for (const TradeOff& one : report.tradeOffs)
        list.push_back({{"capacity", one.capacity},
                        {"peakBytes", one.cost.peakBytes},
                        {"externalBytes", one.cost.externalBytes},
                        {"kernelMs", one.cost.kernelMs},
                        {"measured", one.cost.measured}});
    return list;
}

Json whatIf(const Report& report)
{
    Json list = Json::array();
    for (const PolicyChange& change : report.policyChanges)
        list.push_back({{"policy", change.policy},
                        {"value", change.value},
                        {"peakBytes", change.cost.peakBytes},
                        {"externalBytes", change.cost.externalBytes},
                        {"kernelMs", change.cost.kernelMs},
                        {"measured", change.cost.measured}});
    return list;
}

Json findingsLeftOut(const Report& report)
{
    Json json;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Advice})
        json[std::string(severityName(severity))] = report.verdict.leftOut[static_cast<std::size_t>(severity)];
    return json;
}

Json findings(const Report& report)
{
    Json list = Json::array();
    for (const Finding& finding : report.verdict.findings) {
        const ValueId first = finding.values.empty() ? ValueId() : finding.values.front();
        const StorageId storage = first.valid() ? report.program.values[first.index()].storage : StorageId();
        list.push_back({{"rule", ruleId(finding.rule)},
                        {"severity", severityName(finding.severity)},
                        {"message", english(finding.message)},
                        {"values", names(*report.program.graph, finding.values)},
                        {"nodes", names(*report.program.graph, finding.nodes)},
                        {"storage", idOrNull(storage)},
                        {"arena", idOrNull(finding.arena)},
                        {"steps", interval(finding.steps)},
                        {"bytes", interval(finding.bytes)},
                        {"fix", english(finding.fix)}});
    }
    return list;
}

} // namespace

std::string writeReportJson(const Report& report)
{
    Json json;
    json["schema"] = "plimsoll.report/1";
    json["graph"] = graph(report);
    json["policies"] = policies(report);
    if (!report.program.constraints.empty()) json["constraints"] = constraintsJson(report.program.constraints);
    json["ownPlan"] = report.program.ownPlan;
    addTotals(report, json);
    for (Json& environment = json["environment"] = Json::object();
         const auto& [name, value] : report.planning.environment)
        environment[name] = english(value);
    json["arenas"] = arenas(report);
    json["storages"] = storages(report);
    json["values"] = values(report);
    json["unplanned"] = unplanned(report);
    json["incomplete"] = incompleteJson(report);
    json["notes"] = english(report.notes);
    json["handles"] = handles(report);
    json["bindings"] = bindings(report);
    json["nodes"] = nodes(report);
    if (!isCapturedOrder(*report.program.graph, report.program.schedule)) json["steps"] = steps(report);
    if (report.program.streams.several()) json["events"] = events(report);
    json["saved"] = saved(report);
    json["gradientRequests"] = gradientRequests(report);
    json["fallbacks"] = fallbacks(report);
    if (!report.training.recomputed.empty()) json["recomputed"] = recomputed(report);
    json["decisions"] = decisions(report);
    json["findings"] = findings(report);
    json["findingsLeftOut"] = findingsLeftOut(report);
    json["liveBytes"] = report.memory.liveBytes;
    addPlacement(report, json);
    if (!report.policyChanges.empty()) json["whatIf"] = whatIf(report);
    if (!report.tradeOffs.empty()) json["timeAgainstPeak"] = timeAgainstPeak(report);
    json["run"] = report.run ? runJson(*report.run) : Json(nullptr);
    return jsonText(json);
}

} // namespace plimsoll
