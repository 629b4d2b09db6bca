#include "app/views/live_range_canvas.h"

#include "app/models/window_text.h"
#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"
#include "core/base/narrow.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr double LowestRow = 1;
constexpr double HighestRow = 40;
/// Lower rows have no names.
constexpr double NamedRow = 11;
/// The least where all rows are shown.
constexpr double WholeRow = 16;
constexpr double SizeColumn = 68;
constexpr double NarrowestNames = 90;
constexpr double EdgeGrip = 4;
constexpr double LeastShare = 0.1;
constexpr double MostShare = 0.7;

} // namespace

LiveRangeCanvas::LiveRangeCanvas(QWidget* parent) : Canvas(parent)
{
    setObjectName(QStringLiteral("liveRangeCanvas"));
    setAccessibleName(tr("Live ranges"));
    setAccessibleDescription(
        tr("One row for each value or storage, with the steps in which its bytes matter. Arrow keys "
           "go from row to row."));
}

LiveRangeCanvas::Regions LiveRangeCanvas::regionsOf(const QRectF& area, const Style& style) const
{
    const QFontMetricsF small(style.smallFont);
    const double names = std::max(area.width() * m_namesShare, NarrowestNames);
    const double ruler = 2 * small.height() + 6;
    const double header = small.height() + 8;
    Regions parts;
    parts.header = QRectF(area.left(), area.top(), area.width(), header);
    parts.rows = QRectF(area.left() + names, area.top() + header, std::max(1.0, area.width() - names - 10),
                        std::max(1.0, area.height() - ruler - header));
    parts.names = QRectF(area.left(), parts.rows.top(), names, parts.rows.height());
    parts.ruler = QRectF(parts.rows.left(), parts.rows.bottom(), parts.rows.width(), ruler);
    return parts;
}

void LiveRangeCanvas::reportChanged()
{
    const bool first = m_picture.rows.empty();
    m_picture = {};
    m_uses = {};
    m_hovered = -1;
    if (!report() || !report()->program.graph) return viewChanged();
    struct Made
    {
        LiveRangePicture picture;
        Uses uses;
        QString namePrefix;
        std::shared_ptr<const StepPlaces> places;
    };
    makePicture(
        [report = report(), colours = sharedColours(), rows = m_shown, steps = m_stepAxis] {
            const Graph& graph = *report->program.graph;
            return Made {makeLiveRangePicture(*report, *colours, rows.kind, rows.choice), findUses(graph),
                         commonPrefix(graph), steps.placesOf(*report)};
        },
        [this, first](Made made) {
            m_picture = std::move(made.picture);
            m_uses = std::move(made.uses);
            m_namePrefix = made.namePrefix;
            const bool sameSteps = m_view.worldSteps == double(m_picture.steps);
            m_view.setWorld(double(m_picture.steps), 1, made.places);
            if (first || !sameSteps) m_view.fit();
            if (sharedSteps()) m_view.showSteps(*sharedSteps());
            if (first) m_scroll = double(firstRowFrom(m_picture, m_view.seenSteps().first)) * m_rowHeight;
            viewChanged();
        });
}

void LiveRangeCanvas::selectionChanged()
{
    m_litStorages.clear();
    m_litValues.clear();
    const std::vector<ValueId> values = pickedValues();
    if (values.empty() && !selection().storage.valid()) return;
    m_litStorages.assign(report()->program.storages.size(), 0);
    m_litValues.assign(report()->program.values.size(), 0);
    if (selection().storage.valid() && selection().storage.index() < m_litStorages.size()) {
        m_litStorages[selection().storage.index()] = 1;
    }
    for (ValueId value : values) {
        m_litValues[value.index()] = 1;
        const StorageId storage = report()->program.values[value.index()].storage;
        if (storage.valid()) m_litStorages[storage.index()] = 1;
    }
}

void LiveRangeCanvas::viewChanged()
{
    const double visible = regionsOf(rect(), looks()).rows.height();
    const double all = double(m_picture.rows.size()) * m_rowHeight;
    m_scroll = std::clamp(m_scroll, 0.0, std::max(0.0, all - visible));
    repaintPicture();
    if (!m_picture.rows.empty()) announceSteps(m_view.seenSteps());
}

