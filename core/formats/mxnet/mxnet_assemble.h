#pragma once

#include "core/formats/mxnet/mxnet_symbol.h"
#include "core/formats/named_graph.h"

namespace plimsoll::mxnet {

/// The symbol by names. Control flow (_foreach, _while_loop, _cond) becomes Scan, Loop and If with nested graphs; the
/// graphs that a partitioner has put into a _CachedOp are put back where they were.
[[nodiscard]] Result<NamedGraph> toNamedGraph(Symbol symbol);

} // namespace plimsoll::mxnet
