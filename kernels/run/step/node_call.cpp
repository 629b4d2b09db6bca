#include "kernels/run/step/node_call.h"

#include "core/ops/reorder_node.h"
#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"

namespace plimsoll::kernels {
namespace {

const RuntimeValue AbsentInput;

} // namespace

NodeCall::NodeCall(Memory& memory, NodeId node, std::uint64_t seed, TimeLimit time)
    : m_memory(memory), m_node(node), m_seed(seed), m_time(std::move(time)),
      m_asItLies(device() != nullptr || isSpaceCopy(this->node())),
      m_written(memory.graph()[node].outputs.size(), false)
{
    for (const ValueId input : this->node().inputs) {
        RuntimeValue& value = m_inputs.emplace_back(memory.value(input));
        const bool tensor = value.kind == RuntimeValue::Kind::Tensor;
        if (tensor && !m_asItLies) value.tensor = m_standIns.reading(value.tensor);
    }
}

std::int64_t NodeCall::opset() const
{
    return opsetVersion(graph(), node().domain);
}

const RuntimeValue& NodeCall::input(std::size_t index) const
{
    return index < m_inputs.size() ? m_inputs[index] : AbsentInput;
}

bool NodeCall::wantsOutput(std::size_t index) const
{
    return index < node().outputs.size() && node().outputs[index].valid();
}

Result<TensorView> NodeCall::output(std::size_t index, DType dtype, const Shape& shape)
{
    if (!wantsOutput(index)) {
        return Error {
            ErrorCode::Internal, say("kernel.unnamed-output", word::Number {index}), "node '" + node().name + "'", {}};
    }
    noteWritten(index);
    PLIMSOLL_ASSIGN(view, m_memory.produce(node().outputs[index], dtype, shape));
    if (m_asItLies) return view;
    return m_standIns.writing(view);
}

Status NodeCall::setOutput(std::size_t index, RuntimeValue value)
{
    if (!wantsOutput(index)) return {};
    if (m_asItLies) return Error {ErrorCode::Internal, say("device.host-bytes"), {}, {}};
    noteWritten(index);
    if (value.kind != RuntimeValue::Kind::Tensor) {
        m_memory.set(node().outputs[index], std::move(value));
        return {};
    }
    PLIMSOLL_ASSIGN(view, m_memory.produce(node().outputs[index], value.tensor.dtype, value.tensor.shape));
    copyTensor(value.tensor, view);
    return {};
}

Status NodeCall::announce(const Effort& effort) const
{
    const Status status = checkTime(m_time, effort);
    if (status.ok()) return {};
    Error late = status.error();
    late.where = "node '" + node().name + "' (" + qualifiedOp(node()) + ")";
    return late;
}

void NodeCall::noteWritten(std::size_t output)
{
    if (output < m_written.size()) m_written[output] = true;
}

Status NodeCall::finish()
{
    m_standIns.commit();
    for (std::size_t i = 0; i < m_written.size(); ++i) {
        if (m_written[i] || !wantsOutput(i)) continue;
        return Error {ErrorCode::Internal, say("kernel.no-output", word::Number {i}), "node '" + node().name + "'", {}};
    }
    return {};
}

Result<TensorView> TrialCall::output(std::size_t index, DType dtype, const Shape& shape)
{
    noteWritten(index);
    PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
    return (m_results[index] = tensorValue(std::move(tensor))).tensor;
}

const RuntimeValue& TrialCall::input(std::size_t index) const
{
    const auto replaced = m_replaced.find(index);
    if (index >= inputCount()) return AbsentInput;
    return replaced == m_replaced.end() ? NodeCall::input(index) : replaced->second;
}

Status TrialCall::setOutput(std::size_t index, RuntimeValue value)
{
    noteWritten(index);
    m_results[index] = std::move(value);
    return {};
}

RuntimeValue TrialCall::result(std::size_t index) const
{
    const auto found = m_results.find(index);
    return found == m_results.end() ? RuntimeValue {} : found->second;
}

} // namespace plimsoll::kernels
