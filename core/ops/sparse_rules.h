#pragma once

#include "core/ops/node_facts.h"

#include <array>
#include <span>

namespace plimsoll {

struct OpSchema;

/// What an operator makes of inputs that are kept in these ways: a row of its table, next to its shape rule.
///
///     elemwise_mul(row_sparse, dense)  →  row_sparse of as many rows,  which the reference computes as it is
///     elemwise_sub(csr, csr)           →  csr of both together,        which nothing computes: dense temporaries
///
/// Where no row fits, the node gets dense tensors, and what it leaves is dense.
struct SparseRule
{
    std::array<StorageType, 2> inputs {};    ///< The first two; all others are dense.
    StorageType output = StorageType::Dense; ///< Of output 0; all others are dense.
    /// How many elements or rows output 0 keeps at most; UnknownSize where that does not follow.
    std::int64_t (*bound)(const NodeFacts&) = nullptr;
    bool (*holds)(const NodeFacts&) = nullptr; ///< Shapes, element types and attributes it is about; null: all.
    bool native = true;                        ///< The reference computes it as it is.
    bool each = false;       ///< It maps elements one by one and leaves zero alone: only what is kept is computed.
    bool conversion = false; ///< It brings tensors from one kind to another: what fallbacks are made of.
};

/// How the outputs are kept: sets it in the types that the shape rule has left there.
void inferStorageTypes(NodeFacts& facts, const OpSchema& schema);

/// The rule for a node of a graph whose types are inferred, by how its inputs are kept and its output is; nullptr:
/// none.
[[nodiscard]] const SparseRule* sparseRuleOf(const Graph& graph, NodeId node);

/// Whether any input or output is sparse.
[[nodiscard]] bool touchesSparse(const Graph& graph, NodeId node);

} // namespace plimsoll
