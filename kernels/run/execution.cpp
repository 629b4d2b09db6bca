#include "kernels/run/execution.h"

#include "core/base/plural.h"
#include "core/ops/saving.h"
#include "kernels/run/control/control_flow.h"
#include "kernels/run/control/not_run.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/probe/between_probe.h"
#include "kernels/run/probe/write_probe.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t MaxElements = 1024;

bool isExternal(const Value& value)
{
    return value.role == ValueRole::Input || value.role == ValueRole::Parameter || value.role == ValueRole::Constant;
}

RunResult::Output describeOutput(const Value& value, const Shown& shown)
{
    const RuntimeValue& content = shown.dense;
    RunResult::Output output;
    output.name = value.name;
    output.storage = value.type.storage;
    output.kept = shown.kept;
    output.dtype = content.kind == RuntimeValue::Kind::Tensor ? content.tensor.dtype : value.type.dtype;
    Digest digest;
    digest.add(content);
    output.digest = digest.hex();
    if (content.kind != RuntimeValue::Kind::Tensor) return output;
    output.shape = content.tensor.shape;
    output.elements = elementTexts(content.tensor, MaxElements);
    return output;
}

/// Whether a guest writes to its host: all but identities and views, unless these are what nested graphs hand on, which
/// is written anew with every iteration.
bool writesToHost(const PlannedProgram& program, ValueId guest)
{
    const AliasKind kind = program.values[guest.index()].sharedAs;
    if (kind == AliasKind::Mutates || kind == AliasKind::MayBeInPlace || kind == AliasKind::Fresh) return true;
    const Value& value = (*program.graph)[guest];
    const bool handedOn = value.producer.valid() && !(*program.graph)[value.producer].bodies.empty();
    return handedOn || value.role == ValueRole::BodyInput;
}

/// Whose bytes of the caller the plan writes.
std::set<ValueId> overwrittenHosts(const PlannedProgram& program)
{
    std::set<ValueId> hosts;
    for (std::size_t i = 0; i < program.map.values.size(); ++i) {
        const ValueId host = program.map.values[i].host;
        const bool outside = host.valid() && host != ValueId(i) && isExternal((*program.graph)[host]);
        if (outside && writesToHost(program, ValueId(i))) hosts.insert(host);
    }
    return hosts;
}

/// The values from outside that are handles themselves or hold the bytes of one.
std::set<ValueId> reachedHosts(const PlannedProgram& program)
{
    std::set<ValueId> hosts;
    for (const Handle& handle : program.handles) {
        const ValueId host = program.map.values[handle.value.index()].host;
        for (const ValueId value : {handle.value, host}) {
            const bool outside = value.valid() && isExternal((*program.graph)[value]);
            if (outside && !program.map.values[value.index()].placed()) hosts.insert(value);
        }
    }
    return hosts;
}

} // namespace

Execution::Execution(const PlannedProgram& program, const RunRequest& request, Lockstep::Parts parts,
                     CallerBytes* caller)
    : m_program(program), m_graph(*program.graph), m_externals(parts.externals),
      m_nodes(program, m_externals, {request.mode, request.seed, request.devices, request.reference}),
      m_releases(m_graph), m_lockstep(std::move(parts)), m_request(request), m_caller(caller),
      m_budget(request.maxLoopNodes)
{
}

Result<RunOutcome> Execution::run()
{
    PLIMSOLL_TRY(prepare());
    PLIMSOLL_TRY(runBody(TopBody));
    PLIMSOLL_TRY(m_lockstep.health());
    return collect();
}

Result<RunOutcome> Execution::runInOrder(const RunOrder& order, const World& oracle)
{
    PLIMSOLL_TRY(prepare());
    m_lockstep.adoptOracle(oracle);
    for (const NodeId node : order.nodes)
        PLIMSOLL_TRY(runNode(node));
    PLIMSOLL_TRY(m_lockstep.health());
    return collect();
}

Result<WriteProbe> Execution::probe(const Context& context)
{
    keepBuffers();
    return probeWrites(m_program, m_lockstep.planned(), context);
}

Status Execution::prepare()
{
    PLIMSOLL_TRY(settleMode());
    PLIMSOLL_TRY(runAhead());
    return placeExternals();
}

