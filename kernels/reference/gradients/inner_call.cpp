#include "kernels/reference/gradients/inner_call.h"

#include "kernels/reference/call_tools.h"
#include "kernels/tensor_value.h"

namespace plimsoll::kernels {

InnerCall::InnerCall(KernelCall& outer, Node node, std::vector<RuntimeValue> inputs)
    : m_outer(outer), m_node(std::move(node)), m_inputs(std::move(inputs)), m_results(m_node.outputs.size())
{
}

Status InnerCall::run()
{
    const KernelFunction kernel = findReferenceKernel(m_node.domain, m_node.op);
    return kernel ? kernel(*this) : refuse(*this, "there is no kernel to ask for its gradient.");
}

const RuntimeValue& InnerCall::input(std::size_t index) const
{
    return index < m_inputs.size() ? m_inputs[index] : m_absent;
}

Result<TensorView> InnerCall::output(std::size_t index, DType dtype, const Shape& shape)
{
    m_results[index] = tensorValue(HostTensor(dtype, shape));
    return m_results[index].tensor;
}

Status InnerCall::setOutput(std::size_t index, RuntimeValue value)
{
    m_results[index] = std::move(value);
    return {};
}

} // namespace plimsoll::kernels
