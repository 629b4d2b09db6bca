#include "core/picture/palette.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll {
namespace {

constexpr Rgb rgb(std::uint32_t hexDigits)
{
    return {static_cast<std::uint8_t>(hexDigits >> 16 & 0xff), static_cast<std::uint8_t>(hexDigits >> 8 & 0xff),
            static_cast<std::uint8_t>(hexDigits & 0xff)};
}

constexpr Palette Light = {
    .storages = {rgb(0x2d78c3), rgb(0xffa55a), rgb(0xa5c3ff), rgb(0x875a69), rgb(0x968769), rgb(0xe1d2b4),
                 rgb(0x9696b4), rgb(0xc3782d), rgb(0x4b96ff), rgb(0x5a693c), rgb(0x3cd2c3), rgb(0x787896)},
    .ramp = {rgb(0xdce8f4), rgb(0xb2cde8), rgb(0x82aedb), rgb(0x5088c4), rgb(0x2862a0), rgb(0x123c6e)},
    .background = rgb(0xffffff),
    .panel = rgb(0xf4f5f7),
    .text = rgb(0x1b1d21),
    .mutedText = rgb(0x5c626b),
    .grid = rgb(0xe6e8ec),
    .outline = rgb(0xa9afb9),
    .external = rgb(0xd5d8dd),
    .hole = rgb(0xb9bec7),
    .violation = rgb(0xc00000),
    .onViolation = rgb(0xffffff),
    .warning = rgb(0x945600),
    .accent = rgb(0x0b57d0),
    .curve = rgb(0x3a4250),
    .curveFill = rgb(0xdfe4ec),
    .bound = rgb(0x1b7f5c),
};

constexpr Palette Dark = {
    .storages = {rgb(0x5a78d2), rgb(0xc396a5), rgb(0x875a69), rgb(0x4bc3ff), rgb(0xb4d2a5), rgb(0x877896),
                 rgb(0xf0d269), rgb(0xa54b0f), rgb(0x69a578), rgb(0x695a96), rgb(0xa596c3), rgb(0xd4bad4)},
    .ramp = {rgb(0x2a3c50), rgb(0x35587a), rgb(0x4378a8), rgb(0x5c9ad0), rgb(0x8cbfe8), rgb(0xcbe4fa)},
    .background = rgb(0x1e1e1e),
    .panel = rgb(0x262729),
    .text = rgb(0xe6e7e9),
    .mutedText = rgb(0xa3a8b0),
    .grid = rgb(0x303236),
    .outline = rgb(0x5b6068),
    .external = rgb(0x45484e),
    .hole = rgb(0x555a62),
    .violation = rgb(0xff5050),
    .onViolation = rgb(0x000000),
    .warning = rgb(0xf0a830),
    .accent = rgb(0x8ab4ff),
    .curve = rgb(0xc3cad6),
    .curveFill = rgb(0x353a44),
    .bound = rgb(0x5fd0a5),
};

constexpr Palette Contrast = {
    .storages = {rgb(0x95ee8e), rgb(0x9e81ff), rgb(0x97959a), rgb(0xe7a8ff), rgb(0xb7c5c4), rgb(0xdebb00),
                 rgb(0xbf8d00), rgb(0xfff740), rgb(0xac89bb), rgb(0x5ebd93), rgb(0xe0ffd6), rgb(0xf5daff)},
    .ramp = Dark.ramp,
    .background = rgb(0x000000),
    .panel = rgb(0x000000),
    .text = rgb(0xffffff),
    .mutedText = rgb(0xe0e0e0),
    .grid = rgb(0x404040),
    .outline = rgb(0xffffff),
    .external = rgb(0x505050),
    .hole = rgb(0xffffff),
    .violation = rgb(0xff7070),
    .onViolation = rgb(0x000000),
    .warning = rgb(0xffd040),
    .accent = rgb(0xffff00),
    .curve = rgb(0xffffff),
    .curveFill = rgb(0x303030),
    .bound = rgb(0x60ff90),
};

double linear(std::uint8_t channel)
{
    const double v = channel / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(Rgb c)
{
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

} // namespace

const Palette& palette(Theme theme)
{
    switch (theme) {
    case Theme::Light:
        break;
    case Theme::Dark:
        return Dark;
    case Theme::Contrast:
        return Contrast;
    }
    return Light;
}

Rgb storageColour(const Palette& palette, ColourIndex colour)
{
    if (colour < StorageColourCount) return palette.storages[colour];
    return colour < ColourCount ? palette.ramp[colour - FirstOfRamp] : palette.external;
}

std::string hex(Rgb colour)
{
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", colour.r, colour.g, colour.b);
    return text;
}

double contrast(Rgb a, Rgb b)
{
    const double la = luminance(a) + 0.05;
    const double lb = luminance(b) + 0.05;
    return std::max(la, lb) / std::min(la, lb);
}

Rgb textOn(Rgb background)
{
    constexpr Rgb Black {0, 0, 0};
    constexpr Rgb White {255, 255, 255};
    return contrast(background, Black) >= contrast(background, White) ? Black : White;
}

Rgb mix(Rgb under, Rgb over, double share)
{
    const auto blend = [share](std::uint8_t u, std::uint8_t o) {
        return static_cast<std::uint8_t>(std::lround(u + (o - u) * std::clamp(share, 0.0, 1.0)));
    };
    return {blend(under.r, over.r), blend(under.g, over.g), blend(under.b, over.b)};
}

} // namespace plimsoll
