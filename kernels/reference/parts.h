#pragma once

#include "kernels/kernel.h"

#include <vector>

/// Joining and cutting tensors along one axis, for Concat, Split and their sequence forms.
namespace plimsoll::kernels {

/// The shape of all parts behind each other; an Error where one does not fit. \p parts is not empty.
[[nodiscard]] Result<Shape> joinedShape(const KernelCall& call, const std::vector<TensorView>& parts,
                                        std::int64_t axis);

void copyParts(const std::vector<TensorView>& parts, const TensorView& whole, std::int64_t axis);

/// Copies the slices from \p begin on, as many as \p part holds.
void copyPart(const TensorView& whole, const TensorView& part, std::int64_t axis, std::int64_t begin);

} // namespace plimsoll::kernels
