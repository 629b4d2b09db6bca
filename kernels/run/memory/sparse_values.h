#pragma once

#include "core/graph/graph.h"
#include "kernels/tensor_view.h"

#include <map>

namespace plimsoll::kernels {

/// Sparse values at run time: a block of bytes with all parts (core/graph/sparse_parts.h), held as a row of elements of
/// their type. What comes from outside and what is shown is dense.

/// The shape under which a value of known size is held: its own, or that row.
[[nodiscard]] std::optional<Shape> heldShape(const TensorType& type);

/// A dense tensor as a value of \p type is held. An Error where more is to be kept than there is room for.
[[nodiscard]] Result<RuntimeValue> asHeld(RuntimeValue dense, const TensorType& type);
[[nodiscard]] Result<std::map<ValueId, RuntimeValue>> asHeld(const Graph& graph, std::map<ValueId, RuntimeValue> given);

struct Shown
{
    RuntimeValue dense;     ///< The value itself where it is dense, spoiled, or too large to be shown so.
    std::int64_t kept = -1; ///< Elements or rows; -1 of what is dense.
};
[[nodiscard]] Shown asShown(const RuntimeValue& held, const TensorType& type);

/// Something of \p type, within its bound; how much it keeps and where depends on the seed.
[[nodiscard]] Result<RuntimeValue> drawSparse(const TensorType& type, std::uint64_t seed);

} // namespace plimsoll::kernels
