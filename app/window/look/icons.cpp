#include "app/window/look/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

namespace plimsoll::app {

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal pixelRatio)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QPixmap pixmap(QSize(size, size) * pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(pixelRatio);
    return pixmap;
}

QIcon icon(const QString& name)
{
    QIcon made;
    const QPalette palette;
    for (const int size : {16, 24}) {
        for (const qreal ratio : {1.0, 2.0}) {
            made.addPixmap(iconPixmap(name, palette.color(QPalette::Active, QPalette::ButtonText), size, ratio));
            made.addPixmap(iconPixmap(name, palette.color(QPalette::Disabled, QPalette::ButtonText), size, ratio),
                           QIcon::Disabled);
        }
    }
    return made;
}

} // namespace plimsoll::app
