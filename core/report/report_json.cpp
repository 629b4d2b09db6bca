#include "core/report/report_json.h"

#include "core/facts/english/english.h"
#include "core/facts/file_nodes.h"
#include "core/facts/sparse_use.h"
#include "core/facts/words/gradient_rows.h"
#include "core/facts/words/request_kind.h"
#include "core/facts/words/strided_view.h"
#include "core/formats/files/json_text.h"
#include "core/formats/plimsoll/offer_json.h"
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
        dims.push_back(dim.known() ? Json(dim.size) : dim.symbol.empty() ? Json(nullptr) : Json(dim.symbol));
    }
    return dims;
}

class ReportJson
{
public:
    explicit ReportJson(const Report& report)
        : m_report(report), m_graph(*report.program.graph), m_uses(findUses(*report.program.graph))
    {
    }

    Json run() const
    {
        Json json;
        json["schema"] = "plimsoll.report/1";
        json["graph"] = graph();
        json["policies"] = policies();
        json["ownPlan"] = m_report.program.ownPlan;
        addTotals(json);
        json["environment"] = m_report.planning.environment;
        json["arenas"] = arenas();
        json["storages"] = storages();
        json["values"] = values();
        json["unplanned"] = unplanned();
        json["incomplete"] = incompleteJson(m_report);
        json["notes"] = english(m_report.notes);
        json["handles"] = handles();
        json["bindings"] = bindings();
        json["nodes"] = nodes();
        if (m_report.program.streams.several()) json["events"] = events();
        json["saved"] = saved();
        json["gradientRequests"] = gradientRequests();
        json["fallbacks"] = fallbacks();
        if (!m_report.training.recomputed.empty()) json["recomputed"] = recomputed();
        json["decisions"] = decisions();
        json["findings"] = findings();
        json["findingsLeftOut"] = findingsLeftOut();
        json["liveBytes"] = m_report.memory.liveBytes;
        addPlacement(m_report, json);
        if (!m_report.policyChanges.empty()) json["whatIf"] = whatIf();
        json["run"] = m_report.run ? runJson(*m_report.run) : Json(nullptr);
        return json;
    }

private:
    [[nodiscard]] Json graph() const
    {
        return {{"name", m_graph.name},
                {"format", m_graph.format},
                {"nodes", fileNodes(m_report)},
                {"values", m_graph.values.size()},
                {"inputs", names(m_graph, m_graph.top().inputs)},
                {"outputs", names(m_graph, m_graph.top().outputs)},
                {"subgraphs", m_graph.bodies.size() - 1}};
    }

    [[nodiscard]] Json policies() const
    {
        Json json = Json::object();
        for (const PolicyInfo& policy : policyTable())
            json[std::string(policy.id)] = policyValue(m_report.program.policies, policy.id);
        return json;
    }

    void addTotals(Json& json) const
    {
        json["peakBytes"] = m_report.memory.peakBytes;
        json["lowerBoundBytes"] = m_report.memory.lowerBoundBytes;
        json["noReuseBytes"] = m_report.memory.noReuseBytes;
        json["boundaryBytes"] = m_report.training.boundaryBytes;
        json["externalBytes"] = m_report.memory.externalBytes;
        json["parameterBytes"] = m_report.memory.parameterBytes;
        json["preparedBytes"] = m_report.memory.preparedBytes;
        json["fallbackBytes"] = m_report.memory.fallbackBytes;
        json["detachBytes"] = m_report.memory.detachBytes;
        if (m_report.verdict.given) json["given"] = given(*m_report.verdict.given);
        json["planningMs"] = m_report.planning.ms;
    }

    static Json given(const GivenPlanBounds& bounds)
    {
        Json json {{"peakBytes", bounds.peakBytes}, {"anySharingBoundBytes", bounds.anySharingBoundBytes}};
        if (bounds.ownPeakBytes) json["ownPeakBytes"] = *bounds.ownPeakBytes;
        return json;
    }

