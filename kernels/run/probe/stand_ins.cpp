#include "kernels/run/probe/stand_ins.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace plimsoll::kernels {
namespace {

/// For its elements; what is read byte by byte always is.
bool isAligned(const TensorView& tensor)
{
    if (tensor.dtype == DType::String || tensor.dtype == DType::Unknown) return true;
    const int alignment = std::clamp(dtypeBits(tensor.dtype) / 8, 1, 8);
    return reinterpret_cast<std::uintptr_t>(tensor.data) % static_cast<std::uintptr_t>(alignment) == 0;
}

} // namespace

TensorView StandIns::reading(const TensorView& tensor)
{
    if (isAligned(tensor)) return tensor;
    return {tensor.dtype, tensor.shape, of(tensor).bytes.get()};
}

TensorView StandIns::writing(const TensorView& tensor)
{
    if (isAligned(tensor)) return tensor;
    StandIn& standIn = of(tensor);
    standIn.written = true;
    return {tensor.dtype, tensor.shape, standIn.bytes.get()};
}

void StandIns::commit()
{
    for (StandIn& standIn : m_standIns) {
        if (standIn.written) std::memcpy(standIn.original.data(), standIn.bytes.get(), standIn.original.size());
        standIn.written = false;
    }
}

StandIns::StandIn& StandIns::of(const TensorView& tensor)
{
    const std::span<std::byte> original = tensor.byteSpan();
    const auto found = std::ranges::find_if(m_standIns, [&](const StandIn& standIn) {
        return standIn.original.data() == original.data() && standIn.original.size() == original.size();
    });
    if (found != m_standIns.end()) return *found;
    StandIn& made = m_standIns.emplace_back(original, std::make_shared<std::byte[]>(original.size()));
    std::memcpy(made.bytes.get(), original.data(), original.size());
    return made;
}

} // namespace plimsoll::kernels
