#include "kernels/run/step/node_runner.h"

#include "core/ops/op_traits.h"
#include "core/ops/reorder_node.h"
#include "core/ops/sparse_rules.h"
#include "kernels/run/control/control_flow.h"
#include "kernels/run/device/device_run.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/probe/misfit.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/fingerprint.h"
#include "kernels/run/step/plain_value.h"
#include "kernels/run/step/reference_bounds.h"

#include <map>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MaxNotes = 50;

Error atNode(const Node& node, Error error)
{
    if (error.where.empty()) error.where = "node '" + node.name + "' (" + qualifiedOp(node) + ")";
    return error;
}

/// A device's fault says at which step, too.
Error atStep(const Lockstep& lockstep, NodeId node, Error error)
{
    Error placed = atNode(lockstep.graph()[node], std::move(error));
    if (lockstep.spaces().of(node)) placed.where += ", step " + std::to_string(lockstep.schedule().stepOf(node));
    return placed;
}

} // namespace

NodeRunner::NodeRunner(const PlannedProgram& program, ExternalValues& externals, const Options& options)
    : m_program(program), m_graph(*program.graph), m_externals(externals), m_options(options)
{
}

std::string NodeRunner::missingKernels() const
{
    std::map<std::string, int> missing;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const Node& node = m_graph.nodes[i];
        if (m_graph.decided[NodeId(i)].ahead) continue;
        const bool runs =
            node.bodies.empty() ? findReferenceKernel(node.domain, node.op) != nullptr : hasControlFlow(node);
        if (!runs) ++missing[qualifiedOp(node)];
    }
    std::string text;
    for (const auto& [op, count] : missing) {
        text += (text.empty() ? "" : ", ") + op + (count > 1 ? " x " + std::to_string(count) : "");
    }
    return text;
}

NodeCall::Site NodeRunner::site(const Lockstep* lockstep, NodeId node) const
{
    Digest seed(m_options.seed);
    seed.add(static_cast<std::uint64_t>(node.number()));
    if (lockstep) {
        for (const std::int64_t number : lockstep->iteration())
            seed.add(static_cast<std::uint64_t>(number));
    }
    return {m_graph, m_externals, node, seed.value()};
}

/// Whether somebody else than the reference computes it.
bool NodeRunner::usesLibrary(NodeId node) const
{
    return m_program.implementations[node.index()].backend != ReferenceBackend;
}

Result<BackendSession*> NodeRunner::session(const std::string& backend)
{
    std::unique_ptr<BackendSession>& known = m_sessions[backend];
    if (known) return known.get();
    const Backend* const found = findBackend(backend);
    if (!found || !found->begin)
        return Error {ErrorCode::Unsupported, "This program has no backend '" + backend + "'.", {}, {}};
    known = found->begin();
    return known.get();
}

Status NodeRunner::loadInputs(NodeId node)
{
    for (const ValueId input : m_graph[node].inputs)
        PLIMSOLL_TRY(m_externals.load(input));
    return {};
}

/// Copies from and to a device are, too.
bool NodeRunner::isOnDevice(NodeId node) const
{
    const auto isThere = [this](ValueId value) { return value.valid() && m_externals.spaces().of(value) != nullptr; };
    const Node& info = m_graph[node];
    return std::ranges::any_of(info.outputs, isThere) || std::ranges::any_of(info.inputs, isThere);
}

Status NodeRunner::compute(NodeCall& call)
{
    const Implementation& chosen = m_program.implementations[call.id().index()];
    if (isSpaceCopy(call.node())) return callKernel(call, [&](KernelCall&) { return copyAcross(call); });
    if (Device* const device = call.device()) {
        const bool emulated = m_options.devices.at(chosen.device).emulated;
        m_usedDevices.insert(chosen.backend + (emulated ? " (emulated)" : ""));
        return runOnDevice(call, *device, chosen);
    }
    return callKernel(call, [&](KernelCall& kernelCall) -> Status {
        PLIMSOLL_ASSIGN(backend, session(chosen.backend));
        return backend->run(kernelCall, chosen);
    });
}

void NodeRunner::noteFingerprint(NodeId node, const Message& reason)
{
    if (!m_fingerprinted.insert(node).second || m_notes.size() >= MaxNotes) return;
    Message note = say("run.fingerprinted", word::Name {m_graph[node].name}, reason);
    for (const ValueId output : m_graph[node].outputs) {
        if (output.valid() && typeIsGuessed(m_graph[output])) {
            note = say("clauses", std::move(note), guessOf(m_graph[output]));
        }
    }
    m_notes.push_back(std::move(note));
}

