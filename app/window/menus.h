#pragma once

#include <QList>

class QAction;
class QMainWindow;
class QMenu;
class QWidget;

namespace plimsoll::app {

class ActionSet;
class Docks;

/// What can be done with what is picked: the same in the menu bar and under the right button, everywhere.
void fillSelectionMenu(QMenu& menu, const ActionSet& actions);

/// What can be saved and copied of a picture, and of a table: for their own menus.
[[nodiscard]] QList<QAction*> pictureActions(const ActionSet& actions, bool rows = false); ///< Of the live ranges.
[[nodiscard]] QList<QAction*> tableActions(const ActionSet& actions);

/// Menus that change while the window is open.
struct FilledLater
{
    QMenu* recent = nullptr;
    QMenu* edits = nullptr;
    QMenu* stops = nullptr;
    QMenu* bookmarks = nullptr;
    QMenu* layouts = nullptr; ///< The user's own come behind what it has.
};

/// The menu bar.
FilledLater buildMenus(QMainWindow& window, const ActionSet& actions, const Docks& docks);

/// The bar of icons; \p stepLabel stands between the step actions.
void buildToolBar(QMainWindow& window, const ActionSet& actions, QWidget* stepLabel);

} // namespace plimsoll::app
