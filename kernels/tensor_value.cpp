#include "kernels/tensor_value.h"

#include <utility>

namespace plimsoll::kernels {

RuntimeValue tensorValue(HostTensor tensor)
{
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = tensor.view();
    value.owner = std::make_shared<HostTensor>(std::move(tensor));
    return value;
}

} // namespace plimsoll::kernels