void LiveRangeCanvas::showSteps(const AxisWindow& steps)
{
    if (!takeSteps(m_view.seenSteps(), steps) || m_picture.rows.empty()) return;
    m_view.showSteps(steps);
    repaintPicture();
}

void LiveRangeCanvas::setStepAxis(const StepAxis& axis)
{
    if (axis == m_stepAxis) return;
    m_stepAxis = axis;
    if (due()) return;
    reportChanged();
    selectionChanged();
}

void LiveRangeCanvas::setRowKind(RowKind kind)
{
    if (kind == m_shown.kind) return;
    m_shown.kind = kind;
    reportChanged();
    selectionChanged();
}

bool LiveRangeCanvas::lit(const LiveRow& row) const
{
    return m_litStorages.empty() || !row.storage.valid() || m_litStorages[row.storage.index()];
}

void LiveRangeCanvas::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.fillRect(area, toColor(style.palette->panel));
    if (m_picture.rows.empty()) {
        const QString why = m_jobs.busy()          ? emptyText()
                            : m_picture.hidden > 0 ? tr("All rows are hidden: click to show them.")
                                                   : tr("This graph has no values with bytes.");
        paintEmpty(painter, area, report() ? why : emptyText(), style);
        return;
    }
    const Regions parts = regionsOf(area, style);
    PlanViewport view = m_view;
    view.setArea(parts.rows);
    painter.fillRect(parts.rows, toColor(style.palette->background));
    paintHeader(painter, parts, style);
    {
        const Clip clip(painter, parts.rows);
        paintStepGrid(painter, view, style);
    }
    paintRows(painter, parts, view, style);
    paintPassTurns(painter, parts.rows, view, m_picture.turns, *report(), style);
    paintStepRuler(painter, parts.ruler, view, *report(), style);
    painter.setPen(QPen(toColor(style.palette->outline), 1));
    painter.drawLine(parts.rows.bottomLeft(), parts.rows.bottomRight());
}

