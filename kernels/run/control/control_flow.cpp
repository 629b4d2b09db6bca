#include "kernels/run/control/control_flow.h"

#include "core/ops/op_traits.h"
#include "core/ops/saving.h"
#include "kernels/run/control/out_of_order.h"
#include "kernels/run/probe/between_probe.h"
#include "kernels/run/step/comparison.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/fingerprint.h"
#include "kernels/run/step/node_step.h"

#include <algorithm>
#include <utility>

namespace plimsoll::kernels {
namespace {

Status runIf(Run& run, NodeId owner)
{
    PLIMSOLL_TRY(beginEnter(run, owner));
    const Graph& graph = run.planned.graph();
    const ValueId decider = valueAt(graph[owner].inputs, 0);
    const RuntimeValue& chooser = run.oracle.value(decider);
    const bool byNumber = chooser.kind == RuntimeValue::Kind::Tensor && chooser.tensor.dtype != DType::Bool &&
                          chooser.tensor.elements() > 0;
    const std::int64_t count = std::ssize(graph[owner].bodies);
    std::int64_t branch = truthOf(chooser, false) ? 0 : 1;
    if (byNumber) { // and the last where there is none of that number (XLA)
        const std::int64_t number = readInteger(chooser.tensor, 0);
        branch = number >= 0 && number < count ? number : count - 1;
    }
    if (decider.valid() && graph[decider].role != ValueRole::Constant)
        branch =
            run.start.coverage.branch(owner, {decider, run.compared.lastWrites[decider.index()].order}, branch, count);
    endStep(run);
    if (branch < count) {
        const BodyId body = graph[owner].bodies[static_cast<std::size_t>(branch)];
        PLIMSOLL_TRY(runBody(run, body));
        PLIMSOLL_TRY(beginLeave(run, body));
        std::vector<Move> moves;
        for (const BodyLink& link : bodyLinks(graph, owner, body)) {
            const ValueId target = valueAt(graph[owner].outputs, link.ownerOutput);
            if (link.kind == BodyLink::Kind::Branch && target.valid())
                moves.push_back({valueAt(graph[body].outputs, link.bodyOutput), target});
        }
        PLIMSOLL_TRY(moveBoth(run, moves));
        endLeave(run, body);
    }
    PLIMSOLL_TRY(beginExit(run, owner));
    endExit(run, owner);
    return {};
}

/// Whether the owner reads its operands and what the bodies make at the Exit; others at the Enter and at each Leave,
/// and may lie in the same bytes from there on.
bool readsAtExit(const Graph& graph, NodeId owner)
{
    const auto isOpaque = [](const BodyLink& link) { return link.kind == BodyLink::Kind::Opaque; };
    return std::ranges::all_of(
        graph[owner].bodies, [&](BodyId body) { return std::ranges::all_of(bodyLinks(graph, owner, body), isOpaque); });
}

/// What an owner without a kernel hands to its bodies: a hash of its own inputs, in each memory.
Status writeBodyInputs(Run& run, NodeId owner)
{
    const Graph& graph = run.planned.graph();
    std::uint64_t position = 0;
    for (const BodyId body : graph[owner].bodies) {
        for (const ValueId input : graph[body].inputs) {
            ++position;
            PLIMSOLL_TRY(writeBoth(run, input, [&](Memory& memory) {
                Digest key(position);
                for (const ValueId own : graph[owner].inputs)
                    key.add(memory.value(own));
                return fingerprintValue(memory, input, key.value());
            }));
        }
    }
    return {};
}

Status runOpaque(Run& run, NodeId owner)
{
    const Graph& graph = run.planned.graph();
    const Node& node = graph[owner];
    if (!run.kernels.fingerprints) {
        return Error {
            ErrorCode::Unsupported, say("run.missing-kernel", qualifiedOp(node)), "node '" + node.name + "'", {}};
    }
    const bool atExit = readsAtExit(graph, owner);
    PLIMSOLL_TRY(beginEnter(run, owner));
    ReadDigests digests = readInputs(run, owner);
    PLIMSOLL_TRY(writeBodyInputs(run, owner));
    endStep(run);
    for (const BodyId body : node.bodies) {
        PLIMSOLL_TRY(runBody(run, body));
        PLIMSOLL_TRY(beginLeave(run, body));
        if (!atExit) readValues(run, graph[body].outputs, digests);
        endStep(run);
    }
    PLIMSOLL_TRY(beginExit(run, owner));
    if (atExit) {
        poisonWrites(run, owner);
        digests = readInputs(run, owner);
        for (const BodyId body : node.bodies)
            readValues(run, graph[body].outputs, digests);
    }
    PLIMSOLL_TRY(fingerprintOwner(run, owner, digests));
    endExit(run, owner);
    for (const BodyId body : node.bodies)
        release(run, run.lifetimes.releases.atLeave(body));
    return {};
}

struct OwnerEntry
{
    std::string_view domain; ///< "" for ONNX
    std::string_view op;
    Status (*run)(Run&, NodeId) = nullptr;
};

constexpr OwnerEntry Owners[] = {
    {"", "If", runIf},
    {"", "Loop", runLoop},
    {"", "Scan", runLoop},
    {"", "SequenceMap", runLoop},
    {"xla", "conditional", runIf},
    {"xla", "while", runLoop},
};

const OwnerEntry* findOwner(const Node& node)
{
    const std::string_view domain = node.domain == "ai.onnx" ? "" : std::string_view(node.domain);
    const auto found = std::ranges::find_if(
        Owners, [&](const OwnerEntry& entry) { return entry.domain == domain && entry.op == node.op; });
    return found == std::end(Owners) ? nullptr : found;
}

/// What an owner that failed has left in its bodies.
void releaseInside(Run& run, NodeId owner)
{
    const Graph& graph = run.planned.graph();
    for (const BodyId body : graph[owner].bodies) {
        release(run, graph[body].inputs);
        for (const NodeId inner : graph[body].nodes) {
            release(run, graph[inner].outputs);
            releaseInside(run, inner);
        }
    }
}

/// A device that has failed inside has failed.
bool usesDevice(const Run& run, NodeId owner)
{
    const Graph& graph = run.planned.graph();
    return std::ranges::any_of(graph[owner].bodies, [&](BodyId body) {
        return std::ranges::any_of(graph[body].nodes, [&](NodeId inner) {
            return run.planned.spaces().of(inner) != nullptr || usesDevice(run, inner);
        });
    });
}

} // namespace

Status runBody(Run& run, BodyId body)
{
    ++run.start.coverage.bodyRuns[body];
    adoptEarly(run, body);
    const Graph& graph = run.planned.graph();
    for (const NodeId node : run.start.program.schedule.order[body.index()]) {
        if (graph.decided[node].ahead) continue;
        const bool wasBackward = std::exchange(run.now.backward, isBackward(graph, node));
        if (run.between && run.now.backward && !wasBackward) run.between->write(run.planned);
        PLIMSOLL_TRY(runNode(run, node));
        release(run, run.lifetimes.releases.after(node));
    }
    return {};
}

Status runNode(Run& run, NodeId node)
{
    if (run.planned.graph()[node].bodies.empty()) return runPlainNode(run, node);
    const std::size_t depth = run.now.iteration.size();
    const OwnerEntry* const entry = findOwner(run.planned.graph()[node]);
    const Status status = entry ? entry->run(run, node) : runOpaque(run, node);
    if (status.ok() || status.error().code == ErrorCode::Stopped || !health(run).ok()) return status;
    if (usesDevice(run, node) || !mayStandIn(run, node)) return refusal(run, node, status.error());
    run.now.iteration.resize(depth);
    releaseInside(run, node);
    return standIn(run, node, status.error().message);
}

bool hasControlFlow(const Node& node)
{
    return findOwner(node) != nullptr;
}

Status beginEnter(Run& run, NodeId owner)
{
    PLIMSOLL_TRY(loadInputs(run, owner));
    PLIMSOLL_TRY(beginStep(run, run.start.program.schedule.stepOf(owner)));
    for (const ValueId value : run.planned.graph()[owner].inputs)
        checkRead(run, value);
    return {};
}

Status beginLeave(Run& run, BodyId body)
{
    for (const ValueId value : run.planned.graph()[body].outputs)
        PLIMSOLL_TRY(run.start.externals.load(value));
    return beginStep(run, run.start.program.schedule.leaveStep(body));
}

void endLeave(Run& run, BodyId body)
{
    endStep(run);
    release(run, run.lifetimes.releases.atLeave(body));
}

Status beginExit(Run& run, NodeId owner)
{
    return beginStep(run, run.start.program.schedule.exitStep(owner));
}

void endExit(Run& run, NodeId owner)
{
    endStep(run);
    for (const BodyId body : run.planned.graph()[owner].bodies)
        release(run, run.planned.graph()[body].inputs);
}

bool truthOf(const RuntimeValue& value, bool fallback)
{
    const bool isTensor = value.kind == RuntimeValue::Kind::Tensor && value.tensor.elements() > 0;
    return isTensor ? readElement(value.tensor, 0) != 0 : fallback;
}

} // namespace plimsoll::kernels
