#include "app/window/look/bold.h"

#include <QLabel>

namespace plimsoll::app {

QFont boldFont(QFont font, double scale)
{
    font.setBold(true);
    if (scale != 1.0) font.setPointSizeF(font.pointSizeF() * scale);
    return font;
}

QLabel* titleLabel(const QString& text, QWidget* parent, double scale)
{
    auto* label = new QLabel(text, parent);
    label->setFont(boldFont(label->font(), scale));
    return label;
}

} // namespace plimsoll::app
