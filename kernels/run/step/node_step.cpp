#include "kernels/run/step/node_step.h"

#include "core/ops/op_traits.h"
#include "core/ops/reorder_node.h"
#include "kernels/run/control/control_flow.h"
#include "kernels/run/device/device_run.h"
#include "kernels/run/probe/misfit.h"
#include "kernels/run/step/comparison.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/fingerprint.h"
#include "kernels/run/step/reference_check.h"
#include "kernels/run/step/strided_values.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MaxNotes = 50;

/// The node in one of the memories, with its seed at this iteration.
NodeCall callIn(const Run& run, Memory& memory, NodeId node)
{
    return NodeCall(memory, node, seedOf(run, node), run.start.request.time);
}

Error atNode(const Node& node, Error error)
{
    if (error.where.empty()) error.where = "node '" + node.name + "' (" + qualifiedOp(node) + ")";
    return error;
}

/// Something else than the node's data or kernel was the reason: no hash stands in for it.
bool isStopped(const Status& status)
{
    return !status.ok() && status.error().code == ErrorCode::Stopped;
}

/// A hash is no sparse tensor.
bool leavesSparse(const Graph& graph, NodeId node)
{
    return std::ranges::any_of(graph[node].outputs,
                               [&](ValueId output) { return output.valid() && graph[output].type.isSparse(); });
}

/// How far a loop over all axes would go that goes on where one is empty.
double stepsOver(const TensorType& type)
{
    double steps = 1;
    for (const std::int64_t size : type.shape().value_or(Shape {}))
        steps *= static_cast<double>(std::max<std::int64_t>(1, size));
    return steps;
}

/// Whether the node makes tensors without elements alone, of axes over which a kernel would loop for long.
bool makesNothingForLong(const Graph& graph, const Node& node)
{
    constexpr double Long = 1 << 24;
    const auto isEmpty = [&](ValueId output) {
        if (!output.valid()) return true;
        const TensorType& type = graph[output].type;
        const auto shape = type.shape();
        const bool whole = type.kind == TypeKind::Tensor && !type.isSparse() && shape;
        return whole && std::ranges::find(*shape, 0) != shape->end();
    };
    const auto isWide = [&](ValueId value) { return value.valid() && stepsOver(graph[value].type) > Long; };
    return std::ranges::all_of(node.outputs, isEmpty) &&
           (std::ranges::any_of(node.inputs, isWide) || std::ranges::any_of(node.outputs, isWide));
}

Status makeNothing(KernelCall& call)
{
    for (std::size_t i = 0; i < call.node().outputs.size(); ++i) {
        if (!call.wantsOutput(i)) continue;
        const TensorType& type = call.graph()[call.node().outputs[i]].type;
        if (const auto made = call.output(i, type.dtype, *type.shape()); !made.ok()) return made.error();
    }
    return {};
}

Status compute(Run& run, NodeCall& call)
{
    const Implementation& chosen = run.start.program.implementations[call.id()];
    if (touchesStrided(run.planned.graph(), call.id()))
        return Error {ErrorCode::Unsupported, say("run.strided"), {}, {}};
    if (isSpaceCopy(call.node())) return callKernel(call, [&](KernelCall&) { return copyAcross(call); });
    if (Device* const device = call.device()) {
        const bool emulated = run.start.request.devices.at(chosen.device).emulated;
        run.kernels.devices.insert(chosen.backend + (emulated ? " (emulated)" : ""));
        return runOnDevice(call, *device, chosen);
    }
    if (makesNothingForLong(call.graph(), call.node())) return callKernel(call, makeNothing);
    return callKernel(call, [&](KernelCall& kernelCall) -> Status {
        std::unique_ptr<BackendSession>& session = run.kernels.sessions[chosen.backend];
        const Backend* const backend = findBackend(chosen.backend);
        if (!session && (!backend || !backend->begin))
            return Error {ErrorCode::Unsupported, say("run.no-backend", word::Name {chosen.backend}), {}, {}};
        if (!session) session = backend->begin();
        return session->run(kernelCall, chosen);
    });
}

void noteFingerprint(Run& run, NodeId node, const Message& reason)
{
    const Graph& graph = run.planned.graph();
    if (!run.kernels.fingerprinted.insert(node).second || run.result.notes.size() >= MaxNotes) return;
    Message note = say("run.fingerprinted", word::Name {graph[node].name}, reason);
    for (const ValueId output : graph[node].outputs) {
        if (output.valid() && typeIsGuessed(graph[output]))
            note = say("clauses", std::move(note), guessOf(graph[output]));
    }
    run.result.notes.push_back(std::move(note));
}

