#pragma once

#include "core/lower/types/infer_types.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace plimsoll {

/// Sizes of symbolic dimensions, and what follows for the declared types.
struct BoundDims
{
    std::vector<Binding> bindings;           ///< In order of first appearance in the inputs.
    std::vector<TensorType> declared;        ///< By ValueId: the file's types with symbols replaced by their sizes.
    std::set<std::string> given;             ///< Symbols whose size was not assumed, expressions of such among them.
    std::map<std::string, word::List> unfit; ///< Expressions that are no size, and of what: "s0 = 1, s1 = 4".
    bool certain = true;                     ///< No size was assumed, and none of the file's was replaced.
};

/// Binds the symbols of graph inputs (and of the inputs of vendor operators' bodies) from the request, else to 1.
/// A symbol that is an expression ("2*s0 + 1") follows from its names, or they from it; where 1 would make it less than
/// nothing, the first power of two that does not is assumed.
/// BadUsage for an input, a symbol or a rank that the graph does not have, and for two sizes of one symbol.
/// \p assumptions: other sizes than 1 to assume.
[[nodiscard]] Result<BoundDims> bindDims(const Graph& graph, const InferenceRequest& request,
                                         const std::map<std::string, std::int64_t>& assumptions = {});

/// The same without sizes for what bindDims assumed or replaced: what is wrong under this is wrong for all sizes.
[[nodiscard]] BoundDims leaveOpen(const Graph& graph, const InferenceRequest& request, const BoundDims& bound);

} // namespace plimsoll
