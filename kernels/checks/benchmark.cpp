#include "kernels/checks/measurements.h"

#include "core/base/stopwatch.h"
#include "kernels/checks/placed_call.h"
#include "kernels/cuda/cuda.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr int WarmRuns = 3;
constexpr int TimedRuns = 20;

struct Subject
{
    Trial trial;
    double operations = 0;
    bool isProduct = false;
};

/// A layer of a residual network, 64 channels of 56 by 56, through every algorithm that there is.
Subject convolution(std::int64_t batch)
{
    constexpr std::int64_t Channels = 64;
    constexpr std::int64_t Side = 56;
    const double sums = static_cast<double>(batch) * Channels * Side * Side;
    return {Trial("Conv")
                .input({batch, Channels, Side, Side})
                .input({Channels, Channels, 3, 3})
                .set("pads", std::vector<std::int64_t> {1, 1, 1, 1}),
            sums * 2 * Channels * 9};
}

std::vector<Subject> subjects(std::int64_t scale)
{
    const std::int64_t large = (std::int64_t {1} << 26) / scale; // 256 MiB of float32
    const std::int64_t side = ProductSide / std::max<std::int64_t>(1, scale / 64);
    const double cube = static_cast<double>(side) * static_cast<double>(side) * static_cast<double>(side);
    return {{Trial("Identity").input({large})},
            {Trial("Relu").input({large})},
            {Trial("Exp").input({large})},
            {Trial("Add").input({large}).input({large})},
            {Trial("Mul").input({large / 1024, 1024}).input({1024})},
            {Trial("ReduceSum").input({large}).set("keepdims", std::int64_t {0})},
            {Trial("ReduceSum").input({large / 4096, 4096}).ints({1})},
            {Trial("ReduceSum").input({large / 4096, 4096}).ints({0})},
            {Trial("Softmax").input({large / 1024, 1024})},
            {Trial("LayerNormalization").input({large / 1024, 1024}).input({1024}).input({1024})},
            {Trial("Transpose").input({large / 8192, 8192})},
            convolution(std::max<std::int64_t>(1, 64 / scale)),
            {Trial("MatMul").input({side, side}).input({side, side}), 2 * cube, true}};
}

double bytesOf(const PlacedTrial& placed)
{
    double sum = 0;
    for (const RuntimeValue& input : placed.inputs)
        sum += static_cast<double>(input.tensor.bytes());
    for (const TensorView& output : placed.outputs)
        sum += static_cast<double>(output.bytes());
    return sum;
}

/// Milliseconds of one run.
Result<double> timeOf(Device& device, PlacedCall& call, const Implementation& offer)
{
    const auto repeat = [&](int times) -> Status {
        for (int i = 0; i < times; ++i)
            PLIMSOLL_TRY(device.run(call, offer));
        return device.finish();
    };
    PLIMSOLL_TRY(repeat(WarmRuns));
    const Stopwatch watch;
    PLIMSOLL_TRY(repeat(TimedRuns));
    return watch.ms() / TimedRuns;
}

} // namespace

Result<std::vector<Timing>> timeKernels(Device& device, std::int64_t scale)
{
    const FoundLibraries found = findCudaLibraries();
    std::vector<Timing> timings;
    for (const Subject& subject : subjects(scale)) {
        PLIMSOLL_ASSIGN(prepared, subject.trial.prepare(1));
        std::vector<DeviceBlock> blocks;
        const auto reserve = [&](std::int64_t bytes) -> Result<std::byte*> {
            PLIMSOLL_ASSIGN(block, device.reserve(bytes));
            return blocks.emplace_back(std::move(block)).data;
        };
        PLIMSOLL_ASSIGN(placed, placeTrial(device, prepared, reserve));
        const Catalogue catalogue = describeForCuda(prepared.graph, found.usable(), {});
        const auto offers = catalogue.offers.find(prepared.graph[prepared.node].name);
        if (offers == catalogue.offers.end()) continue;
        for (const Implementation& offer : offers->second) {
            PLIMSOLL_ASSIGN(scratch, device.reserve(offer.scratchpadBytes));
            PlacedCall call(prepared, placed.inputs, placed.outputs,
                            {scratch.data, static_cast<std::size_t>(scratch.bytes)});
            PLIMSOLL_ASSIGN(ms, timeOf(device, call, offer));
            timings.push_back(
                {subject.trial.name(), offer.name, ms, bytesOf(placed), subject.operations, subject.isProduct});
        }
    }
    return timings;
}

} // namespace plimsoll::kernels
