#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace plimsoll {

/// An opaque sRGB colour.
struct Rgb
{
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;
    friend constexpr bool operator==(Rgb, Rgb) = default;
};

enum class Theme : std::uint8_t { Light, Dark, Contrast };

/// Position in Palette::storages, and behind those in Palette::ramp.
using ColourIndex = std::uint8_t;
inline constexpr std::size_t StorageColourCount = 12;
inline constexpr std::size_t RampCount = 6;
inline constexpr ColourIndex FirstOfRamp = StorageColourCount;
inline constexpr std::size_t ColourCount = StorageColourCount + RampCount;
/// Of storages outside the planned arenas: painted in Palette::external.
inline constexpr ColourIndex NoColour = 255;

/// Every colour of every view. The storage colours are at least CIEDE2000 10 apart, from each other and from the
/// background, the text and the violation colour, under normal, protan, deutan and tritan vision (a test computes it).
/// Those of Theme::Contrast are light enough for black text at 7 : 1, and as far from the black behind them.
/// They were found by greedy farthest-point search with the chroma capped, so that only findings are red.
struct Palette
{
    std::array<Rgb, StorageColourCount> storages;
    std::array<Rgb, RampCount> ramp; ///< Numbers, the least first: of one hue, ever further from the background.
    Rgb background;                  ///< Behind bars and boxes.
    Rgb panel;                       ///< Behind axes, curves and strips.
    Rgb text;
    Rgb mutedText;   ///< Axis numbers, captions.
    Rgb grid;        ///< Fine lines that may be overlooked.
    Rgb outline;     ///< Lanes, boxes, frames.
    Rgb external;    ///< Bytes of the caller: inputs, parameters, constants.
    Rgb hole;        ///< Outline of free bytes between live ones.
    Rgb violation;   ///< Reserved for findings of severity error.
    Rgb onViolation; ///< Text on it.
    Rgb warning;     ///< Findings of severity warning; never a fill.
    Rgb accent;      ///< Selection, step cursor, focus.
    Rgb curve;       ///< Live bytes.
    Rgb curveFill;
    Rgb bound; ///< Lower bound.
};

[[nodiscard]] const Palette& palette(Theme theme);

/// The colour of a storage or of a number; Palette::external for NoColour.
[[nodiscard]] Rgb storageColour(const Palette& palette, ColourIndex colour);

/// "#2d78c3"
[[nodiscard]] std::string hex(Rgb colour);

/// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(Rgb a, Rgb b);

/// Black or white, whichever has the greater contrast.
[[nodiscard]] Rgb textOn(Rgb background);

/// \p share of \p over upon \p under, in sRGB; share in [0, 1].
[[nodiscard]] Rgb mix(Rgb under, Rgb over, double share);

} // namespace plimsoll
