#include "app/views/plan/plan_marks.h"

#include "app/models/window_text.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace plimsoll::app {
namespace {

/// A finding is never smaller than this.
constexpr double SmallestFinding = 8;
constexpr double SmallestBadge = 8;
constexpr double LargestBadge = 15;
constexpr double SmallestOutline = 6;
/// Shorter or lower ones would be a smear.
constexpr double SmallestWait = 7;
constexpr double AskedCorner = 7;

QRectF atLeast(QRectF rect, double size)
{
    const QPointF centre = rect.center();
    rect.setSize({std::max(rect.width(), size), std::max(rect.height(), size)});
    rect.moveCenter(centre);
    return rect;
}

QColor colourOf(Severity severity, const Style& style)
{
    switch (severity) {
    case Severity::Error:
        return toColor(style.palette->violation);
    case Severity::Warning:
        return toColor(style.palette->warning);
    case Severity::Advice:
        break;
    }
    return toColor(style.palette->mutedText);
}

/// What is seen of a mark; empty where it is out of view or has no bytes.
QRectF rectOf(const FindingMark& mark, const PlanScene& scene, const PlanViewport& view)
{
    if (mark.lane < 0) return {};
    const QRectF rect = atLeast(view.rectOf(mark.steps, stackedBytes(scene.picture, mark)), SmallestFinding);
    return rect.intersects(view.area) ? rect.intersected(view.area.adjusted(-4, -4, 4, 4)) : QRectF();
}

void paintFrame(QPainter& painter, const QRectF& rect, const QColor& colour, double width, const Style& style)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->background), width + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
}

/// The corner of \p rect where a badge hides least of what is drawn; the first of equal ones.
QRectF badgePlace(const QRectF& rect, double size, const std::vector<QRectF>& drawn)
{
    const double left = rect.left();
    const double right = std::max(left, rect.right() - size);
    const double bottom = std::max(rect.top(), rect.bottom() - size);
    const std::array<QPointF, 4> corners {QPointF(right, rect.top()), QPointF(right, bottom), QPointF(left, bottom),
                                          QPointF(left, rect.top())};
    const auto hidden = [&](const QPointF& corner) {
        double area = 0;
        for (const QRectF& words : drawn) {
            const QRectF part = words.intersected(QRectF(corner, QSizeF(size, size)));
            area += part.width() * part.height();
        }
        return area;
    };
    return {*std::ranges::min_element(corners, {}, hidden), QSizeF(size, size)};
}

/// Advice is small: nothing is wrong, and the names matter more.
double badgeSize(const QRectF& rect, Severity severity)
{
    if (severity == Severity::Advice) return SmallestBadge;
    return std::clamp(std::min(rect.width(), rect.height()), SmallestBadge, LargestBadge);
}

/// Errors are squares, warnings triangles, advice is round: colour never speaks alone.
void paintBadge(QPainter& painter, const QRectF& badge, Severity severity, const Style& style)
{
    painter.setRenderHint(QPainter::Antialiasing, severity != Severity::Error);
    painter.setPen(QPen(toColor(style.palette->background), 1));
    painter.setBrush(colourOf(severity, style));
    if (severity == Severity::Error)
        painter.drawRect(badge);
    else if (severity == Severity::Warning)
        painter.drawPolygon(
            QPolygonF({QPointF(badge.center().x(), badge.top()), badge.bottomRight(), badge.bottomLeft()}));
    else
        painter.drawEllipse(badge);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (badge.width() < 12 || severity == Severity::Advice) return;
    painter.setFont(severity == Severity::Error ? style.boldFont : style.smallFont);
    painter.setPen(toColor(severity == Severity::Error ? style.palette->onViolation : style.palette->background));
    painter.drawText(severity == Severity::Error ? badge : badge.translated(0, 2), Qt::AlignCenter,
                     QStringLiteral("!"));
}

