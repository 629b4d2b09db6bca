#pragma once

#include "kernels/cuda/cuda_formula.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// The forward node as far as it can be told from the backward one, for the functions that read settings: its inputs
/// are constants, and lie on the host.
class ForwardSettings final : public KernelCall
{
public:
    explicit ForwardSettings(DeviceCall& call) : m_call(call) {}

    Status read(const DeviceScope& scope)
    {
        const std::vector<std::string> names = textsAttribute(m_call, "grad.names");
        for (const std::string& name : textsAttribute(m_call, "grad.arguments")) {
            RuntimeValue& value = m_inputs.emplace_back();
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end() || name == scope.variable()) continue;
            const auto index = static_cast<std::size_t>(found - names.begin());
            PLIMSOLL_TRY(m_call.readOnHost(index));
            value = m_call.input(index);
        }
        return {};
    }
    [[nodiscard]] const Graph& graph() const override { return m_call.graph(); }
    [[nodiscard]] const Node& node() const override { return m_call.node(); }
    [[nodiscard]] std::int64_t opset() const override { return opsetVersion(graph(), ""); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override
    {
        return index < m_inputs.size() ? m_inputs[index] : m_absent;
    }
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t /*index*/) const override { return false; }
    [[nodiscard]] Result<TensorView> output(std::size_t /*index*/, DType /*dtype*/, const Shape& /*shape*/) override
    {
        return decline(m_call, "settings have no outputs");
    }
    Status setOutput(std::size_t /*index*/, RuntimeValue /*value*/) override
    {
        return decline(m_call, "settings have no outputs");
    }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override { return m_call.literal(literal); }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return 0; }

private:
    DeviceCall& m_call;
    std::vector<RuntimeValue> m_inputs;
    RuntimeValue m_absent;
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
