#pragma once

#include "app/views/style.h"

#include <QColor>
#include <QString>

#include <array>
#include <optional>

namespace plimsoll::app {

enum class ThemeChoice { System, Light, Dark, Contrast };
inline constexpr std::array ThemeChoices {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark,
                                          ThemeChoice::Contrast};

[[nodiscard]] std::optional<ThemeChoice> themeFromName(const QString& name); ///< "system", "light", "dark", "contrast"
[[nodiscard]] QString themeName(ThemeChoice choice);

/// Puts the palette of a theme on the whole application, live. System takes what the desktop's palette was at the
/// start.
void applyTheme(ThemeChoice choice);
[[nodiscard]] Theme themeNow(); ///< What System came to, too.
[[nodiscard]] ThemeChoice themeChosen();

/// The colours of a theme; for those that no palette role has.
struct Colours
{
    QColor window, base, alternate, button, text;
    QColor muted; ///< Text of less weight; still 4.5 : 1 on the window, 7 : 1 under Contrast.
    QColor line;  ///< Hairlines between things.
    QColor accent, accentText, link, tip, error, warning, good;
};
[[nodiscard]] const Colours& colours(); ///< Of the theme that is on.

} // namespace plimsoll::app