/// Up to the bar that was written over it, so that no edge runs through that one. A bar that is hidden from its
/// beginning stays whole.
QRectF visiblePart(const PlanBar& bar, QRectF rect, const DrawnPlan& drawn)
{
    const double end = hiddenFrom(drawn, {&bar, rect}, rect.adjusted(0, 1, 0, -1), Hides::All);
    if (end - rect.left() >= SmallestOutline) rect.setRight(std::min(rect.right(), end));
    return rect;
}

} // namespace

double hiddenFrom(const DrawnPlan& drawn, const DrawnBar& of, const QRectF& part, Hides hides)
{
    auto next = std::upper_bound(drawn.bars.begin(), drawn.bars.end(), of.bar,
                                 [](const PlanBar* bar, const DrawnBar& other) { return bar < other.bar; });
    for (; next != drawn.bars.end() && next->rect.left() < of.rect.right(); ++next) {
        const QRectF& over = next->rect;
        const bool some = over.top() < part.bottom() && over.bottom() > part.top();
        const bool all = over.top() <= part.top() && over.bottom() >= part.bottom();
        if (hides == Hides::All ? all : some) return std::max(over.left(), of.rect.left());
    }
    return of.rect.right();
}

void paintFindingFills(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    QPainterPath marked; // as one: where several lie over each other, the hatch would drown in its ground
    marked.setFillRule(Qt::WindingFill);
    for (const FindingMark& mark : scene.picture.findings) {
        if (mark.severity == Severity::Error) marked.addRect(rectOf(mark, scene, view));
    }
    painter.fillPath(marked, toColor(style.palette->violation, 0.25));
    painter.fillPath(marked, hatchBrush(Qt::DiagCrossPattern, toColor(style.palette->violation, 0.7),
                                        painter.device()->devicePixelRatioF()));
}

void paintFindingFrames(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const DrawnPlan& drawn,
                        const Style& style)
{
    for (const DrawnBar& one : drawn.bars) { // both partners
        if (one.bar->finding < 0) continue;
        const Severity severity = scene.report->verdict.findings[one.bar->finding].severity;
        if (severity == Severity::Advice || one.rect.height() < SmallestOutline) continue;
        const QRectF rect = visiblePart(*one.bar, one.rect, drawn).intersected(view.area.adjusted(-4, -4, 4, 4));
        paintFrame(painter, rect.adjusted(1, 1, -1, -1), colourOf(severity, style), 2, style);
    }
    for (const FindingMark& mark : scene.picture.findings) {
        const bool picked = static_cast<std::int32_t>(mark.finding) == scene.emphasis.finding;
        if (mark.severity == Severity::Advice && !picked) continue;
        const QRectF rect = rectOf(mark, scene, view);
        if (!rect.isEmpty()) paintFrame(painter, rect, colourOf(mark.severity, style), 2, style);
    }
}

std::vector<Badge> badgesOf(const PlanScene& scene, const PlanViewport& view, const DrawnPlan& drawn)
{
    std::vector<Badge> badges;
    constexpr int Weight = 3; // of a name, beside other words
    std::vector<QRectF> hidden = drawn.words;
    for (int i = 1; i < Weight; ++i)
        hidden.insert(hidden.end(), drawn.names.begin(), drawn.names.end());
    // Badges of the worst first, and one for each few pixels: thousands of them would hide each other anyway.
    std::set<std::pair<int, int>> taken;
    const auto& marks = scene.picture.findings;
    for (std::size_t i = marks.size(); i-- > 0;) { // sorted with the worst last
        const QRectF rect = rectOf(marks[i], scene, view);
        if (rect.isEmpty()) continue;
        const QPointF at = rect.topRight() / SmallestBadge;
        if (!taken.insert({qRound(at.x()), qRound(at.y())}).second) continue;
        const QRectF seen = rect.intersected(view.area);
        badges.push_back({badgePlace(seen, badgeSize(seen, marks[i].severity), hidden), marks[i].severity});
        hidden.push_back(badges.back().where);
    }
    return badges;
}

