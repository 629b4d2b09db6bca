#include "app/views/colour_key_bar.h"

#include "app/models/window_text.h"

#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QTabBar>
#include <QTabWidget>
#include <QWidgetAction>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int Square = 10; // pixels, as all of these
constexpr int Air = 5;
constexpr int Apart = 12;
constexpr int WidestBar = 900;
constexpr int NameLetters = 40;
constexpr int LeastLetters = 10;

/// Why nothing has a colour.
QString lackOf(ColourBy by)
{
    switch (by) {
    case ColourBy::Time:
        return ColourKeyBar::tr("No times: the plan was not run");
    case ColourBy::Module:
        return ColourKeyBar::tr("No modules: the names of the nodes have no paths");
    case ColourBy::Operator:
        return ColourKeyBar::tr("No operators: no node writes a value");
    case ColourBy::Lifetime:
    case ColourBy::Reuse:
        return ColourKeyBar::tr("Nothing is planned here");
    case ColourBy::Kind:
    case ColourBy::Type:
        return ColourKeyBar::tr("No values");
    case ColourBy::Storage:
    case ColourBy::None:
        break;
    }
    return {};
}

QString moreText(std::size_t entries)
{
    return ColourKeyBar::tr("and %1 more").arg(entries);
}

QString classText(ColourBy by, const ColourKey& key)
{
    if (!key.name.empty()) return labelText(toQString(key.name), NameLetters);
    const QString first = countText(key.range.begin);
    const QString last = countText(key.range.end - 1);
    const bool one = key.range.length() == 1;
    if (by == ColourBy::Time) {
        const QString shortest = durationText(1e-6 * static_cast<double>(key.range.begin));
        const QString longest = durationText(1e-6 * static_cast<double>(key.range.end));
        return one ? shortest : ColourKeyBar::tr("%1 to %2").arg(shortest, longest);
    }
    const bool single = one && key.range.begin == 1;
    if (by == ColourBy::Lifetime)
        return single ? ColourKeyBar::tr("1 step")
               : one  ? ColourKeyBar::tr("%1 steps").arg(first)
                      : ColourKeyBar::tr("%1 to %2 steps").arg(first, last);
    return single ? ColourKeyBar::tr("alone")
           : one  ? ColourKeyBar::tr("%1 values").arg(first)
                  : ColourKeyBar::tr("%1 to %2 values").arg(first, last);
}

QString amountText(const ColourKey& key)
{
    return QStringLiteral("  ×") + countText(key.values);
}

/// Paths of modules differ at their ends.
QString cutText(ColourBy by, const ColourKey& key, const QFontMetrics& text, int widest)
{
    const auto end = by == ColourBy::Module ? Qt::ElideLeft : Qt::ElideMiddle;
    return text.elidedText(classText(by, key), end, widest) + amountText(key);
}

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
    m_lack = m_key.empty() ? lackOf(by) : QString();
    QStringList lines {m_lack};
    for (const ColourKey& each : m_key)
        lines << textOf(by, each);
    lines.removeAll(QString());
    setToolTip(lines.join(u'\n'));
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    setVisible(!lines.empty());
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
    return classText(by, key) + amountText(key);
}

/// How wide a name may be, so that all have room; of too many the least that still tells them apart.
int ColourKeyBar::widestName() const
{
    const QFontMetrics text(font());
    const int least = LeastLetters * text.averageCharWidth();
    const auto widthWith = [&](int widest) {
        int width = Apart;
        for (const ColourKey& key : m_key)
            width += Square + Air + text.horizontalAdvance(cutText(m_by, key, text, widest)) + Apart;
        return width;
    };
    int widest = NameLetters * text.maxWidth();
    while (widest > least && widthWith(widest) > width())
        widest = std::max(least, std::min(widest * 9 / 10, width()));
    return widest;
}

QString ColourKeyBar::wholeKey() const
{
    QStringList lines {m_lack};
    for (const ColourKey& key : m_key)
        lines << QStringLiteral("<span style='color:%1'>■</span> %2")
                     .arg(toColor(storageColour(plimsoll::palette(m_theme), key.colour)).name(),
                          textOf(m_by, key).toHtmlEscaped());
    lines.removeAll(QString());
    return QStringLiteral("<p style='white-space:pre'>") + lines.join(QStringLiteral("<br>"));
}

void ColourKeyBar::mousePressEvent(QMouseEvent*)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto* whole = new QLabel(wholeKey(), menu);
    whole->setTextFormat(Qt::RichText); // labels are plain text where nothing says so
    whole->setMargin(Air);
    auto* entry = new QWidgetAction(menu);
    entry->setDefaultWidget(whole);
    menu->addAction(entry);
    menu->popup(mapToGlobal(QPoint(0, height())));
}

QSize ColourKeyBar::sizeHint() const
{
    const QFontMetrics text(font());
    int width = Apart + (m_lack.isEmpty() ? 0 : text.horizontalAdvance(m_lack) + Apart);
    for (const ColourKey& key : m_key)
        width += Square + Air + text.horizontalAdvance(textOf(m_by, key)) + Apart;
    const auto* tabs = qobject_cast<const QTabWidget*>(parentWidget());
    const int room = tabs ? tabs->width() - tabs->tabBar()->sizeHint().width() : WidestBar;
    return {std::min(width, std::max(room, 1)), text.height() + Air};
}

void ColourKeyBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::WindowText));
    const QFontMetrics text(font());
    const int more = text.horizontalAdvance(moreText(m_key.size()));
    int left = Apart;
    const auto write = [&](const QString& words) {
        const QString shown = text.elidedText(words, Qt::ElideRight, width() - left);
        painter.drawText(QRect(left, 0, width() - left, height()), Qt::AlignLeft | Qt::AlignVCenter, shown);
    };
    if (m_key.empty()) return write(m_lack);
    const int widest = widestName();
    for (std::size_t i = 0; i < m_key.size(); ++i) {
        const QString words = cutText(m_by, m_key[i], text, widest);
        const int wide = Square + Air + text.horizontalAdvance(words);
        const bool last = i + 1 == m_key.size();
        if (left + wide + (last ? 0 : Apart + more) > width()) return write(moreText(m_key.size() - i));
        const QRect square(left, (height() - Square) / 2, Square, Square);
        painter.fillRect(square, toColor(storageColour(plimsoll::palette(m_theme), m_key[i].colour)));
        left += Square + Air;
        write(words);
        left += wide - Square - Air + Apart;
    }
}

} // namespace plimsoll::app
