#include "kernels/runtime/executor.h"

#include "kernels/runtime/control_flow.h"
#include "kernels/runtime/digest.h"
#include "kernels/runtime/elements.h"

#include <algorithm>
#include <set>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t MaxElements = 1024;

bool isExternal(const Value& value)
{
    return value.role == ValueRole::Input || value.role == ValueRole::Parameter || value.role == ValueRole::Constant;
}

RunResult::Output describeOutput(const Value& value, const RuntimeValue& content)
{
    RunResult::Output output;
    output.name = value.name;
    output.dtype = content.kind == RuntimeValue::Kind::Tensor ? content.tensor.dtype : value.type.dtype;
    Digest digest;
    digest.add(content);
    output.digest = digest.hex();
    if (content.kind != RuntimeValue::Kind::Tensor) return output;
    output.shape = content.tensor.shape;
    output.elements = elementTexts(content.tensor, MaxElements);
    return output;
}

/// Given inputs must be what was planned for.
Status checkInputs(const Graph& graph, const RunRequest& request)
{
    for (const auto& [id, value] : request.inputs) {
        const Value& info = graph[id];
        if (value.kind != RuntimeValue::Kind::Tensor || info.type.kind != TypeKind::Tensor) continue;
        const auto shape = info.type.shape();
        const bool fits = value.tensor.dtype == info.type.dtype && (!shape || *shape == value.tensor.shape);
        if (fits || info.type.dtype == DType::Unknown) continue;
        return Error {ErrorCode::BadInput,
                      "it is " + std::string(dtypeName(value.tensor.dtype)) + describe(value.tensor.shape) +
                          " where the graph takes " + describe(info.type),
                      "input '" + info.name + "'",
                      {}};
    }
    return {};
}

/// Whose bytes of the caller the plan writes: those with a guest that is neither an identity nor a view.
std::set<ValueId> overwrittenHosts(const Report& report)
{
    std::set<ValueId> hosts;
    for (std::size_t i = 0; i < report.map.values.size(); ++i) {
        const ValueId host = report.map.values[i].host;
        const AliasKind kind = report.values[i].sharedAs;
        const bool writes = kind == AliasKind::Mutates || kind == AliasKind::MayBeInPlace || kind == AliasKind::Fresh;
        if (host.valid() && host != ValueId(i) && isExternal((*report.graph)[host]) && writes) hosts.insert(host);
    }
    return hosts;
}

class Execution
{
public:
    Execution(const Report& report, const RunRequest& request, Lockstep::Parts parts)
        : m_report(report), m_graph(*report.graph), m_externals(parts.externals),
          m_nodes(report, m_externals, {request.mode, request.seed, request.reference}), m_releases(m_graph),
          m_lockstep(std::move(parts)), m_request(request)
    {
    }

    Result<RunOutcome> run()
    {
        PLIMSOLL_TRY(settleMode());
        PLIMSOLL_TRY(runAhead());
        PLIMSOLL_TRY(placeExternals());
        PLIMSOLL_TRY(runBody(TopBody));
        return collect();
    }

private:
    Status settleMode()
    {
        const std::string missing = m_nodes.missingKernels();
        if (m_request.mode == RunMode::Numeric && !missing.empty()) {
            return Error {ErrorCode::Unsupported,
                          "there is no kernel for " + missing +
                              "; run with --mode fingerprint to check the plan without them",
                          {},
                          {}};
        }
        m_nodes.allowFingerprints(m_request.mode != RunMode::Numeric);
        return {};
    }

    /// Computes the constants that somebody needs; other nodes ahead of the run were folded away.
    Status runAhead()
    {
        std::vector<bool> needed(m_graph.values.size(), false);
        std::vector<ValueId> open;
        const auto need = [&](ValueId value) {
            if (!value.valid() || needed[value.index()]) return;
            needed[value.index()] = true;
            open.push_back(value);
        };
        for (const Body& body : m_graph.bodies)
            std::for_each(body.outputs.begin(), body.outputs.end(), need);
        for (const Node& node : m_graph.nodes) {
            if (!node.ahead) std::for_each(node.inputs.begin(), node.inputs.end(), need);
        }
        while (!open.empty()) {
            const NodeId producer = m_graph[open.back()].producer;
            open.pop_back();
            if (!producer.valid() || !m_graph[producer].ahead || !computesConstant(m_graph[producer], needed)) continue;
            const auto& inputs = m_graph[producer].inputs;
            std::for_each(inputs.begin(), inputs.end(), need);
        }
        return runAheadIn(TopBody, needed);
    }

