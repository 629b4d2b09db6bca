#pragma once

class QWidget;

namespace plimsoll::app {

/// The keys of Undo and Redo are the window's as long as nothing was typed into the field since it was last taken.
/// \p field: a QLineEdit, or what has one, as a QSpinBox.
void leaveUndoToWindow(QWidget* field);

} // namespace plimsoll::app
