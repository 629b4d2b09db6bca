#include "kernels/runtime/executor.h"

#include "core/ops/saving.h"
#include "kernels/runtime/between_probe.h"
#include "kernels/runtime/control_flow.h"
#include "kernels/runtime/digest.h"
#include "kernels/runtime/elements.h"
#include "kernels/runtime/sparse_values.h"
#include "kernels/runtime/stream_orders.h"
#include "kernels/runtime/write_probe.h"

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

/// Whether a guest writes to its host: all but identities and views, unless these are what nested graphs hand on, which
/// is written anew with every trip.
bool writesToHost(const Report& report, ValueId guest)
{
    const AliasKind kind = report.values[guest.index()].sharedAs;
    if (kind == AliasKind::Mutates || kind == AliasKind::MayBeInPlace || kind == AliasKind::Fresh) return true;
    const Value& value = (*report.graph)[guest];
    const bool handedOn = value.producer.valid() && !(*report.graph)[value.producer].bodies.empty();
    return handedOn || value.role == ValueRole::BodyInput;
}

/// Whose bytes of the caller the plan writes.
std::set<ValueId> overwrittenHosts(const Report& report)
{
    std::set<ValueId> hosts;
    for (std::size_t i = 0; i < report.map.values.size(); ++i) {
        const ValueId host = report.map.values[i].host;
        const bool outside = host.valid() && host != ValueId(i) && isExternal((*report.graph)[host]);
        if (outside && writesToHost(report, ValueId(i))) hosts.insert(host);
    }
    return hosts;
}

/// What the caller holds on to from one run to the next: copies of what his handles reach of the inputs, parameters and
/// constants, and the buffers that he brings for outputs.
using CallerBytes = std::map<ValueId, RuntimeValue>;

/// The values from outside that are handles themselves or hold the bytes of one.
std::set<ValueId> reachedHosts(const Report& report)
{
    std::set<ValueId> hosts;
    for (const Handle& handle : report.handles) {
        const ValueId host = report.map.values[handle.value.index()].host;
        for (const ValueId value : {handle.value, host}) {
            const bool outside = value.valid() && isExternal((*report.graph)[value]);
            if (outside && !report.map.values[value.index()].placed()) hosts.insert(value);
        }
    }
    return hosts;
}

class Execution
{
public:
    /// \p caller is nullptr where nobody writes to what the run leaves.
    Execution(const Report& report, const RunRequest& request, Lockstep::Parts parts, CallerBytes* caller)
        : m_report(report), m_graph(*report.graph), m_externals(parts.externals),
          m_nodes(report, m_externals, {request.mode, request.seed, request.devices, request.reference}),
          m_releases(m_graph), m_lockstep(std::move(parts)), m_request(request), m_caller(caller)
    {
    }

    /// Writes through outputs before backward nodes run.
    void writeBetween(BetweenProbe& probe) { m_between = &probe; }

    /// Keeps what the oracle makes, for runs in other orders.
    void keepOracle() { m_lockstep.keepOracle(); }
    [[nodiscard]] const World& oracle() { return m_lockstep.oracle(); }
    [[nodiscard]] const World& planned() { return m_lockstep.planned(); }

    Result<RunOutcome> run()
    {
        PLIMSOLL_TRY(prepare());
        PLIMSOLL_TRY(runBody(TopBody));
        PLIMSOLL_TRY(m_lockstep.health());
        return collect();
    }

    /// The nodes of the top in another order, beside an oracle that has run before.
    Result<RunOutcome> runInOrder(const RunOrder& order, const World& oracle)
    {
        PLIMSOLL_TRY(prepare());
        m_lockstep.adoptOracle(oracle);
        for (const NodeId node : order.nodes)
            PLIMSOLL_TRY(runNode(node));
        PLIMSOLL_TRY(m_lockstep.health());
        return collect();
    }

    /// After run().
    Result<WriteProbe> probe(const Context& context)
    {
        keepBuffers();
        return probeWrites(m_report, m_lockstep.planned(), context);
    }

private:
    Status prepare()
    {
        PLIMSOLL_TRY(settleMode());
        PLIMSOLL_TRY(runAhead());
        return placeExternals();
    }