    [[nodiscard]] bool computesConstant(const Node& node, const std::vector<bool>& needed) const
    {
        for (const ValueId output : node.outputs) {
            if (output.valid() && needed[output.index()] && !m_graph[output].data.present()) return true;
        }
        return false;
    }

    Status runAheadIn(BodyId body, const std::vector<bool>& needed)
    {
        for (const NodeId id : m_graph[body].nodes) {
            const Node& node = m_graph[id];
            if (node.ahead && computesConstant(node, needed)) {
                PLIMSOLL_TRY(m_nodes.runAhead(m_lockstep.oracle(), id));
                m_lockstep.release(node.outputs);
            }
            for (const BodyId inner : node.bodies)
                PLIMSOLL_TRY(runAheadIn(inner, needed));
        }
        return {};
    }

    /// A plan may put the caller's bytes into an arena: then they are copied there first. What it writes over where
    /// they are is a copy, too: the oracle needs them as they were.
    Status placeExternals()
    {
        for (const ValueId host : overwrittenHosts(m_report)) {
            PLIMSOLL_TRY(m_externals.load(host));
            const RuntimeValue* content = m_externals.find(host);
            if (content) m_lockstep.planned().set(host, cloneValue(*content));
        }
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const ValueId id {i};
            if (!isExternal(m_graph[id]) || !m_lockstep.plannedPlaces(id)) continue;
            PLIMSOLL_TRY(m_externals.load(id));
            const RuntimeValue* content = m_externals.find(id);
            if (content && content->kind == RuntimeValue::Kind::Tensor)
                PLIMSOLL_TRY(m_lockstep.copyIntoPlan(id, *content));
        }
        return {};
    }

    Status runBody(BodyId body)
    {
        for (const NodeId node : m_graph[body].nodes) {
            if (m_graph[node].ahead) continue;
            PLIMSOLL_TRY(m_graph[node].bodies.empty() ? m_nodes.run(m_lockstep, node) : runOwnerNode(node));
            m_lockstep.release(m_releases.after(node));
        }
        return {};
    }

    Status runOwnerNode(NodeId node)
    {
        OwnerRun owner {m_lockstep, m_nodes, m_releases, node, [this](BodyId body) { return runBody(body); }};
        Status status = runOwner(owner);
        const bool mayGuess =
            m_nodes.fingerprintsAllowed() && !status.ok() && status.error().code != ErrorCode::Stopped;
        if (!mayGuess) return status;
        return m_nodes.fingerprint(m_lockstep, node, {});
    }

    Result<RunOutcome> collect()
    {
        RunOutcome outcome;
        for (const ValueId output : m_graph.top().outputs) {
            PLIMSOLL_TRY(m_externals.load(output));
            m_lockstep.checkRead(output);
            outcome.outputs.push_back(cloneValue(m_lockstep.planned().value(output)));
            outcome.result.outputs.push_back(describeOutput(m_graph[output], outcome.outputs.back()));
        }
        m_lockstep.fill(outcome.result);
        m_nodes.fill(outcome.result);
        outcome.notes = m_nodes.notes();
        const auto drawn = m_externals.drawn().size();
        if (drawn > 0)
            outcome.notes.push_back(std::to_string(drawn) + " inputs drawn from seed " +
                                    std::to_string(m_request.seed));
        return outcome;
    }

    const Report& m_report;
    const Graph& m_graph;
    ExternalValues& m_externals;
    NodeRunner m_nodes;
    ReleasePlan m_releases;
    Lockstep m_lockstep;
    const RunRequest& m_request;
};

} // namespace

Result<RunOutcome> execute(const Report& report, const RunRequest& request, RunObserver& observer,
                           const Context& context)
{
    PLIMSOLL_TRY(checkPlacements(report));
    PLIMSOLL_TRY(checkInputs(*report.graph, request));
    PLIMSOLL_ASSIGN(memory, ArenaMemory::create(report.map.arenas));
    ExternalValues externals(*report.graph, request.inputs, request.seed);
    Execution execution(report, request, {report, externals, std::move(memory), observer, context});
    return execution.run();
}

} // namespace plimsoll::kernels
