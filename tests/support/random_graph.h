#pragma once

#include "core/graph/graph.h"

namespace plimsoll::test {

/// A random graph of element-wise nodes, identities, views, branches and loops, nested in each other, with several and
/// repeated outputs, inputs as outputs, and one input that the caller cannot look at. Every node has a kernel.
/// Inputs: condition bool[], trips int64[], x and given float32[16]; parameter w. The same for the same seed.
[[nodiscard]] Graph randomGraph(unsigned seed);

} // namespace plimsoll::test
