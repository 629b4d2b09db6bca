#include "app/models/window_text.h"
#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"
#include "app/views/plan/plan_laid.h"
#include "core/picture/bar_chains.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// From so many pixels on they have an edge, and so on.
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

/// A bar that is no sliver.
void paintBar(QPainter& painter, const PlanBar& bar, const QRectF& rect, const QRectF& area, const Ink& ink)
{
    // Rounded outwards alike, so that bars that touch in the plan touch in the picture; clipped, so that a bar of a
    // million pixels costs no more than what is seen of it.
    const QRectF seen = rect.intersected(area.adjusted(-8, -8, 8, 8));
    const QRect box(QPoint(qRound(seen.left()), qRound(seen.top())),
                    QPoint(qRound(seen.right()) - 1, qRound(seen.bottom()) - 1));
    const bool outlined = rect.width() >= OutlinePixels && rect.height() >= OutlinePixels;
    painter.fillRect(box, outlined ? ink.edge : ink.fill);
    if (!outlined) return;
    const QRect inside = box.adjusted(1, 1, -1, -1);
    painter.fillRect(inside, ink.fill);
    if (bar.pattern != Pattern::Plain && rect.width() >= PatternPixels && rect.height() >= PatternPixels)
        painter.fillRect(inside, patternBrush(bar.pattern, ink.pattern, painter.device()->devicePixelRatioF()));
    if (bar.asked) paintAskedCorner(painter, QRectF(inside), ink.text);
    if (!bar.output || rect.width() < PatternPixels) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.text, 1, Qt::DashLine));
    painter.drawRect(box.adjusted(1, 1, -2, -2));
}

struct Words
{
    QString text;
    QRectF where;
    QColor colour;

    [[nodiscard]] QRectF box(const QFontMetricsF& metrics) const
    {
        return {where.topLeft(), QSizeF(metrics.horizontalAdvance(text), metrics.height())};
    }
};

/// What stands on one bar, and the bar, whose colour is the ground of the letters.
struct Label
{
    std::vector<Words> words;
    QRectF bar;
    QColor ground;
};

/// A bar, or several that go on in the same bytes, with the name of the first.
struct NamedBar
{
    DrawnBar first; ///< With the rectangle of all.
    const PlanBar* last;
};

/// \return without words where none fit
Label labelOf(const QFontMetricsF& metrics, const PlanScene& scene, const NamedBar& named, const QRectF& area,
              const Ink& ink, const DrawnPlan& drawn)
{
    const PlanBar& bar = *named.first.bar;
    const QRectF& rect = named.first.rect;
    Label label {.words = {}, .bar = rect, .ground = ink.fill};
    const QRectF room = rect.intersected(area).adjusted(4, 0, -4, 0);
    if (room.width() < ShortLabelWidth - 8 || room.height() < LabelHeight) return label;
    if (rect.height() < metrics.ascent() + 2) return label;
    const bool twoLines = room.height() >= TwoLineHeight;
    const double line = metrics.height();
    const double top = twoLines ? room.top() + 3 : room.center().y() - line / 2;
    QRectF text(room.left(), top, room.width(), line);
    const QRectF block(room.left(), top, room.width(), twoLines ? 2 * line : line);
    text.setRight(
        std::min(room.right(), hiddenFrom(drawn, {named.last, rect}, block.intersected(rect), Hides::Some) - 3));
    const bool wide = text.width() > 3 * BadgeRoom;
    if (bar.finding >= 0 && wide) text.setWidth(text.width() - BadgeRoom);
    if (text.width() < ShortLabelWidth - 8) return label;
    const QString name = barName(scene, bar, metrics, text.width());
    const bool besideBadge = metrics.horizontalAdvance(name) <= text.width() - BadgeRoom;
    if (bar.finding >= 0 && !wide && !twoLines && besideBadge) text.setWidth(text.width() - BadgeRoom);
    const QString size = sizeText(bar.bytes.length());
    if (name.isEmpty()) return label;
    label.words.push_back({name, text, ink.text});
    if (twoLines)
        text.translate(0, line - 1);
    else
        text.setLeft(text.left() + metrics.horizontalAdvance(name) + 10);
    if (metrics.horizontalAdvance(size) <= text.width() && (twoLines || rect.width() >= LabelWidth))
        label.words.push_back({size, text, ink.faintText});
    return label;
}

