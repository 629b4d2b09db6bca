#pragma once

class QWidget;

namespace plimsoll::app {

class ActionSet;
class Finder;
class Workbench;

/// The menu "Ask of the plan": what is asked of the selection holds for every plan from then on, and is an edit like
/// any other. A plan that was given or edited makes way for our own.
void connectConstraints(Workbench& bench, const ActionSet& actions, Finder& finder, QWidget* window);

/// What can be asked of the selection now.
void refreshConstraints(const Workbench& bench, const ActionSet& actions, bool open);

} // namespace plimsoll::app
