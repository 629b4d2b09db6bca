#include "kernels/common/inner_call.h"

#include "kernels/common/call_tools.h"
#include "kernels/tensor_view.h"

namespace plimsoll::kernels {

Result<TensorView> InnerCall::output(std::size_t index, DType dtype, const Shape& shape)
{
    if (!denseBytes(dtype, shape)) return refuse(*this, "a result has no size.");
    m_results[index] = tensorValue(HostTensor(dtype, shape));
    return m_results[index].tensor;
}

Status InnerCall::setOutput(std::size_t index, RuntimeValue value)
{
    m_results[index] = std::move(value);
    return {};
}

} // namespace plimsoll::kernels
