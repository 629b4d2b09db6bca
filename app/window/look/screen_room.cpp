#include "app/window/look/screen_room.h"

#include <QScreen>
#include <QStyle>
#include <QWidget>

namespace plimsoll::app {

QSize screenRoom(const QWidget& window)
{
    constexpr int Edges = 8;
    const int title = window.style()->pixelMetric(QStyle::PM_TitleBarHeight);
    return window.screen()->availableSize() - QSize(Edges, Edges + title);
}

void resizeOnScreen(QWidget& window, QSize wish)
{
    window.resize(wish.boundedTo(screenRoom(window)));
}

} // namespace plimsoll::app
