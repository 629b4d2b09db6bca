#pragma once

#include "core/graph/graph.h"
#include "kernels/tensor_view.h"

/// Values whose elements lie apart in the bytes of another one. A run holds all bytes from their first element to their
/// last as a list of elements; those between are of others.
namespace plimsoll::kernels {

/// Whether a node reads or leaves a strided value: kernels know none.
[[nodiscard]] bool touchesStrided(const Graph& graph, NodeId node);

/// Of a strided value its own elements, one behind the other; others as they are.
[[nodiscard]] RuntimeValue ownElements(const Value& value, RuntimeValue all);

/// Writes \p elements, one behind the other, to where they lie in \p all.
void putElements(const Value& value, const TensorView& elements, const TensorView& all);

} // namespace plimsoll::kernels
