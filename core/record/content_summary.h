#pragma once

#include "core/graph/tensor_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll {

/// What a tensor's elements are like, in numbers. Complex numbers count by their real part.
struct ContentSummary
{
    static constexpr std::size_t Bins = 32;

    std::int64_t elements = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::int64_t zeros = 0;
    /// Of the finite ones; all 0 where there is none.
    double least = 0;
    double most = 0;
    double mean = 0;
    std::array<std::int64_t, Bins> histogram {}; ///< Finite elements, in bins of equal width from least to most.
};

/// \p bytes: whole elements of dense memory.
[[nodiscard]] ContentSummary summarise(DType dtype, std::span<const std::byte> bytes);

} // namespace plimsoll
