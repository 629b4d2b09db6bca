#pragma once

#include "core/base/progress.h"
#include "core/graph/graph.h"
#include "core/ops/partial_tensor.h"
#include "core/plan/binding.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

struct InferenceRequest
{
    std::map<std::string, std::int64_t> dims;      ///< Symbol → size.
    std::map<std::string, Shape> shapes;           ///< Graph input → whole shape; binds the symbols that stand in it.
    std::map<std::string, std::int64_t> maxStored; ///< Sparse value → how many elements or rows it keeps at most.

    friend bool operator==(const InferenceRequest&, const InferenceRequest&) = default;
};

/// The same graph (the same ids) with types filled in, and what became known on the way.
struct InferredGraph
{
    Graph graph;
    std::vector<Binding> bindings;
    /// By ValueId, as are those below: elements that are known before the run. All may be shorter: nothing is known,
    /// and every size is.
    std::vector<PartialTensor> contents;
    std::vector<Message> unknownBecause; ///< Why the bytes cannot be known; empty where they are.
    /// Of a value without a size, the one of which the file says too little (itself, or one that it follows
    /// from). Invalid where the size is known, or only the run can know it.
    std::vector<ValueId> lacking {};
};

/// Infers the types of every value in captured order, nested graphs included, evaluating shape arithmetic on the way.
/// Types that the file declares are checked against what follows from the operators: a contradiction is an Error with
/// node, value and both shapes, never a silent choice. An unnamed unknown dimension of a graph input counts as a
/// symbol of its own, "<input>.<axis>". Types of opaque operators' outputs are what the file says, or unknown.
/// Errors: a given symbol or input that the graph does not have (BadUsage), contradictions, sizes over 63 bits.
[[nodiscard]] Result<InferredGraph> inferTypes(const Graph& graph, const InferenceRequest& request,
                                               const Context& context);

} // namespace plimsoll
