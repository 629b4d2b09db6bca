#pragma once

#include "core/base/interval.h"
#include "core/plan/layout.h"

namespace plimsoll {

/// Where in a tensor the part lies that begins at \p start along each axis, in elements and pad lanes. Empty where
/// others stand in between, and where a block is cut:
///
///     channels [16, 24) of 24       nChw16c of 1 x 24 x h x w   the second half, with its pad lanes
///                                   nhwc                        not in one piece
[[nodiscard]] std::optional<Interval> pieceOf(const Layout& layout, const Shape& part, const Shape& whole,
                                              const Shape& start);

} // namespace plimsoll