/// Where bars are short, the name of the first stands on all that go on with its bytes.
std::vector<Label> labelsOf(const PlanScene& scene, const PlanViewport& view, const Inks& inks,
                            const QFontMetricsF& metrics, const DrawnPlan& drawn)
{
    std::vector<Label> labels;
    std::vector<DrawnBar> shortBars;
    std::vector<const PlanBar*> asked;
    for (const DrawnBar& bar : drawn.bars) {
        if (bar.bar->value.valid() && bar.rect.width() < LabelWidth) {
            shortBars.push_back(bar);
            asked.push_back(bar.bar);
        } else if (bar.bar->value.valid() || bar.bar->pattern == Pattern::Scratch) {
            labels.push_back(labelOf(metrics, scene, {bar, bar.bar}, view.area, inks.of(*bar.bar, scene), drawn));
        }
    }
    for (const BarChain& chain : chainsOf(asked)) {
        NamedBar named {shortBars[chain.first], shortBars[chain.last].bar};
        named.first.rect.setRight(shortBars[chain.last].rect.right());
        labels.push_back(labelOf(metrics, scene, named, view.area, inks.of(*named.last, scene), drawn));
    }
    return labels;
}

/// What a badge would cover is left out: sizes, and names where bars are short.
void giveWay(std::vector<Label>& labels, const std::vector<Badge>& badges, const QFontMetricsF& metrics)
{
    for (Label& label : labels) {
        const bool keepsName = label.bar.width() > 4 * BadgeRoom && !label.words.empty();
        const auto covered = [&](const Words& words) {
            return std::ranges::any_of(badges, [box = words.box(metrics)](const Badge& badge) {
                return badge.severity != Severity::Advice && badge.where.intersects(box);
            });
        };
        const auto first = label.words.begin() + (keepsName ? 1 : 0);
        label.words.erase(std::find_if(first, label.words.end(), covered), label.words.end());
    }
}

/// Letters over hatches, lines and frames are hard to read: each word has ground of the bar's colour.
void paintLabels(QPainter& painter, const std::vector<Label>& labels, const QFontMetricsF& metrics)
{
    for (const Label& label : labels) {
        const QRectF inside = label.bar.adjusted(2, 2, -2, -2);
        for (const Words& words : label.words)
            painter.fillRect(words.box(metrics).adjusted(-2, 0, 2, 0).intersected(inside), label.ground);
        for (const Words& words : label.words) {
            painter.setPen(words.colour);
            painter.drawText(words.where, Qt::AlignLeft | Qt::AlignVCenter, words.text);
        }
    }
}

QString digitsOf(QString text)
{
    text.removeIf([](QChar c) { return !c.isDigit(); });
    return text;
}

} // namespace

QString barName(const PlanScene& scene, const PlanBar& bar, const QFontMetricsF& metrics, double width)
{
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    QString name = toQString(barLabel(*scene.report, bar));
    if (bar.value.valid()) name = without(scene.namePrefix, name);
    name = labelText(name);
    if (fits(name)) return name;
    const QString last = name.section(QLatin1Char('/'), -1);
    if (!bar.value.valid()) {
        const QString of = QObject::tr("scratchpad of %1");
        const QString label = last.startsWith(of.arg(QString())) ? last : of.arg(last);
        const QString cut = metrics.elidedText(label, Qt::ElideRight, width);
        if (cut == label || cut.size() > of.size()) return cut;
        const QString brief = metrics.elidedText(QObject::tr("scratchpad"), Qt::ElideRight, width);
        return brief.size() >= ShortestStart ? brief : QString();
    }
    const QString end = tellingEnd(scene.endings, name);
    if (fits(end)) return end;
    const QString cut = shortened(end, metrics, width);
    const bool saysNumber = digitsOf(cut) == digitsOf(end); // numbers tell layers apart
    const QString brief = saysNumber ? QString() : wordInitials(end, metrics, width);
    if (!brief.isEmpty()) return brief;
    const bool toldApart = saysNumber && !digitsOf(end).isEmpty();
    if (cut.size() >= ShortestName || toldApart) return cut;
    const QString start = saysNumber ? metrics.elidedText(end, Qt::ElideRight, width) : QString();
    if (start.size() >= ShortestStart) return start;
    const QString storage = QStringLiteral("s%1").arg(bar.storage.number());
    return fits(storage) ? storage : QString();
}

