#include "kernels/run/run.h"

#include "core/base/plural.h"
#include "kernels/run/control/control_flow.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/probe/write_probe.h"
#include "kernels/run/step/comparison.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/kept_inputs.h"
#include "kernels/run/step/node_step.h"

#include <algorithm>
#include <iterator>
#include <set>

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

/// Whether a node ahead of the run makes a constant that is read and that the graph does not hold.
bool computesConstant(const Graph& graph, NodeId node, const std::vector<bool>& needed)
{
    return std::ranges::any_of(graph[node].outputs, [&](ValueId output) {
        return output.valid() && needed[output.index()] && !graph[output].data->present();
    });
}

/// The constants that are read; other nodes ahead of the run were folded away.
std::vector<bool> neededAhead(const Graph& graph)
{
    std::vector<bool> needed(graph.values.size(), false);
    std::vector<ValueId> open;
    const auto need = [&](ValueId value) {
        if (!value.valid() || needed[value.index()]) return;
        needed[value.index()] = true;
        open.push_back(value);
    };
    for (const Body& body : graph.bodies)
        std::ranges::for_each(body.outputs, need);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!graph.decided[NodeId(i)].ahead) std::ranges::for_each(graph.nodes[i].inputs, need);
    }
    while (!open.empty()) {
        const NodeId producer = graph[open.back()].producer;
        open.pop_back();
        if (!producer.valid() || !graph.decided[producer].ahead) continue;
        if (computesConstant(graph, producer, needed)) std::ranges::for_each(graph[producer].inputs, need);
    }
    return needed;
}

Status runAhead(Run& run, BodyId body, const std::vector<bool>& needed)
{
    const Graph& graph = run.planned.graph();
    for (const NodeId node : graph[body].nodes) {
        if (graph.decided[node].ahead && computesConstant(graph, node, needed)) {
            PLIMSOLL_TRY(runNodeAhead(run, node));
            release(run, graph[node].outputs);
        }
        for (const BodyId inner : graph[node].bodies)
            PLIMSOLL_TRY(runAhead(run, inner, needed));
    }
    return {};
}

/// Bytes of the caller that the plan or a handle writes, on their device or on the host: the same in every run, filled
/// anew.
Result<RuntimeValue> callersCopy(Run& run, ValueId host, const RuntimeValue& content)
{
    Device* const device = run.planned.spaces().of(host);
    const bool known = run.caller && run.caller->contains(host);
    if (!device && (!run.caller || content.kind != RuntimeValue::Kind::Tensor)) return cloneValue(content);
    if (!device && !known) return run.caller->emplace(host, cloneValue(content)).first->second;
    PLIMSOLL_ASSIGN(copy, known ? Result<RuntimeValue>(run.caller->at(host))
                                : allocateOn(*device, content.tensor.dtype, content.tensor.shape));
    if (device)
        PLIMSOLL_TRY(copyToDevice(*device, content.tensor, copy.tensor));
    else
        copyTensor(content.tensor, copy.tensor);
    if (run.caller) run.caller->insert_or_assign(host, copy);
    return copy;
}

bool isShort(const PlannedProgram& program, ValueId value)
{
    return program.map.values[value.index()].bytes < program.values[value.index()].requiredBytes;
}

/// Copies what the plan has of the caller's bytes in arenas there.
template <typename Chosen>
Status placeInArenas(Run& run, const Chosen& chosen)
{
    const PlannedProgram& program = run.start.program;
    for (std::size_t i = 0; i < program.graph->values.size(); ++i) {
        const ValueId id {i};
        if (!isExternal((*program.graph)[id]) || !program.map.values[i].placed() || !chosen(id)) continue;
        PLIMSOLL_TRY(run.start.externals.load(id));
        const RuntimeValue* content = run.start.externals.find(id);
        if (!content || content->kind != RuntimeValue::Kind::Tensor) continue;
        run.lifetimes.inUse.begins(id);
        PLIMSOLL_TRY(run.planned.write(id, *content));
        poisonBeyond(run, id);
    }
    return {};
}

/// "3 inputs drawn from seed 0, 'shape' so that the planned sizes hold"
Message drawnText(const Run& run)
{
    constexpr std::size_t MostNames = 4;
    const ExternalValues& externals = run.start.externals;
    const std::string seed = std::to_string(run.start.request.seed);
    if (externals.chosen().empty()) return say("run.drawn", externals.drawn().size(), seed);
    const auto nameOf = [&](ValueId id) { return word::Name {run.planned.graph()[id].name}; };
    return say("run.drawn-chosen", externals.drawn().size(), seed, listOf(externals.chosen(), nameOf, MostNames));
}

