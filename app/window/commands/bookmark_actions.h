#pragma once

class QMenu;
class QWidget;

namespace plimsoll::app {

class ActionSet;
class InspectorPane;
class Workbench;

/// Bookmarks: what is selected gets a name of the user's own and a note, which the inspector shows and the search
/// finds. Each change is an edit that can be undone. \p menu lists them.
void connectBookmarks(Workbench& bench, const ActionSet& actions, InspectorPane& inspector, QMenu& menu,
                      QWidget* window);

} // namespace plimsoll::app
