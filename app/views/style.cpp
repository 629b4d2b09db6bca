#include "app/views/style.h"

#include "core/picture/plan_picture.h"

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

QBrush patternBrush(Pattern pattern, const QColor& colour)
{
    switch (pattern) {
    case Pattern::Plain:
        break;
    case Pattern::InPlace:
        return QBrush(colour, Qt::BDiagPattern);
    case Pattern::View:
        return QBrush(colour, Qt::Dense6Pattern);
    case Pattern::Padding:
        return QBrush(colour, Qt::VerPattern);
    case Pattern::Scratch:
        return QBrush(colour, Qt::CrossPattern);
    case Pattern::Rounding:
        return QBrush(colour, Qt::FDiagPattern);
    }
    return {};
}

} // namespace plimsoll::app
