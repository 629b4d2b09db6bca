#include "kernels/run/step/plain_value.h"

#include "core/ops/reorder_node.h"
#include "kernels/reference/reorder.h"
#include "kernels/tensor_value.h"

namespace plimsoll::kernels {
namespace {

ValueId beforePreparing(const Graph& graph, ValueId value)
{
    const NodeId producer = graph[value].producer;
    const bool prepared = producer.valid() && graph.decided[producer].ahead && isReorder(graph[producer]);
    return prepared ? graph[producer].inputs.front() : value;
}

} // namespace

RuntimeValue plainValue(const PlannedProgram& program, const World& world, const ExternalValues& externals,
                        ValueId value)
{
    const Graph& graph = *program.graph;
    const ValueId id = beforePreparing(graph, value);
    const RuntimeValue* external = id == value ? nullptr : externals.find(id);
    const Result<RuntimeValue> here = external ? Result<RuntimeValue>(*external) : world.onHost(id);
    if (!here.ok()) return {};
    const RuntimeValue& held = here.value();
    const std::string_view name = layoutOf(graph, program.implementations, id);
    const auto shape = graph[id].type.shape();
    if (name == PlainLayout || held.kind != RuntimeValue::Kind::Tensor || !shape) return held;
    const auto from = layoutFromName(name, shape->size());
    auto plain = allocateTensor(held.tensor.dtype, *shape);
    if (!from || !plain.ok()) return held;
    const TensorView target = plain.value().view();
    reorderElements({held.tensor.as<std::byte>(), *from},
                    {target.as<std::byte>(), *layoutFromName(PlainLayout, shape->size())}, *shape,
                    static_cast<std::size_t>(dtypeBits(target.dtype) / 8));
    return tensorValue(std::move(plain).value());
}

} // namespace plimsoll::kernels
