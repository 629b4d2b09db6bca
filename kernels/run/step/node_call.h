#pragma once

#include "core/graph/graph.h"
#include "kernels/kernel.h"
#include "kernels/run/probe/stand_ins.h"
#include "kernels/run/world.h"

#include <optional>
#include <vector>

namespace plimsoll::kernels {

/// A node seen by its kernel in one of the worlds.
class NodeCall : public KernelCall
{
public:
    struct Site
    {
        const Graph& graph;
        ExternalValues& externals;
        NodeId node;
        std::uint64_t seed = 0;
    };
    NodeCall(const Site& site, World& world);

    [[nodiscard]] const Graph& graph() const override { return m_site.graph; }
    [[nodiscard]] const Node& node() const override { return m_site.graph[m_site.node]; }
    [[nodiscard]] std::int64_t opset() const override;
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override;
    [[nodiscard]] std::size_t inputCount() const override { return node().inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override;
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override;
    Status setOutput(std::size_t index, RuntimeValue value) override;
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override
    {
        return m_site.externals.literal(literal);
    }
    /// The same bytes however often it is asked for.
    [[nodiscard]] std::span<std::byte> scratchpad() override
    {
        if (!m_scratchpad) m_scratchpad = m_world.scratchpad(m_site.node);
        return *m_scratchpad;
    }
    [[nodiscard]] std::uint64_t seed() const override { return m_site.seed; }

    void noteWritten(std::size_t output); ///< Of what was written without output() or setOutput().
    /// To be called once the outputs are written. An Error names the first one that somebody wants and that was not.
    [[nodiscard]] Status finish();

    [[nodiscard]] NodeId id() const { return m_site.node; }
    [[nodiscard]] World& world() { return m_world; }
    [[nodiscard]] const World& world() const { return m_world; }
    /// Whose addresses the call hands out; nullptr for the CPU's.
    [[nodiscard]] Device* device() const { return m_world.spaces().of(m_site.node); }

    /// What its device says that it took.
    void noteTime(double ms) { m_deviceMs = ms; }
    [[nodiscard]] std::optional<double> deviceMs() const { return m_deviceMs; }

private:
    World& m_world;
    Site m_site;
    bool m_asItLies; ///< On a device, or a copy to or from one: its tensors are handed out where they are.
    StandIns m_standIns;
    std::vector<RuntimeValue> m_inputs; ///< As they were before any output was asked for.
    std::vector<bool> m_written;
    std::optional<std::span<std::byte>> m_scratchpad; ///< Once it was asked for.
    std::optional<double> m_deviceMs;
};

/// The same node once more, with outputs of its own that reach nobody: for comparing two kernels.
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
    /// For a kernel that wants the input in another layout than the world has it.
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
    const auto failed = [&call](std::string message) {
        return Error {ErrorCode::Unsupported, std::move(message), "node '" + call.node().name + "'", {}};
    };
    try {
        if (Status status = kernel(call); !status.ok()) return status;
        return call.finish();
    } catch (const std::exception& exception) {
        return failed(std::string("its kernel failed: ") + exception.what());
    } catch (...) {
        return failed("its kernel failed");
    }
}

} // namespace plimsoll::kernels
