#include "app/window/look/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace plimsoll::app {
namespace {

/// Draws in the colour that the palette has when it draws, so that a change of theme needs no new icons.
class PaletteIcon : public QIconEngine
{
public:
    explicit PaletteIcon(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal ratio) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor colour = QGuiApplication::palette().color(group, QPalette::ButtonText);
        const int side = static_cast<int>(std::min(size.width(), size.height()) / ratio);
        return iconPixmap(m_name, colour, side, ratio);
    }
    [[nodiscard]] QIconEngine* clone() const override { return new PaletteIcon(m_name); }

private:
    QString m_name;
};

} // namespace

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal pixelRatio)
{
    const QString key = QStringLiteral("plimsoll:%1:%2:%3:%4").arg(name, colour.name()).arg(size).arg(pixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    pixmap = QPixmap(QSize(size, size) * pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(pixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon icon(const QString& name)
{
    return QIcon(new PaletteIcon(name));
}

} // namespace plimsoll::app