std::optional<std::size_t> barUnder(const PlanScene& scene, const PlanViewport& view, QPointF at)
{
    const auto stepAt = [&](double x) { return static_cast<std::int64_t>(std::floor(view.stepAt(x))); };
    const auto byte = static_cast<std::int64_t>(std::floor(view.byteAt(at.y())));
    if (const auto bar = barAt(scene.picture, stepAt(at.x()), byte)) return bar;
    std::optional<std::size_t> nearest;
    double least = SmallestBar;
    scene.picture.barIndex.visit({stepAt(at.x() - least), stepAt(at.x() + least) + 1}, [&](std::size_t position) {
        const PlanBar& bar = scene.picture.bars[position];
        const QRectF rect = view.rectOf(bar.steps, stackedBytes(scene.picture, bar));
        const double beside = std::max({rect.left() - at.x(), at.x() - rect.right(), 0.0});
        const double off = std::max({rect.top() - at.y(), at.y() - rect.bottom(), beside});
        const bool small = rect.width() < SmallestBar || rect.height() < SmallestBar;
        if (!small || off >= least) return;
        least = off;
        nearest = position;
    });
    return nearest;
}

void paintBars(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    const Clip clip(painter, view.area);
    for (const PlanLane& lane : scene.picture.lanes) {
        const QRectF used = view.rectOf(0, view.worldSteps, double(lane.base), double(lane.base + lane.bytes));
        painter.fillRect(used.intersected(view.area), toColor(style.palette->background));
        for (const ReservedBytes& region : lane.reserved) {
            const QRectF kept = view.rectOf(0, view.worldSteps, double(lane.base + region.bytes.begin),
                                            double(lane.base + region.bytes.end));
            painter.fillRect(
                kept.intersected(used).intersected(view.area),
                hatchBrush(Qt::BDiagPattern, toColor(style.palette->outline), painter.device()->devicePixelRatioF()));
        }
        painter.setPen(QPen(toColor(style.palette->outline), 1));
        const double floor = std::round(view.yOf(double(lane.base))) - 0.5;
        painter.drawLine(QPointF(view.area.left(), floor), QPointF(view.area.right(), floor));
    }
    paintStepGrid(painter, view, style);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto laid = layBars(scene, view, style, painter.device()->devicePixelRatio());
    const Inks& inks = laid->inks;
    DrawnPlan drawn;
    for (const SeenBars& bars : laid->seen) {
        drawn.nothing = drawn.nothing && bars.nothing;
        drawn.bars.insert(drawn.bars.end(), bars.bars.begin(), bars.bars.end());
    }
    for (const DrawnBar& bar : drawn.bars)
        paintBar(painter, *bar.bar, bar.rect, view.area, inks.of(*bar.bar, scene));
    for (const SeenBars& bars : laid->seen)
        if (!bars.slivers.isNull()) painter.drawImage(bars.at, bars.slivers);
    paintFindingFills(painter, scene, view, style);
    const QFontMetricsF metrics(style.font);
    std::vector<Label> labels = labelsOf(scene, view, inks, metrics, drawn);
    for (const Label& label : labels) {
        for (const Words& words : label.words)
            drawn.words.push_back(words.box(metrics));
        if (!label.words.empty()) drawn.names.push_back(label.words.front().box(metrics));
    }
    for (const PassTurnWords& words : passTurnWords(view.area, view, scene.picture.turns, *scene.report, style))
        drawn.words.push_back(words.rect);
    paintWaits(painter, scene, view, style);
    paintHoles(painter, scene, view, drawn, style);
    paintArea(painter, scene, view, style);
    paintOutlines(painter, scene, view, drawn, style);
    paintFindingFrames(painter, scene, view, drawn, style);
    paintLevels(painter, scene, view, drawn, style);
    const std::vector<Badge> badges = badgesOf(scene, view, drawn);
    giveWay(labels, badges, metrics);
    painter.setFont(style.font);
    paintLabels(painter, labels, metrics);
    paintBadges(painter, badges, style);
    if (drawn.nothing) paintWayBack(painter, scene, view, style);
}

} // namespace plimsoll::app
