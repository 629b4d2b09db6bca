#include "app/window/panes/content_picture.h"

#include "app/models/window_text.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// From the background to the strongest colour of numbers; what is not finite in that of errors.
QList<QRgb> colourTable(const Palette& now)
{
    QList<QRgb> table;
    for (int level = 0; level < ContentMap::NotFinite; ++level) {
        const double share = 0.08 + 0.92 * level / (ContentMap::NotFinite - 1); // the least one can be seen, too
        table << toColor(mix(now.background, now.ramp.back(), share)).rgb();
    }
    return table << toColor(now.violation).rgb();
}

/// A view of the levels, which must outlive it.
QImage imageOf(const ContentMap& map, const Palette& palette)
{
    QImage image(map.levels.data(), map.columns, map.rows, map.columns, QImage::Format_Indexed8);
    image.setColorTable(colourTable(palette));
    return image;
}

} // namespace

ContentPicture::ContentPicture(QWidget* parent) : Canvas(parent)
{
    setObjectName(QStringLiteral("contentPicture"));
    setMinimumWidth(160);
}

void ContentPicture::setFigures(ContentFigures figures)
{
    m_figures = std::move(figures);
    setAccessibleName(tr("What the elements are like"));
    setAccessibleDescription(lines().join(QStringLiteral("; ")));
    repaintPicture();
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
    const auto number = [](double value) { return realText(value, 6); };
    if (of.nans + of.infinities < of.elements)
        lines << tr("%1 to %2, on average %3").arg(number(of.least), number(of.most), number(of.mean));
    if (of.zeros > 0) lines << countedText(of.zeros, tr("1 is zero"), tr("%1 are zero"));
    if (of.nans > 0) lines << countedText(of.nans, tr("1 is NaN"), tr("%1 are NaN"));
    if (of.infinities > 0) lines << countedText(of.infinities, tr("1 is infinite"), tr("%1 are infinite"));
    return lines;
}

void ContentPicture::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    constexpr double Air = 8;
    constexpr double Bars = 40; // height
    painter.fillRect(area, toColor(style.palette->background));
    const ContentSummary& of = m_figures.summary;
    if (of.elements == 0) return;
    QRectF room = area.adjusted(Air, Air, -Air, -Air);
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->text));
    for (const QString& line : lines()) {
        QRectF said;
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, line, &said);
        room.setTop(said.bottom());
    }
    room.setTop(room.top() + Air);
    const auto most = *std::ranges::max_element(of.histogram);
    const double width = room.width() / ContentSummary::Bins;
    for (std::size_t bin = 0; most > 0 && bin < ContentSummary::Bins; ++bin) {
        const double share = static_cast<double>(of.histogram[bin]) / static_cast<double>(most);
        const double height = of.histogram[bin] > 0 ? std::max(1.0, share * Bars) : 0;
        painter.fillRect(QRectF(room.left() + static_cast<double>(bin) * width, room.top() + Bars - height,
                                std::max(1.0, width - 1), height),
                         toColor(style.palette->curve));
    }
    room.setTop(room.top() + Bars + Air);
    if (m_figures.map.levels.empty() || room.height() < Air) return;
    const QImage map = imageOf(m_figures.map, *style.palette);
    const QRectF place(room.topLeft(), QSizeF(map.size()).scaled(room.size(), Qt::KeepAspectRatio).expandedTo({1, 1}));
    painter.drawImage(place, map);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(toColor(of.nans + of.infinities > 0 ? style.palette->violation : style.palette->outline));
    painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace plimsoll::app
