#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/device/cuda_device.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

using cuda::DeviceCall;
using cuda::DeviceKernel;
using cuda::Notes;

/// The device that times are estimated for: an H100 with its data sheet's speeds and what of them such kernels reach.
struct DeviceModel
{
    std::string_view name = "H100 SXM";
    int gigabytesPerSecond = 3350;
    int teraflops = 67; ///< In float32.
    int reachedPercent = 80;
    int launchUs = 3;

    double bytesPerMs = 1e4 * reachedPercent * gigabytesPerSecond;
    double operationsPerMs = 1e7 * reachedPercent * teraflops;
    double launchMs = 1e-3 * launchUs;
};
constexpr DeviceModel Model;

/// A call that has types in place of tensors.
class Rehearsal final : public KernelCall
{
public:
    Rehearsal(const Graph& graph, NodeId node) : m_graph(graph), m_node(graph[node])
    {
        for (const ValueId input : m_node.inputs)
            m_inputs.push_back(valueOf(input));
    }

    /// Every tensor is dense, and its shape is known.
    [[nodiscard]] bool isPossible() const
    {
        const auto known = [this](ValueId id) {
            if (!id.valid()) return true;
            const TensorType& type = m_graph[id].type;
            return type.kind == TypeKind::Tensor && !type.isSparse() && type.bytes().has_value();
        };
        return std::all_of(m_node.inputs.begin(), m_node.inputs.end(), known) &&
               std::all_of(m_node.outputs.begin(), m_node.outputs.end(), known);
    }
    /// Of all tensors, each once.
    [[nodiscard]] double bytes() const
    {
        double sum = 0;
        for (const ValueIds* values : {&m_node.inputs, &m_node.outputs}) {
            for (const ValueId id : *values)
                sum += id.valid() ? static_cast<double>(m_graph[id].type.bytes().value_or(0)) : 0.0;
        }
        return sum;
    }

    [[nodiscard]] const Graph& graph() const override { return m_graph; }
    [[nodiscard]] const Node& node() const override { return m_node; }
    [[nodiscard]] std::int64_t opset() const override { return opsetVersion(m_graph, m_node.domain); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override
    {
        return index < m_inputs.size() ? m_inputs[index] : m_absent;
    }
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override
    {
        return index < m_node.outputs.size() && m_node.outputs[index].valid();
    }
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        const bool planned =
            wantsOutput(index) && m_graph[m_node.outputs[index]].type == TensorType::dense(dtype, shape);
        if (!planned) return cuda::decline(*this, say("cuda.output-type"));
        return TensorView {dtype, shape, nullptr};
    }
    Status setOutput(std::size_t /*index*/, RuntimeValue /*value*/) override
    {
        return cuda::decline(*this, say("cuda.output-no-tensor"));
    }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override
    {
        return TensorView {literal.dtype, literal.shape, nullptr};
    }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return 0; }

private:
    [[nodiscard]] RuntimeValue valueOf(ValueId id) const
    {
        RuntimeValue value;
        const auto shape = id.valid() ? m_graph[id].type.shape() : std::nullopt;
        if (!shape) return value;
        value.kind = RuntimeValue::Kind::Tensor;
        value.tensor = {m_graph[id].type.dtype, *shape, nullptr};
        return value;
    }

    const Graph& m_graph;
    const Node& m_node;
    std::vector<RuntimeValue> m_inputs;
    RuntimeValue m_absent;
};

/// The roofline of the model: what its launches, its bytes and its operations take at least.
double estimateMs(const Notes& notes, double bytes, std::int64_t launches)
{
    const double moved = bytes / Model.bytesPerMs;
    const double computed = notes.operations / Model.operationsPerMs;
    return notes.slower * (static_cast<double>(launches) * Model.launchMs + std::max(moved, computed));
}

std::optional<Implementation> rehearse(const Graph& graph, NodeId node, const DeviceKernel& kernel,
                                       cuda::LayerLibrary* layers)
{
    Rehearsal rehearsal(graph, node);
    if (!rehearsal.isPossible()) return std::nullopt;
    cuda::Queue queue;
    queue.rehearsal = true;
    queue.layers = layers;
    DeviceCall call(rehearsal, queue);
    if (!kernel.run(call).ok() || !queue.status.ok()) return std::nullopt;
    Implementation offer;
    offer.backend = "cuda";
    offer.device = "cuda:0";
    offer.name = kernel.name;
    offer.scratchpadBytes = call.notes().scratchpadBytes;
    offer.inPlaceKnown = true;
    offer.inPlace = call.notes().inPlace;
    offer.alignment = kernel.alignment;
    offer.timeMs = estimateMs(call.notes(), rehearsal.bytes(), queue.launches);
    offer.provenance = "estimated";
    return offer;
}

/// cuDNN, ready to be asked. It knows its algorithms where there is a device only.
Result<std::unique_ptr<cuda::LayerLibrary>> cudnnHere()
{
    PLIMSOLL_TRY(findCudaDevices());
    PLIMSOLL_ASSIGN(library, cuda::openCudnn(cuda::cudnnFiles()));
    PLIMSOLL_TRY(library->begin());
    return library;
}

} // namespace

FoundLibraries findCudaLibraries()
{
    return {findCublas(), cudnnHere()};
}

std::map<std::string, Message> FoundLibraries::describe() const
{
    return {{"cublas", cublas.ok() ? Message(cublas.value()) : say("library.absent", cublas.error().message)},
            {"cudnn", cudnn.ok() ? Message(cudnn.value()->version()) : say("library.absent", cudnn.error().message)}};
}

Catalogue describeForCuda(const Graph& graph, const Context& context)
{
    const FoundLibraries found = findCudaLibraries();
    Catalogue catalogue = describeForCuda(graph, found.usable(), context);
    catalogue.environment.merge(found.describe());
    return catalogue;
}

Catalogue describeForCuda(const Graph& graph, const CudaLibraries& libraries, const Context& context)
{
    Catalogue catalogue;
    catalogue.environment["cuda model"] =
        say("cuda.model", Model.name, Model.gigabytesPerSecond, Model.teraflops, Model.reachedPercent, Model.launchUs);
    for (std::size_t i = 0; i < graph.nodes.size() && !context.stopped(); ++i) {
        const NodeId id {i};
        if (graph.decided[id].ahead) continue;
        for (const DeviceKernel* kernel : cuda::loops::findKernels(graph[id])) {
            if (kernel->name == "cublas" && !libraries.cublas) continue;
            if (auto offer = rehearse(graph, id, *kernel, libraries.cudnn))
                catalogue.offers[graph[id].name].push_back(*offer);
        }
    }
    return catalogue;
}

} // namespace plimsoll::kernels