/// What a device was busy for, in place of what the host waited for.
void noteTime(Run& run, const NodeCall& call)
{
    if (call.deviceMs()) run.now.ms = *call.deviceMs();
    if (!isSpaceCopy(call.node())) return;
    const auto space = [&](ValueId value) {
        const std::string name = deviceSpaceOf(run.start.program, value);
        return name.empty() ? std::string("cpu") : name;
    };
    const ValueId made = call.node().outputs[0];
    const std::string from = space(call.node().inputs[0]);
    const std::string to = space(made);
    std::vector<RunResult::Copies>& all = run.result.copies; // by where from and where to
    const auto at = std::ranges::find_if(
        all, [&](const RunResult::Copies& one) { return std::tie(one.from, one.to) >= std::tie(from, to); });
    const bool known = at != all.end() && at->from == from && at->to == to;
    RunResult::Copies& copies = known ? *at : *all.insert(at, RunResult::Copies {from, to});
    ++copies.count;
    copies.bytes += valueBytes(call.memory().value(made));
    copies.ms += run.now.ms;
}

/// The planned half of a step. What lies in the scratchpad is lost by then.
template <typename Work>
Status asPlanned(Run& run, NodeId node, const Work& work)
{
    NodeCall call = callIn(run, run.planned, node);
    const Status status = timed(run, [&] { return work(call); });
    run.planned.poison(run.start.writes[node.index()].scratch);
    if (status.ok()) noteTime(run, call);
    return status;
}

/// Of a buffer that the caller brings a value may have bytes apart, until that is made.
bool liesInside(const Run& run, const Node& node, ValueId output)
{
    const RuntimeValue& made = run.planned.value(output);
    return std::ranges::any_of(node.inputs, [&](ValueId input) {
        const RuntimeValue& whole = run.planned.value(input);
        const bool tensors = made.kind == RuntimeValue::Kind::Tensor && whole.kind == RuntimeValue::Kind::Tensor;
        if (!tensors || run.planned.spaces().of(input) != run.planned.spaces().of(output)) return false;
        const auto* const begin = whole.tensor.as<std::byte>();
        return made.tensor.data >= begin && made.tensor.data < begin + whole.tensor.bytes();
    });
}

/// On streams a node that does nothing has nothing to wait for: what it names may be made later.
bool namesInAnotherOrder(const Run& run, NodeId node)
{
    const bool another = run.compared.oracle == Comparison::Oracle::Adopted && run.compared.early.values.empty();
    return another && run.start.writes[node.index()].namesOnly;
}

void checkReads(Run& run, NodeId node)
{
    const Graph& graph = run.planned.graph();
    for (std::size_t i = 0; i < graph[node].inputs.size(); ++i) {
        if (readsContent(graph, node, static_cast<int>(i))) checkRead(run, graph[node].inputs[i]);
    }
}

void settle(Run& run, NodeId node, const Status& planned)
{
    const Node& info = run.planned.graph()[node];
    if (namesInAnotherOrder(run, node)) {
        const auto isName = [&](ValueId output) { return !output.valid() || liesInside(run, info, output); };
        if (planned.ok() && std::ranges::all_of(info.outputs, isName)) return;
        checkReads(run, node);
    }
    settlePlanned(run, info.outputs, planned);
}

} // namespace

word::List missingKernels(const Graph& graph)
{
    std::map<std::string, int> missing;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        const bool runs = node.bodies.empty() ? findReferenceKernel(node.domain, node.op) != nullptr &&
                                                    !touchesStrided(graph, NodeId(i))
                                              : hasControlFlow(node);
        if (!graph.decided[NodeId(i)].ahead && !runs) ++missing[qualifiedOp(node)];
    }
    const auto named = [](const auto& op) {
        return op.second > 1 ? say("run.missing-times", op.first, word::Number {op.second}) : Message(op.first);
    };
    return allOf(missing, named, word::List::Joint::Comma);
}

Status loadInputs(Run& run, NodeId node)
{
    const Node& info = run.planned.graph()[node];
    for (const ValueId input : info.inputs)
        if (const Status loaded = run.start.externals.load(input); !loaded.ok()) return atNode(info, loaded.error());
    return {};
}

Status launchNode(Run& run, NodeId node)
{
    NodeCall call = callIn(run, run.planned, node);
    const auto isThere = [&](ValueId value) { return run.planned.spaces().of(value) != nullptr; };
    if (isSpaceCopy(call.node()) && isThere(call.node().inputs[0]) != isThere(call.node().outputs[0]))
        return callKernel(call, [&](KernelCall&) { return launchCopy(call); });
    if (Device* const device = call.device())
        return launchOnDevice(call, *device, run.start.program.implementations[node]);
    return compute(run, call);
}

Status runPlainNode(Run& run, NodeId node)
{
    PLIMSOLL_TRY(loadInputs(run, node));
    PLIMSOLL_TRY(beginStep(run, run.start.program.schedule.stepOf(node)));
    poisonWrites(run, node);
    if (!namesInAnotherOrder(run, node)) checkReads(run, node);
    NodeCall oracle = callIn(run, run.oracle, node);
    const Status computed = compute(run, oracle);
    if (computed.ok()) {
        if (run.start.request.reference) compareWithReference(run, node);
        checkIdentities(run, node);
        settle(run, node, asPlanned(run, node, [&](NodeCall& call) { return compute(run, call); }));
    } else {
        if (isStopped(computed) || !mayStandIn(run, node)) return refusal(run, node, computed.error());
        noteFingerprint(run, node, computed.error().message);
        NodeCall again = callIn(run, run.oracle, node);
        if (const Status made = fingerprintNode(again); !made.ok())
            return atNode(run.planned.graph()[node], made.error());
        settle(run, node, asPlanned(run, node, fingerprintNode));
    }
    endStep(run);
    return {};
}