Result<RunOutcome> collect(Run& run)
{
    const Graph& graph = run.planned.graph();
    checkKeptInputs(run);
    std::vector<RuntimeValue> outputs;
    RunResult& result = run.result;
    for (const ValueId output : graph.top().outputs) {
        PLIMSOLL_TRY(run.start.externals.load(output));
        checkRead(run, output);
        PLIMSOLL_ASSIGN(there, run.planned.onHost(output));
        const Shown shown = asShown(there, graph[output].type);
        outputs.push_back(cloneValue(shown.dense));
        const bool gradient = outputs.size() + graph.boundary.gradients > graph.top().outputs.size();
        (gradient ? result.gradients : result.outputs)
            .push_back(describeOutput(graph[output], {outputs.back(), shown.kept}));
    }
    const bool asked = run.start.request.mode == RunMode::Fingerprint;
    result.mode = asked || !run.kernels.fingerprinted.empty() ? "fingerprint" : "numeric";
    result.backend = usedBackends(run.kernels);
    result.fingerprintedNodes = std::ssize(run.kernels.fingerprinted);
    result.measuredPeakBytes = run.planned.arenas().touchedBytes();
    result.measuredBySpace = run.planned.arenas().touchedBySpace();
    result.watched = run.planned.arenas().watched();
    result.unplannedPeakBytes = run.planned.unplannedPeakBytes();
    result.bytesInUse = run.lifetimes.inUse.bySpace();
    result.held = run.lifetimes.held.bySpace();
    std::ranges::copy(run.compared.ofReference, std::back_inserter(result.mismatches));
    const std::vector<RunResult::Mismatch>& identities = run.compared.ofIdentities;
    result.mismatches.insert(result.mismatches.begin(), identities.begin(), identities.end());
    result.cut = run.budget.cut(graph);
    if (!run.start.request.poison) result.notes.push_back(say("run.not-poisoned"));
    if (!run.start.externals.drawn().empty()) result.notes.push_back(drawnText(run));
    return RunOutcome {std::move(result), std::move(outputs)};
}

} // namespace

RunStart silently(const RunStart& start, RunObserver& silent)
{
    return {start.program, start.request, start.externals, start.arenas,
            silent,        start.context, start.coverage,  start.writes};
}

Run::Run(const RunStart& begin)
    : start(begin), planned(begin.program, begin.externals, begin.arenas),
      oracle(begin.program, begin.externals), compared {.lastWrites = std::vector<Comparison::LastWrite>(
                                                            begin.program.graph->values.size())},
      lifetimes {DeadBytes(begin.program), ReleasePlan(*begin.program.graph, begin.program.schedule),
                 BytesInUse(begin.program), HeldBytes(begin.program, planned.arenas())},
      budget(begin.request.maxLoopNodes)
{
    result.stepMs.resize(static_cast<std::size_t>(begin.program.schedule.length()), 0.0);
}

std::uint64_t seedOf(const Run& run, NodeId node)
{
    Digest seed(run.start.request.seed);
    seed.add(static_cast<std::uint64_t>(node.number()));
    for (const std::int64_t number : run.now.iteration)
        seed.add(static_cast<std::uint64_t>(number));
    return seed.value();
}

Result<RunOutcome> runAll(Run& run)
{
    PLIMSOLL_TRY(prepare(run));
    PLIMSOLL_TRY(runBody(run, TopBody));
    PLIMSOLL_TRY(health(run));
    return collect(run);
}

Result<RunOutcome> runInOrder(Run& run, std::span<const NodeId> order, const Memory& oracle)
{
    PLIMSOLL_TRY(prepare(run));
    adoptOracle(run, oracle);
    for (const NodeId node : order)
        PLIMSOLL_TRY(runNode(run, node));
    PLIMSOLL_TRY(health(run));
    return collect(run);
}

Result<WriteProbe> probeHandles(Run& run)
{
    const Graph& graph = run.planned.graph();
    for (const ValueId output : graph.top().outputs) {
        const bool brought = run.start.program.map.values[output.index()].host == output && !isExternal(graph[output]);
        if (brought) run.caller->insert_or_assign(output, run.planned.value(output));
    }
    return probeWrites(run.start.program, run.planned, run.start.context);
}

Status prepare(Run& run)
{
    const word::List missing = missingKernels(run.planned.graph());
    const bool numeric = run.start.request.mode == RunMode::Numeric;
    if (numeric && !missing.items.empty()) {
        return Error {ErrorCode::Unsupported,
                      say("run.missing-kernels", missing, Remedy::command("run --mode fingerprint")),
                      {},
                      {}};
    }
    run.kernels.fingerprints = !numeric;
    PLIMSOLL_TRY(runAhead(run, TopBody, neededAhead(run.planned.graph())));
    return placeExternals(run);
}

/// A plan may put the caller's bytes into an arena: then they are copied there first. What it writes over where
/// they are is a copy, too: the oracle needs them as they were. So is what is written to after the run.
Status placeExternals(Run& run)
{
    const PlannedProgram& program = run.start.program;
    ExternalValues& externals = run.start.externals;
    std::set<ValueId> copied;
    for (std::size_t i = 0; i < program.map.values.size(); ++i) {
        const ValueId host = program.map.values[i].host;
        const bool outside = host.valid() && host != ValueId(i) && isExternal((*program.graph)[host]);
        if (outside && writesToHost(program, ValueId(i))) copied.insert(host);
    }
    for (const Handle& handle : run.caller ? program.handles : std::vector<Handle> {}) {
        for (const ValueId value : {handle.value, program.map.values[handle.value.index()].host}) {
            const bool outside = value.valid() && isExternal((*program.graph)[value]);
            if (outside && !program.map.values[value.index()].placed()) copied.insert(value);
        }
    }
    for (const ValueId host : copied) {
        PLIMSOLL_TRY(externals.load(host));
        const RuntimeValue* content = externals.find(host);
        if (!content) continue;
        PLIMSOLL_ASSIGN(copy, callersCopy(run, host, *content));
        run.planned.set(host, std::move(copy));
    }
    for (const auto& [id, buffer] : run.caller.value_or(CallerBytes {})) {
        if (program.map.values[id.index()].host == id) run.planned.set(id, buffer);
    }
    // Bytes that the plan does not reserve are not kept; those of others are.
    PLIMSOLL_TRY(placeInArenas(run, [&](ValueId id) { return isShort(program, id); }));
    return placeInArenas(run, [&](ValueId id) { return !isShort(program, id); });
}

} // namespace plimsoll::kernels
