#pragma once

#include "core/graph/graph.h"
#include "kernels/kernel.h"
#include "kernels/run/control/time_limit.h"
#include "kernels/run/memory/run_memory.h"
#include "kernels/run/probe/stand_ins.h"

#include <optional>
#include <vector>

namespace plimsoll::kernels {

/// A node seen by its kernel, in the memory of the planned run or of the oracle.
class NodeCall : public KernelCall
{
public:
    NodeCall(Memory& memory, NodeId node, std::uint64_t seed, TimeLimit time = {});

    [[nodiscard]] const Graph& graph() const override { return m_memory.graph(); }
    [[nodiscard]] const Node& node() const override { return graph()[m_node]; }
    [[nodiscard]] std::int64_t opset() const override;
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override;
    [[nodiscard]] std::size_t inputCount() const override { return node().inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override;
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override;
    Status setOutput(std::size_t index, RuntimeValue value) override;
    [[nodiscard]] Status announce(const Effort& effort) const override;
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override
    {
        return m_memory.externals().literal(literal);
    }
    /// The same bytes however often it is asked for.
    [[nodiscard]] std::span<std::byte> scratchpad() override
    {
        if (!m_scratchpad) m_scratchpad = m_memory.scratchpad(m_node);
        return *m_scratchpad;
    }
    [[nodiscard]] std::uint64_t seed() const override { return m_seed; }

    void noteWritten(std::size_t output); ///< Of what was written without output() or setOutput().
    /// To be called once the outputs are written. An Error names the first one that is wanted and was not.
    [[nodiscard]] Status finish();

    [[nodiscard]] NodeId id() const { return m_node; }
    [[nodiscard]] Memory& memory() const { return m_memory; }
    /// The device whose addresses the call hands out; nullptr for the CPU's.
    [[nodiscard]] Device* device() const { return m_memory.spaces().of(m_node); }

    /// What its device says that it took.
    void noteTime(double ms) { m_deviceMs = ms; }
    [[nodiscard]] std::optional<double> deviceMs() const { return m_deviceMs; }

private:
    Memory& m_memory;
    NodeId m_node;
    std::uint64_t m_seed;
    TimeLimit m_time;
    bool m_asItLies; ///< On a device, or a copy to or from one: its tensors are handed out where they are.
    StandIns m_standIns;
    std::vector<RuntimeValue> m_inputs; ///< As they were before any output was asked for.
    std::vector<bool> m_written;
    std::optional<std::span<std::byte>> m_scratchpad; ///< Once it was asked for.
    std::optional<double> m_deviceMs;
};

/// The same node once more, with outputs of its own that no other node reads: for comparing two kernels.
class TrialCall : public NodeCall
{
public:
    using NodeCall::NodeCall;
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override;
    Status setOutput(std::size_t index, RuntimeValue value) override;
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override;
    /// Of its own operator alone: what is fused into it is computed by calls of their own.
    [[nodiscard]] std::size_t inputCount() const override { return ownInputs(graph(), id()); }
    /// For a kernel that wants the input in another layout than the memory has it.
    void replaceInput(std::size_t index, RuntimeValue value) { m_replaced[index] = std::move(value); }

    /// Absent where the kernel wrote nothing.
    [[nodiscard]] RuntimeValue result(std::size_t index) const;

private:
    std::map<std::size_t, RuntimeValue> m_results;
    std::map<std::size_t, RuntimeValue> m_replaced;
};

/// Runs a kernel; what it or its libraries throw becomes an Error of that node. Checks that it wrote all its outputs.
template <typename Kernel>
[[nodiscard]] Status callKernel(NodeCall& call, const Kernel& kernel)
{
    const auto failed = [&call](Message message) {
        return Error {ErrorCode::Unsupported, std::move(message), "node '" + call.node().name + "'", {}};
    };
    try {
        if (Status status = kernel(call); !status.ok()) return status;
        return call.finish();
    } catch (const std::exception& exception) {
        return failed(say("kernel.threw", exception.what()));
    } catch (...) {
        return failed(say("kernel.failed"));
    }
}

} // namespace plimsoll::kernels
