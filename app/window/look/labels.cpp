#include "app/window/look/labels.h"

#include "app/models/window_text.h"

#include <QBoxLayout>
#include <QPainter>

namespace plimsoll::app {
namespace {

constexpr int FewestLetters = 4;

} // namespace

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

QLabel* textLabel(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(labelText(text), parent)
{
    setTextFormat(Qt::PlainText);
    setToolTip(labelText(text, TipLetters));
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * FewestLetters, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment()),
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, contentsRect().width()));
}

void addAll(QBoxLayout* layout, std::initializer_list<QWidget*> widgets)
{
    for (QWidget* widget : widgets) {
        if (widget)
            layout->addWidget(widget);
        else
            layout->addStretch(1);
    }
}

} // namespace plimsoll::app
