#pragma once

#include <QSize>

class QWidget;

namespace plimsoll::app {

/// What a window may take of its screen, inside of a frame that the desktop has not drawn yet.
[[nodiscard]] QSize screenRoom(const QWidget& window);

/// As large as \p wish where its screen has room for that.
void resizeOnScreen(QWidget& window, QSize wish);

} // namespace plimsoll::app
