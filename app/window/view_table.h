#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <span>

namespace plimsoll::app {

/// Where a view stands in the window.
enum class ViewPlace {
    Page,    ///< Instead of all others.
    Picture, ///< In the middle.
    Left,
    Right,
    Below, ///< A tab beneath the pictures.
};

/// What --view, the actions "view.…", the docks and the manual all know by one id.
struct ViewInfo
{
    const char* id;
    ViewPlace place;
    const char* title = ""; ///< Of a dock.
    bool tall = false;      ///< A screenshot of it gives it most of the height.
    bool closed = false;    ///< Until it is asked for.
};

/// Docks in the order of their tabs and of the menu.
[[nodiscard]] std::span<const ViewInfo> viewTable();
/// The id must be one of the table.
[[nodiscard]] const ViewInfo& viewInfo(const QString& id);
[[nodiscard]] QStringList viewIds(std::optional<ViewPlace> place = {}); ///< Of all places without one.

} // namespace plimsoll::app