    Status settleMode()
    {
        const std::string missing = m_nodes.missingKernels();
        if (m_request.mode == RunMode::Numeric && !missing.empty()) {
            return Error {ErrorCode::Unsupported,
                          "there is no kernel for " + missing +
                              "; plimsoll-cli run --mode fingerprint checks the plan without them",
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
    /// they are is a copy, too: the oracle needs them as they were. So is what is written to after the run.
    Status placeExternals()
    {
        std::set<ValueId> copied = overwrittenHosts(m_report);
        if (m_caller) copied.merge(reachedHosts(m_report));
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
            if (content && content->kind == RuntimeValue::Kind::Tensor)
                PLIMSOLL_TRY(m_lockstep.copyIntoPlan(id, *content));
        }
        return {};
    }

    Status placeCopy(ValueId host, const RuntimeValue& content)
    {
        Device* const device = m_externals.spaces().of(host);
        if (!device) {
            m_lockstep.planned().set(host, callersCopy(host, content));
            return {};
        }
        PLIMSOLL_ASSIGN(copy, allocateOn(*device, content.tensor.dtype, content.tensor.shape));
        PLIMSOLL_TRY(copyToDevice(*device, content.tensor, copy.tensor));
        m_lockstep.planned().set(host, std::move(copy));
        return {};
    }

    /// The same bytes in every run, filled anew.
    RuntimeValue callersCopy(ValueId host, const RuntimeValue& content)
    {
        if (!m_caller || content.kind != RuntimeValue::Kind::Tensor) return cloneValue(content);
        const auto [entry, isNew] = m_caller->try_emplace(host);
        if (isNew)
            entry->second = cloneValue(content);
        else
            copyTensor(content.tensor, entry->second.tensor);
        return entry->second;
    }

    void bringBuffers()
    {
        for (const auto& [id, buffer] : *m_caller) {
            if (m_report.map.values[id.index()].host == id) m_lockstep.planned().set(id, buffer);
        }
    }

    void keepBuffers()
    {
        for (const ValueId output : m_graph.top().outputs) {
            const bool brought = m_report.map.values[output.index()].host == output && !isExternal(m_graph[output]);
            if (brought) m_caller->insert_or_assign(output, m_lockstep.planned().value(output));
        }
    }

    Status runBody(BodyId body)
    {
        for (const NodeId node : m_graph[body].nodes) {
            if (m_graph[node].ahead) continue;
            const bool wasBackward = std::exchange(m_backward, isBackward(m_graph[node]));
            if (m_between && m_backward && !wasBackward) m_between->write(m_lockstep.planned());
            PLIMSOLL_TRY(runNode(node));
            m_lockstep.release(m_releases.after(node));
        }
        return {};
    }

    Status runNode(NodeId node)
    {
        return m_graph[node].bodies.empty() ? m_nodes.run(m_lockstep, node) : runOwnerNode(node);
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
            const Shown shown = asShown(m_lockstep.planned().value(output), m_graph[output].type);
            outcome.outputs.push_back(cloneValue(shown.dense));
            const bool gradient = outcome.outputs.size() + m_report.gradients > m_graph.top().outputs.size();
            (gradient ? outcome.result.gradients : outcome.result.outputs)
                .push_back(describeOutput(m_graph[output], {outcome.outputs.back(), shown.kept}));
        }
        m_lockstep.fill(outcome.result);
        m_nodes.fill(outcome.result);
        outcome.result.notes = m_nodes.notes();
        const auto drawn = m_externals.drawn().size();
        if (drawn > 0)
            outcome.result.notes.push_back(std::to_string(drawn) + " inputs drawn from seed " +
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
    CallerBytes* m_caller;
    BetweenProbe* m_between = nullptr;
    bool m_backward = false; ///< Where the run is.
};

/// Once more, with writes through outputs between forward and backward.
Result<WriteProbe::Between> executeWithWritesBetween(const Report& report, const RunRequest& request,
                                                     const Lockstep::Parts& parts, CallerBytes& caller,
                                                     const std::vector<RuntimeValue>& plain)
{
    RunObserver silent;
    BetweenProbe probe(report);
    Execution third(report, request, {report, parts.externals, parts.memory, silent, parts.context}, &caller);
    third.writeBetween(probe);
    PLIMSOLL_ASSIGN(written, third.run());
    return std::move(probe).judge(plain, written.outputs);
}

/// Runs, writes to what it leaves, and runs again over it: in the same arenas, inputs and brought buffers.
Result<RunOutcome> executeAndProbe(const Report& report, const RunRequest& request, const Lockstep::Parts& parts)
{
    CallerBytes caller;
    RunOutcome outcome;
    {
        Execution first(report, request, parts, &caller);
        PLIMSOLL_ASSIGN(made, first.run());
        outcome = std::move(made);
        PLIMSOLL_ASSIGN(probe, first.probe(parts.context));
        outcome.result.probe = std::move(probe);
    }
    RunObserver silent; // Steps are told once.
    Execution second(report, request, {report, parts.externals, parts.memory, silent, parts.context}, &caller);
    PLIMSOLL_ASSIGN(again, second.run());
    compareRuns(report, outcome.outputs, again.outputs, *outcome.result.probe);
    std::vector<RunResult::Mismatch> found = contradictions(report, *outcome.result.probe);
    if (outcome.result.mismatches.empty()) { // A plan that is wrong in the first run is wrong in the second.
        for (RunResult::Mismatch& mismatch : again.result.mismatches) {
            mismatch.note += "; in the second run, over what was written after the first";
            found.push_back(std::move(mismatch));
        }
    }
    if (report.gradients > 0) {
        PLIMSOLL_ASSIGN(between, executeWithWritesBetween(report, request, parts, caller, outcome.outputs));
        std::ranges::move(contradictions(report, between), std::back_inserter(found));
        outcome.result.probe->between = std::move(between);
    }
    for (RunResult::Mismatch& mismatch : found) {
        parts.observer.mismatch(mismatch);
        outcome.result.mismatches.push_back(std::move(mismatch));
    }
    return outcome;
}

/// What the seed draws for another replay. Parameters and constants stay as they are.
std::map<ValueId, RuntimeValue> otherInputs(const Graph& graph, const ExternalValues& externals)
{
    std::map<ValueId, RuntimeValue> kept;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const RuntimeValue* content = externals.find(ValueId(i));
        if (content && graph.values[i].role != ValueRole::Input) kept.emplace(ValueId(i), *content);
    }
    return kept;
}

/// Twice in the same arenas, with other inputs the second time: which outputs of the first does the second change.
Result<std::vector<WriteProbe::Stale>> executeReplays(const Report& report, const RunRequest& request,
                                                      const Lockstep::Parts& parts)
{
    const Graph& graph = *report.graph;
    RunObserver silent;
    Execution first(report, request, {report, parts.externals, parts.memory, silent, parts.context}, nullptr);
    PLIMSOLL_ASSIGN(before, first.run());
    RunRequest again = request;
    again.inputs.clear();
    again.seed = request.seed + 1;
    ExternalValues others(graph, otherInputs(graph, parts.externals), again.seed, parts.externals.spaces());
    Execution second(report, again, {report, others, parts.memory, silent, parts.context}, nullptr);
    PLIMSOLL_ASSIGN(after, second.run());
    std::vector<WriteProbe::Stale> changed;
    for (std::size_t i = 0; i < before.outputs.size(); ++i) {
        const ValueId output = graph.top().outputs[i];
        const RuntimeValue now = asShown(first.planned().value(output), graph[output].type).dense;
        if (const auto difference = compareExactly(now, before.outputs[i]))
            changed.push_back({{true, i, graph[output].name}, difference->note});
    }
    return changed;
}

/// In the captured order, then in others that the streams allow, each in fresh arenas.
Result<RunOutcome> executeStreams(const Report& report, const RunRequest& request, const Lockstep::Parts& parts)
{
    Execution first(report, request, parts, nullptr);
    first.keepOracle();
    PLIMSOLL_ASSIGN(outcome, first.run());
    outcome.result.orders.emplace_back("captured");
    std::set<std::string> known;
    for (const RunResult::Mismatch& mismatch : outcome.result.mismatches)
        known.insert(mismatch.value);
    RunObserver silent;
    for (const RunOrder& order : otherOrders(report)) {
        PLIMSOLL_ASSIGN(memory, ArenaMemory::create(report.map.arenas, parts.externals.spaces()));
        Execution other(report, request, {report, parts.externals, std::move(memory), silent, parts.context}, nullptr);
        PLIMSOLL_ASSIGN(run, other.runInOrder(order, first.oracle()));
        outcome.result.orders.push_back(order.name);
        for (RunResult::Mismatch& mismatch : run.result.mismatches) {
            if (!known.insert(mismatch.value).second) continue;
            mismatch.note += "; in the order: " + order.name;
            parts.observer.mismatch(mismatch);
            outcome.result.mismatches.push_back(std::move(mismatch));
        }
    }
    return outcome;
}

Result<RunOutcome> executeOnce(const Report& report, const RunRequest& request, const Lockstep::Parts& parts)
{
    if (request.writeProbe) return executeAndProbe(report, request, parts);
    if (report.streams.several()) return executeStreams(report, request, parts);
    return Execution(report, request, parts, nullptr).run();
}

} // namespace

Result<RunOutcome> execute(const Report& report, const RunRequest& request, RunObserver& observer,
                           const Context& context)
{
    PLIMSOLL_TRY(checkPlacements(report));
    PLIMSOLL_TRY(checkInputs(*report.graph, request));
    PLIMSOLL_ASSIGN(spaces, DeviceSpaces::create(report, request.devices));
    PLIMSOLL_ASSIGN(memory, ArenaMemory::create(report.map.arenas, spaces));
    PLIMSOLL_ASSIGN(given, asHeld(*report.graph, request.inputs));
    ExternalValues externals(*report.graph, std::move(given), request.seed, std::move(spaces));
    const Lockstep::Parts parts {report, externals, std::move(memory), observer, context};
    PLIMSOLL_ASSIGN(outcome, executeOnce(report, request, parts));
    if (report.policies.replay != ReplayPolicy::Graph) return outcome;
    auto replayed = executeReplays(report, request, parts);
    if (replayed.ok())
        outcome.result.replayed = std::move(replayed).value();
    else if (replayed.error().code == ErrorCode::Stopped)
        return replayed.error();
    else
        outcome.result.notes.push_back("The plan was not replayed with other inputs: " + describe(replayed.error()));
    return outcome;
}

} // namespace plimsoll::kernels
