#include "app/views/style.h"

#include "core/picture/plan_picture.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QtGlobal>

#include <map>
#include <tuple>

namespace plimsoll::app {
namespace {

/// Of Qt's patterns, after which they begin anew.
constexpr int TileSide = 8;

/// The lines or dots of one tile, and what of those beside it reaches in.
QPainterPath tilePath(Qt::BrushStyle style)
{
    QPainterPath path;
    const auto line = [&](double x1, double y1, double x2, double y2) {
        path.moveTo(x1, y1);
        path.lineTo(x2, y2);
    };
    const auto every = [&](auto draw) {
        for (const double at : {-TileSide, 0, TileSide})
            draw(at);
    };
    const bool both = style == Qt::DiagCrossPattern;
    if (style == Qt::VerPattern || style == Qt::CrossPattern)
        line(TileSide / 2 - 0.5, -1, TileSide / 2 - 0.5, TileSide + 1);
    if (style == Qt::CrossPattern) line(-1, TileSide / 2 - 0.5, TileSide + 1, TileSide / 2 - 0.5);
    if (style == Qt::BDiagPattern || both) every([&](double at) { line(at - 1, TileSide + 1, at + TileSide + 1, -1); });
    if (style == Qt::FDiagPattern || both) every([&](double at) { line(at - 1, -1, at + TileSide + 1, TileSide + 1); });
    return path;
}

QImage tileOf(Qt::BrushStyle style, const QColor& colour, double ratio)
{
    const int side = qRound(TileSide * ratio);
    QImage tile(side, side, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.scale(double(side) / TileSide, double(side) / TileSide);
    painter.setRenderHint(QPainter::NonCosmeticBrushPatterns);
    if (style >= Qt::Dense1Pattern && style <= Qt::Dense7Pattern) {
        painter.fillRect(0, 0, TileSide, TileSide, QBrush(colour, style));
        return tile;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1));
    painter.drawPath(tilePath(style));
    return tile;
}

} // namespace

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

QBrush hatchBrush(Qt::BrushStyle style, const QColor& colour, double ratio)
{
    if (ratio <= 1) return QBrush(colour, style);                                  // which SVG and PDF know
    thread_local std::map<std::tuple<Qt::BrushStyle, QRgb, double>, QBrush> known; // thousands of bars have few
    QBrush& brush = known[{style, colour.rgba(), ratio}];
    if (brush.style() != Qt::NoBrush) return brush;
    const QImage tile = tileOf(style, colour, ratio);
    brush.setTextureImage(tile);
    brush.setTransform(QTransform::fromScale(double(TileSide) / tile.width(), double(TileSide) / tile.height()));
    return brush;
}

QBrush patternBrush(Pattern pattern, const QColor& colour, double ratio)
{
    switch (pattern) {
    case Pattern::Plain:
        break;
    case Pattern::InPlace:
        return hatchBrush(Qt::BDiagPattern, colour, ratio);
    case Pattern::View:
        return hatchBrush(Qt::Dense6Pattern, colour, ratio);
    case Pattern::Padding:
        return hatchBrush(Qt::VerPattern, colour, ratio);
    case Pattern::Scratch:
        return hatchBrush(Qt::CrossPattern, colour, ratio);
    case Pattern::Rounding:
        return hatchBrush(Qt::FDiagPattern, colour, ratio);
    }
    return {};
}

} // namespace plimsoll::app
