#include "app/views/style.h"

#include <QtGlobal>

namespace plimsoll::app {

Style makeStyle(Theme theme, const QFont& base)
{
    Style style;
    style.theme = theme;
    style.palette = &plimsoll::palette(theme);
    style.font = base;
    style.smallFont = base;
    style.boldFont = base;
    style.boldFont.setBold(true);
    if (base.pointSizeF() > 0)
        style.smallFont.setPointSizeF(qMax(6.0, base.pointSizeF() * 0.86));
    else if (base.pixelSize() > 0)
        style.smallFont.setPixelSize(qMax(8, base.pixelSize() * 86 / 100));
    return style;
}

} // namespace plimsoll::app
