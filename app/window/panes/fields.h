#pragma once

class QWidget;

namespace plimsoll::app {

/// For the destructor of a pane: a field that loses the focus because its pane goes still ends its editing, and would
/// call what is no pane any more.
void disconnectFields(QWidget& pane);

} // namespace plimsoll::app
