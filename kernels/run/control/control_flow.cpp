#include "kernels/run/control/control_flow.h"

#include "core/ops/op_traits.h"
#include "kernels/run/control/loop_run.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/fingerprint.h"

#include <algorithm>
#include <array>
#include <span>

namespace plimsoll::kernels {
namespace {

using Kind = BodyLink::Kind;

std::vector<Lockstep::Move> branchMoves(const OwnerRun& run, BodyId body)
{
    std::vector<Lockstep::Move> moves;
    for (const BodyLink& link : bodyLinks(run.graph(), run.owner, body)) {
        const ValueId target = run.output(link.ownerOutput);
        if (link.kind != Kind::Branch || !target.valid()) continue;
        moves.push_back({run.graph()[body].outputs[static_cast<std::size_t>(link.bodyOutput)], target});
    }
    return moves;
}

/// By a truth value the first where it is true; by a number that one, and the last where there is none (XLA).
std::size_t branchOf(const OwnerRun& run)
{
    const RuntimeValue& chooser = run.lockstep.oracle().value(run.input(0));
    const bool byNumber = chooser.kind == RuntimeValue::Kind::Tensor && chooser.tensor.dtype != DType::Bool &&
                          chooser.tensor.elements() > 0;
    if (!byNumber) return truthOf(chooser, false) ? 0 : 1;
    const std::int64_t number = readInteger(chooser.tensor, 0);
    const auto count = static_cast<std::int64_t>(run.node().bodies.size());
    return static_cast<std::size_t>(number >= 0 && number < count ? number : count - 1);
}

Status runIf(OwnerRun& run)
{
    PLIMSOLL_TRY(run.beginEnter());
    const std::size_t branch = branchOf(run);
    run.lockstep.endStep();
    if (branch < run.node().bodies.size()) {
        const BodyId body = run.node().bodies[branch];
        PLIMSOLL_TRY(run.runBody(body));
        PLIMSOLL_TRY(run.beginLeave(body));
        PLIMSOLL_TRY(run.lockstep.move(branchMoves(run, body)));
        run.endLeave(body);
    }
    PLIMSOLL_TRY(run.beginExit());
    run.endExit();
    return {};
}

/// What a vendor operator hands its body: a hash of the owner's own inputs, in each world.
Status writeOpaqueInputs(OwnerRun& run)
{
    std::uint64_t position = 0;
    for (const BodyId body : run.node().bodies) {
        for (const ValueId input : run.graph()[body].inputs) {
            ++position;
            PLIMSOLL_TRY(run.lockstep.write(input, [&](World& world) {
                Digest key(position);
                for (const ValueId own : run.node().inputs)
                    key.add(world.value(own));
                return fingerprintValue(world, run.graph(), input, key.value());
            }));
        }
    }
    return {};
}

/// The owner's outputs: a hash of its name, attributes, inputs and of what its bodies have computed.
Status writeOpaqueOutputs(OwnerRun& run)
{
    for (const ValueId input : run.node().inputs)
        run.lockstep.checkRead(input);
    std::vector<ValueId> results;
    for (const BodyId body : run.node().bodies) {
        results.insert(results.end(), run.graph()[body].outputs.begin(), run.graph()[body].outputs.end());
    }
    for (const ValueId result : results)
        run.lockstep.checkRead(result);
    return run.nodes.fingerprint(run.lockstep, run.owner, results);
}

Status runOpaque(OwnerRun& run)
{
    if (!run.nodes.fingerprintsAllowed()) {
        return Error {ErrorCode::Unsupported,
                      "There is no kernel for " + qualifiedOp(run.node()) + ".",
                      "node '" + run.node().name + "'",
                      {}};
    }
    PLIMSOLL_TRY(run.beginEnter());
    PLIMSOLL_TRY(writeOpaqueInputs(run));
    run.lockstep.endStep();
    for (const BodyId body : run.node().bodies) {
        PLIMSOLL_TRY(run.runBody(body));
        PLIMSOLL_TRY(run.beginLeave(body));
        run.lockstep.endStep();
    }
    PLIMSOLL_TRY(run.beginExit());
    PLIMSOLL_TRY(writeOpaqueOutputs(run));
    run.endExit();
    for (const BodyId body : run.node().bodies)
        run.lockstep.release(run.releases.atLeave(body));
    return {};
}

struct OwnerEntry
{
    std::string_view op;
    Status (*run)(OwnerRun&) = nullptr;
};

constexpr std::array Owners = {
    OwnerEntry {"If", runIf},
    OwnerEntry {"Loop", runLoop},
    OwnerEntry {"Scan", runLoop},
    OwnerEntry {"SequenceMap", runLoop},
};

/// Of XLA.
constexpr std::array XlaOwners = {
    OwnerEntry {"conditional", runIf},
    OwnerEntry {"while", runLoop},
};

const OwnerEntry* findOwner(const Node& node)
{
    const bool standard = node.domain.empty() || node.domain == "ai.onnx";
    std::span<const OwnerEntry> owners;
    if (standard) owners = Owners;
    if (node.domain == "xla") owners = XlaOwners;
    const auto found =
        std::find_if(owners.begin(), owners.end(), [&](const OwnerEntry& entry) { return entry.op == node.op; });
    return found == owners.end() ? nullptr : &*found;
}

} // namespace

ValueId OwnerRun::input(int index) const
{
    return index < 0 || static_cast<std::size_t>(index) >= node().inputs.size()
               ? ValueId {}
               : node().inputs[static_cast<std::size_t>(index)];
}

ValueId OwnerRun::output(int index) const
{
    return index < 0 || static_cast<std::size_t>(index) >= node().outputs.size()
               ? ValueId {}
               : node().outputs[static_cast<std::size_t>(index)];
}

Status OwnerRun::beginEnter()
{
    PLIMSOLL_TRY(nodes.loadInputs(owner));
    PLIMSOLL_TRY(lockstep.beginStep(lockstep.schedule().stepOf(owner)));
    for (const ValueId value : node().inputs)
        lockstep.checkRead(value);
    return {};
}

Status OwnerRun::beginLeave(BodyId body)
{
    for (const ValueId value : graph()[body].outputs)
        PLIMSOLL_TRY(nodes.load(value));
    return lockstep.beginStep(lockstep.schedule().leaveStep(body));
}

void OwnerRun::endLeave(BodyId body)
{
    lockstep.endStep();
    lockstep.release(releases.atLeave(body));
}

Status OwnerRun::beginExit()
{
    return lockstep.beginStep(lockstep.schedule().exitStep(owner));
}

void OwnerRun::endExit()
{
    lockstep.endStep();
    for (const BodyId body : node().bodies)
        lockstep.release(graph()[body].inputs);
}

bool hasControlFlow(const Node& node)
{
    return findOwner(node) != nullptr;
}

bool truthOf(const RuntimeValue& value, bool fallback)
{
    const bool isTensor = value.kind == RuntimeValue::Kind::Tensor && value.tensor.elements() > 0;
    return isTensor ? readElement(value.tensor, 0) != 0 : fallback;
}

Status runOwner(OwnerRun& run)
{
    const OwnerEntry* entry = findOwner(run.node());
    return entry ? entry->run(run) : runOpaque(run);
}

} // namespace plimsoll::kernels