/// What a device was busy for, in place of what the host waited for.
void NodeRunner::noteTime(Lockstep& lockstep, const NodeCall& call)
{
    if (call.deviceMs()) lockstep.takeTime(*call.deviceMs());
    if (!isSpaceCopy(call.node())) return;
    const auto space = [this](ValueId value) {
        const std::string name = deviceSpaceOf(m_program, value);
        return name.empty() ? std::string("cpu") : name;
    };
    const std::string from = space(call.node().inputs[0]);
    const std::string to = space(call.node().outputs[0]);
    RunResult::Copies& copies = m_copies[{from, to}];
    copies.from = from;
    copies.to = to;
    ++copies.count;
    copies.bytes += valueBytes(call.world().value(call.node().outputs[0]));
    copies.ms += lockstep.timeOfStep();
}

Status NodeRunner::launch(World& world, NodeId node)
{
    NodeCall call(site(nullptr, node), world);
    const auto isThere = [&](ValueId value) { return world.spaces().of(value) != nullptr; };
    if (isSpaceCopy(call.node()) && isThere(call.node().inputs[0]) != isThere(call.node().outputs[0]))
        return callKernel(call, [&](KernelCall&) { return launchCopy(call); });
    if (Device* const device = call.device())
        return launchOnDevice(call, *device, m_program.implementations[node.index()]);
    return compute(call);
}

Status NodeRunner::run(Lockstep& lockstep, NodeId node)
{
    PLIMSOLL_TRY(loadInputs(node));
    PLIMSOLL_TRY(lockstep.beginStep(lockstep.schedule().stepOf(node)));
    const Node& info = m_graph[node];
    for (std::size_t i = 0; i < info.inputs.size(); ++i) {
        if (readsContent(m_graph, node, static_cast<int>(i))) lockstep.checkRead(info.inputs[i]);
    }
    NodeCall oracle(site(&lockstep, node), lockstep.oracle());
    NodeCall planned(site(&lockstep, node), lockstep.planned());
    Status computed = compute(oracle);
    if (computed.ok()) {
        if (m_options.reference && (usesLibrary(node) || touchesSparse(m_graph, node)))
            compareWithReference(lockstep, node);
        checkIdentities(lockstep, node);
        lockstep.settlePlanned(info.outputs, lockstep.timed([&] { return compute(planned); }));
        noteTime(lockstep, planned);
    } else {
        if (!mayStandIn(lockstep, node)) return refusal(lockstep, node, computed);
        noteFingerprint(node, computed.error().message);
        NodeCall again(site(&lockstep, node), lockstep.oracle());
        PLIMSOLL_TRY(fingerprintNode(again));
        lockstep.settlePlanned(info.outputs, lockstep.timed([&] { return fingerprintNode(planned); }));
    }
    lockstep.endStep();
    return {};
}

bool NodeRunner::mayStandIn(Lockstep& lockstep, NodeId node) const
{
    if (!m_fingerprints || leavesSparse(node) || isOnDevice(node)) return false;
    const bool stoodIn = m_options.mode == RunMode::Fingerprint || !m_fingerprinted.empty();
    return stoodIn || !lockstep.oracle().refusedType();
}

Error NodeRunner::refusal(Lockstep& lockstep, NodeId node, const Status& status) const
{
    const bool placed = !status.error().where.empty(); // of a node inside, which has said so
    const Error error = atStep(lockstep, node, status.error());
    return lockstep.oracle().refusedType() && !placed ? misfit(m_graph, m_externals.drawn(), node, error) : error;
}

Status NodeRunner::standIn(Lockstep& lockstep, NodeId owner, const Message& reason)
{
    noteFingerprint(owner, reason);
    PLIMSOLL_TRY(lockstep.beginStep(lockstep.schedule().exitStep(owner)));
    Digest key(fingerprintKey(NodeCall(site(&lockstep, owner), lockstep.oracle())));
    for (const ValueId output : m_graph[owner].outputs) {
        key.add(std::uint64_t {1});
        if (!output.valid()) continue;
        PLIMSOLL_TRY(lockstep.write(
            output, [&](World& world) { return fingerprintValue(world, m_graph, output, key.value()); }));
    }
    lockstep.endStep();
    return {};
}

