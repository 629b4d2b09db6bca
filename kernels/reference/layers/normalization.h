#pragma once

#include "kernels/common/call_tools.h"

namespace plimsoll::kernels {

enum class RowNorm : std::uint8_t {
    Centred,  ///< (x - mean) / sqrt(variance + epsilon)
    RootMean, ///< x / sqrt(mean of squares + epsilon)
};

struct RowStatistics
{
    double mean = 0;
    double inverse = 0; ///< What the centred number is multiplied with.
};

/// Normalises \p count numbers in place.
RowStatistics normalizeRow(double* row, std::int64_t count, double epsilon, RowNorm kind);

} // namespace plimsoll::kernels
