#pragma once

#include "kernels/run/run.h"

namespace plimsoll::kernels {

/// What a library's kernel has just computed in the oracle, against the reference kernels; what a sparse kernel has,
/// against the dense ones. Within a bound for each operator. Other nodes are left alone.
void compareWithReference(Run& run, NodeId node);

/// What the node has just computed in the oracle, where nothing shares, against what it is declared to repeat.
void checkIdentities(Run& run, NodeId node);

} // namespace plimsoll::kernels
