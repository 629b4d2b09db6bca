#pragma once

#include "core/ops/sparse_rules.h"

/// The storage rules that operators of several dialects have in common. The tables of the operators point here.
namespace plimsoll::ops {

/// How much output 0 keeps at most.
std::int64_t keepsFirst(const NodeFacts& facts);    ///< As much as input 0.
std::int64_t keepsSecond(const NodeFacts& facts);   ///< As much as input 1.
std::int64_t keepsBoth(const NodeFacts& facts);     ///< All of the first two inputs.
std::int64_t keepsLess(const NodeFacts& facts);     ///< No more than either of them.
std::int64_t keepsRetained(const NodeFacts& facts); ///< No more than the rows that input 1 lists.
std::int64_t keepsColumns(const NodeFacts& facts);  ///< A row for each column that a csr keeps something of.
std::int64_t keepsAsked(const NodeFacts& facts); ///< The attribute max_stored, else as much as an input of that kind.

/// Both operands have one shape, and elements that the sparse kernels compute with: float32 or float64.
bool isElementwise(const NodeFacts& facts);
bool isScaledBySecond(const NodeFacts& facts); ///< The second is one number, and the result has the first one's shape.
bool isScaledByFirst(const NodeFacts& facts);
bool isOneInput(const NodeFacts& facts);
bool isScalable(const NodeFacts& facts);        ///< Elements as above; the number is an attribute.
bool isMatrixProduct(const NodeFacts& facts);   ///< Of two matrices as they are, elements as above.
bool isTransposedFirst(const NodeFacts& facts); ///< The same with the first one transposed.
/// What a conversion is asked for, spelled as by MXNet ("stype") or here ("storage").
bool asksForDense(const NodeFacts& facts);
bool asksForRowSparse(const NodeFacts& facts);
bool asksForCsr(const NodeFacts& facts);

/// Of the operators, by what they do.
namespace storages {

using enum StorageType;

inline constexpr SparseRule Sum[] = {
    {.inputs = {RowSparse, RowSparse}, .output = RowSparse, .bound = keepsBoth, .holds = isElementwise},
    {.inputs = {RowSparse, Dense}, .output = Dense, .holds = isElementwise},
    {.inputs = {Dense, RowSparse}, .output = Dense, .holds = isElementwise},
    {.inputs = {Csr, Csr}, .output = Csr, .bound = keepsBoth, .holds = isElementwise},
    {.inputs = {Csr, Dense}, .output = Dense, .holds = isElementwise},
    {.inputs = {Dense, Csr}, .output = Dense, .holds = isElementwise},
};

/// No backend computes it as it is; what is left is as sparse as MXNet has it.
inline constexpr SparseRule Difference[] = {
    {.inputs = {RowSparse, RowSparse},
     .output = RowSparse,
     .bound = keepsBoth,
     .holds = isElementwise,
     .native = false},
    {.inputs = {Csr, Csr}, .output = Csr, .bound = keepsBoth, .holds = isElementwise, .native = false},
};

/// As MXNet has it: the product of a csr and a dense matrix is dense.
inline constexpr SparseRule ElementwiseProduct[] = {
    {.inputs = {RowSparse, RowSparse}, .output = RowSparse, .bound = keepsLess, .holds = isElementwise},
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsFirst, .holds = isElementwise},
    {.inputs = {Dense, RowSparse}, .output = RowSparse, .bound = keepsSecond, .holds = isElementwise},
    {.inputs = {Csr, Csr}, .output = Csr, .bound = keepsLess, .holds = isElementwise},
};

inline constexpr SparseRule Product[] = {
    {.inputs = {RowSparse, RowSparse}, .output = RowSparse, .bound = keepsLess, .holds = isElementwise},
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsFirst, .holds = isElementwise},
    {.inputs = {Dense, RowSparse}, .output = RowSparse, .bound = keepsSecond, .holds = isElementwise},
    {.inputs = {Csr, Csr}, .output = Csr, .bound = keepsLess, .holds = isElementwise},
    {.inputs = {Csr, Dense}, .output = Csr, .bound = keepsFirst, .holds = isElementwise},
    {.inputs = {Dense, Csr}, .output = Csr, .bound = keepsSecond, .holds = isElementwise},
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsFirst, .holds = isScaledBySecond},
    {.inputs = {Dense, RowSparse}, .output = RowSparse, .bound = keepsSecond, .holds = isScaledByFirst},
    {.inputs = {Csr, Dense}, .output = Csr, .bound = keepsFirst, .holds = isScaledBySecond},
    {.inputs = {Dense, Csr}, .output = Csr, .bound = keepsSecond, .holds = isScaledByFirst},
};

/// By a number that is an attribute.
inline constexpr SparseRule Scaling[] = {
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsFirst, .holds = isScalable},
    {.inputs = {Csr, Dense}, .output = Csr, .bound = keepsFirst, .holds = isScalable},
};

inline constexpr SparseRule Matrix[] = {
    {.inputs = {Csr, Dense}, .output = Dense, .holds = isMatrixProduct},
    {.inputs = {Csr, Dense}, .output = RowSparse, .bound = keepsColumns, .holds = isTransposedFirst},
};

/// Element by element, and zero stays zero.
inline constexpr SparseRule ZeroStays[] = {
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsFirst, .holds = isOneInput, .each = true},
    {.inputs = {Csr, Dense}, .output = Csr, .bound = keepsFirst, .holds = isOneInput, .each = true},
};

inline constexpr SparseRule Copy[] = {
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsFirst},
    {.inputs = {Csr, Dense}, .output = Csr, .bound = keepsFirst},
};

inline constexpr SparseRule Retain[] = {
    {.inputs = {RowSparse, Dense}, .output = RowSparse, .bound = keepsRetained},
};

inline constexpr SparseRule Cast[] = {
    {.inputs = {Dense, Dense}, .output = Dense, .holds = asksForDense, .conversion = true},
    {.inputs = {Dense, Dense}, .output = RowSparse, .bound = keepsAsked, .holds = asksForRowSparse, .conversion = true},
    {.inputs = {Dense, Dense}, .output = Csr, .bound = keepsAsked, .holds = asksForCsr, .conversion = true},
    {.inputs = {RowSparse, Dense}, .output = Dense, .holds = asksForDense, .conversion = true},
    {.inputs = {Csr, Dense}, .output = Dense, .holds = asksForDense, .conversion = true},
    {.inputs = {RowSparse, Dense},
     .output = RowSparse,
     .bound = keepsAsked,
     .holds = asksForRowSparse,
     .conversion = true},
    {.inputs = {Csr, Dense}, .output = Csr, .bound = keepsAsked, .holds = asksForCsr, .conversion = true},
};

} // namespace storages

} // namespace plimsoll::ops
