#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// What the sparse tensors of a graph come to: which nodes compute them as they are kept, and the price
/// of the others.
struct SparseUse
{
    std::int64_t native = 0;      ///< Nodes that read or leave sparse tensors as they are kept…
    std::int64_t conversions = 0; ///< …and the conversions that were put between the nodes.
    std::int64_t atPeakBytes =
        0; ///< Of the dense temporaries, those whose storage is alive at the step of most live bytes.
    [[nodiscard]] bool any() const { return native > 0 || conversions > 0; }
};
[[nodiscard]] SparseUse sparseUse(const Report& report);

/// How a node goes about the sparse tensors it reads or leaves.
enum class SparseDispatchKind : std::uint8_t { Dense, Native, Fallback };
[[nodiscard]] SparseDispatchKind sparseDispatchOf(const Report& report, NodeId node);

/// "native", "fallback"; empty for a node of dense tensors.
[[nodiscard]] std::string_view sparseDispatchName(SparseDispatchKind kind);

/// "csr + dense → dense": how an implementation takes and leaves the tensors of a node.
[[nodiscard]] std::string storageTypesText(const Graph& graph, NodeId node);
/// The same in few words: "row_sparse" where everything is kept in one way.
[[nodiscard]] std::string shortStorageTypesText(const Graph& graph, NodeId node);

} // namespace plimsoll
