#pragma once

#include "core/ops/node_facts.h"

#include <span>

namespace plimsoll {

/// How many inputs and outputs the standard allows a node of one operator, from one version of the operator set on.
struct Signature
{
    static constexpr int Any = 1 << 30;

    std::string_view op;
    int least = 0; ///< Inputs; these must all be present.
    int most = Any;
    int outputs = 1;        ///< At most; outputs that nobody names at the end do not count.
    std::int64_t since = 0; ///< Version; rows with 0 hold where the file does not say which version it is from.
};

/// Of the standard's own domain, in the version that the graph imports; nullptr where nothing is known.
[[nodiscard]] const Signature* findSignature(const Graph& graph, const Node& node);

/// Whether the definition of the operator allows a node like this, whatever the sizes of its inputs: how many inputs,
/// outputs and bodies it has, of which kind its attributes are, which choices they make, and of which types its inputs
/// are, as far as these are known.
[[nodiscard]] Status checkForm(const NodeFacts& facts);

} // namespace plimsoll
