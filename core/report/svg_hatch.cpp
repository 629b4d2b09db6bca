#include "core/report/svg_hatch.h"

#include "core/report/svg_scale.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double Spacing = 8;

std::string segment(double x1, double y1, double x2, double y2)
{
    return "M" + decimal(x1) + " " + decimal(y1) + "L" + decimal(x2) + " " + decimal(y2);
}

double firstMultiple(double from)
{
    return std::ceil(from / Spacing) * Spacing;
}

/// Lines x + y = c where \p slope is 1, x - y = c where it is -1.
std::string diagonals(const PixelRect& r, int slope)
{
    std::string path;
    const double right = r.x + r.width;
    const auto [low, high] = std::minmax({slope * r.y, slope * (r.y + r.height)});
    for (double c = firstMultiple(r.x + low); c < right + high; c += Spacing) {
        const double a = std::max(r.x, c - high);
        const double b = std::min(right, c - low);
        if (a < b) path += segment(a, slope * (c - a), b, slope * (c - b));
    }
    return path;
}

std::string dots(const PixelRect& r)
{
    std::string path;
    for (double y = firstMultiple(r.y); y < r.y + r.height; y += Spacing) {
        for (double x = firstMultiple(r.x); x + 2 < r.x + r.width; x += Spacing)
            path += segment(x, y, x + 2, y);
    }
    return path;
}

} // namespace

std::string hatchPath(Pattern pattern, const PixelRect& rect)
{
    switch (pattern) {
    case Pattern::Plain:
        return {};
    case Pattern::InPlace:
        return diagonals(rect, 1);
    case Pattern::View:
        return dots(rect);
    case Pattern::Padding: {
        std::string path;
        for (double x = firstMultiple(rect.x); x < rect.x + rect.width; x += Spacing)
            path += segment(x, rect.y, x, rect.y + rect.height);
        return path;
    }
    case Pattern::Scratch:
        return diagonals(rect, 1) + diagonals(rect, -1);
    case Pattern::Rounding:
        return diagonals(rect, -1);
    }
    return {};
}

} // namespace plimsoll
