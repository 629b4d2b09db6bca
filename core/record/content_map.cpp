#include "core/record/content_map.h"

#include "core/graph/elements.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll {
namespace {

std::pair<std::int64_t, std::int64_t> sizeOf(const Shape& shape, std::int64_t elements)
{
    if (shape.size() > 1) return {shape[shape.size() - 2], shape.back()};
    const auto edge = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(elements))));
    return {(elements + edge - 1) / edge, edge};
}

} // namespace

ContentMap contentMap(DType dtype, const Shape& shape, std::span<const std::byte> bytes, const ContentSummary& summary,
                      std::int64_t at)
{
    ContentMap map;
    if (summary.elements < 2) return map;
    const auto [rows, columns] = sizeOf(shape, summary.elements);
    const std::int64_t each = std::min(rows * columns, summary.elements);
    map.count = summary.elements / each;
    map.rows = static_cast<int>(std::min<std::int64_t>(rows, ContentMap::MostPixels));
    map.columns = static_cast<int>(std::min<std::int64_t>(columns, ContentMap::MostPixels));
    const std::int64_t first = std::clamp<std::int64_t>(at, 0, map.count - 1) * each;
    const double width = summary.most / 2 - summary.least / 2; // half of it is finite
    constexpr double Last = ContentMap::NotFinite - 1;
    for (int y = 0; y < map.rows; ++y) {
        for (int x = 0; x < map.columns; ++x) {
            const std::int64_t of = y * rows / map.rows * columns + x * columns / map.columns;
            const double number = of < each ? elementNumber(dtype, bytes.data(), first + of) : std::nan("");
            const double share = width > 0 ? (number / 2 - summary.least / 2) / width : 0.5;
            map.levels.push_back(std::isfinite(number) ? static_cast<std::uint8_t>(std::clamp(share, 0.0, 1.0) * Last)
                                                       : ContentMap::NotFinite);
        }
    }
    return map;
}

} // namespace plimsoll
