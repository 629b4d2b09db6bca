#include "core/plan/layout_pieces.h"

#include "core/base/bytes.h"

namespace plimsoll {

/// Before the innermost axis along which the part begins or ends inside, it has one index; behind it, it has all.
std::optional<Interval> pieceOf(const Layout& layout, const Shape& part, const Shape& whole, const Shape& start)
{
    const auto units = paddedShape(layout, Shape(whole.size(), 1)); // of one index: how many go into a block
    const auto outer = paddedShape(layout, whole);
    const auto inner = paddedShape(layout, part);
    if (!units || !outer || !inner || !elementCount(*outer)) return std::nullopt;
    std::int64_t behind = *elementCount(*units);
    Interval piece {0, behind};
    bool cut = false;
    for (std::size_t at = layout.order.size(); at-- > 0;) {
        const std::size_t axis = layout.order[at];
        const std::int64_t unit = (*units)[axis];
        if (start[axis] < 0 || start[axis] > whole[axis] - part[axis] || start[axis] % unit != 0) return std::nullopt;
        const bool toTheEnd = start[axis] + part[axis] == whole[axis];
        if (!toTheEnd && part[axis] % unit != 0) return std::nullopt;
        if (cut && (*inner)[axis] != unit) return std::nullopt;
        const std::int64_t begin = piece.begin + start[axis] / unit * behind;
        piece = {begin, begin + piece.length() * ((*inner)[axis] / unit)};
        behind *= (*outer)[axis] / unit;
        cut = cut || part[axis] != whole[axis];
    }
    return piece;
}

} // namespace plimsoll
