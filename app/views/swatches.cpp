#include "app/views/swatches.h"

#include "app/views/style.h"

#include <QGuiApplication>
#include <QPalette>

namespace plimsoll::app {

QPixmap Swatches::pixmapOf(const QVariant& storage, double ratio) const
{
    const auto index = static_cast<std::size_t>(storage.toInt());
    if (!storage.isValid() || !colours || index >= colours->size() || (*colours)[index] == NoColour) return {};
    QPixmap square(QSizeF(SwatchSize * ratio, SwatchSize * ratio).toSize());
    square.setDevicePixelRatio(ratio);
    const QColor window = QGuiApplication::palette().window().color();
    const Theme theme = window == Qt::black ? Theme::Contrast : window.lightness() < 128 ? Theme::Dark : Theme::Light;
    square.fill(toColor(storageColour(palette(theme), (*colours)[index])));
    return square;
}

} // namespace plimsoll::app