Status Execution::settleMode()
{
    const std::string missing = m_nodes.missingKernels();
    if (m_request.mode == RunMode::Numeric && !missing.empty()) {
        return Error {ErrorCode::Unsupported,
                      "There is no kernel for " + missing +
                          "; plimsoll-cli run --mode fingerprint checks the plan without them.",
                      {},
                      {}};
    }
    m_nodes.allowFingerprints(m_request.mode != RunMode::Numeric);
    return {};
}

/// Computes the constants that somebody needs; other nodes ahead of the run were folded away.
Status Execution::runAhead()
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
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        if (!m_graph.decided[NodeId(i)].ahead) std::ranges::for_each(m_graph.nodes[i].inputs, need);
    }
    while (!open.empty()) {
        const NodeId producer = m_graph[open.back()].producer;
        open.pop_back();
        if (!producer.valid() || !m_graph.decided[producer].ahead || !computesConstant(m_graph[producer], needed))
            continue;
        const auto& inputs = m_graph[producer].inputs;
        std::for_each(inputs.begin(), inputs.end(), need);
    }
    return runAheadIn(TopBody, needed);
}

bool Execution::computesConstant(const Node& node, const std::vector<bool>& needed) const
{
    for (const ValueId output : node.outputs) {
        if (output.valid() && needed[output.index()] && !m_graph[output].data.present()) return true;
    }
    return false;
}

Status Execution::runAheadIn(BodyId body, const std::vector<bool>& needed)
{
    for (const NodeId id : m_graph[body].nodes) {
        const Node& node = m_graph[id];
        if (m_graph.decided[id].ahead && computesConstant(node, needed)) {
            PLIMSOLL_TRY(m_nodes.runAhead(m_lockstep.oracle(), id));
            m_lockstep.release(node.outputs);
        }
        for (const BodyId inner : node.bodies)
            PLIMSOLL_TRY(runAheadIn(inner, needed));
    }
    return {};
}

/// A plan may put the caller's bytes into an arena: then they are copied there first. What it writes over where
/// they are is a copy, too: the oracle needs them as they were. So is what is written to after the run.
Status Execution::placeExternals()
{
    std::set<ValueId> copied = overwrittenHosts(m_program);
    if (m_caller) copied.merge(reachedHosts(m_program));
    for (const ValueId host : copied) {
        PLIMSOLL_TRY(m_externals.load(host));
        const RuntimeValue* content = m_externals.find(host);
        if (content) PLIMSOLL_TRY(placeCopy(host, *content));
    }
    if (m_caller) bringBuffers();
    for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
        const ValueId id {i};
        if (!isExternal(m_graph[id]) || !m_lockstep.plannedPlaces(id)) continue;
        PLIMSOLL_TRY(m_externals.load(id));
        const RuntimeValue* content = m_externals.find(id);
        if (content && content->kind == RuntimeValue::Kind::Tensor) PLIMSOLL_TRY(m_lockstep.copyIntoPlan(id, *content));
    }
    return {};
}

Status Execution::placeCopy(ValueId host, const RuntimeValue& content)
{
    Device* const device = m_externals.spaces().of(host);
    if (!device) {
        m_lockstep.planned().set(host, callersCopy(host, content));
        return {};
    }
    const auto known = m_caller ? m_caller->find(host) : CallerBytes::iterator();
    const bool again = m_caller && known != m_caller->end();
    PLIMSOLL_ASSIGN(copy, again ? Result<RuntimeValue>(known->second)
                                : allocateOn(*device, content.tensor.dtype, content.tensor.shape));
    PLIMSOLL_TRY(copyToDevice(*device, content.tensor, copy.tensor));
    if (m_caller) m_caller->insert_or_assign(host, copy);
    m_lockstep.planned().set(host, std::move(copy));
    return {};
}

/// The same bytes in every run, filled anew.
RuntimeValue Execution::callersCopy(ValueId host, const RuntimeValue& content)
{
    if (!m_caller || content.kind != RuntimeValue::Kind::Tensor) return cloneValue(content);
    const auto [entry, isNew] = m_caller->try_emplace(host);
    if (isNew)
        entry->second = cloneValue(content);
    else
        copyTensor(content.tensor, entry->second.tensor);
    return entry->second;
}

void Execution::bringBuffers()
{
    for (const auto& [id, buffer] : *m_caller) {
        if (m_program.map.values[id.index()].host == id) m_lockstep.planned().set(id, buffer);
    }
}

void Execution::keepBuffers()
{
    for (const ValueId output : m_graph.top().outputs) {
        const bool brought = m_program.map.values[output.index()].host == output && !isExternal(m_graph[output]);
        if (brought) m_caller->insert_or_assign(output, m_lockstep.planned().value(output));
    }
}

