#pragma once

#include "core/graph/graph.h"
#include "core/plan/implementation.h"

#include <vector>

namespace plimsoll {

/// A tensor that may lie inside of another one, where a node would copy it to or from:
///
///     y = Concat(a, b)      |<----- y ----->|      a and b are parts of the output
///                           |<- a ->|<- b ->|
///     b, c = Split(x)       |<----- x ----->|      b and c are parts of the input
///                           |<- b ->|<- c ->|
struct SubBuffer
{
    int output = 0;
    int input = 0;
    bool inputIsPart = false;     ///< Else the output is.
    std::int64_t offsetBytes = 0; ///< Of the part in the other one…
    std::int64_t bytes = 0;       ///< …and how many it takes there, pad lanes included.
};

/// By the access maps of its operator: what is in one piece in the layout that \p how has for both, dense and of whole
/// bytes. Types are known.
[[nodiscard]] std::vector<SubBuffer> subBuffers(const Graph& graph, NodeId node, const Implementation& how = {});

/// Which elements of the input an element of the output is made of, by the row of the operator; anything where that
/// says nothing.
[[nodiscard]] AccessMap accessMap(const Graph& graph, NodeId node, int input, int output);

} // namespace plimsoll
