#include "core/ops/saving.h"
#include "core/pipeline/pipeline.h"
#include "kernels/checks/one_output.h"
#include "kernels/checks/trial.h"
#include "kernels/common/numbers.h"
#include "kernels/common/random_numbers.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::kernels {
namespace {

/// What a backward node is handed: constants as they are, else numbers in [-1, 1); integers and truth values are 1.
RuntimeValue drawn(const Value& value, std::uint64_t seed)
{
    const HostTensor tensor(value.type.dtype, value.type.shape().value_or(Shape()));
    const TensorView& view = tensor.view();
    if (value.data->bytes) {
        std::memcpy(view.data, value.data->bytes->data(), static_cast<std::size_t>(view.bytes()));
        return tensorValue(tensor);
    }
    RandomNumbers random(seed);
    std::vector<double> numbers(static_cast<std::size_t>(view.elements()), 1);
    if (isFloatingPoint(view.dtype))
        std::generate(numbers.begin(), numbers.end(), [&] { return 2 * random.uniform() - 1; });
    storeNumbers(numbers.data(), view);
    return tensorValue(tensor);
}

/// The inputs of the trial, "x0" and so on, keep their numbers.
RuntimeValue inputOf(const Trial::Prepared& forward, const Graph& joint, ValueId id, std::uint64_t seed)
{
    if (!id.valid()) return {};
    const ValueIds& inputs = forward.graph[forward.node].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].valid() && forward.graph[inputs[i]].name == joint[id].name) return forward.inputs[i];
    }
    return drawn(joint[id], seed + id.index());
}

} // namespace

Result<std::vector<Trial::Prepared>> Trial::prepareBackward(std::uint64_t seed) const
{
    std::vector<Prepared> backward;
    const bool odd = std::any_of(m_inputs.begin(), m_inputs.end(), [](const Input& input) { return input.odd; });
    if (odd || m_forwardOnly) return backward;
    GraphBuilder builder("trial");
    builder.graph().opsets[""] = m_opset;
    PLIMSOLL_ASSIGN(forward, begin(builder, seed));
    bool isAsked = false;
    for (Value& value : builder.graph().values) {
        value.requiresGrad = value.role == ValueRole::Input && value.type.dtype == DType::Float32;
        isAsked = isAsked || value.requiresGrad;
    }
    if (!isAsked) return backward;
    const ValueId y = builder.output(forward.node, 0);
    const ValueId loss =
        addNode(builder, "ReduceSum", {addNode(builder, "Mul", {y, y})}, {{"keepdims", std::int64_t {0}}});
    builder.graph().loss = loss;
    builder.addOutput(loss);
    PLIMSOLL_ASSIGN(graph, std::move(builder).build());
    forward.graph = graph;
    PlanRequest request;
    request.recordDecisions = false;
    const auto report = analyse(graph, request, {});
    if (!report.ok()) return backward; // it has no gradient
    const Graph& joint = *report.value().program.graph;
    for (std::size_t i = 0; i < joint.nodes.size(); ++i) {
        const Node& node = joint.nodes[i];
        if (node.domain != GradientDomain || joint.decided[NodeId(i)].ahead || node.op != m_node.op) continue;
        Prepared& prepared = backward.emplace_back(Prepared {joint, NodeId {i}, {}});
        for (const ValueId input : node.inputs)
            prepared.inputs.push_back(inputOf(forward, joint, input, seed));
    }
    return backward;
}

} // namespace plimsoll::kernels
