#pragma once

#include "kernels/kernel.h"

#include <vector>

namespace plimsoll::kernels {

/// The reference kernel of an operator for tensors that are sparse, or nullptr: which kinds it takes is what the
/// storage rules of the operator say (core/ops/sparse_tables.h). A sparse tensor is held as a row of elements of its
/// type.
[[nodiscard]] KernelFunction findSparseKernel(std::string_view domain, std::string_view op);

/// The rows that a list names, rising and each once. An Error where one does not exist.
[[nodiscard]] Result<std::vector<std::int64_t>> rowsToKeep(const KernelCall& call, const TensorView& listed,
                                                           std::int64_t rows);

/// The kernels of operators that are about sparse tensors, for dense ones.
[[nodiscard]] Status retainDense(KernelCall& call);
[[nodiscard]] Status castDense(KernelCall& call);

} // namespace plimsoll::kernels
