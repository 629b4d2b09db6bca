#pragma once

class QWidget;

namespace plimsoll::app {

class ActionSet;
class CanvasTabs;
class Workbench;

/// Groups of the graph by hand: what is looked at, or the group that is picked, gets a name. Each change is an edit
/// that can be undone.
void connectGroups(Workbench& bench, const ActionSet& actions, CanvasTabs& pictures, QWidget* window);

} // namespace plimsoll::app
