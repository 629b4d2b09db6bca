#include "app/window/pages/card.h"

#include "app/window/look/labels.h"
#include "app/window/look/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

namespace plimsoll::app {
namespace {

constexpr int Padding = 14;
constexpr int Gap = 5;

} // namespace

Card::Card(const QString& title, const QString& story, QWidget* parent) : QAbstractButton(parent), m_story(story)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(story);
    setToolTip(story);
    setStatusTip(story);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover); // its outline says when the pointer is over it
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Card::reservePicture()
{
    m_top = PictureSize.height() + Padding;
}

void Card::setPicture(const QImage& picture)
{
    m_picture = picture;
    update();
}

/// The words of a title go over as many lines as they need.
QRect Card::titleRect(int width) const
{
    const QFontMetrics metrics(boldFont(font()));
    const int room = std::max(40, width - 2 * Padding);
    const int height = metrics.boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap, text()).height();
    return {Padding, m_top + Padding, room, text().contains(u' ') ? height : metrics.height()};
}

int Card::heightForWidth(int width) const
{
    const QRect title = titleRect(width);
    const QRect story(Padding, title.bottom() + 1 + Gap, title.width(), 1000);
    return fontMetrics().boundingRect(story, Qt::TextWordWrap, m_story).bottom() + 2 + Padding;
}

QSize Card::sizeHint() const
{
    return {260, heightForWidth(260)};
}

void Card::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void Card::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool hot = isEnabled() && underMouse();
    QPainterPath outline;
    outline.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.fillPath(outline, isDown() ? palette().alternateBase() : palette().base());
    painter.setPen(QPen(hot ? colours().muted : colours().line, hot ? 1.6 : 1.0));
    painter.drawPath(outline);
    if (hasFocus()) {
        painter.setPen(QPen(palette().highlight().color(), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(3, 3, -3, -3), 4, 4);
    }

    if (!m_picture.isNull()) {
        const QRect frame(Padding, Padding, width() - 2 * Padding, PictureSize.height());
        painter.drawImage(frame, m_picture);
    }
    const QFont bold = boldFont(font());
    const QFontMetrics metrics(bold);
    painter.setFont(bold);
    painter.setPen(isEnabled() ? palette().text().color() : colours().muted);
    const QRect title = titleRect(width());
    const QString words = text().contains(u' ') ? text() : metrics.elidedText(text(), Qt::ElideMiddle, title.width());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, words);
    painter.setFont(font());
    painter.setPen(colours().muted);
    const QRect story(Padding, title.bottom() + Gap, width() - 2 * Padding, height() - title.bottom() - Gap);
    painter.drawText(story, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_story);
}

} // namespace plimsoll::app
