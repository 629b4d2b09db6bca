#pragma once

#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// A kernel run inside of another one, on tensors of its own: how a gradient asks the forward operator something.
class InnerCall : public KernelCall
{
public:
    InnerCall(KernelCall& outer, Node node, std::vector<RuntimeValue> inputs);

    /// Runs the reference kernel of the node.
    [[nodiscard]] Status run();
    [[nodiscard]] const RuntimeValue& result(std::size_t output) const { return m_results[output]; }

    [[nodiscard]] const Graph& graph() const override { return m_outer.graph(); }
    [[nodiscard]] const Node& node() const override { return m_node; }
    [[nodiscard]] std::int64_t opset() const override { return opsetVersion(graph(), m_node.domain); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override;
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override { return index < m_results.size(); }
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override;
    Status setOutput(std::size_t index, RuntimeValue value) override;
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override { return m_outer.literal(literal); }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return m_outer.seed(); }

private:
    KernelCall& m_outer;
    Node m_node;
    std::vector<RuntimeValue> m_inputs;
    std::vector<RuntimeValue> m_results;
    RuntimeValue m_absent;
};

} // namespace plimsoll::kernels