bool mayStandIn(const Run& run, NodeId node)
{
    const KernelUse& kernels = run.kernels;
    const Node& info = run.planned.graph()[node];
    const auto isOnDevice = [&](ValueId value) { return value.valid() && run.planned.spaces().of(value) != nullptr; };
    if (!kernels.fingerprints || leavesSparse(run.planned.graph(), node)) return false;
    if (std::ranges::any_of(info.outputs, isOnDevice) || std::ranges::any_of(info.inputs, isOnDevice)) return false;
    const bool stoodIn = run.start.request.mode == RunMode::Fingerprint || !kernels.fingerprinted.empty();
    return stoodIn || !run.oracle.refusedType();
}

Error refusal(const Run& run, NodeId node, const Error& error)
{
    const bool inside = !error.where.empty(); // of a node inside, which has said so
    Error placed = atNode(run.planned.graph()[node], error);
    if (run.planned.spaces().of(node))
        placed.where += ", step " + std::to_string(run.start.program.schedule.stepOf(node));
    if (!run.oracle.refusedType() || inside) return placed;
    return misfit(run.planned.graph(), run.start.externals.drawn(), node, placed);
}

Status standIn(Run& run, NodeId owner, const Message& reason)
{
    noteFingerprint(run, owner, reason);
    PLIMSOLL_TRY(beginStep(run, run.start.program.schedule.exitStep(owner)));
    const Graph& graph = run.planned.graph();
    Digest key(fingerprintKey(callIn(run, run.oracle, owner)));
    for (const ValueId output : graph[owner].outputs) {
        key.add(std::uint64_t {1});
        if (!output.valid()) continue;
        PLIMSOLL_TRY(
            writeBoth(run, output, [&](Memory& memory) { return fingerprintValue(memory, output, key.value()); }));
    }
    endStep(run);
    return {};
}

ReadDigests readInputs(Run& run, NodeId owner)
{
    for (const ValueId value : run.planned.graph()[owner].inputs)
        checkRead(run, value);
    return {Digest(fingerprintKey(callIn(run, run.oracle, owner))),
            Digest(fingerprintKey(callIn(run, run.planned, owner)))};
}

void readValues(Run& run, std::span<const ValueId> values, ReadDigests& digests)
{
    for (const ValueId value : values) {
        checkRead(run, value);
        const Value& info = run.planned.graph()[value];
        digests.oracle.add(ownElements(info, run.oracle.value(value)));
        digests.planned.add(ownElements(info, run.planned.value(value)));
    }
}

Status fingerprintOwner(Run& run, NodeId owner, ReadDigests digests)
{
    const Node& info = run.planned.graph()[owner];
    auto& [oracle, planned] = digests;
    noteFingerprint(run, owner, say("run.no-kernel", qualifiedOp(info)));
    std::uint64_t position = 0;
    for (const ValueId output : info.outputs) {
        oracle.add(++position);
        planned.add(position);
        if (!output.valid()) continue;
        PLIMSOLL_TRY(fingerprintValue(run.oracle, output, oracle.value()));
        settlePlanned(run, {output}, fingerprintValue(run.planned, output, planned.value()));
    }
    return {};
}

Status runNodeAhead(Run& run, NodeId node)
{
    PLIMSOLL_TRY(loadInputs(run, node));
    ExternalValues& externals = run.start.externals;
    const Node& info = run.planned.graph()[node];
    if (isSpaceCopy(info)) { // the same bytes; its readers have them brought to their device
        if (const RuntimeValue* const source = externals.find(info.inputs[0]))
            externals.put(info.outputs[0], RuntimeValue(*source));
        return {};
    }
    NodeCall call = callIn(run, run.oracle, node);
    const Status computed = compute(run, call);
    if (!computed.ok()) {
        const bool standsIn = run.kernels.fingerprints && !leavesSparse(run.planned.graph(), node);
        if (isStopped(computed) || !standsIn) return atNode(info, computed.error());
        noteFingerprint(run, node, computed.error().message);
        NodeCall again = callIn(run, run.oracle, node);
        if (const Status made = fingerprintNode(again); !made.ok())
            return atNode(run.planned.graph()[node], made.error());
    }
    for (const ValueId output : info.outputs) {
        if (output.valid()) externals.put(output, run.oracle.value(output));
    }
    return {};
}

std::string usedBackends(const KernelUse& kernels)
{
    std::string text;
    for (const std::string& device : kernels.devices)
        text += (text.empty() ? "" : "+") + device;
    for (const Backend& backend : backends()) {
        const auto session = kernels.sessions.find(std::string(backend.name));
        if (session != kernels.sessions.end()) text += (text.empty() ? "" : "+") + std::string(backend.name);
    }
    return text.empty() ? std::string(ReferenceBackend) : text;
}

} // namespace plimsoll::kernels
