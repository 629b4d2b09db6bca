#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/plan/plan_marks.h"
#include "core/facts/reserved.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// A line across a lane, and its name.
struct Level
{
    double byte = 0;
    QString text;
    QPen pen;
};

/// How many rows a lane has, at its top.
std::vector<Level> rowCounts(const PlanScene& scene, const Style& style)
{
    std::vector<Level> levels;
    const bool several = scene.picture.lanes.size() > 1;
    for (const PlanLane& lane : scene.picture.lanes) {
        const auto count = std::ssize(lane.rows);
        const QString rows = scene.picture.axis == PlanAxis::Storages
                                 ? countedText(count, QObject::tr("1 storage"), QObject::tr("%1 storages"))
                                 : countedText(count, QObject::tr("1 tensor"), QObject::tr("%1 tensors"));
        levels.push_back({double(lane.base + lane.bytes),
                          several ? toQString(lane.title) + QStringLiteral(": ") + rows : rows,
                          QPen(toColor(style.palette->mutedText), 1)});
    }
    return levels;
}

std::vector<Level> levelsOf(const PlanScene& scene, const Style& style)
{
    if (inRows(scene.picture.axis)) return rowCounts(scene, style);
    std::vector<Level> levels;
    const Palette& palette = *style.palette;
    const bool several = scene.picture.lanes.size() > 1;
    const auto nameOfTop = [&](bool atBound) {
        if (scene.picture.axis == PlanAxis::Age) return QObject::tr("most alive %1");
        if (reservedBytes(*scene.report)) return QObject::tr("all addresses %1");
        return atBound ? QObject::tr("peak and lower bound %1") : QObject::tr("peak %1");
    };
    for (const PlanLane& lane : scene.picture.lanes) {
        const bool atBound = scene.knowsBound() && lane.lowerBoundBytes == lane.bytes;
        const QString title = several ? toQString(lane.title) + QStringLiteral(" ") : QString();
        const double base = double(lane.base);
        levels.push_back({base + double(lane.bytes), title + nameOfTop(atBound).arg(sizeText(lane.bytes)),
                          QPen(toColor(palette.curve), 1)});
        if (scene.knowsBound() && lane.lowerBoundBytes < lane.bytes) {
            levels.push_back({base + double(lane.lowerBoundBytes),
                              title + QObject::tr("lower bound %1").arg(sizeText(lane.lowerBoundBytes)),
                              QPen(toColor(palette.bound), 1, Qt::DashLine)});
        }
        if (!lane.capacityBytes || *lane.capacityBytes > lane.extent) continue;
        const bool over = *lane.capacityBytes < lane.bytes;
        levels.push_back({base + double(*lane.capacityBytes),
                          title + QObject::tr("capacity %1").arg(sizeText(*lane.capacityBytes)),
                          QPen(toColor(over ? palette.violation : palette.mutedText), over ? 2 : 1, Qt::DashLine)});
    }
    return levels;
}

/// How much a name there would hide: lines and other names weigh more than bars.
double cost(const QRectF& box, const std::vector<double>& lines, const DrawnPlan& drawn)
{
    double sum = 0;
    for (const QRectF& other : drawn.words)
        sum += other.intersects(box) ? 1000 : 0;
    for (double line : lines)
        sum += box.top() < line && line < box.bottom() ? 50 : 0;
    for (const DrawnBar& other : drawn.bars) {
        const QRectF hidden = other.rect.intersected(box);
        if (!hidden.isEmpty()) sum += 10 + 40 * hidden.width() * hidden.height() / (box.width() * box.height());
    }
    return sum;
}

} // namespace

void paintLevels(QPainter& painter, const PlanScene& scene, const PlanViewport& view, DrawnPlan& drawn,
                 const Style& style)
{
    std::vector<Level> levels = levelsOf(scene, style);
    std::erase_if(levels,
                  [&](const Level& level) { return level.byte < view.bytes.first || level.byte > view.bytes.last(); });
    std::vector<double> lines;
    for (const Level& level : levels) {
        lines.push_back(std::round(view.yOf(level.byte)) + 0.5);
        painter.setPen(level.pen);
        painter.drawLine(QPointF(view.area.left(), lines.back()), QPointF(view.area.right(), lines.back()));
    }
    painter.setFont(style.smallFont);
    const QFontMetricsF metrics(style.smallFont);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const QSizeF size(metrics.horizontalAdvance(levels[i].text) + 6, metrics.height());
        QRectF best; // on its line, above or below, and as far right as it can without hiding anything
        double least = 1e18;
        for (int side = 0; side < 2; ++side) {
            const double top = side == 0 ? lines[i] - size.height() - 1 : lines[i] + 2;
            if (top < view.area.top() || top + size.height() > view.area.bottom()) continue;
            for (double right = view.area.right() - 4; right - size.width() > view.area.left();
                 right -= size.width() / 2) {
                const QRectF box(QPointF(right - size.width(), top), size);
                const double away = (view.area.right() - right) / view.area.width();
                const double price = cost(box, lines, drawn) + 4 * side + away * 3;
                if (price >= least) continue;
                least = price;
                best = box;
            }
        }
        if (best.isEmpty()) continue;
        painter.fillRect(best, toColor(style.palette->background, 0.88));
        painter.setPen(levels[i].pen.color());
        painter.drawText(best, Qt::AlignCenter, levels[i].text);
        drawn.words.push_back(best);
    }
}

void paintWayBack(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    const AxisWindow steps = view.seenSteps();
    std::size_t above = 0;
    std::size_t below = 0;
    std::size_t earlier = 0;
    std::size_t later = 0;
    for (const PlanBar& bar : scene.picture.bars) {
        const bool higher = double(stackedBytes(scene.picture, bar).begin) >= view.bytes.last();
        if (double(bar.steps.end) <= steps.first)
            ++earlier;
        else if (double(bar.steps.begin) >= steps.last())
            ++later;
        else
            ++(higher ? above : below);
    }
    const auto bars = [](std::size_t count) {
        return countedText(static_cast<std::int64_t>(count), QObject::tr("1 bar"), QObject::tr("%1 bars"));
    };
    // Bars in the steps that are seen are nearer than any others.
    const QString way = above + below == 0 ? earlier >= later ? QObject::tr("←  %1 earlier").arg(bars(earlier))
                                                              : QObject::tr("→  %1 later").arg(bars(later))
                        : above >= below ? QObject::tr("↑  %1 above").arg(bars(above))
                                           : QObject::tr("↓  %1 below").arg(bars(below));
    painter.setFont(style.font);
    painter.setPen(toColor(style.palette->mutedText));
    painter.drawText(view.area, Qt::AlignCenter, QObject::tr("%1 — press F to fit").arg(way));
}

} // namespace plimsoll::app
