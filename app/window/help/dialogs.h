#pragma once

class QWidget;

namespace plimsoll::app {

class ActionSet;

/// Every command with its keys, grouped as in the menus.
void showShortcutSheet(const ActionSet& actions, QWidget* parent);
void showAbout(QWidget* parent);

} // namespace plimsoll::app
