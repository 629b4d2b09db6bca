#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/coverage_image.h"
#include "app/views/patterns.h"
#include "app/views/plan_scene.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::app {
namespace {

/// Bars below this many pixels are only coverage; from OutlinePixels on they have an edge, and so on.
constexpr double SmallestBar = 3;
constexpr double OutlinePixels = 5;
constexpr double PatternPixels = 7;
constexpr double ShortLabelWidth = 24;
constexpr double LabelWidth = 70;
constexpr double LabelHeight = 12;
constexpr double TwoLineHeight = 32;
/// Of a name that is cut, in letters.
constexpr int ShortestName = 6;
/// A finding is never smaller than this.
constexpr double SmallestFinding = 8;
constexpr double SmallestOutline = 6;

/// The colours of one kind of bar, worked out once a frame.
struct Ink
{
    Rgb rgb;
    QColor fill;
    QColor edge;
    QColor text;
    QColor faintText;
    QColor pattern;
};

Ink inkFor(Rgb rgb, const Style& style, bool dim)
{
    const Rgb fill = dim ? style.dimmed(rgb) : rgb;
    const Rgb text = textOn(fill);
    Ink ink {.rgb = fill, .fill = toColor(fill)};
    ink.edge = toColor(mix(fill, style.palette->text, dim ? 0.12 : 0.3));
    ink.text = dim ? toColor(style.palette->mutedText) : toColor(text);
    ink.faintText = dim ? ink.text : toColor(mix(fill, text, 0.78));
    ink.pattern = toColor(text, dim ? 0.16 : 0.34);
    return ink;
}

class BarPainter
{
public:
    BarPainter(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
        : m_painter(painter), m_scene(scene), m_view(view), m_style(style), m_metrics(style.font),
          m_small(view.area, painter.device()->devicePixelRatio())
    {
        for (std::size_t i = 0; i < m_inks.size(); ++i) {
            const auto colour = i < StorageColourCount ? static_cast<ColourIndex>(i) : NoColour;
            m_inks[i] = {inkFor(style.fill(colour), style, false), inkFor(style.fill(colour), style, true)};
        }
    }

    void paintAll()
    {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setFont(m_style.font);
        const Interval window {static_cast<std::int64_t>(std::floor(m_view.steps.first)),
                               static_cast<std::int64_t>(std::ceil(m_view.steps.last()))};
        const double lowest = m_view.bytes.first;
        const double highest = m_view.bytes.last();
        m_scene.picture.barIndex.visit(window, [&](std::size_t position) {
            const PlanBar& bar = m_scene.picture.bars[position];
            const Interval bytes = stackedBytes(m_scene.picture, bar);
            if (double(bytes.end) <= lowest || double(bytes.begin) >= highest) return;
            paintBar(bar, rectOf(bar.steps, bytes));
        });
        if (!m_small.empty()) m_painter.drawImage(m_small.area().topLeft(), m_small.toImage());
    }

private:
    [[nodiscard]] QRectF rectOf(Interval steps, Interval bytes) const
    {
        return m_view.rectOf(double(steps.begin), double(steps.end), double(bytes.begin), double(bytes.end));
    }

    [[nodiscard]] const Ink& inkOf(const PlanBar& bar) const
    {
        const std::size_t i = std::min<std::size_t>(bar.colour, StorageColourCount);
        const bool dim = m_scene.emphasis.any && !m_scene.emphasis.storages[bar.storage.index()];
        return m_inks[i][dim ? 1 : 0];
    }

    void paintBar(const PlanBar& bar, const QRectF& rect)
    {
        const Ink& ink = inkOf(bar);
        if (rect.width() < SmallestBar || rect.height() < SmallestBar) {
            m_small.add(rect, ink.rgb);
            return;
        }
        // Rounded outwards alike, so that bars that touch in the plan touch in the picture; clipped, so that a bar of
        // a million pixels costs no more than what is seen of it.
        const QRectF seen = rect.intersected(m_view.area.adjusted(-8, -8, 8, 8));
        const QRect box(QPoint(qRound(seen.left()), qRound(seen.top())),
                        QPoint(qRound(seen.right()) - 1, qRound(seen.bottom()) - 1));
        const bool outlined = rect.width() >= OutlinePixels && rect.height() >= OutlinePixels;
        m_painter.fillRect(box, outlined ? ink.edge : ink.fill);
        if (!outlined) return;
        const QRect inside = box.adjusted(1, 1, -1, -1);
        m_painter.fillRect(inside, ink.fill);
        if (bar.pattern != Pattern::Plain && rect.width() >= PatternPixels && rect.height() >= PatternPixels) {
            m_painter.fillRect(inside, patternBrush(bar.pattern, ink.pattern));
        }
        if (bar.output && rect.width() >= PatternPixels) paintDashes(box, ink);
        if (bar.value.valid() || bar.pattern == Pattern::Scratch) paintLabel(bar, rect, ink);
    }

    void paintDashes(const QRect& box, const Ink& ink)
    {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(ink.text, 1, Qt::DashLine));
        m_painter.drawRect(box.adjusted(1, 1, -2, -2));
    }