Status NodeRunner::fingerprint(Lockstep& lockstep, NodeId node, const std::vector<ValueId>& results)
{
    noteFingerprint(node, say("run.no-kernel", qualifiedOp(m_graph[node])));
    const auto keyIn = [&](World& world) {
        Digest key(fingerprintKey(NodeCall(site(&lockstep, node), world)));
        for (const ValueId result : results)
            key.add(world.value(result));
        return key;
    };
    Digest oracle = keyIn(lockstep.oracle());
    Digest planned = keyIn(lockstep.planned());
    std::uint64_t position = 0;
    for (const ValueId output : m_graph[node].outputs) {
        oracle.add(++position);
        planned.add(position);
        if (!output.valid()) continue;
        PLIMSOLL_TRY(fingerprintValue(lockstep.oracle(), m_graph, output, oracle.value()));
        lockstep.settlePlanned({output}, fingerprintValue(lockstep.planned(), m_graph, output, planned.value()));
    }
    return {};
}

Status NodeRunner::runAhead(World& world, NodeId node)
{
    PLIMSOLL_TRY(loadInputs(node));
    if (isSpaceCopy(m_graph[node])) { // the same bytes; whoever reads them has them brought to its device
        if (const RuntimeValue* const source = m_externals.find(m_graph[node].inputs[0]))
            m_externals.put(m_graph[node].outputs[0], RuntimeValue(*source));
        return {};
    }
    NodeCall call(site(nullptr, node), world);
    Status computed = compute(call);
    if (!computed.ok()) {
        if (!m_fingerprints || leavesSparse(node)) return atNode(m_graph[node], computed.error());
        noteFingerprint(node, computed.error().message);
        NodeCall again(site(nullptr, node), world);
        PLIMSOLL_TRY(fingerprintNode(again));
    }
    for (const ValueId output : m_graph[node].outputs) {
        if (output.valid()) m_externals.put(output, world.value(output));
    }
    return {};
}

bool NodeRunner::leavesSparse(NodeId node) const
{
    const auto& outputs = m_graph[node].outputs;
    return std::any_of(outputs.begin(), outputs.end(),
                       [this](ValueId output) { return output.valid() && m_graph[output].type.isSparse(); });
}

void NodeRunner::compareWithDense(Lockstep& lockstep, NodeId node)
{
    const Node& info = m_graph[node];
    const KernelFunction kernel = findReferenceKernel(info.domain, info.op);
    TrialCall trial(site(&lockstep, node), lockstep.oracle());
    const auto shown = [&](ValueId id) { return asShown(lockstep.oracle().value(id), m_graph[id].type).dense; };
    for (std::size_t i = 0; i < info.inputs.size(); ++i) {
        if (info.inputs[i].valid()) trial.replaceInput(i, shown(info.inputs[i]));
    }
    if (!kernel || !callKernel(trial, kernel).ok()) return;
    for (std::size_t i = 0; i < info.outputs.size(); ++i) {
        if (info.outputs[i].valid())
            compare(lockstep, {node, info.outputs[i]}, shown(info.outputs[i]), trial.result(i),
                    referenceBound(info, trial.result(i)));
    }
}

void NodeRunner::compareWithReference(Lockstep& lockstep, NodeId node)
{
    const Node& info = m_graph[node];
    if (touchesSparse(m_graph, node)) return compareWithDense(lockstep, node);
    if (!m_graph.decided[node].fused.empty()) return compareFused(lockstep, node);
    if (isReorder(info)) {
        const RuntimeValue wanted = plainValue(m_program, lockstep.oracle(), m_externals, info.inputs[0]);
        return compareValue(lockstep, node, info.outputs[0], wanted, referenceBound(info, wanted));
    }
    const auto wanted = referenceOutputs(lockstep, node, {});
    if (!wanted) return;
    for (std::size_t i = 0; i < info.outputs.size(); ++i) {
        if (info.outputs[i].valid())
            compareValue(lockstep, node, info.outputs[i], (*wanted)[i], referenceBound(info, (*wanted)[i]));
    }
}

std::optional<std::vector<RuntimeValue>> NodeRunner::referenceOutputs(Lockstep& lockstep, NodeId node,
                                                                      const std::optional<Made>& made)
{
    const Node& info = m_graph[node];
    const KernelFunction kernel = findReferenceKernel(info.domain, info.op);
    TrialCall trial(site(&lockstep, node), lockstep.oracle());
    for (std::size_t i = 0; i < trial.inputCount(); ++i) {
        if (info.inputs[i].valid())
            trial.replaceInput(i, plainValue(m_program, lockstep.oracle(), m_externals, info.inputs[i]));
    }
    if (made) trial.replaceInput(made->first, made->second);
    if (!kernel || !callKernel(trial, kernel).ok()) return std::nullopt;
    std::vector<RuntimeValue> outputs;
    for (std::size_t i = 0; i < info.outputs.size(); ++i)
        outputs.push_back(trial.result(i));
    return outputs;
}

