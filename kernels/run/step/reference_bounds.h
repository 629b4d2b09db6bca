#pragma once

#include "core/graph/graph.h"
#include "kernels/run/step/compare.h"

namespace plimsoll::kernels {

/// How far another backend may be from the reference kernel of this operator: sums are added up in another order, and
/// exponentials come from other polynomials. The absolute part grows with the largest element of \p wanted, since what
/// cancels out in a sum is as large as its terms.
[[nodiscard]] Tolerance referenceBound(const Node& node, const RuntimeValue& wanted);

[[nodiscard]] Tolerance widest(const Tolerance& a, const Tolerance& b);

} // namespace plimsoll::kernels
