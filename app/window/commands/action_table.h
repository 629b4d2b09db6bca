#pragma once

#include <span>

namespace plimsoll::app {

/// One thing the user can do. Ids are stable: settings and tests know them.
struct ActionInfo
{
    const char* id;       ///< "file.open"
    const char* category; ///< As the palette and the shortcut sheet group them.
    const char* text;
    const char* tip;
    const char* shortcut; ///< Portable text; several are separated by "; ". Empty: none.
    const char* icon;     ///< Of resources/icons; empty: none.
    bool checkable = false;
    const char* pictureKey = ""; ///< A key that the pictures take themselves while they have the focus.
};

[[nodiscard]] std::span<const ActionInfo> actionTable();

/// Keys that a picture takes itself while it has the keyboard; those of commands (ActionInfo::pictureKey) come on top.
struct PictureKey
{
    const char* pictures; ///< Which of them: "Plan, live ranges".
    const char* keys;
    const char* tip;
};
[[nodiscard]] std::span<const PictureKey> pictureKeys();

} // namespace plimsoll::app
