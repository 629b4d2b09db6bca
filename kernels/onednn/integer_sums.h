#pragma once

#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

/// Whether products of bytes are added up as they are. Instruction sets before VNNI add each two of them in 16 bits
/// first, where they saturate; tried once, since the library does not say.
[[nodiscard]] bool addsBytesExactly(const dnnl::engine& engine);
/// What that comes to, in words: "yes, brg:avx512_core_vnni".
[[nodiscard]] Message integerText(const dnnl::engine& engine);

/// The weights of one element of a product, whichever it is.
struct WeightSums
{
    double products = 0;  ///< How many there are.
    double magnitude = 0; ///< The most that a single one has.
    double sum = 0;       ///< The most that their magnitudes add up to.
};
/// From their bytes, or the worst of all bytes where those are known only in the run.
[[nodiscard]] WeightSums weightSums(const NodeView& node, std::size_t weights, Work work);

} // namespace plimsoll::kernels::onednn
