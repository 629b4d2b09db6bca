#pragma once

#include "kernels/checks/trial.h"
#include "kernels/device.h"
#include "kernels/kernel.h"

#include <functional>

namespace plimsoll::kernels {

/// A node whose tensors lie where they were put.
class PlacedCall final : public KernelCall
{
public:
    PlacedCall(const Trial::Prepared& trial, std::vector<RuntimeValue> inputs, std::vector<TensorView> outputs,
               std::span<std::byte> scratchpad)
        : m_trial(trial), m_inputs(std::move(inputs)), m_outputs(std::move(outputs)), m_scratchpad(scratchpad)
    {
    }
    [[nodiscard]] const Graph& graph() const override { return m_trial.graph; }
    [[nodiscard]] const Node& node() const override { return m_trial.graph[m_trial.node]; }
    [[nodiscard]] std::int64_t opset() const override { return opsetVersion(graph(), node().domain); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override
    {
        return index < m_inputs.size() ? m_inputs[index] : m_absent;
    }
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override { return index < m_outputs.size(); }
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        if (wantsOutput(index) && m_outputs[index].dtype == dtype && m_outputs[index].shape == shape)
            return m_outputs[index];
        return Error {ErrorCode::Internal, say("checks.other-type"), node().op, {}};
    }
    Status setOutput(std::size_t /*index*/, RuntimeValue /*value*/) override
    {
        return Error {ErrorCode::Internal, say("checks.no-tensor"), node().op, {}};
    }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override
    {
        if (!literal.data.bytes) return Error {ErrorCode::Internal, say("checks.literal"), node().op, {}};
        return TensorView {literal.dtype, literal.shape, const_cast<std::byte*>(literal.data.bytes->data())};
    }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return m_scratchpad; }
    [[nodiscard]] std::uint64_t seed() const override { return 42; }

private:
    const Trial::Prepared& m_trial;
    std::vector<RuntimeValue> m_inputs;
    std::vector<TensorView> m_outputs;
    std::span<std::byte> m_scratchpad;
    RuntimeValue m_absent;
};

/// The outputs of a trial, lying nowhere yet.
[[nodiscard]] inline std::vector<TensorView> outputViews(const Trial::Prepared& trial)
{
    std::vector<TensorView> views;
    for (const ValueId id : trial.graph[trial.node].outputs)
        views.push_back({trial.graph[id].type.dtype, trial.graph[id].type.shape().value_or(Shape {}), nullptr});
    return views;
}

/// The tensors of a trial in the memory of a device.
struct PlacedTrial
{
    std::vector<RuntimeValue> inputs;
    std::vector<TensorView> outputs;
};

/// \p reserve gives so many bytes of the device. Inputs get their content; an output in place lies over its input.
[[nodiscard]] inline Result<PlacedTrial> placeTrial(
    Device& device, const Trial::Prepared& trial, const std::function<Result<std::byte*>(std::int64_t)>& reserve,
    const std::optional<Implementation::InPlacePair>& inPlace = std::nullopt)
{
    PlacedTrial placed {trial.inputs, outputViews(trial)};
    for (RuntimeValue& input : placed.inputs) {
        PLIMSOLL_ASSIGN(data, reserve(input.tensor.bytes()));
        if (input.kind == RuntimeValue::Kind::Absent) continue;
        PLIMSOLL_TRY(device.copyIn(data, input.tensor.byteSpan()));
        input.tensor.data = data;
    }
    for (std::size_t i = 0; i < placed.outputs.size(); ++i) {
        if (inPlace && inPlace->output == static_cast<int>(i)) {
            placed.outputs[i].data = placed.inputs[static_cast<std::size_t>(inPlace->input)].tensor.data;
            continue;
        }
        PLIMSOLL_ASSIGN(data, reserve(placed.outputs[i].bytes()));
        placed.outputs[i].data = data;
    }
    return placed;
}

} // namespace plimsoll::kernels