/// One operation after the other. An error that an early one may make is as large as its result is, which what comes
/// behind may have made smaller: the widest of the bounds counts.
void NodeRunner::compareFused(Lockstep& lockstep, NodeId node)
{
    const Node& info = m_graph[node];
    auto made = referenceOutputs(lockstep, node, {});
    if (!made) return;
    Tolerance bound = referenceBound(info, made->front());
    for (const FusedNode& fused : m_graph.decided[node].fused) {
        made = referenceOutputs(lockstep, fused.node, Made {static_cast<std::size_t>(fused.input), made->front()});
        if (!made) return;
        bound = widest(bound, referenceBound(m_graph[fused.node], made->front()));
    }
    compareValue(lockstep, node, info.outputs[0], made->front(), bound);
}

void NodeRunner::checkIdentities(Lockstep& lockstep, NodeId node)
{
    const Node& info = m_graph[node];
    for (const AliasTrait& trait : aliasTraits(m_graph, node)) {
        if (trait.kind != AliasKind::Identity) continue;
        const ValueId input = info.inputs[static_cast<std::size_t>(trait.input)];
        const ValueId output = info.outputs[static_cast<std::size_t>(trait.output)];
        const Result<RuntimeValue> wantedHere = lockstep.oracle().onHost(input);
        const Result<RuntimeValue> foundHere = lockstep.oracle().onHost(output);
        if (!wantedHere.ok() || !foundHere.ok()) continue;
        const RuntimeValue& wanted = wantedHere.value();
        RuntimeValue found = foundHere.value();
        const bool tensors = wanted.kind == RuntimeValue::Kind::Tensor && found.kind == RuntimeValue::Kind::Tensor;
        if (tensors && found.tensor.bytes() == wanted.tensor.bytes()) found.tensor.shape = wanted.tensor.shape;
        const auto difference = compareExactly(found, wanted);
        if (!difference || !m_falseIdentities.insert(output).second) continue;
        m_identityMismatches.push_back(
            {m_graph[output].name, info.name, lockstep.schedule().stepOf(node), difference->maxAbsDiff,
             say("run.false-identity", word::Name {m_graph[input].name}, difference->note), Rule::FalseIdentity});
    }
}

void NodeRunner::compareValue(Lockstep& lockstep, NodeId node, ValueId value, const RuntimeValue& wanted,
                              const Tolerance& bound)
{
    compare(lockstep, {node, value}, plainValue(m_program, lockstep.oracle(), m_externals, value), wanted, bound);
}

void NodeRunner::compare(Lockstep& lockstep, const Subject& subject, const RuntimeValue& found,
                         const RuntimeValue& wanted, const Tolerance& bound)
{
    ++m_referenceValues;
    const auto difference = compareWithin(found, wanted, bound);
    if (!difference) return;
    const Backend* const backend = findBackend(m_program.implementations[subject.node.index()].backend);
    Message note = touchesSparse(m_graph, subject.node)
                       ? say("run.sparse-differs", difference->note)
                       : say("run.backend-differs", backend ? backend->title : "?", difference->note);
    m_referenceMismatches.push_back({m_graph[subject.value].name, m_graph[subject.node].name,
                                     lockstep.schedule().stepOf(subject.node), difference->maxAbsDiff,
                                     std::move(note)});
}

/// "onednn+reference", in the order of the table.
std::string NodeRunner::usedBackends() const
{
    std::string text;
    for (const std::string& device : m_usedDevices)
        text += (text.empty() ? "" : "+") + device;
    for (const Backend& backend : backends()) {
        if (m_sessions.contains(std::string(backend.name)))
            text += (text.empty() ? "" : "+") + std::string(backend.name);
    }
    return text.empty() ? std::string(ReferenceBackend) : text;
}

void NodeRunner::fill(RunResult& result) const
{
    const bool asked = m_options.mode == RunMode::Fingerprint;
    result.mode = asked || !m_fingerprinted.empty() ? "fingerprint" : "numeric";
    result.backend = usedBackends();
    result.fingerprintedNodes = static_cast<std::int64_t>(m_fingerprinted.size());
    result.referenceValues = m_referenceValues;
    for (const auto& [way, copies] : m_copies)
        result.copies.push_back(copies);
    result.mismatches.insert(result.mismatches.end(), m_referenceMismatches.begin(), m_referenceMismatches.end());
    result.mismatches.insert(result.mismatches.begin(), m_identityMismatches.begin(), m_identityMismatches.end());
}

} // namespace plimsoll::kernels
