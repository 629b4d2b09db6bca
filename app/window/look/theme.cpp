#include "app/window/look/theme.h"

#include "app/window/look/window_style.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>

namespace plimsoll::app {
namespace {

const Colours Light {0xfff4f5f7, 0xffffffff, 0xfff7f8fa, 0xfffafbfc, 0xff1b1f24, 0xff5c6570, 0xffd3d8de,
                     0xff1f6feb, 0xffffffff, 0xff0b57c4, 0xfffffff0, 0xffc00000, 0xff8a5a00, 0xff1a7f37};
const Colours Dark {0xff25282d, 0xff1e1e1e, 0xff24262a, 0xff30343a, 0xffe6e8eb, 0xffa3abb5, 0xff434950,
                    0xff1f6feb, 0xffffffff, 0xff78b0ff, 0xff34383e, 0xffff6b6b, 0xffe3b341, 0xff56d364};

/// Lines and frames are as bright as the text: nothing else parts black from black.
const Colours Contrast {0xff000000, 0xff000000, 0xff1a1a1a, 0xff000000, 0xffffffff, 0xffe0e0e0, 0xffffffff,
                        0xffffff00, 0xff000000, 0xffffff00, 0xff000000, 0xffff8080, 0xffffd040, 0xff60ff90};

Theme s_theme = Theme::Light;
ThemeChoice s_choice = ThemeChoice::System;

} // namespace

std::optional<ThemeChoice> themeFromName(const QString& name)
{
    for (const ThemeChoice choice : ThemeChoices) {
        if (themeName(choice) == name) return choice;
    }
    return std::nullopt;
}

QString themeName(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::Contrast:
        return QStringLiteral("contrast");
    case ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

void applyTheme(ThemeChoice choice)
{
    // Qt 6.4 does not know the desktop's choice; the palette it started with tells, before one of ours is on.
    static const bool system = QApplication::style()->standardPalette().color(QPalette::Window).lightness() < 128 ||
                               QPalette().color(QPalette::Window).lightness() < 128;
    s_choice = choice;
    s_theme = choice == ThemeChoice::Contrast                                            ? Theme::Contrast
              : choice == ThemeChoice::Dark || (choice == ThemeChoice::System && system) ? Theme::Dark
                                                                                         : Theme::Light;
    if (!qobject_cast<WindowStyle*>(QApplication::style())) QApplication::setStyle(new WindowStyle);
    const Colours& scheme = colours();
    QPalette palette;
    palette.setColor(QPalette::Window, scheme.window);
    palette.setColor(QPalette::Base, scheme.base);
    palette.setColor(QPalette::AlternateBase, scheme.alternate);
    palette.setColor(QPalette::Button, scheme.button);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, scheme.text);
    palette.setColor(QPalette::ToolTipBase, scheme.tip);
    palette.setColor(QPalette::PlaceholderText, scheme.muted);
    palette.setColor(QPalette::Highlight, scheme.accent);
    palette.setColor(QPalette::HighlightedText, scheme.accentText);
    palette.setColor(QPalette::Link, scheme.link);
    palette.setColor(QPalette::LinkVisited, scheme.link);
    palette.setColor(QPalette::BrightText, scheme.error);
    palette.setColor(QPalette::Light, scheme.button.lighter(108));
    palette.setColor(QPalette::Midlight, scheme.line);
    palette.setColor(QPalette::Mid, scheme.line);
    palette.setColor(QPalette::Dark, scheme.line.darker(115));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, scheme.muted.darker(s_theme == Theme::Light ? 90 : 130));
    palette.setColor(QPalette::Inactive, QPalette::Highlight, scheme.accent);
    QApplication::setPalette(palette);
}

Theme themeNow()
{
    return s_theme;
}

ThemeChoice themeChosen()
{
    return s_choice;
}

const Colours& colours()
{
    return s_theme == Theme::Contrast ? Contrast : s_theme == Theme::Dark ? Dark : Light;
}

} // namespace plimsoll::app