void LiveRangeCanvas::paintHeader(QPainter& painter, const Regions& parts, const Style& style) const
{
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->mutedText));
    painter.drawText(parts.header.adjusted(10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     m_shown.kind == RowKind::Value ? tr("Value") : tr("Storage"));
    painter.drawText(QRectF(parts.names.left(), parts.header.top(), parts.names.width() - 8, parts.header.height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("Bytes"));
    QStringList words;
    if (m_picture.pinned > 0)
        words << countedText(narrow<std::int64_t>(m_picture.pinned), tr("1 pinned"), tr("%1 pinned"));
    if (m_shown.choice.byModule && !m_picture.modules) words << tr("no modules: the names of the nodes have no paths");
    const QRectF over(parts.rows.left() + 8, parts.header.top(), parts.rows.width() - 8, parts.header.height());
    painter.drawText(over, Qt::AlignRight | Qt::AlignVCenter, words.join(QStringLiteral("  ·  ")));
    painter.setPen(toColor(style.palette->accent));
    painter.drawText(over, Qt::AlignLeft | Qt::AlignVCenter, hiddenText());
}

void LiveRangeCanvas::paintRows(QPainter& painter, const Regions& parts, const PlanViewport& view,
                                const Style& style) const
{
    const std::size_t still = stillRows(parts);
    const double top = parts.rows.top() + stillHeight(parts);
    const auto first = std::max(still, static_cast<std::size_t>((m_scroll + stillHeight(parts)) / m_rowHeight));
    const auto last = static_cast<std::size_t>(std::ceil((m_scroll + parts.rows.height()) / m_rowHeight));
    {
        const Clip clip(painter, QRectF(QPointF(parts.names.left(), top), parts.rows.bottomRight()));
        for (std::size_t row = first; row < std::min(last, m_picture.rows.size()); ++row)
            paintRow(painter, parts, view, row, style);
    }
    for (std::size_t row = 0; row < still; ++row)
        paintRow(painter, parts, view, row, style);
    if (still == 0) return;
    painter.setPen(QPen(toColor(style.palette->accent), 1));
    painter.drawLine(QPointF(parts.names.left(), top), QPointF(parts.rows.right(), top));
}

void LiveRangeCanvas::paintWhole(QPainter& painter, const QRectF& area, const Style& style)
{
    const PlanViewport seen = m_view;
    const double height = std::exchange(m_rowHeight, std::max(m_rowHeight, WholeRow));
    const double scroll = std::exchange(m_scroll, 0);
    m_view.fit();
    paint(painter, area, style);
    m_view = seen;
    m_rowHeight = height;
    m_scroll = scroll;
}

QSizeF LiveRangeCanvas::wholeSize() const
{
    const double around = height() - regionsOf(rect(), looks()).rows.height();
    const double rows = double(m_picture.rows.size()) * std::max(m_rowHeight, WholeRow);
    return {double(width()), std::max(around + rows, double(height()))};
}

void LiveRangeCanvas::paintRow(QPainter& painter, const Regions& parts, const PlanViewport& view, std::size_t index,
                               const Style& style) const
{
    const LiveRow& row = m_picture.rows[index];
    const double top = topOf(index, parts);
    const QRectF band(parts.rows.left(), top, parts.rows.width(), m_rowHeight);
    if (!row.storage.valid())
        return paintHeading(painter, band.united(QRectF(parts.names.left(), top, 1, 1)), row, style);
    const bool picked =
        row.value.valid() ? !m_litValues.empty() && m_litValues[row.value.index()] : !m_litStorages.empty() && lit(row);
    if (m_rowHeight >= NamedRow) {
        const Clip clip(painter, parts.names);
        const QRectF cell(parts.names.left() + 10, top, parts.names.width() - SizeColumn - 14, m_rowHeight);
        if (picked)
            painter.fillRect(QRectF(parts.names.left(), top, parts.names.width(), m_rowHeight),
                             toColor(style.palette->accent, 0.16));
        painter.setFont(m_rowHeight >= 16 ? style.font : style.smallFont);
        const QFontMetricsF metrics(painter.font());
        const Rgb behind = picked ? mix(style.palette->panel, style.palette->accent, 0.16) : style.palette->panel;
        const Rgb quiet = style.legible(behind, style.palette->mutedText);
        painter.setPen(toColor(lit(row) ? style.palette->text : quiet));
        painter.drawText(cell, Qt::AlignLeft | Qt::AlignVCenter, rowName(index, metrics, cell.width()));
        painter.setPen(toColor(quiet));
        painter.drawText(QRectF(parts.names.right() - SizeColumn, top, SizeColumn - 8, m_rowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, sizeText(row.bytes));
    }
    const Clip clip(painter, parts.rows);
    if (picked) painter.fillRect(band, toColor(style.palette->accent, 0.10));
    paintSpans(painter, view, row, band, style);
    if (row.value.valid() && m_rowHeight >= 6 && view.pixelsPerStep() >= 3) paintReads(painter, view, row, band, style);
}

/// Names of layers differ at their ends, so that their beginnings give way: "…conv1/Relu_output_0", "s7 …conv1/out".
QString LiveRangeCanvas::rowName(std::size_t index, const QFontMetricsF& metrics, double width) const
{
    const LiveRow& row = m_picture.rows[index];
    const QString label = toQString(rowLabel(*report(), row));
    const NodeId scratchOf = report()->program.storages[row.storage.index()].scratchOf;
    if (row.value.valid()) return metrics.elidedText(labelText(without(m_namePrefix, label)), Qt::ElideLeft, width);
    QString what = QStringLiteral("s%1 ").arg(row.storage.number());
    QString name = label.startsWith(what) ? label.mid(what.size()) : label;
    if (scratchOf.valid()) {
        what += tr("scratchpad of ");
        name = toQString((*report()->program.graph)[scratchOf].name);
    }
    return what + metrics.elidedText(labelText(without(m_namePrefix, name)), Qt::ElideLeft,
                                     std::max(0.0, width - metrics.horizontalAdvance(what)));
}

void LiveRangeCanvas::paintSpans(QPainter& painter, const PlanViewport& view, const LiveRow& row, const QRectF& band,
                                 const Style& style) const
{
    const double air = m_rowHeight >= 8 ? 3 : m_rowHeight >= 4 ? 1 : 0;
    const Rgb colour = lit(row) ? style.fill(row.colour) : style.dimmed(style.fill(row.colour));
    const double ratio = painter.device()->devicePixelRatioF();
    for (const LiveSpan& span : row.spans) {
        QRectF bar(QPointF(view.xOf(double(span.steps.begin)), band.top() + air),
                   QPointF(view.xOf(double(span.steps.end)), band.bottom() - air));
        bar = bar.intersected(band.adjusted(-4, 0, 4, 0));
        if (bar.width() <= 0 && (bar.right() < band.left() || bar.left() > band.right())) continue;
        bar.setWidth(std::max(bar.width(), 1.0));
        painter.fillRect(bar, toColor(colour));
        if (span.pattern != Pattern::Plain && m_rowHeight >= 8) {
            painter.fillRect(bar, patternBrush(span.pattern, toColor(textOn(colour), 0.35), ratio));
        }
        if (m_rowHeight < 8 || bar.width() < 5) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(toColor(mix(colour, style.palette->text, 0.3)), 1));
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void LiveRangeCanvas::paintReads(QPainter& painter, const PlanViewport& view, const LiveRow& row, const QRectF& band,
                                 const Style& style) const
{
    const Rgb colour = lit(row) ? style.fill(row.colour) : style.dimmed(style.fill(row.colour));
    painter.setPen(QPen(toColor(textOn(colour), 0.75), 1.5));
    for (const Uses::Read& read : m_uses.reads[row.value.index()]) {
        if (report()->program.graph->decided[read.node].ahead) continue;
        const double x = std::round(view.xOf(double(report()->program.schedule.stepOf(read.node)) + 0.5)) + 0.5;
        if (x < band.left() || x > band.right()) continue;
        painter.drawLine(QPointF(x, band.center().y() - m_rowHeight * 0.18),
                         QPointF(x, band.center().y() + m_rowHeight * 0.18));
    }
}

void LiveRangeCanvas::paintScrollMark(QPainter& painter, const QRectF& rows, const Style& style) const
{
    const double all = double(m_picture.rows.size()) * m_rowHeight;
    if (all <= rows.height()) return;
    const QRectF track(rows.right() + 2, rows.top(), 6, rows.height());
    const double height = std::max(20.0, track.height() * rows.height() / all);
    const double top = track.top() + (track.height() - height) * m_scroll / (all - rows.height());
    painter.fillRect(QRectF(track.left(), top, track.width(), height), toColor(style.palette->outline));
}

void LiveRangeCanvas::paintPointer(QPainter& painter)
{
    if (m_picture.rows.empty()) return;
    const Regions parts = regionsOf(rect(), looks());
    paintScrollMark(painter, parts.rows, looks());
    paintStepCursor(painter, parts.rows, m_view, selection().step, looks());
    if (m_hovered < 0) return;
    painter.setClipRect(QRectF(parts.names.topLeft(), parts.rows.bottomRight()));
    painter.fillRect(rowRect(m_hovered), toColor(looks().palette->text, 0.06));
    painter.setClipping(false);
}

void LiveRangeCanvas::resizeEvent(QResizeEvent* event)
{
    const QRectF before = regionsOf(QRectF(QPointF(), QSizeF(event->oldSize())), looks()).rows;
    const QRectF row = rowRect(pickedRow());
    const bool seen = row.bottom() > before.top() && row.top() < before.bottom();
    const QRectF rows = regionsOf(rect(), looks()).rows;
    m_view.setArea(rows);
    // A canvas that was never laid out could not show the row in its middle.
    if (seen && before.height() < 2 * m_rowHeight) m_scroll += row.center().y() - rows.center().y();
    viewChanged();
    if (seen) revealSelection();
}

QRectF LiveRangeCanvas::rowRect(std::int32_t row) const
{
    if (row < 0 || static_cast<std::size_t>(row) >= m_picture.rows.size()) return {};
    const Regions parts = regionsOf(rect(), looks());
    return {parts.names.left(), topOf(static_cast<std::size_t>(row), parts), parts.rows.right() - parts.names.left(),
            m_rowHeight};
}

std::int32_t LiveRangeCanvas::rowAt(double y) const
{
    const Regions parts = regionsOf(rect(), looks());
    if (y < parts.rows.top() || y >= parts.rows.bottom()) return -1;
    const double scroll = y < parts.rows.top() + stillHeight(parts) ? 0 : m_scroll;
    const auto row = static_cast<std::int32_t>((y - parts.rows.top() + scroll) / m_rowHeight);
    return static_cast<std::size_t>(row) < m_picture.rows.size() ? row : -1;
}

std::int32_t LiveRangeCanvas::pickedRow() const
{
    const Focus& focus = selection();
    if (focus.value.valid() && focus.value.index() < m_picture.rowOfValue.size())
        return m_picture.rowOfValue[focus.value.index()];
    if (focus.storage.valid() && focus.storage.index() < m_picture.rowOfStorage.size())
        return m_picture.rowOfStorage[focus.storage.index()];
    const std::vector<ValueId> values = pickedValues();
    return values.empty() || m_picture.rows.empty() ? -1 : m_picture.rowOfValue[values.back().index()];
}

void LiveRangeCanvas::pickRow(std::int32_t row)
{
    if (row < 0 || static_cast<std::size_t>(row) >= m_picture.rows.size()) return;
    const LiveRow& what = m_picture.rows[row];
    if (!what.storage.valid()) return;
    Q_EMIT picked(what.value.valid() ? Focus::on(what.value) : Focus::on(what.storage));
}

void LiveRangeCanvas::fit()
{
    m_view.fit();
    m_scroll = 0;
    viewChanged();
}

bool LiveRangeCanvas::frameSelection()
{
    const std::int32_t row = pickedRow();
    const AxisWindow before = m_view.steps;
    const double scroll = m_scroll;
    if (row >= 0) {
        const LiveRow& what = m_picture.rows[row];
        if (!what.spans.empty())
            m_view.frame(double(what.spans.front().steps.begin), double(what.spans.back().steps.end), 0, 1);
        m_scroll = (row + 0.5) * m_rowHeight - regionsOf(rect(), looks()).rows.height() / 2;
        viewChanged();
    }
    return before != m_view.steps || scroll != m_scroll;
}

void LiveRangeCanvas::setRowHeight(double height, double aboutY)
{
    const double top = regionsOf(rect(), looks()).rows.top();
    const double row = (aboutY - top + m_scroll) / m_rowHeight;
    m_rowHeight = std::clamp(height, LowestRow, HighestRow);
    m_scroll = row * m_rowHeight - (aboutY - top);
    viewChanged();
}

bool LiveRangeCanvas::onNamesEdge(QPointF at) const
{
    const Regions parts = regionsOf(rect(), looks());
    return !m_picture.rows.empty() && std::abs(at.x() - parts.rows.left()) <= EdgeGrip && at.y() < parts.rows.bottom();
}

void LiveRangeCanvas::dragGrabbedTo(QPointF at)
{
    m_namesShare = std::clamp(at.x() / std::max(width(), 1), LeastShare, MostShare);
    m_view.setArea(regionsOf(rect(), looks()).rows);
    viewChanged();
}

/// What is cut off comes in whole; what is out of view comes to the middle.
void LiveRangeCanvas::revealSelection()
{
    const Regions parts = regionsOf(rect(), looks());
    const QRectF row = rowRect(pickedRow());
    const QRectF rows = parts.rows.adjusted(0, stillHeight(parts), 0, 0);
    const double above = rows.top() - row.top();
    const double below = row.bottom() - rows.bottom();
    if (row.isEmpty() || pickedRow() < narrow<std::int32_t>(stillRows(parts)) || (above <= 0 && below <= 0)) return;
    if (std::max(above, below) >= row.height())
        m_scroll += row.center().y() - rows.center().y();
    else
        m_scroll += below > 0 ? below : -above;
    viewChanged();
}

} // namespace plimsoll::app
