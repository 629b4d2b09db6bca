#include "kernels/tensor_view.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace plimsoll::kernels {
namespace {

constexpr std::align_val_t Alignment {64};

} // namespace

HostTensor::HostTensor(DType dtype, Shape shape) : m_view {dtype, std::move(shape), nullptr}
{
    if (dtype == DType::String) {
        auto strings = std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(m_view.elements()));
        m_view.data = strings->data();
        m_memory = strings;
        return;
    }
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(m_view.bytes(), 1));
    m_memory.reset(::operator new(size, Alignment), [](void* memory) { ::operator delete(memory, Alignment); });
    m_view.data = m_memory.get();
    std::memset(m_view.data, 0, size);
}

RuntimeValue tensorValue(HostTensor tensor)
{
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = tensor.view();
    value.owner = std::make_shared<HostTensor>(std::move(tensor));
    return value;
}

} // namespace plimsoll::kernels
