#include "app/models/window_text.h"
#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/coverage_image.h"
#include "app/views/patterns.h"
#include "app/views/plan/plan_marks.h"

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
constexpr int ShortestStart = 4;
/// Beside the name of a bar with a finding, for its badge.
constexpr double BadgeRoom = 20;

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

    void paintAll(DrawnPlan& drawn)
    {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_dim = pickedIsSeen();
        eachSeen([&](const PlanBar& bar, const QRectF& rect) {
            drawn.nothing = false;
            if (paintBar(bar, rect)) drawn.bars.push_back({&bar, rect});
        });
        if (!m_small.empty()) m_painter.drawImage(m_small.area().topLeft(), m_small.toImage());
    }

    void paintLabels(DrawnPlan& drawn)
    {
        m_painter.setFont(m_style.font);
        for (const DrawnBar& bar : drawn.bars) {
            if (bar.bar->value.valid() || bar.bar->pattern == Pattern::Scratch) paintLabel(bar, drawn);
        }
    }

private:
    [[nodiscard]] QRectF rectOf(Interval steps, Interval bytes) const
    {
        return m_view.rectOf(double(steps.begin), double(steps.end), double(bytes.begin), double(bytes.end));
    }

    template <typename Visitor>
    void eachSeen(Visitor&& visitor) const
    {
        const Interval window {static_cast<std::int64_t>(std::floor(m_view.steps.first)),
                               static_cast<std::int64_t>(std::ceil(m_view.steps.last()))};
        m_scene.picture.barIndex.visit(window, [&](std::size_t position) {
            const PlanBar& bar = m_scene.picture.bars[position];
            const Interval bytes = stackedBytes(m_scene.picture, bar);
            if (double(bytes.end) <= m_view.bytes.first || double(bytes.begin) >= m_view.bytes.last()) return;
            visitor(bar, rectOf(bar.steps, bytes));
        });
    }

    /// Where nothing of what is picked is seen, dimming would leave only grey.
    [[nodiscard]] bool pickedIsSeen() const
    {
        bool seen = false;
        if (m_scene.emphasis.any) {
            eachSeen([&](const PlanBar& bar, const QRectF&) {
                seen = seen || m_scene.emphasis.storages[bar.storage.index()] != 0;
            });
        }
        return seen;
    }

    [[nodiscard]] const Ink& inkOf(const PlanBar& bar) const
    {
        const std::size_t i = std::min<std::size_t>(bar.colour, StorageColourCount);
        const bool dim = m_dim && !m_scene.emphasis.storages[bar.storage.index()];
        return m_inks[i][dim ? 1 : 0];
    }

    /// False for a sliver.
    bool paintBar(const PlanBar& bar, const QRectF& rect)
    {
        const Ink& ink = inkOf(bar);
        if (rect.width() < SmallestBar || rect.height() < SmallestBar) {
            m_small.add(rect, ink.rgb);
            return false;
        }
        // Rounded outwards alike, so that bars that touch in the plan touch in the picture; clipped, so that a bar of
        // a million pixels costs no more than what is seen of it.
        const QRectF seen = rect.intersected(m_view.area.adjusted(-8, -8, 8, 8));
        const QRect box(QPoint(qRound(seen.left()), qRound(seen.top())),
                        QPoint(qRound(seen.right()) - 1, qRound(seen.bottom()) - 1));
        const bool outlined = rect.width() >= OutlinePixels && rect.height() >= OutlinePixels;
        m_painter.fillRect(box, outlined ? ink.edge : ink.fill);
        if (!outlined) return true;
        const QRect inside = box.adjusted(1, 1, -1, -1);
        m_painter.fillRect(inside, ink.fill);
        if (bar.pattern != Pattern::Plain && rect.width() >= PatternPixels && rect.height() >= PatternPixels) {
            m_painter.fillRect(inside, patternBrush(bar.pattern, ink.pattern));
        }
        if (bar.output && rect.width() >= PatternPixels) paintDashes(box, ink);
        return true;
    }

    void paintDashes(const QRect& box, const Ink& ink)
    {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(ink.text, 1, Qt::DashLine));
        m_painter.drawRect(box.adjusted(1, 1, -2, -2));
    }

    void paintLabel(const DrawnBar& drawnBar, DrawnPlan& drawn)
    {
        const PlanBar& bar = *drawnBar.bar;
        const QRectF& rect = drawnBar.rect;
        QRectF room = rect.intersected(m_view.area).adjusted(4, 0, -4, 0);
        if (room.width() < ShortLabelWidth - 8 || room.height() < LabelHeight) return;
        if (rect.height() < m_metrics.ascent() + 2) return;
        const bool twoLines = room.height() >= TwoLineHeight;
        const double line = m_metrics.height();
        const double top = twoLines ? room.top() + 3 : room.center().y() - line / 2;
        QRectF text(room.left(), top, room.width(), line);
        const QRectF block(room.left(), top, room.width(), twoLines ? 2 * line : line);
        text.setRight(std::min(room.right(), hiddenFrom(drawn, drawnBar, block.intersected(rect), Hides::Some) - 3));
        if (bar.finding >= 0 && text.width() > 3 * BadgeRoom) text.setWidth(text.width() - BadgeRoom);
        if (text.width() < ShortLabelWidth - 8) return;
        const Ink& ink = inkOf(bar);
        const QString name = nameFor(bar, text.width());
        const QString size = sizeText(bar.bytes.length());
        if (name.isEmpty()) return;
        std::vector<Words> all = {{name, text, ink.text}};
        const double used = m_metrics.horizontalAdvance(name) + 10;
        if (twoLines)
            text.translate(0, line - 1);
        else
            text.setLeft(text.left() + used);
        if (m_metrics.horizontalAdvance(size) <= text.width() && (twoLines || rect.width() >= LabelWidth))
            all.push_back({size, text, ink.faintText});
        const bool hatched = bar.finding >= 0 || (bar.pattern != Pattern::Plain && bar.pattern != Pattern::Padding);
        if (hatched) paintGround(all, rect.adjusted(1, 1, -1, -1), ink.fill);
        for (const Words& words : all) {
            m_painter.setPen(words.colour);
            m_painter.drawText(words.where, Qt::AlignLeft | Qt::AlignVCenter, words.text);
            drawn.words.push_back(boxOf(words));
        }
    }

    struct Words
    {
        QString text;
        QRectF where;
        QColor colour;
    };

    [[nodiscard]] QRectF boxOf(const Words& words) const
    {
        return {words.where.topLeft(), QSizeF(m_metrics.horizontalAdvance(words.text), m_metrics.height())};
    }

    /// Letters over a hatch are hard to read: they get ground of the bar's colour, all of them before the first letter.
    void paintGround(const std::vector<Words>& all, const QRectF& bar, const QColor& fill)
    {
        for (const Words& words : all)
            m_painter.fillRect(boxOf(words).adjusted(-3, 0, 3, 0).intersected(bar), fill);
    }

    /// The name; where it does not fit, its last part, then that shortened, then only the storage: "s12".
    [[nodiscard]] QString nameFor(const PlanBar& bar, double width) const
    {
        QString name = QString::fromStdString(barLabel(*m_scene.report, bar));
        if (bar.value.valid()) name = without(m_scene.namePrefix, name);
        if (m_metrics.horizontalAdvance(name) <= width) return name;
        const QString last = name.section(QLatin1Char('/'), -1);
        if (!bar.value.valid()) return scratchFor(last, width);
        const QString cut = shortened(last, m_metrics, width);
        if (cut.size() >= ShortestName) return cut;
        const QString start = m_metrics.elidedText(last, Qt::ElideRight, width);
        if (start.size() >= ShortestStart) return start;
        const QString storage = QStringLiteral("s%1").arg(bar.storage.number());
        return m_metrics.horizontalAdvance(storage) <= width ? storage : QString();
    }

    /// "scratchpad of Conv_7", "scratchpad of C…", "scratchpad", "scr…"
    [[nodiscard]] QString scratchFor(QString node, double width) const
    {
        const QString of = QObject::tr("scratchpad of %1");
        const QString label = node.startsWith(of.arg(QString())) ? node : of.arg(node);
        if (m_metrics.horizontalAdvance(label) <= width) return label;
        const QString cut = m_metrics.elidedText(label, Qt::ElideRight, width);
        if (cut.size() > of.size()) return cut;
        return m_metrics.elidedText(QObject::tr("scratchpad"), Qt::ElideRight, width);
    }

    QPainter& m_painter;
    const PlanScene& m_scene;
    const PlanViewport& m_view;
    const Style& m_style;
    QFontMetricsF m_metrics;
    CoverageImage m_small;
    bool m_dim = false;
    std::array<std::array<Ink, 2>, StorageColourCount + 1> m_inks; ///< By colour: full, dimmed.
};

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

} // namespace

void paintBars(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    painter.save();
    painter.setClipRect(view.area);
    paintLanes(painter, scene, view, style);
    paintStepGrid(painter, view, style);
    DrawnPlan drawn;
    BarPainter bars(painter, scene, view, style);
    bars.paintAll(drawn);
    paintFindingFills(painter, scene, view, style);
    bars.paintLabels(drawn);
    for (const PassTurnWords& words : passTurnWords(view.area, view, scene.picture.turns, *scene.report, style))
        drawn.words.push_back(words.rect);
    paintWaits(painter, scene, view, style);
    paintHoles(painter, scene, view, drawn, style);
    paintOutlines(painter, scene, view, drawn, style);
    paintFindings(painter, scene, view, drawn, style);
    paintLevels(painter, scene, view, drawn, style);
    if (drawn.nothing) paintWayBack(painter, scene, view, style);
    painter.restore();
}

} // namespace plimsoll::app
