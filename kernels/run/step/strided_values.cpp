#include "kernels/run/step/strided_values.h"

#include "core/graph/value_strides.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MostPieces = std::size_t {1} << 22;

} // namespace

bool touchesStrided(const Graph& graph, NodeId node)
{
    const auto strided = [&](ValueId value) { return value.valid() && isStrided(graph[value]); };
    return std::ranges::any_of(graph[node].inputs, strided) || std::ranges::any_of(graph[node].outputs, strided);
}

RuntimeValue ownElements(const Value& value, RuntimeValue all)
{
    const bool whole = all.kind != RuntimeValue::Kind::Tensor || all.tensor.dtype == DType::String || !isStrided(value);
    if (whole || all.tensor.bytes() != spanBytes(value)) return all;
    const std::vector<Interval> pieces = piecesOf(value, MostPieces);
    std::int64_t bytes = 0;
    for (const Interval piece : pieces)
        bytes += piece.length();
    HostTensor own(all.tensor.dtype, {bytes * 8 / dtypeBits(all.tensor.dtype)}); // no more than it is made of
    std::byte* to = own.view().as<std::byte>();
    for (const Interval piece : pieces) {
        std::memcpy(to, all.tensor.as<std::byte>() + piece.begin, static_cast<std::size_t>(piece.length()));
        to += piece.length();
    }
    return tensorValue(std::move(own));
}

void putElements(const Value& value, const TensorView& elements, const TensorView& all)
{
    const std::byte* from = elements.as<std::byte>();
    for (const Interval piece : piecesOf(value, MostPieces)) {
        std::memcpy(all.as<std::byte>() + piece.begin, from, static_cast<std::size_t>(piece.length()));
        from += piece.length();
    }
}

} // namespace plimsoll::kernels
