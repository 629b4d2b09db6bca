#include "app/views/colour_key_bar.h"

#include "app/models/window_text.h"

#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int Square = 10; // pixels, as all of these
constexpr int Air = 5;
constexpr int Apart = 12;
constexpr int WidestBar = 900;

} // namespace

ColourKeyBar::ColourKeyBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("colourKey"));
    setAccessibleName(tr("What the colours mean"));
    hide();
}

void ColourKeyBar::setKey(ColourBy by, std::vector<ColourKey> key)
{
    m_by = by;
    m_key = std::move(key);
    QStringList lines;
    for (const ColourKey& each : m_key)
        lines << textOf(by, each);
    setToolTip(lines.join(u'\n'));
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    setVisible(!m_key.empty());
    updateGeometry();
    update();
}

void ColourKeyBar::setTheme(Theme theme)
{
    m_theme = theme;
    update();
}

QString ColourKeyBar::textOf(ColourBy by, const ColourKey& key)
{
    const QString first = countText(key.range.begin);
    const QString last = countText(key.range.end - 1);
    const bool one = key.range.length() == 1;
    QString what = toQString(key.name);
    if (key.name.empty() && by == ColourBy::Lifetime)
        what = one ? (key.range.begin == 1 ? tr("1 step") : tr("%1 steps").arg(first))
                   : tr("%1 to %2 steps").arg(first, last);
    else if (key.name.empty())
        what = one ? (key.range.begin == 1 ? tr("alone") : tr("%1 values").arg(first))
                   : tr("%1 to %2 values").arg(first, last);
    return what + QStringLiteral("  ×") + countText(key.values);
}

QSize ColourKeyBar::sizeHint() const
{
    const QFontMetrics text(font());
    int width = Apart;
    for (const ColourKey& key : m_key)
        width += Square + Air + text.horizontalAdvance(textOf(m_by, key)) + Apart;
    const QWidget* around = parentWidget();
    return {std::min(width, around ? std::max(around->width() / 2, 1) : WidestBar), text.height() + Air};
}

void ColourKeyBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    const QFontMetrics text(font());
    const int more = text.horizontalAdvance(QStringLiteral("+99"));
    int left = Apart;
    for (std::size_t i = 0; i < m_key.size(); ++i) {
        const QString words = textOf(m_by, m_key[i]);
        const int wide = Square + Air + text.horizontalAdvance(words);
        const bool last = i + 1 == m_key.size();
        painter.setPen(palette().color(QPalette::WindowText));
        if (left + wide + (last ? 0 : Apart + more) > width()) {
            painter.drawText(QRect(left, 0, width() - left, height()), Qt::AlignLeft | Qt::AlignVCenter,
                             QStringLiteral("+%1").arg(m_key.size() - i));
            return;
        }
        const QRect square(left, (height() - Square) / 2, Square, Square);
        painter.fillRect(square, toColor(storageColour(plimsoll::palette(m_theme), m_key[i].colour)));
        painter.drawText(QRect(left + Square + Air, 0, wide, height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        left += wide + Apart;
    }
}

} // namespace plimsoll::app
