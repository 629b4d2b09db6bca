#pragma once

#include "core/picture/layout/layered_layout.h"

namespace plimsoll {

/// Which way a drawing of a graph runs.
enum class FlowDirection : std::uint8_t {
    Fitting, ///< Downwards; a long thin graph in columns, as text is set, so that all of it is as large as can be.
    Down,
    Right,
};

/// \p problem as it is to be laid out downwards, for a drawing that runs in \p direction.
[[nodiscard]] LayoutProblem standing(LayoutProblem problem, FlowDirection direction);

/// What a layout of standing() becomes: turned or, in a view of that size, in columns.
[[nodiscard]] GraphLayout directed(const LayoutProblem& problem, GraphLayout layout, FlowDirection direction,
                                   LayoutBox view);

/// \p layout, which runs downwards, in columns from left to right, read downwards one after the other:
///
///     a ┊   ╭──╮        cuts lie between ranks, not through frames that do not wrap, and where few edges and frames
///     b ┊ a │  c        cross; what crosses one leaves its column below, passes between the columns, and enters the
///     c ┊ b │  d        other one from above
///     d ┊ ╰─╯
///
/// As it is where columns would not make it much larger in \p view.
[[nodiscard]] GraphLayout inColumns(const LayoutProblem& problem, GraphLayout layout, LayoutBox view);

} // namespace plimsoll
