#include "fake_call.h"

#include "core/formats/files/tensor_data.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::kernels::test {

FakeCall::FakeCall(const Graph& graph, NodeId node, std::vector<RuntimeValue> inputs)
    : m_graph(graph), m_node(node), m_inputs(std::move(inputs)), m_outputs(graph[node].outputs.size())
{
}

const RuntimeValue& FakeCall::input(std::size_t index) const
{
    return index < m_inputs.size() ? m_inputs[index] : m_absent;
}

bool FakeCall::wantsOutput(std::size_t index) const
{
    return index < node().outputs.size() && node().outputs[index].valid();
}

Result<TensorView> FakeCall::output(std::size_t index, DType dtype, const Shape& shape)
{
    constexpr std::int64_t Limit = std::int64_t {1} << 30;
    const auto bytes = dtype == DType::String ? elementCount(shape) : denseBytes(dtype, shape);
    if (!bytes || *bytes > Limit)
        return Error {ErrorCode::BadInput, Message("an output has no sensible size"), node().name, {}};
    if (index >= m_outputs.size())
        return Error {ErrorCode::Internal, Message("an output that the node has not"), node().name, {}};
    const auto shared = m_shared.find(index);
    if (shared == m_shared.end()) {
        m_outputs[index] = tensorValue(HostTensor(dtype, shape));
        return m_outputs[index].tensor;
    }
    m_outputs[index] = m_inputs[shared->second];
    m_outputs[index].tensor.dtype = dtype;
    m_outputs[index].tensor.shape = shape;
    return m_outputs[index].tensor;
}

Status FakeCall::setOutput(std::size_t index, RuntimeValue value)
{
    if (index >= m_outputs.size())
        return Error {ErrorCode::Internal, Message("an output that the node has not"), node().name, {}};
    m_outputs[index] = std::move(value);
    return {};
}

Result<TensorView> FakeCall::literal(const TensorLiteral& literal)
{
    PLIMSOLL_ASSIGN(tensor, hostTensor(literal));
    m_literals.push_back(tensor);
    return tensor.view();
}

Result<HostTensor> hostTensor(const TensorLiteral& literal)
{
    HostTensor tensor(literal.dtype, literal.shape);
    if (literal.data.strings) {
        std::copy(literal.data.strings->begin(), literal.data.strings->end(), tensor.view().as<std::string>());
        return tensor;
    }
    PLIMSOLL_ASSIGN(bytes, loadBytes(literal));
    if (!bytes.empty()) std::memcpy(tensor.view().data, bytes.data(), bytes.size());
    return tensor;
}

RuntimeValue copyOf(const RuntimeValue& value)
{
    if (value.kind != RuntimeValue::Kind::Tensor) return value;
    HostTensor copy(value.tensor.dtype, value.tensor.shape);
    if (value.tensor.dtype == DType::String) {
        std::copy_n(value.tensor.as<std::string>(), value.tensor.elements(), copy.view().as<std::string>());
    } else if (value.tensor.bytes() > 0) {
        std::memcpy(copy.view().data, value.tensor.data, static_cast<std::size_t>(value.tensor.bytes()));
    }
    return tensorValue(std::move(copy));
}

} // namespace plimsoll::kernels::test