void paintBadges(QPainter& painter, const std::vector<Badge>& badges, const Style& style)
{
    for (const Badge& badge : badges)
        paintBadge(painter, badge.where, badge.severity, style);
}

void paintOutlines(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const DrawnPlan& drawn,
                   const Style& style)
{
    if (!scene.emphasis.any) return;
    for (const PlanBar& bar : scene.picture.bars) {
        if (!bar.value.valid()) continue;
        const ValueMark mark = scene.emphasis.values[bar.value.index()];
        if (mark == ValueMark::None) continue;
        const QRectF whole = atLeast(view.rectOf(bar.steps, stackedBytes(scene.picture, bar)), SmallestOutline);
        const QRectF rect = visiblePart(bar, whole, drawn);
        if (!rect.intersects(view.area)) continue;
        const QRectF shown = rect.intersected(view.area.adjusted(-6, -6, 6, 6));
        const QColor colour = toColor(mark == ValueMark::Picked ? style.palette->accent
                                      : mark == ValueMark::Read ? style.palette->bound
                                                                : style.palette->warning);
        paintFrame(painter, shown, colour, 2, style);
        if (mark == ValueMark::Picked || shown.height() < 14 || shown.width() < 30) continue;
        const QRectF badge(shown.right() - 14, shown.top(), 14, 14);
        painter.fillRect(badge, colour);
        painter.setFont(style.smallFont);
        painter.setPen(toColor(style.palette->background));
        painter.drawText(badge, Qt::AlignCenter, mark == ValueMark::Read ? QStringLiteral("R") : QStringLiteral("W"));
    }
}

void paintAskedCorner(QPainter& painter, const QRectF& bar, const QColor& ink)
{
    const double side = std::min({AskedCorner, bar.width(), bar.height()});
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(
        QPolygonF({bar.topRight(), bar.topRight() - QPointF(side, 0), bar.topRight() + QPointF(0, side)}));
}

void paintWaitLine(QPainter& painter, double left, double right, double y, const Style& style)
{
    painter.setPen(QPen(toColor(style.palette->bound), 1, Qt::DotLine));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    painter.setPen(QPen(toColor(style.palette->bound), 1));
    painter.drawLine(QPointF(right, y - 3), QPointF(right, y + 3));
}

void paintWaits(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    for (const WaitMark& mark : scene.picture.waits) {
        const QRectF rect = view.rectOf(mark.steps, stackedBytes(scene.picture, mark));
        if (!rect.intersects(view.area) || rect.height() < SmallestWait || rect.width() < SmallestWait) continue;
        const double left = std::max(rect.left(), view.area.left() - 4);
        const double right = std::min(rect.right() - 1, view.area.right() + 4);
        paintWaitLine(painter, left, right, std::round(rect.center().y()) + 0.5, style);
    }
}

namespace {

/// Outlines and arrows of more bars cover what they are about.
constexpr std::size_t FewBars = 60;

QRectF rectOn(const PlanViewport& view, const QRectF& bar)
{
    return view.rectOf(bar.left(), bar.right(), bar.top(), bar.bottom());
}

} // namespace

