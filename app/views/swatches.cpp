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
    const bool dark = QGuiApplication::palette().window().color().lightness() < 128;
    square.fill(toColor(storageColour(palette(dark ? Theme::Dark : Theme::Light), (*colours)[index])));
    return square;
}

} // namespace plimsoll::app
