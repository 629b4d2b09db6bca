#pragma once

#include "kernels/common/call_tools.h"
#include "kernels/cuda/device/queue.h"
#include "kernels/cuda/libraries/cudnn.h"
#include "kernels/kernel.h"

#include <algorithm>
#include <map>

namespace plimsoll::kernels::cuda {

/// What a kernel says of itself while it runs, or rehearses: an offer is made of it.
struct Notes
{
    std::int64_t scratchpadBytes = 0;
    double operations = 0; ///< Multiplications and additions, where they may cost more than moving the tensors.
    std::vector<Implementation::InPlacePair> inPlace;
    double slower = 1;      ///< How many times as long as the tensors and the operations let one expect.
    bool asksCudnn = false; ///< A layer goes through the library.
};

/// Which algorithm of cuDNN makes each side of a node's convolutions; -1: our own kernel does.
struct ConvolutionWay
{
    int planes = -1;
    int weights = -1;
    int windows = -1;

    [[nodiscard]] int of(ConvolutionSide side) const
    {
        return side == ConvolutionSide::Planes ? planes : side == ConvolutionSide::Weights ? weights : windows;
    }
};

/// A node on its way to a queue. Its tensors lie in the memory of the device; the host reads none of them but constants
/// of the graph, whose bytes it has.
class DeviceCall final : public KernelCall
{
public:
    DeviceCall(KernelCall& call, Queue& queue) : m_call(call), m_queue(queue) {}

    [[nodiscard]] Queue& queue() { return m_queue; }
    [[nodiscard]] const Notes& notes() const { return m_notes; }

    /// From here on input() has it in the memory of the host. Unsupported unless it is a constant, or absent.
    [[nodiscard]] Status readOnHost(std::size_t index);
    /// The output's type as the graph says; for operators that only move what is there.
    [[nodiscard]] Result<TensorView> plannedOutput(std::size_t index);
    /// Room for \p count elements in the scratchpad, behind what was asked for before.
    template <typename T>
    [[nodiscard]] Result<T*> scratch(std::int64_t count)
    {
        PLIMSOLL_ASSIGN(bytes, scratchBytes(count * static_cast<std::int64_t>(sizeof(T))));
        return reinterpret_cast<T*>(bytes);
    }
    /// Every thread reads the element of the input before it writes the one of the output in its place.
    void mayLieOver(int output, int input);
    void noteOperations(double operations) { m_notes.operations += operations; }
    void noteCudnn() { m_notes.asksCudnn = true; }
    /// It is expected to take so many times as long as the best.
    void noteSlower(double times) { m_notes.slower = std::max(m_notes.slower, times); }
    [[nodiscard]] ConvolutionWay convolutionWay() const { return m_way; }
    void convolveBy(ConvolutionWay way) { m_way = way; }

    [[nodiscard]] const Graph& graph() const override { return m_call.graph(); }
    [[nodiscard]] const Node& node() const override { return m_call.node(); }
    [[nodiscard]] std::int64_t opset() const override { return m_call.opset(); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override;
    [[nodiscard]] std::size_t inputCount() const override { return m_call.inputCount(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override { return m_call.wantsOutput(index); }
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        return m_call.output(index, dtype, shape);
    }
    Status setOutput(std::size_t index, RuntimeValue value) override
    {
        return m_call.setOutput(index, std::move(value));
    }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override { return m_call.literal(literal); }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return m_call.scratchpad(); }
    [[nodiscard]] std::uint64_t seed() const override { return m_call.seed(); }

private:
    [[nodiscard]] Result<std::byte*> scratchBytes(std::int64_t bytes);

    KernelCall& m_call;
    Queue& m_queue;
    Notes m_notes;
    ConvolutionWay m_way;
    std::map<std::size_t, RuntimeValue> m_onHost;
};

/// An Error that names the node: the device has no kernel for it as it is.
[[nodiscard]] Error decline(const KernelCall& call, Message message);
[[nodiscard]] Error declineType(const KernelCall& call, DType dtype);

/// One operator and a function that launches what computes it. Several of one operator are offers beside each other.
struct DeviceKernel
{
    std::string_view domain;
    std::string_view op;
    std::string_view name; ///< Of the implementation.
    Status (*run)(DeviceCall&) = nullptr;
    std::int64_t alignment = 16; ///< Of its outputs and its scratchpad, in bytes.
};
using DeviceTable = std::span<const DeviceKernel>;

} // namespace plimsoll::kernels::cuda