std::vector<GhostBar> makeGhost(const PlanScene& now, const Report& before, const PlanMatches* matches)
{
    if (inRows(now.picture.axis)) return {}; // which say nothing of addresses
    const auto labelNow = [&](const PlanBar& bar) {
        if (!matches || !bar.value.valid()) return barLabel(before, bar);
        const ValueId same = matches->values.second[bar.value.index()];
        return same.valid() ? (*now.report->program.graph)[same].name : std::string();
    };
    const auto rectOf = [](const PlanPicture& picture, const PlanBar& bar) {
        const Interval bytes = stackedBytes(picture, bar);
        return QRectF(double(bar.steps.begin), double(bytes.begin), double(bar.steps.length()), double(bytes.length()));
    };
    std::map<std::string, std::vector<QRectF>> places; // of one value there are several where it has gaps
    for (const PlanBar& bar : now.picture.bars)
        places[barLabel(*now.report, bar)].push_back(rectOf(now.picture, bar));
    std::vector<GhostBar> ghost;
    const PlanPicture old = makePlanPicture(before, {}, now.picture.axis);
    for (const PlanBar& bar : old.bars) {
        if (!bar.value.valid() && bar.pattern != Pattern::Scratch) continue;
        const QRectF was = rectOf(old, bar);
        const auto found = places.find(labelNow(bar));
        if (found == places.end()) {
            ghost.push_back({was, std::nullopt});
            continue;
        }
        const std::vector<QRectF>& here = found->second;
        if (std::ranges::find(here, was) != here.end()) continue;
        const auto away = [&](const QRectF& rect) { return std::abs(rect.left() - was.left()); };
        ghost.push_back({was, *std::ranges::min_element(here, {}, away)});
    }
    return ghost;
}

std::vector<GhostBar> outlinedGhost(const std::vector<GhostBar>& ghost, const PlanViewport& view)
{
    constexpr double LeastSide = 3; // pixels
    constexpr std::size_t Most = 250;
    if (ghost.size() <= FewBars) return ghost;
    std::vector<std::pair<double, const GhostBar*>> seen;
    for (const GhostBar& bar : ghost) {
        const QRectF rect = rectOn(view, bar.was);
        const bool shown = rect.intersects(view.area) || (bar.is && rectOn(view, *bar.is).intersects(view.area));
        if (shown && rect.width() >= LeastSide && rect.height() >= LeastSide)
            seen.emplace_back(rect.width() * rect.height(), &bar);
    }
    std::ranges::stable_sort(seen, std::greater(), [](const auto& bar) { return bar.first; });
    std::vector<GhostBar> outlined;
    for (std::size_t i = 0; i < std::min(Most, seen.size()); ++i)
        outlined.push_back(*seen[i].second);
    return outlined;
}

void paintGhost(QPainter& painter, const std::vector<GhostBar>& ghost, const PlanViewport& view, const Style& style)
{
    if (ghost.empty()) return;
    constexpr double ShortestArrow = 12;
    constexpr double Head = 5;
    const std::vector<GhostBar> outlined = outlinedGhost(ghost, view);
    painter.save();
    painter.setClipRect(view.area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->accent), 1));
    for (const GhostBar& bar : outlined) {
        const QRectF rect = rectOn(view, bar.was);
        if (rect.intersects(view.area)) painter.drawRect(rect.intersected(view.area.adjusted(-2, -2, 2, 2)));
        if (!bar.is || ghost.size() > FewBars) continue;
        const QLineF arrow(rect.center(), rectOn(view, *bar.is).center());
        const bool seen = view.area.contains(arrow.p1()) || view.area.contains(arrow.p2());
        if (!seen || arrow.length() < ShortestArrow) continue;
        painter.drawLine(arrow);
        for (const double turn : {150.0, -150.0}) {
            QLineF edge = QLineF::fromPolar(Head, arrow.angle() + turn);
            edge.translate(arrow.p2());
            painter.drawLine(edge);
        }
    }
    if (outlined.size() < ghost.size()) {
        const QString text = QObject::tr("compared: %1 outlines of %2, the others are small or out of sight")
                                 .arg(countText(std::ssize(outlined)), countText(std::ssize(ghost)));
        const QFontMetricsF metrics(style.smallFont);
        const QSizeF size(metrics.horizontalAdvance(text) + 12, metrics.height() + 4);
        const QRectF box(view.area.bottomLeft() - QPointF(-4, size.height() + 4), size);
        painter.fillRect(box, toColor(style.palette->background, 0.85));
        painter.setFont(style.smallFont);
        painter.setPen(toColor(style.palette->text));
        painter.drawText(box, Qt::AlignCenter, text);
    }
    painter.restore();
}

} // namespace plimsoll::app
