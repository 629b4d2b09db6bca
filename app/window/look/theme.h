#pragma once

#include <QColor>
#include <QString>

#include <optional>

namespace plimsoll::app {

enum class ThemeChoice { System, Light, Dark };

[[nodiscard]] std::optional<ThemeChoice> themeFromName(const QString& name); ///< "system", "light", "dark"
[[nodiscard]] QString themeName(ThemeChoice choice);

/// Puts the palette of a theme on the whole application, live. System takes what the desktop's palette was at the
/// start.
void applyTheme(ThemeChoice choice);
[[nodiscard]] bool darkNow();

/// Colours that no palette role has.
namespace colours {
[[nodiscard]] QColor error();
[[nodiscard]] QColor warning();
[[nodiscard]] QColor good();
[[nodiscard]] QColor muted(); ///< Text of less weight; still 4.5 : 1 on the window.
[[nodiscard]] QColor line();  ///< Hairlines between things.
} // namespace colours

} // namespace plimsoll::app
