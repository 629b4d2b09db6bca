#include "core/record/content_summary.h"

#include "core/graph/elements.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

ContentSummary summarise(DType dtype, std::span<const std::byte> bytes)
{
    ContentSummary summary;
    const int bits = dtypeBits(dtype);
    if (bits == 0) return summary;
    summary.elements = std::ssize(bytes) * 8 / bits;
    std::int64_t finite = 0;
    for (std::int64_t i = 0; i < summary.elements; ++i) {
        const double number = elementNumber(dtype, bytes.data(), i);
        summary.nans += std::isnan(number) ? 1 : 0;
        summary.infinities += std::isinf(number) ? 1 : 0;
        summary.zeros += number == 0 ? 1 : 0;
        if (!std::isfinite(number)) continue;
        summary.least = finite == 0 ? number : std::min(summary.least, number);
        summary.most = finite == 0 ? number : std::max(summary.most, number);
        ++finite;
        const auto count = static_cast<double>(finite);
        summary.mean += number / count - summary.mean / count; // sums and differences of large ones may be infinite
    }
    constexpr auto Bins = static_cast<double>(ContentSummary::Bins);
    const double width = summary.most / Bins - summary.least / Bins;
    for (std::int64_t i = 0; i < summary.elements; ++i) {
        const double number = elementNumber(dtype, bytes.data(), i);
        if (!std::isfinite(number)) continue;
        const double bin = width > 0 ? (number / width - summary.least / width) : 0;
        ++summary.histogram[static_cast<std::size_t>(std::clamp(bin, 0.0, Bins - 1))];
    }
    return summary;
}

} // namespace plimsoll
