#include "kernels/run/probe/stand_ins.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace plimsoll::kernels {
namespace {

/// Bytes to which the elements of a type must be aligned; 1 for what is read byte by byte.
std::uintptr_t elementAlignment(DType dtype)
{
    if (dtype == DType::String || dtype == DType::Unknown) return 1;
    return static_cast<std::uintptr_t>(std::clamp(dtypeBits(dtype) / 8, 1, 8));
}

bool isAligned(const TensorView& tensor)
{
    return reinterpret_cast<std::uintptr_t>(tensor.data) % elementAlignment(tensor.dtype) == 0;
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
    const std::span<std::byte> original(tensor.as<std::byte>(), static_cast<std::size_t>(tensor.bytes()));
    const auto found = std::ranges::find_if(m_standIns, [&](const StandIn& standIn) {
        return standIn.original.data() == original.data() && standIn.original.size() == original.size();
    });
    if (found != m_standIns.end()) return *found;
    StandIn& made = m_standIns.emplace_back(original, std::make_shared<std::byte[]>(original.size()));
    std::memcpy(made.bytes.get(), original.data(), original.size());
    return made;
}

} // namespace plimsoll::kernels
