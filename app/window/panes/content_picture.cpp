#include "app/window/panes/content_picture.h"

#include "app/models/window_text.h"
#include "app/views/style.h"
#include "app/window/look/theme.h"
#include <QImage>
#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// From the background to the strongest colour of numbers; what is not finite in that of errors.
QList<QRgb> colourTable()
{
    const Palette& now = palette(themeNow());
    QList<QRgb> table;
    for (int level = 0; level < ContentMap::NotFinite; ++level) {
        const double share = 0.08 + 0.92 * level / (ContentMap::NotFinite - 1); // the least one can be seen, too
        table << toColor(mix(now.background, now.ramp.back(), share)).rgb();
    }
    return table << toColor(now.violation).rgb();
}

/// A view of the levels, which must outlive it.
QImage imageOf(const ContentMap& map)
{
    QImage image(map.levels.data(), map.columns, map.rows, map.columns, QImage::Format_Indexed8);
    image.setColorTable(colourTable());
    return image;
}

} // namespace

ContentPicture::ContentPicture(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("contentPicture"));
    setMinimumWidth(160);
}

void ContentPicture::setFigures(ContentFigures figures)
{
    m_figures = std::move(figures);
    setAccessibleName(tr("What the elements are like"));
    setAccessibleDescription(lines().join(QStringLiteral("; ")));
    setToolTip(lines().join(u'\n'));
    update();
}

QSize ContentPicture::sizeHint() const
{
    return {260, 260};
}

QStringList ContentPicture::lines() const
{
    const ContentSummary& of = m_figures.summary;
    if (of.elements == 0) return {};
    QStringList lines {m_figures.title, countedText(of.elements, tr("1 element"), tr("%1 elements"))};
    const auto number = [](double value) { return QString::number(value, 'g', 6); };
    if (of.nans + of.infinities < of.elements)
        lines << tr("%1 to %2, on average %3").arg(number(of.least), number(of.most), number(of.mean));
    if (of.zeros > 0) lines << countedText(of.zeros, tr("1 is zero"), tr("%1 are zero"));
    if (of.nans > 0) lines << countedText(of.nans, tr("1 is NaN"), tr("%1 are NaN"));
    if (of.infinities > 0) lines << countedText(of.infinities, tr("1 is infinite"), tr("%1 are infinite"));
    return lines;
}

void ContentPicture::paintEvent(QPaintEvent*)
{
    constexpr int Air = 8;
    constexpr int Bars = 40; // height
    const ContentSummary& of = m_figures.summary;
    if (of.elements == 0) return;
    QPainter painter(this);
    QRect room = rect().adjusted(Air, Air, -Air, -Air);
    const bool odd = of.nans + of.infinities > 0;
    for (const QString& line : lines()) {
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop,
                         fontMetrics().elidedText(line, Qt::ElideRight, room.width()));
        room.setTop(room.top() + fontMetrics().lineSpacing());
    }
    room.setTop(room.top() + Air);
    const auto most = *std::ranges::max_element(of.histogram);
    const double width = static_cast<double>(room.width()) / ContentSummary::Bins;
    for (std::size_t bin = 0; most > 0 && bin < ContentSummary::Bins; ++bin) {
        const double share = static_cast<double>(of.histogram[bin]) / static_cast<double>(most);
        const double height = of.histogram[bin] > 0 ? std::max(1.0, share * Bars) : 0;
        painter.fillRect(QRectF(room.left() + static_cast<double>(bin) * width, room.top() + Bars - height,
                                std::max(1.0, width - 1), height),
                         colours().accent);
    }
    room.setTop(room.top() + Bars + Air);
    if (m_figures.map.levels.empty() || room.height() < Air) return;
    const QImage map = imageOf(m_figures.map);
    const QSize size = map.size().scaled(room.size(), Qt::KeepAspectRatio).expandedTo({1, 1});
    painter.drawImage(QRect(room.topLeft(), size), map);
    painter.setPen(odd ? colours().error : colours().line);
    painter.drawRect(QRect(room.topLeft(), size).adjusted(0, 0, -1, -1));
}

} // namespace plimsoll::app
