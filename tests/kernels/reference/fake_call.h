#pragma once

#include "kernels/kernel.h"

#include <map>

namespace plimsoll::kernels::test {

/// One node, its inputs and what its kernel made of them, without arenas or plans. Outputs are allocated when asked
/// for, or lie over the bytes of an input where a test says so.
class FakeCall : public KernelCall
{
public:
    FakeCall(const Graph& graph, NodeId node, std::vector<RuntimeValue> inputs);

    void shareBytes(std::size_t output, std::size_t input) { m_shared[output] = input; }
    void setSeed(std::uint64_t seed) { m_seed = seed; }
    [[nodiscard]] const RuntimeValue& result(std::size_t index) const { return m_outputs[index]; }

    [[nodiscard]] const Graph& graph() const override { return m_graph; }
    [[nodiscard]] const Node& node() const override { return m_graph[m_node]; }
    [[nodiscard]] std::int64_t opset() const override { return opsetVersion(m_graph, node().domain); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override;
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override;
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override;
    Status setOutput(std::size_t index, RuntimeValue value) override;
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override;
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return m_seed; }

private:
    const Graph& m_graph;
    NodeId m_node;
    std::vector<RuntimeValue> m_inputs;
    std::vector<RuntimeValue> m_outputs;
    std::vector<HostTensor> m_literals;
    std::map<std::size_t, std::size_t> m_shared; ///< Output → input.
    std::uint64_t m_seed = 1;
    RuntimeValue m_absent;
};

/// The content of a literal as a tensor that owns its bytes.
[[nodiscard]] Result<HostTensor> hostTensor(const TensorLiteral& literal);

/// The same with bytes of its own.
[[nodiscard]] RuntimeValue copyOf(const RuntimeValue& value);

} // namespace plimsoll::kernels::test
