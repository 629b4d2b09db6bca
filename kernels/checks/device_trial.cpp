#include "kernels/checks/device_trial.h"

#include "kernels/checks/placed_call.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/reference_bounds.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Guard = 512; // bytes on each side
constexpr std::byte Canary {0xC5};
constexpr std::byte Poison {0xFF}; // as floats NaNs, as integers -1

/// What the reference kernel makes of the trial.
Result<std::vector<RuntimeValue>> referenceOutputs(const Trial::Prepared& trial)
{
    const Node& node = trial.graph[trial.node];
    const KernelFunction kernel = findReferenceKernel(node.domain, node.op);
    if (!kernel) return Error {ErrorCode::Unsupported, say("checks.no-reference"), qualifiedOp(node), {}};
    std::vector<RuntimeValue> results;
    std::vector<TensorView> views;
    for (const TensorView& view : outputViews(trial)) {
        results.push_back(tensorValue(HostTensor(view.dtype, view.shape)));
        views.push_back(results.back().tensor);
    }
    PlacedCall call(trial, trial.inputs, views, {});
    PLIMSOLL_TRY(kernel(call));
    return results;
}

/// A block of the device with canaries on both sides.
struct GuardedBlock
{
    DeviceBlock block;
    std::int64_t bytes = 0;
    [[nodiscard]] std::byte* data() const { return block.data + Guard; }
};

Result<GuardedBlock> guarded(Device& device, std::int64_t bytes)
{
    PLIMSOLL_ASSIGN(block, device.reserve(bytes + 2 * Guard));
    PLIMSOLL_TRY(device.fill(block.data, bytes + 2 * Guard, Canary));
    PLIMSOLL_TRY(device.fill(block.data + Guard, bytes, Poison));
    return GuardedBlock {block, bytes};
}

/// One run of one kernel on a device: its outputs, as they lie on the host afterwards.
Result<std::vector<RuntimeValue>> outputsOf(Device& device, const Trial::Prepared& trial, const Implementation& offer,
                                            const std::optional<Implementation::InPlacePair>& inPlace)
{
    std::vector<GuardedBlock> blocks;
    const auto reserve = [&](std::int64_t bytes) -> Result<std::byte*> {
        PLIMSOLL_ASSIGN(block, guarded(device, bytes));
        return blocks.emplace_back(std::move(block)).data();
    };
    PLIMSOLL_ASSIGN(placed, placeTrial(device, trial, reserve, inPlace));
    PLIMSOLL_ASSIGN(scratch, reserve(offer.scratchpadBytes));
    PlacedCall call(trial, placed.inputs, placed.outputs, {scratch, static_cast<std::size_t>(offer.scratchpadBytes)});
    PLIMSOLL_TRY(device.run(call, offer));
    PLIMSOLL_TRY(device.finish());
    for (const GuardedBlock& guarded : blocks) {
        PLIMSOLL_ASSIGN(before, device.firstDifference(guarded.block.data, Guard, Canary));
        PLIMSOLL_ASSIGN(behind, device.firstDifference(guarded.data() + guarded.bytes, Guard, Canary));
        if (before != Guard || behind != Guard) return Error {ErrorCode::Internal, say("checks.overrun"), {}, {}};
    }
    std::vector<RuntimeValue> values;
    for (const TensorView& output : placed.outputs) {
        const TensorView& here = values.emplace_back(tensorValue(HostTensor(output.dtype, output.shape))).tensor;
        PLIMSOLL_TRY(device.copyOut(here.byteSpan(), output.as<const std::byte>()));
    }
    return values;
}

double largestError(const TensorView& found, const TensorView& wanted)
{
    double largest = 0;
    for (std::int64_t i = 0; i < wanted.elements(); ++i) {
        const double error = std::abs(readElement(found, i) - readElement(wanted, i));
        if (std::isfinite(error)) largest = std::max(largest, error);
    }
    return largest;
}

TrialOutcome judge(const Trial::Prepared& trial, const Result<std::vector<RuntimeValue>>& found,
                   const std::vector<RuntimeValue>& wanted)
{
    TrialOutcome outcome;
    if (!found.ok()) {
        outcome.wrong = toMessage(found.error());
        return outcome;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Tolerance bound = referenceBound(trial.graph[trial.node], wanted[i]);
        outcome.maxError = std::max(outcome.maxError, largestError(found.value()[i].tensor, wanted[i].tensor));
        outcome.bound = std::max(outcome.bound, bound.absolute);
        const auto difference = compareWithin(found.value()[i], wanted[i], bound);
        if (difference && outcome.wrong.empty())
            outcome.wrong = say("checks.output", word::Number {i}, difference->note);
    }
    return outcome;
}

} // namespace

Result<std::vector<TrialOutcome>> tryOnDevice(Device& device, const CudaLibraries& libraries, const Trial& trial,
                                              std::uint64_t seed)
{
    PLIMSOLL_ASSIGN(prepared, trial.prepare(seed));
    return tryOnDevice(device, libraries, prepared);
}

Result<std::vector<TrialOutcome>> tryOnDevice(Device& device, const CudaLibraries& libraries,
                                              const Trial::Prepared& prepared)
{
    const Catalogue catalogue = describeForCuda(prepared.graph, libraries, {});
    const auto offers = catalogue.offers.find(prepared.graph[prepared.node].name);
    if (offers == catalogue.offers.end()) return std::vector<TrialOutcome> {};
    return tryOffers(device, offers->second, prepared);
}

Result<std::vector<TrialOutcome>> tryOffers(Device& device, const std::vector<Implementation>& offers,
                                            const Trial::Prepared& prepared)
{
    PLIMSOLL_ASSIGN(wanted, referenceOutputs(prepared));
    std::vector<TrialOutcome> outcomes;
    for (const Implementation& offer : offers) {
        std::vector<std::optional<Implementation::InPlacePair>> places {std::nullopt};
        places.insert(places.end(), offer.inPlace.begin(), offer.inPlace.end());
        for (const auto& place : places) {
            TrialOutcome& outcome =
                outcomes.emplace_back(judge(prepared, outputsOf(device, prepared, offer, place), wanted));
            outcome.kernel = offer.name;
            outcome.inPlace = place;
        }
    }
    return outcomes;
}

} // namespace plimsoll::kernels