    [[nodiscard]] Json arenas() const
    {
        Json list = Json::array();
        for (std::size_t i = 0; i < m_report.program.map.arenas.size(); ++i) {
            const PlannedArena& arena = m_report.program.map.arenas[i];
            list.push_back(
                {{"space", arena.space},
                 {"bytes", arena.bytes},
                 {"lowerBoundBytes", i < m_report.memory.arenas.size() ? m_report.memory.arenas[i].lowerBoundBytes : 0},
                 {"noReuseBytes", i < m_report.memory.arenas.size() ? m_report.memory.arenas[i].noReuseBytes : 0},
                 {"alignment", arena.alignment},
                 {"capacityBytes", arena.capacityBytes ? Json(*arena.capacityBytes) : Json(nullptr)}});
        }
        return list;
    }

    [[nodiscard]] Json storages() const
    {
        Json list = Json::array();
        for (std::size_t i = 0; i < m_report.program.storages.size(); ++i) {
            const Storage& storage = m_report.program.storages[i];
            Json json {{"id", i},
                       {"arena", idOrNull(storage.arena)},
                       {"offset", storage.offset},
                       {"bytes", storage.bytes},
                       {"liveRanges", intervals(storage.live)},
                       {"values", names(m_graph, storage.values)}};
            if (storage.scratchOf.valid()) json["scratchOf"] = m_graph[storage.scratchOf].name;
            list.push_back(std::move(json));
        }
        return list;
    }

    [[nodiscard]] Json values() const
    {
        Json list = Json::array();
        const std::vector<RequestKind> kinds = requestKinds(m_report);
        for (std::size_t i = 0; i < m_report.program.values.size(); ++i) {
            const PlannedValue& value = m_report.program.values[i];
            const TensorType& type = m_graph.values[i].type;
            list.push_back({{"name", m_graph.values[i].name},
                            {"storage", idOrNull(value.storage)},
                            {"fusedInto", nameOrNull(m_graph.values[i].fusedInto)},
                            {"role", role(ValueId(i))},
                            {"dtype", dtypeName(type.dtype)},
                            {"shape", shapeJson(type)},
                            {"layout", layoutOf(m_graph, m_report.program.implementations, ValueId(i))},
                            {"logicalBytes", sizeOrNull(value.logicalBytes)},
                            {"requiredBytes", sizeOrNull(value.requiredBytes)},
                            {"offset", value.offset},
                            {"liveRanges", intervals(value.live)},
                            {"request", requestName(kinds[i])},
                            {"visible", value.visible}});
            if (type.isSparse()) addStorageType(type, list.back());
            if (const auto view = stridedView(m_graph, ValueId(i))) {
                list.back()["strides"] = view->strides;
                list.back()["spanBytes"] = view->spanBytes;
            }
            if (!m_graph.values[i].space.empty()) list.back()["space"] = m_graph.values[i].space;
            const ValueId host = m_report.program.map.values[i].host;
            if (host.valid() && host != ValueId(i)) list.back()["host"] = m_graph[host].name;
        }
        return list;
    }

    static void addStorageType(const TensorType& type, Json& json)
    {
        json["storageType"] = storageTypeName(type.storage);
        json["maxStored"] = sizeOrNull(type.maxStored);
    }

    [[nodiscard]] Json fallbacks() const
    {
        Json list = Json::array();
        for (const DenseFallback& fallback : m_report.memory.fallbacks) {
            list.push_back({{"node", m_graph[fallback.node].name},
                            {"reason", english(fallback.reason)},
                            {"temporaries", names(m_graph, fallback.temporaries)}});
        }
        return list;
    }

