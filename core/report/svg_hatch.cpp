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

/// Lines x + y = c.
std::string rising(const PixelRect& r)
{
    std::string path;
    const double right = r.x + r.width;
    const double bottom = r.y + r.height;
    for (double c = firstMultiple(r.x + r.y); c < right + bottom; c += Spacing) {
        const double a = std::max(r.x, c - bottom);
        const double b = std::min(right, c - r.y);
        if (a < b) path += segment(a, c - a, b, c - b);
    }
    return path;
}

/// Lines x - y = c.
std::string falling(const PixelRect& r)
{
    std::string path;
    const double right = r.x + r.width;
    const double bottom = r.y + r.height;
    for (double c = firstMultiple(r.x - bottom); c < right - r.y; c += Spacing) {
        const double a = std::max(r.x, c + r.y);
        const double b = std::min(right, c + bottom);
        if (a < b) path += segment(a, a - c, b, b - c);
    }
    return path;
}

std::string upright(const PixelRect& r)
{
    std::string path;
    for (double x = firstMultiple(r.x); x < r.x + r.width; x += Spacing)
        path += segment(x, r.y, x, r.y + r.height);
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
        return rising(rect);
    case Pattern::View:
        return dots(rect);
    case Pattern::Padding:
        return upright(rect);
    case Pattern::Scratch:
        return rising(rect) + falling(rect);
    }
    return {};
}

} // namespace plimsoll
