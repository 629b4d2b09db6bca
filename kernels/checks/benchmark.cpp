#include "kernels/checks/benchmark.h"

#include "kernels/checks/placed_call.h"
#include "kernels/cuda/cuda.h"

#include <algorithm>
#include <chrono>

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

/// A prepared trial whose tensors lie on the device.
class Placed
{
public:
    Placed(Device& device, const Trial::Prepared& trial)
        : m_device(device), m_trial(trial), m_outputs(outputViews(trial))
    {
    }
    Status place()
    {
        for (const RuntimeValue& value : m_trial.inputs) {
            RuntimeValue& placed = m_inputs.emplace_back(value);
            PLIMSOLL_ASSIGN(block, m_device.reserve(value.tensor.bytes()));
            const auto bytes = static_cast<std::size_t>(value.tensor.bytes());
            PLIMSOLL_TRY(m_device.copyIn(block.data, {value.tensor.as<const std::byte>(), bytes}));
            placed.tensor.data = keep(block);
        }
        for (TensorView& output : m_outputs) {
            PLIMSOLL_ASSIGN(block, m_device.reserve(output.bytes()));
            output.data = keep(block);
        }
        return {};
    }
    [[nodiscard]] double bytes() const
    {
        double sum = 0;
        for (const RuntimeValue& input : m_inputs)
            sum += static_cast<double>(input.tensor.bytes());
        for (const TensorView& output : m_outputs)
            sum += static_cast<double>(output.bytes());
        return sum;
    }
    /// Milliseconds of one run.
    Result<double> time(const Implementation& offer)
    {
        PLIMSOLL_ASSIGN(scratch, m_device.reserve(offer.scratchpadBytes));
        PlacedCall call(m_trial, m_inputs, m_outputs, {scratch.data, static_cast<std::size_t>(scratch.bytes)});
        PLIMSOLL_TRY(repeat(call, offer, WarmRuns));
        const auto begin = std::chrono::steady_clock::now();
        PLIMSOLL_TRY(repeat(call, offer, TimedRuns));
        const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
        return passed.count() / TimedRuns;
    }

private:
    void* keep(const DeviceBlock& block)
    {
        m_blocks.push_back(block);
        return block.data;
    }
    Status repeat(PlacedCall& call, const Implementation& offer, int times)
    {
        for (int i = 0; i < times; ++i)
            PLIMSOLL_TRY(m_device.run(call, offer));
        return m_device.finish();
    }

    Device& m_device;
    const Trial::Prepared& m_trial;
    std::vector<RuntimeValue> m_inputs;
    std::vector<TensorView> m_outputs;
    std::vector<DeviceBlock> m_blocks;
};

} // namespace

Result<std::vector<Timing>> timeKernels(Device& device, std::int64_t scale)
{
    const FoundLibraries found = findCudaLibraries();
    std::vector<Timing> timings;
    for (const Subject& subject : subjects(scale)) {
        PLIMSOLL_ASSIGN(prepared, subject.trial.prepare(1));
        Placed placed(device, prepared);
        PLIMSOLL_TRY(placed.place());
        const Catalogue catalogue = describeForCuda(prepared.graph, found.usable(), {});
        const auto offers = catalogue.offers.find(prepared.graph[prepared.node].name);
        if (offers == catalogue.offers.end()) continue;
        for (const Implementation& offer : offers->second) {
            PLIMSOLL_ASSIGN(ms, placed.time(offer));
            timings.push_back(
                {subject.trial.name(), offer.name, ms, placed.bytes(), subject.operations, subject.isProduct});
        }
    }
    return timings;
}

} // namespace plimsoll::kernels
