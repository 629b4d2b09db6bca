#pragma once

#include "core/verify/verifier.h"

#include <string>
#include <string_view>

namespace plimsoll::test {

/// A graph and a plan for it, from text.
struct Case
{
    Graph graph;
    Schedule schedule;
    Implementations implementations;
    Policies policies; ///< alignment=1, unless the plan says otherwise.
    MemoryMap map;
    StreamPlan streams;
    std::vector<NodeId> order {}; ///< Of the nodes that run in an order of their own.

    [[nodiscard]] Program program() const;
    [[nodiscard]] std::vector<Finding> judge(bool ownPlan = false, const Context& context = {}) const;
    [[nodiscard]] ValueId value(std::string_view name) const;
};

/// \p graph as in graph_text.h; values without a type are uint8[64]. \p plan line by line, "#" comments:
///
///     arena 256 align=16 cap=200     one line for each arena; space=cuda:0 says of which memory
///     device n cuda:0                node n is computed there
///     x 0                            value at an offset of arena 0, with its own size
///     y 64:32                        with 32 bytes reserved
///     y 1@64                         in arena 1
///     hosted y 16 in                 in the caller's bytes of in, from byte 16
///     declared -                     the file itself says what nodes declare
///     hidden in                      the caller cannot look at the input after the run
///     scratch n 128:32               of node n, which needs 32 bytes
///     needs n 0 96                   node n needs 96 bytes for its output 0
///     aligns n 16                    what node n writes begins at a multiple of 16
///     inplace n                      the implementation of n writes nothing in place; "inplace n 0 1": only 0 over 1
///     reads n 0 nChw8c               node n takes its input 0 in that layout; "writes n 0 nChw8c" for outputs,
///                                    "reads n 0 csr" for how it is kept
///     view n 16                      the views that n declares begin at byte 16
///     type x uint8[32]               of any value, by its full name
///     policy outputs shared
///     stream n 1                     node n runs on stream 1
///     event a b                      b waits for a
///     order b a                      the nodes run in this order; each of a body is named, or none of it
///     reserved 0 64:32               32 bytes of arena 0 from byte 64 on belong to something else
[[nodiscard]] Case parseCase(std::string_view graph, std::string_view plan);

/// One line for each finding: "rule severity values / nodes / steps / bytes", severity only where it is not error:
/// "clobbered-read x y / reader writer / [1, 4) / [0, 64)".
[[nodiscard]] std::string summary(const Case& c, const std::vector<Finding>& findings);
/// summary() of what the judge says of the plan \p plan of \p graph, both as parseCase() takes them.
[[nodiscard]] std::string verdict(std::string_view graph, std::string_view plan);

} // namespace plimsoll::test
