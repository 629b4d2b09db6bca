#pragma once

#include "core/base/interval.h"
#include "core/graph/graph.h"

#include <optional>
#include <vector>

/// How the elements of a view lie in the bytes of what it is a view of.
namespace plimsoll {

/// What is not one piece, or not in the order of its shape.
///
///     column 1 of a 3 x 4 matrix        .x...x...x..       strides [4], within 9 elements
struct StridedView
{
    Shape strides;              ///< By dimension: elements from one index to the next.
    std::int64_t spanBytes = 0; ///< From the first byte of its first element to the last of its last.
};

/// Nothing for other values, for unknown shapes, and where the span does not fit in 63 bits.
[[nodiscard]] std::optional<StridedView> stridedView(const Value& value);

[[nodiscard]] inline bool isStrided(const Value& value)
{
    return !value.at->strides.empty() && stridedView(value).has_value();
}

/// What it takes in the storage it lies in: the span of a strided view, else its bytes; nothing where they are unknown.
[[nodiscard]] std::optional<std::int64_t> spanBytes(const Value& value);

/// The bytes of its elements, from its first one, in order and apart. All of the span where they are more than \p most
/// pieces. \pre spanBytes() is known.
[[nodiscard]] std::vector<Interval> piecesOf(const Value& value, std::size_t most = 4096);

/// Whether two of its elements are known to lie on the same bytes: of a stride of 0, and of what begins before another
/// row has ended. Where telling takes more than 65,536 elements: only by strides of 0.
[[nodiscard]] bool liesOnItself(const Value& value);

} // namespace plimsoll
