#pragma once

#include <QFont>
#include <QString>

class QLabel;
class QWidget;

namespace plimsoll::app {

/// \p font in bold, \p scale times as large.
[[nodiscard]] QFont boldFont(QFont font, double scale = 1.0);

/// A label in bold that stands above a group of fields or begins a part of a page.
[[nodiscard]] QLabel* titleLabel(const QString& text, QWidget* parent, double scale = 1.0);

} // namespace plimsoll::app
