#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace plimsoll::app {

/// An icon of resources/icons in the text colour of the current palette, and in the disabled one. Made anew when the
/// theme changes.
[[nodiscard]] QIcon icon(const QString& name);
/// The same in one colour of choice.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal pixelRatio);

} // namespace plimsoll::app
