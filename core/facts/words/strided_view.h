#pragma once

#include "core/base/message.h"
#include "core/graph/graph.h"

#include <optional>

namespace plimsoll {

/// How the elements of a view lie that is not one piece of what it is a view of.
///
///     column 1 of a 3 x 4 matrix        .x...x...x..       strides [4], within 9 elements
struct StridedView
{
    Shape strides;              ///< By dimension: elements from one index to the next.
    std::int64_t spanBytes = 0; ///< From the first byte of its first element to the last of its last.
};

/// Nothing for other values, and where the graph does not say.
[[nodiscard]] std::optional<StridedView> stridedView(const Graph& graph, ValueId value);

/// "strides [4], within 36 B"; empty for other values.
[[nodiscard]] Message stridesText(const Graph& graph, ValueId value);

} // namespace plimsoll
