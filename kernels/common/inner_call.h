#pragma once

#include "kernels/common/call_tools.h"
#include "kernels/tensor_view.h"

#include <optional>

namespace plimsoll::kernels {

/// A call inside of another one, on tensors of its own: how a kernel asks another operator something, or what the
/// settings of a forward node say.
class InnerCall final : public KernelCall
{
public:
    InnerCall(KernelCall& outer, Node node, std::vector<RuntimeValue> inputs,
              std::optional<std::int64_t> opset = std::nullopt)
        : m_outer(outer), m_node(std::move(node)), m_inputs(std::move(inputs)), m_results(m_node.outputs.size()),
          m_opset(opset.value_or(opsetVersion(outer.graph(), m_node.domain)))
    {
    }

    [[nodiscard]] const std::vector<RuntimeValue>& results() const { return m_results; }
    [[nodiscard]] std::vector<RuntimeValue> takeResults() { return std::move(m_results); }

    [[nodiscard]] const Graph& graph() const override { return m_outer.graph(); }
    [[nodiscard]] const Node& node() const override { return m_node; }
    [[nodiscard]] std::int64_t opset() const override { return m_opset; }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override
    {
        return index < m_inputs.size() ? m_inputs[index] : m_absent;
    }
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override { return index < m_results.size(); }
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        if (!denseBytes(dtype, shape)) return refuse(*this, say("kernel.result-no-size"));
        m_results[index] = tensorValue(HostTensor(dtype, shape));
        return m_results[index].tensor;
    }
    Status setOutput(std::size_t index, RuntimeValue value) override
    {
        m_results[index] = std::move(value);
        return {};
    }
    [[nodiscard]] Status announce(const Effort& effort) const override { return m_outer.announce(effort); }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override { return m_outer.literal(literal); }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return m_outer.seed(); }

private:
    KernelCall& m_outer;
    Node m_node;
    std::vector<RuntimeValue> m_inputs;
    std::vector<RuntimeValue> m_results;
    std::int64_t m_opset;
    RuntimeValue m_absent;
};

} // namespace plimsoll::kernels
