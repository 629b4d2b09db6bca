#pragma once

#include "core/picture/palette.h"

#include <QBrush>
#include <QColor>
#include <QFont>

namespace plimsoll {
enum class Pattern : std::uint8_t;
}

namespace plimsoll::app {

/// Everything that paint code may know of looks: all colours and fonts come from here.
struct Style
{
    Theme theme = Theme::Light;
    const Palette* palette = &plimsoll::palette(Theme::Light);
    QFont font;      ///< Labels.
    QFont smallFont; ///< Axis numbers and captions.
    QFont boldFont;

    [[nodiscard]] Rgb fill(ColourIndex colour) const { return storageColour(*palette, colour); }
    /// What is not selected steps back to a third of its strength.
    [[nodiscard]] Rgb dimmed(Rgb colour) const { return mix(palette->background, colour, DimmedShare); }

    /// \p wish where it can be read on \p fill, else black or white.
    [[nodiscard]] Rgb legible(Rgb fill, Rgb wish) const
    {
        return contrast(fill, wish) >= leastContrast() ? wish : textOn(fill);
    }
    [[nodiscard]] double leastContrast() const { return theme == Theme::Contrast ? 7 : 4.5; } ///< WCAG 2: AAA, AA.
    /// Washes over words take some of their contrast: then they are outlines.
    [[nodiscard]] bool washes() const { return theme != Theme::Contrast; }

    static constexpr double DimmedShare = 0.35;
};

/// \p base is the font of the application; sizes follow it.
[[nodiscard]] Style makeStyle(Theme theme, const QFont& base);

/// Lines that Qt draws one pixel of the device wide: here as wide and as far apart on every screen. \p ratio: pixels of
/// the device for one of the picture.
[[nodiscard]] QBrush hatchBrush(Qt::BrushStyle style, const QColor& colour, double ratio);
/// The texture of a pattern; NoBrush for Plain.
[[nodiscard]] QBrush patternBrush(Pattern pattern, const QColor& colour, double ratio);

[[nodiscard]] inline QColor toColor(Rgb c)
{
    return QColor(c.r, c.g, c.b);
}
[[nodiscard]] inline QColor toColor(Rgb c, double opacity)
{
    return QColor(c.r, c.g, c.b, static_cast<int>(opacity * 255));
}

} // namespace plimsoll::app