Status Execution::runBody(BodyId body)
{
    ++m_runs[body];
    for (const NodeId node : m_graph[body].nodes) {
        if (m_graph.decided[node].ahead) continue;
        const bool wasBackward = std::exchange(m_backward, isBackward(m_graph, node));
        if (m_between && m_backward && !wasBackward) m_between->write(m_lockstep.planned());
        PLIMSOLL_TRY(runNode(node));
        m_lockstep.release(m_releases.after(node));
    }
    return {};
}

Status Execution::runNode(NodeId node)
{
    return m_graph[node].bodies.empty() ? m_nodes.run(m_lockstep, node) : runOwnerNode(node);
}

Status Execution::runOwnerNode(NodeId node)
{
    OwnerRun owner {m_lockstep, m_nodes, m_releases, m_budget, node, [this](BodyId body) { return runBody(body); }};
    const std::size_t depth = m_lockstep.iteration().size();
    Status status = runOwner(owner);
    if (status.ok() || status.error().code == ErrorCode::Stopped || !m_lockstep.health().ok()) return status;
    if (usesDevice(node) || !m_nodes.mayStandIn(m_lockstep, node)) return m_nodes.refusal(m_lockstep, node, status);
    m_lockstep.leaveIterations(depth);
    releaseInside(node);
    return m_nodes.standIn(m_lockstep, node, status.error().message);
}

/// What an owner that failed has left in its bodies.
void Execution::releaseInside(NodeId owner)
{
    for (const BodyId body : m_graph[owner].bodies) {
        m_lockstep.release(m_graph[body].inputs);
        for (const NodeId inner : m_graph[body].nodes) {
            m_lockstep.release(m_graph[inner].outputs);
            releaseInside(inner);
        }
    }
}

std::vector<RunResult::Mismatch> Execution::mismatches() const
{
    RunResult result;
    m_lockstep.fill(result);
    return std::move(result.mismatches);
}

/// A device that has failed inside has failed.
bool Execution::usesDevice(NodeId owner) const
{
    return std::ranges::any_of(m_graph[owner].bodies, [this](BodyId body) {
        return std::ranges::any_of(m_graph[body].nodes, [this](NodeId inner) {
            return m_externals.spaces().of(inner) != nullptr || usesDevice(inner);
        });
    });
}

Result<RunOutcome> Execution::collect()
{
    RunOutcome outcome;
    for (const ValueId output : m_graph.top().outputs) {
        PLIMSOLL_TRY(m_externals.load(output));
        m_lockstep.checkRead(output);
        PLIMSOLL_ASSIGN(there, m_lockstep.planned().onHost(output));
        const Shown shown = asShown(there, m_graph[output].type);
        outcome.outputs.push_back(cloneValue(shown.dense));
        const bool gradient = outcome.outputs.size() + m_graph.boundary.gradients > m_graph.top().outputs.size();
        (gradient ? outcome.result.gradients : outcome.result.outputs)
            .push_back(describeOutput(m_graph[output], {outcome.outputs.back(), shown.kept}));
    }
    m_lockstep.fill(outcome.result);
    m_nodes.fill(outcome.result);
    const NodesRun nodes = nodesRun(m_graph, m_runs);
    outcome.result.nodes = nodes.all;
    outcome.result.ranNodes = nodes.ran;
    outcome.result.cut = m_budget.cut(m_graph);
    outcome.result.notes = m_nodes.notes();
    std::ranges::move(notRunNotes(m_graph, m_runs), std::back_inserter(outcome.result.notes));
    if (!m_externals.drawn().empty()) outcome.result.notes.push_back(drawnText());
    return outcome;
}

/// "3 inputs drawn from seed 0, 'shape' so that the planned sizes hold"
std::string Execution::drawnText() const
{
    constexpr std::size_t MostNames = 4;
    std::string text =
        plural(m_externals.drawn().size(), "input") + " drawn from seed " + std::to_string(m_request.seed);
    const std::vector<ValueId>& chosen = m_externals.chosen();
    for (std::size_t i = 0; i < std::min(chosen.size(), MostNames); ++i)
        text += ", '" + m_graph[chosen[i]].name + "'";
    if (chosen.size() > MostNames) text += ", …";
    return chosen.empty() ? text : text + " so that the planned sizes hold";
}

} // namespace plimsoll::kernels
