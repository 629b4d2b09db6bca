#include "core/graph/value_strides.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Whether the elements lie one behind the other in the order of the shape.
bool inOnePiece(const Shape& shape, const Shape& strides)
{
    std::optional<std::int64_t> expected = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 0) return true;
        if (shape[i] != 1 && strides[i] != expected) return false;
        expected = expected ? checkedMultiply(*expected, shape[i]) : std::nullopt;
    }
    return true;
}

std::optional<std::int64_t> spanOf(DType dtype, const Shape& shape, const Shape& strides)
{
    std::optional<std::int64_t> elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto reach = checkedMultiply(shape[i] - 1, strides[i]);
        elements = elements && reach ? checkedAdd(*elements, *reach) : std::nullopt;
    }
    return elements ? denseBytes(dtype, {*elements}) : std::nullopt;
}

struct Axis
{
    std::int64_t stride = 0;
    std::int64_t size = 0;
};

/// Those with several indices, the closest elements first.
std::vector<Axis> axesOf(const Shape& shape, const Shape& strides)
{
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] > 1) axes.push_back({strides[i], shape[i]});
    std::ranges::sort(axes, {}, &Axis::stride);
    return axes;
}

/// Where elements, or pieces of several, begin along the axes from \p first on: at most \p most.
std::optional<std::vector<std::int64_t>> startsOf(const std::vector<Axis>& axes, std::size_t first, std::size_t most)
{
    std::vector<std::int64_t> starts = {0};
    for (std::size_t axis = first; axis < axes.size(); ++axis) {
        if (static_cast<std::uint64_t>(axes[axis].size) > most / starts.size()) return std::nullopt;
        const std::size_t before = starts.size();
        for (std::int64_t index = 1; index < axes[axis].size; ++index)
            for (std::size_t i = 0; i < before; ++i)
                starts.push_back(starts[i] + index * axes[axis].stride);
    }
    std::ranges::sort(starts);
    return starts;
}

} // namespace

std::optional<StridedView> stridedView(const Value& value)
{
    const auto shape = value.type.shape();
    if (!shape || value.at->strides.size() != shape->size() || value.at->strides.empty()) return std::nullopt;
    if (inOnePiece(*shape, value.at->strides)) return std::nullopt;
    const auto span = spanOf(value.type.dtype, *shape, value.at->strides);
    if (!span) return std::nullopt;
    return StridedView {value.at->strides, *span};
}

std::optional<std::int64_t> spanBytes(const Value& value)
{
    if (value.at->strides.empty()) return value.type.bytes();
    const auto view = stridedView(value);
    return view ? view->spanBytes : value.type.bytes();
}

std::vector<Interval> piecesOf(const Value& value, std::size_t most)
{
    const auto view = value.at->strides.empty() ? std::nullopt : stridedView(value);
    const Interval all {0, spanBytes(value).value_or(0)};
    const int bits = dtypeBits(value.type.dtype);
    if (!view || bits % 8 != 0) return {all};
    const std::vector<Axis> axes = axesOf(*value.type.shape(), view->strides);
    std::int64_t together = 1; // elements from the first one on that have no gap
    std::size_t axis = 0;
    for (; axis < axes.size() && axes[axis].stride <= together; ++axis)
        together += (axes[axis].size - 1) * axes[axis].stride;
    const auto starts = startsOf(axes, axis, most);
    if (!starts) return {all};
    std::vector<Interval> pieces;
    const std::int64_t bytes = bits / 8;
    for (const std::int64_t start : *starts) {
        const Interval piece {start * bytes, (start + together) * bytes};
        if (!pieces.empty() && piece.begin <= pieces.back().end)
            pieces.back().end = std::max(pieces.back().end, piece.end);
        else
            pieces.push_back(piece);
    }
    return pieces;
}

bool liesOnItself(const Value& value)
{
    constexpr std::size_t Most = 65536;
    const auto view = value.at->strides.empty() ? std::nullopt : stridedView(value);
    if (!view) return false;
    const std::vector<Axis> axes = axesOf(*value.type.shape(), view->strides);
    if (!axes.empty() && axes[0].stride == 0) return true;
    const auto starts = startsOf(axes, 0, Most);
    return starts && std::ranges::adjacent_find(*starts) != starts->end();
}

} // namespace plimsoll