    void paintLabel(const PlanBar& bar, const QRectF& rect, const Ink& ink)
    {
        const QRectF room = rect.intersected(m_view.area).adjusted(4, 0, -4, 0);
        if (room.width() < ShortLabelWidth - 8 || room.height() < LabelHeight) return;
        if (rect.height() < m_metrics.ascent() + 2) return;
        const QString shown = nameFor(bar, room.width());
        if (shown.isEmpty()) return;
        if (bar.pattern != Pattern::Plain && bar.pattern != Pattern::Padding) paintLabelGround(shown, room, ink);
        m_painter.setPen(ink.text);
        const bool twoLines = room.height() >= TwoLineHeight;
        const QString size = bytesText(bar.bytes.length());
        const double line = m_metrics.height();
        if (twoLines) {
            m_painter.drawText(QRectF(room.left(), room.top() + 3, room.width(), line),
                               Qt::AlignLeft | Qt::AlignVCenter, shown);
            if (m_metrics.horizontalAdvance(size) > room.width()) return;
            m_painter.setPen(ink.faintText);
            m_painter.drawText(QRectF(room.left(), room.top() + 2 + line, room.width(), line),
                               Qt::AlignLeft | Qt::AlignVCenter, size);
            return;
        }
        m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
        const double used = m_metrics.horizontalAdvance(shown) + 10;
        if (rect.width() < LabelWidth || room.width() - used < m_metrics.horizontalAdvance(size)) return;
        m_painter.setPen(ink.faintText);
        m_painter.drawText(room.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, size);
    }

    /// The name; where it does not fit, its last part, then that shortened, then only the storage: "s12".
    [[nodiscard]] QString nameFor(const PlanBar& bar, double width) const
    {
        QString name = QString::fromStdString(barLabel(*m_scene.report, bar));
        if (bar.value.valid()) name = name.mid(static_cast<int>(m_scene.namePrefix));
        if (m_metrics.horizontalAdvance(name) <= width) return name;
        const QString cut = shortened(name.section(QLatin1Char('/'), -1), m_metrics, width);
        if (cut.size() >= ShortestName) return cut;
        const QString storage = QStringLiteral("s%1").arg(bar.storage.number());
        return m_metrics.horizontalAdvance(storage) <= width ? storage : QString();
    }

    /// Letters over a hatch are hard to read.
    void paintLabelGround(const QString& text, const QRectF& room, const Ink& ink)
    {
        const double line = m_metrics.height();
        const double top = room.height() >= TwoLineHeight ? room.top() + 3 : room.center().y() - line / 2;
        const QRectF ground(room.left() - 2, top, m_metrics.horizontalAdvance(text) + 4, line);
        m_painter.fillRect(ground.intersected(room.adjusted(-2, 1, 2, -1)), ink.fill);
    }

