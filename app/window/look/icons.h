#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace plimsoll::app {

/// An icon of resources/icons in the text colour of whatever palette there is when it is drawn.
[[nodiscard]] QIcon icon(const QString& name);
/// The same in one colour of choice.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal pixelRatio);

} // namespace plimsoll::app