    [[nodiscard]] std::string_view role(ValueId id) const
    {
        switch (m_graph[id].role) {
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
        const auto& results = m_uses.results[id.index()];
        const bool output = std::any_of(results.begin(), results.end(),
                                        [](const Uses::Result& result) { return result.body == TopBody; });
        return output ? "output" : "intermediate";
    }

    [[nodiscard]] Json nameOrNull(NodeId node) const { return node.valid() ? Json(m_graph[node].name) : Json(nullptr); }

    [[nodiscard]] Json unplanned() const
    {
        Json list = Json::array();
        for (const UnplannedValue& value : m_report.memory.unplanned) {
            list.push_back({{"value", m_graph[value.value].name},
                            {"reason", english(value.reason)},
                            {"upperBoundBytes", sizeOrNull(value.upperBoundBytes)}});
        }
        return list;
    }

    [[nodiscard]] Json handleName(std::size_t index) const
    {
        const Handle& handle = m_report.program.handles[index];
        return {{"kind", handle.kind == Handle::Kind::Output ? "output" : "input"},
                {"index", handle.index},
                {"value", m_graph[handle.value].name}};
    }

    [[nodiscard]] Json handleNames(const std::vector<std::size_t>& indexes) const
    {
        Json list = Json::array();
        for (const std::size_t index : indexes)
            list.push_back(handleName(index));
        return list;
    }

    [[nodiscard]] Json handles() const
    {
        Json list = Json::array();
        for (std::size_t i = 0; i < m_report.program.handles.size(); ++i) {
            const Handle& handle = m_report.program.handles[i];
            Json json = handleName(i);
            json["writable"] = handle.writable;
            json["detaches"] = handle.detaches;
            json["detachBytes"] = handle.detachBytes;
            json["together"] = handleNames(handle.together);
            json["aliases"] = handleNames(handle.aliases);
            list.push_back(std::move(json));
        }
        return list;
    }

    [[nodiscard]] Json bindings() const
    {
        Json json = Json::object();
        for (const Binding& binding : m_report.captured.bindings) {
            json[binding.dim] = {{"value", binding.size}, {"assumed", binding.assumed}};
            if (binding.fromPlan) json[binding.dim]["fromPlan"] = true;
        }
        return json;
    }

    [[nodiscard]] Json nodes() const
    {
        Json list = Json::array();
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node& node = m_graph.nodes[i];
            const Interval steps = m_report.program.schedule.nodes[i];
            const Implementation& implementation = m_report.program.implementations[i];
            Json json {{"name", node.name},
                       {"op", qualifiedOp(node)},
                       {"step", steps.empty() ? Json(nullptr) : Json(steps.begin)},
                       {"implementation", implementation.name}};
            json.update(offerJson(implementation));
            json["name"] = node.name;
            if (m_report.captured.firstAddedNode.valid() && NodeId(i) >= m_report.captured.firstAddedNode)
                json["added"] = true;
            if (node.fusedInto.valid()) json["fusedInto"] = nameOrNull(node.fusedInto);
            if (m_report.program.streams.several() && node.body == TopBody && !steps.empty())
                json["stream"] = m_report.program.streams.of(NodeId(i));
            const auto dispatch = sparseDispatchName(sparseDispatchOf(m_report, NodeId(i)));
            if (!dispatch.empty()) json["dispatch"] = dispatch;
            if (const auto offers = offersFor(node.name); !offers.empty()) json["offers"] = offers;
            list.push_back(std::move(json));
        }
        return list;
    }

    [[nodiscard]] Json events() const
    {
        Json list = Json::array();
        for (const StreamEvent& event : m_report.program.streams.events)
            list.push_back({{"after", m_graph[event.signal].name}, {"before", m_graph[event.waiter].name}});
        return list;
    }

    /// What there was to choose from.
    [[nodiscard]] Json offersFor(const std::string& node) const
    {
        Json list = Json::array();
        if (!m_report.planning.catalogue) return list;
        const auto offers = m_report.planning.catalogue->offers.find(node);
        if (offers == m_report.planning.catalogue->offers.end()) return list;
        for (const Implementation& offer : offers->second)
            list.push_back(offerJson(offer));
        return list;
    }

