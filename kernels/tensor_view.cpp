#include "kernels/tensor_view.h"

#include <cstring>
#include <new>

namespace plimsoll::kernels {
namespace {

constexpr std::align_val_t Alignment {64};

std::shared_ptr<void> zeroedBytes(std::int64_t bytes)
{
    const auto size = static_cast<std::size_t>(bytes < 1 ? 1 : bytes);
    void* memory = ::operator new(size, Alignment);
    std::memset(memory, 0, size);
    return {memory, [](void* m) { ::operator delete(m, Alignment); }};
}

} // namespace

HostTensor::HostTensor(DType dtype, Shape shape) : m_view {dtype, std::move(shape), nullptr}
{
    if (dtype == DType::String) {
        auto strings = std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(m_view.elements()));
        m_view.data = strings->data();
        m_memory = strings;
        return;
    }
    m_memory = zeroedBytes(m_view.bytes());
    m_view.data = m_memory.get();
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