    QPainter& m_painter;
    const PlanScene& m_scene;
    const PlanViewport& m_view;
    const Style& m_style;
    QFontMetricsF m_metrics;
    CoverageImage m_small;
    std::array<std::array<Ink, 2>, StorageColourCount + 1> m_inks; ///< By colour: full, dimmed.
};

QRectF atLeast(QRectF rect, double size)
{
    const QPointF centre = rect.center();
    rect.setSize({std::max(rect.width(), size), std::max(rect.height(), size)});
    rect.moveCenter(centre);
    return rect;
}

void paintLanes(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    painter.setFont(style.smallFont);
    for (const PlanLane& lane : scene.picture.lanes) {
        const QRectF used = view.rectOf(0, view.worldSteps, double(lane.base), double(lane.base + lane.bytes));
        painter.fillRect(used.intersected(view.area), toColor(style.palette->background));
        painter.setPen(QPen(toColor(style.palette->outline), 1));
        const double floor = std::round(view.yOf(double(lane.base))) - 0.5;
        painter.drawLine(QPointF(view.area.left(), floor), QPointF(view.area.right(), floor));
    }
}

/// A line across a lane with words at its right end.
void paintLevel(QPainter& painter, const PlanViewport& view, double byte, const QString& text, const QPen& pen)
{
    const double y = std::round(view.yOf(byte)) + 0.5;
    if (y < view.area.top() || y > view.area.bottom()) return;
    painter.setPen(pen);
    painter.drawLine(QPointF(view.area.left(), y), QPointF(view.area.right(), y));
    const QFontMetricsF metrics(painter.font());
    const double above = y - metrics.height() - 1 < view.area.top() ? y + 1 : y - metrics.height() - 1;
    painter.drawText(QRectF(view.area.left(), above, view.area.width() - 6, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text);
}

void paintLevels(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    painter.setFont(style.smallFont);
    const bool several = scene.picture.lanes.size() > 1;
    for (const PlanLane& lane : scene.picture.lanes) {
        const QString title = several ? QString::fromStdString(lane.title) + QStringLiteral(" ") : QString();
        const double base = double(lane.base);
        paintLevel(painter, view, base + double(lane.bytes), title + QObject::tr("peak %1").arg(bytesText(lane.bytes)),
                   QPen(toColor(style.palette->curve), 1));
        if (lane.lowerBoundBytes < lane.bytes) {
            paintLevel(painter, view, base + double(lane.lowerBoundBytes),
                       title + QObject::tr("lower bound %1").arg(bytesText(lane.lowerBoundBytes)),
                       QPen(toColor(style.palette->bound), 1, Qt::DashLine));
        }
        if (!lane.capacityBytes || *lane.capacityBytes > lane.extent) continue;
        const bool over = *lane.capacityBytes < lane.bytes;
        paintLevel(
            painter, view, base + double(*lane.capacityBytes),
            title + QObject::tr("capacity %1").arg(bytesText(*lane.capacityBytes)),
            QPen(toColor(over ? style.palette->violation : style.palette->mutedText), over ? 2 : 1, Qt::DashLine));
    }
}

void paintFinding(QPainter& painter, const QRectF& rect, Severity severity, const Style& style)
{
    const bool error = severity == Severity::Error;
    const QColor colour = toColor(error ? style.palette->violation : style.palette->warning);
    if (error) {
        painter.fillRect(rect, toColor(style.palette->violation, 0.35));
        painter.fillRect(rect, QBrush(colour, Qt::DiagCrossPattern));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, error ? 2 : 1.5));
    painter.drawRect(rect);
    if (rect.width() < 16 || rect.height() < 16) return;
    const QRectF badge(rect.left(), rect.top(), 15, 15);
    painter.fillRect(badge, colour);
    painter.setFont(style.boldFont);
    painter.setPen(toColor(error ? style.palette->onViolation : style.palette->background));
    painter.drawText(badge, Qt::AlignCenter, QStringLiteral("!"));
}

void paintFindings(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    for (const FindingMark& mark : scene.picture.findings) {
        const bool picked = static_cast<std::int32_t>(mark.finding) == scene.emphasis.finding;
        if (mark.lane < 0 || (mark.severity == Severity::Advice && !picked)) continue;
        const double base = double(scene.picture.lanes[static_cast<std::size_t>(mark.lane)].base);
        QRectF rect = view.rectOf(double(mark.steps.begin), double(mark.steps.end), base + double(mark.bytes.begin),
                                  base + double(mark.bytes.end));
        rect = atLeast(rect, SmallestFinding);
        if (!rect.intersects(view.area)) continue;
        paintFinding(painter, rect.intersected(view.area.adjusted(-4, -4, 4, 4)), mark.severity, style);
    }
}

void paintOutline(QPainter& painter, QRectF rect, ValueMark mark, const Style& style)
{
    const Rgb colour = mark == ValueMark::Picked ? style.palette->accent
                       : mark == ValueMark::Read ? style.palette->bound
                                                 : style.palette->warning;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->background), 4));
    painter.drawRect(rect);
    painter.setPen(QPen(toColor(colour), 2));
    painter.drawRect(rect);
    if (mark == ValueMark::Picked || rect.height() < 14 || rect.width() < 30) return;
    const QRectF badge(rect.right() - 14, rect.top(), 14, 14);
    painter.fillRect(badge, toColor(colour));
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->background));
    painter.drawText(badge, Qt::AlignCenter, mark == ValueMark::Read ? QStringLiteral("R") : QStringLiteral("W"));
}

void paintOutlines(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    if (!scene.emphasis.any) return;
    for (const PlanBar& bar : scene.picture.bars) {
        if (!bar.value.valid()) continue;
        const ValueMark mark = scene.emphasis.values[bar.value.index()];
        if (mark == ValueMark::None) continue;
        const Interval bytes = stackedBytes(scene.picture, bar);
        const QRectF rect =
            atLeast(view.rectOf(double(bar.steps.begin), double(bar.steps.end), double(bytes.begin), double(bytes.end)),
                    SmallestOutline);
        if (rect.intersects(view.area))
            paintOutline(painter, rect.intersected(view.area.adjusted(-6, -6, 6, 6)), mark, style);
    }
}

} // namespace

void paintBars(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    painter.save();
    painter.setClipRect(view.area);
    paintLanes(painter, scene, view, style);
    paintStepGrid(painter, view, style);
    BarPainter(painter, scene, view, style).paintAll();
    paintLevels(painter, scene, view, style);
    paintOutlines(painter, scene, view, style);
    paintFindings(painter, scene, view, style);
    painter.restore();
}

} // namespace plimsoll::app