    [[nodiscard]] Json saved() const
    {
        Json list = Json::array();
        for (const SavedReport& saved : m_report.training.saved) {
            list.push_back({{"value", m_graph[saved.tensor.value].name},
                            {"bytes", saved.bytes},
                            {"heldBytes", saved.heldBytes},
                            {"savedBy", m_graph[saved.tensor.savedBy].name},
                            {"readBy", m_graph[saved.tensor.readBy].name},
                            {"as", saved.tensor.name},
                            {"neededFor", names(m_graph, saved.tensor.neededFor)},
                            {"formulas", saved.tensor.formulas},
                            {"reason", savingReasonId(saved.tensor.reason)},
                            {"donation", donationId(saved.donation)}});
        }
        return list;
    }

    [[nodiscard]] Json recomputed() const
    {
        Json list = Json::array();
        for (const RecomputedReport& one : m_report.training.recomputed) {
            Json nodes = Json::array();
            for (const NodeId node : one.tensor.nodes)
                nodes.push_back(m_graph[node].name);
            list.push_back({{"value", m_graph[one.tensor.value].name},
                            {"copy", m_graph[one.tensor.copy].name},
                            {"bytes", one.bytes},
                            {"nodes", std::move(nodes)},
                            {"movedBytes", one.tensor.movedBytes}});
        }
        return list;
    }

    [[nodiscard]] Json nameOrNull(ValueId value) const
    {
        return value.valid() ? Json(m_graph[value].name) : Json(nullptr);
    }

    [[nodiscard]] Json gradientRequests() const
    {
        Json list = Json::array();
        for (const GradientRow& row : gradientRows(m_report)) {
            list.push_back({{"variable", m_graph[row.variable].name},
                            {"request", gradientRequestName(row.request)},
                            {"gradient", nameOrNull(row.gradient)},
                            {"buffer", nameOrNull(row.buffer)}});
        }
        return list;
    }

    [[nodiscard]] Json decisions() const
    {
        Json list = Json::array();
        for (const Decision& decision : m_report.decisions) {
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

    [[nodiscard]] Json whatIf() const
    {
        Json list = Json::array();
        for (const PolicyChange& change : m_report.policyChanges)
            list.push_back({{"policy", change.policy},
                            {"value", change.value},
                            {"peakBytes", change.cost.peakBytes},
                            {"externalBytes", change.cost.externalBytes},
                            {"kernelMs", change.cost.kernelMs},
                            {"measured", change.cost.measured}});
        return list;
    }

    [[nodiscard]] Json findingsLeftOut() const
    {
        Json json;
        for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Advice})
            json[std::string(severityName(severity))] = m_report.verdict.leftOut[static_cast<std::size_t>(severity)];
        return json;
    }

    [[nodiscard]] Json findings() const
    {
        Json list = Json::array();
        for (const Finding& finding : m_report.verdict.findings) {
            const ValueId first = finding.values.empty() ? ValueId() : finding.values.front();
            const StorageId storage = first.valid() ? m_report.program.values[first.index()].storage : StorageId();
            list.push_back({{"rule", ruleId(finding.rule)},
                            {"severity", severityName(finding.severity)},
                            {"message", english(finding.message)},
                            {"values", names(m_graph, finding.values)},
                            {"nodes", names(m_graph, finding.nodes)},
                            {"storage", idOrNull(storage)},
                            {"arena", idOrNull(finding.arena)},
                            {"steps", interval(finding.steps)},
                            {"bytes", interval(finding.bytes)},
                            {"fix", english(finding.fix)}});
        }
        return list;
    }

    const Report& m_report;
    const Graph& m_graph;
    const Uses m_uses;
};

} // namespace

std::string writeReportJson(const Report& report)
{
    return jsonText(ReportJson(report).run());
}

} // namespace plimsoll
