#pragma once

#include "core/lower/free_names.h"
#include "core/plan/decision.h"

#include <string_view>

namespace plimsoll {

/// Adds nodes that copy values. What is added stands behind what is there: no id changes.
class OutputCopier
{
public:
    explicit OutputCopier(Graph& graph);

    /// A copy of \p value by an Identity in the same body, right behind the producer, or first of all where the value
    /// is there before the first node. \p why becomes the overload of the node's origin.
    [[nodiscard]] ValueId copy(ValueId value, std::string_view why);

private:
    /// "y:copy"; the gradient that is handed out keeps its name, and what it is copied from makes room.
    [[nodiscard]] std::string nameFor(ValueId source);

    Graph& m_graph;
    FreeNames m_names;
};

/// Gives every output a value of its own that a node writes and no other value shares by declaration, so that the
/// caller can bring a buffer for it: what stands there twice, and inputs, constants, views and versions are copied.
[[nodiscard]] Graph copySharedOutputs(Graph graph, const DecisionLog& log);

} // namespace plimsoll
