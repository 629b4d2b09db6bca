#include "kernels/checks/measurements.h"

#include "core/ops/saving.h"
#include "core/pipeline/pipeline.h"
#include "kernels/checks/one_output.h"
#include "kernels/checks/placed_call.h"
#include "kernels/cuda/cuda.h"
#include "kernels/run/memory/release_plan.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

Result<Graph> statement()
{
    GraphBuilder builder("frozen-scale");
    builder.graph().opsets[""] = 17;
    const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {200, 3}));
    const ValueId m = builder.addParameter("m", TensorType::dense(DType::Float32, {3}));
    const float number = 2;
    const auto bytes = std::as_bytes(std::span(&number, 1));
    TensorData data;
    data.bytes = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    const ValueId two = builder.addConstant("two", TensorType::dense(DType::Float32, {}), std::move(data));
    builder.graph()[x].requiresGrad = true;
    const ValueId p = addNode(builder, "Mul", {addNode(builder, "Add", {x, two}), m});
    const ValueId z = addNode(builder, "ReduceSum", {p}, {{"keepdims", std::int64_t {0}}});
    builder.addOutput(z);
    builder.graph().loss = z;
    return std::move(builder).build();
}

/// Nodes one after the other, each output in a block that is given back behind its last reader.
class EagerRun
{
public:
    EagerRun(Device& device, Graph graph)
        : m_device(device), m_graph(std::move(graph)), m_catalogue(describeForCuda(m_graph, {})),
          m_releases(m_graph, scheduleInCapturedOrder(m_graph)), m_blocks(m_graph.values.size())
    {
    }

    [[nodiscard]] const Graph& graph() const { return m_graph; }
    /// All values of that role.
    Status place(ValueRole role)
    {
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            if (m_graph.values[i].role == role) PLIMSOLL_TRY(place(ValueId(i)));
        }
        return {};
    }
    Status run(NodeId id, std::int64_t& peak)
    {
        const Node& node = m_graph[id];
        const auto offers = m_catalogue.offers.find(node.name);
        if (offers == m_catalogue.offers.end())
            return Error {ErrorCode::Unsupported, say("checks.no-offer"), "node '" + node.name + "'", {}};
        for (const ValueId output : node.outputs)
            PLIMSOLL_TRY(place(output));
        peak = std::max(peak, m_device.heldBytes());
        PLIMSOLL_TRY(compute(id, offers->second.front()));
        for (const ValueId value : m_releases.after(id))
            m_blocks[value.index()] = {};
        return {};
    }

private:
    Status place(ValueId value)
    {
        PLIMSOLL_ASSIGN(block, m_device.reserve(m_graph[value].type.bytes().value_or(0)));
        PLIMSOLL_TRY(m_device.fill(block.data, block.bytes, std::byte {0}));
        m_blocks[value.index()] = std::move(block);
        return {};
    }
    [[nodiscard]] TensorView viewOf(ValueId value) const
    {
        const TensorType& type = m_graph[value].type;
        return {type.dtype, type.shape().value_or(Shape {}), m_blocks[value.index()].data};
    }
    Status compute(NodeId id, const Implementation& offer)
    {
        const Node& node = m_graph[id];
        Trial::Prepared trial {m_graph, id, {}};
        std::vector<RuntimeValue> inputs;
        for (const ValueId input : node.inputs) {
            RuntimeValue& value = inputs.emplace_back();
            if (!input.valid()) continue;
            value.kind = RuntimeValue::Kind::Tensor;
            value.tensor = viewOf(input);
        }
        PLIMSOLL_ASSIGN(scratch, m_device.reserve(offer.scratchpadBytes));
        PlacedCall call(trial, inputs, {viewOf(node.outputs[0])},
                        {scratch.data, static_cast<std::size_t>(offer.scratchpadBytes)});
        PLIMSOLL_TRY(m_device.run(call, offer));
        return m_device.finish();
    }

    Device& m_device;
    Graph m_graph;
    Catalogue m_catalogue;
    ReleasePlan m_releases;
    std::vector<DeviceBlock> m_blocks; ///< By ValueId.
};

} // namespace

Result<SavedMemory> measureSavedMemory(Device& device, SavedPolicy saved)
{
    PLIMSOLL_ASSIGN(graph, statement());
    PlanRequest request;
    request.policies.saved = saved;
    PLIMSOLL_ASSIGN(report, analyse(graph, request, {}));
    EagerRun run(device, *report.program.graph);
    PLIMSOLL_TRY(run.place(ValueRole::Constant)); // numbers of the program, not tensors of the caller
    const std::int64_t outside = device.heldBytes();
    PLIMSOLL_TRY(run.place(ValueRole::Input));
    PLIMSOLL_TRY(run.place(ValueRole::Parameter));
    PLIMSOLL_ASSIGN(earlier, device.reserve(sizeof(float)));
    const std::int64_t before = device.heldBytes();
    std::int64_t peak = before;
    for (const NodeId node : run.graph().top().nodes) {
        if (!run.graph().decided[node].ahead && !isBackward(run.graph(), node)) PLIMSOLL_TRY(run.run(node, peak));
    }
    earlier = {};
    return SavedMemory {before - outside, peak - outside, device.heldBytes() - outside};
}

} // namespace plimsoll::kernels
