#include "app/views/graph/graph_painter.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"
#include "app/views/graph/graph_figures.h"
#include "core/base/narrow.h"
#include "core/picture/layout/layout_clusters.h"
#include "core/picture/plan_picture.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <span>

namespace plimsoll::app {
namespace {

/// From these scales on: both lines of a box, its title alone, rounded boxes and curved edges, arrow heads.
constexpr double TwoLines = 0.62;
constexpr double OneLine = 0.3;
constexpr double Curves = 0.14;
constexpr double Heads = 0.3;
constexpr double Corner = 5;
/// Frames of nested graphs and of groups: how much darker, and from which scale on they have titles.
constexpr double FrameTint = 0.05;
constexpr double GroupTint = 0.025;
constexpr double FrameTitles = 0.4;
/// Of what closes a group, in pixels.
constexpr double MinusWidth = 12;
/// Less room than this, in pixels, and the weights a node reads are not named.
constexpr double ShortestStubName = 24;
/// Less room than this, in pixels, and a closed group says only how many nodes it has.
constexpr double ShortestName = 18;
/// So many letters of a node's name are left when the library that computes it is cut instead.
constexpr double LegibleLetters = 10;
/// As far as names may stand out to the right of a box: not yet above the ports of the next one.
constexpr double StubNameBeyond = 36;
constexpr int MostPorts = 10;
/// Text of a box is never smaller, in pixels; below OneLine there is none.
constexpr int SmallestText = 9;
/// Edges that go further, in units of the drawing, are faint, so that they do not cover what they pass.
constexpr double FarEdge = 420;
constexpr double FarOpacity = 0.45;

QPainterPath pathOf(const GraphLayout& layout, const std::vector<Point>& route, const GraphViewport& view)
{
    const auto at = [&](const Point& p) { return view.toScreen(QPointF(p.x, p.y)); };
    QPainterPath path(at(route.front()));
    for (std::size_t i = 1; i < route.size(); ++i) {
        const QPointF a = at(route[i - 1]);
        const QPointF b = at(route[i]);
        if (layout.curved || route[i].x == route[i - 1].x || route[i].y == route[i - 1].y) {
            path.lineTo(b);
            continue;
        }
        const QPointF middle = (a + b) / 2;
        if (layout.rightwards)
            path.cubicTo(QPointF(middle.x(), a.y()), QPointF(middle.x(), b.y()), b);
        else
            path.cubicTo(QPointF(a.x(), middle.y()), QPointF(b.x(), middle.y()), b);
    }
    return path;
}

QFont scaled(QFont font, double scale)
{
    const double pixels = QFontInfo(font).pixelSize() * std::min(scale, 1.6);
    font.setPixelSize(std::max(SmallestText, static_cast<int>(std::lround(pixels))));
    return font;
}

/// What a graph is painted with.
struct Ink
{
    QPainter& painter;
    const GraphViewport& view;
    const Style& style;
    QFont title = scaled(style.boldFont, view.scale);
    QFont text = scaled(style.smallFont, view.scale);
};

/// The head of an arrow; where a stream waits, a bar across the arrow behind it, as on the dotted lines of the plan.
void paintHead(const Ink& ink, const std::vector<Point>& route, bool rightwards, const QColor& colour, bool waits)
{
    const Point end = route.back();
    const Point before = route[route.size() - 2];
    const QPointF tip = ink.view.toScreen(QPointF(end.x, end.y));
    const bool forwards = rightwards ? end.x >= before.x : end.y >= before.y;
    const double size = (forwards ? -6 : 6) * ink.view.scale;
    const QPointF back = rightwards ? QPointF(size, 0) : QPointF(0, size);
    const QPointF aside(back.y(), back.x());
    ink.painter.setPen(Qt::NoPen);
    ink.painter.setBrush(colour);
    ink.painter.drawPolygon(QPolygonF({tip, tip + 1.4 * back - 0.7 * aside, tip + 1.4 * back + 0.7 * aside}));
    if (!waits) return;
    const QPointF at = tip + 1.9 * back;
    ink.painter.setPen(QPen(toColor(ink.style.palette->bound), std::max(1.5, 2.4 * ink.view.scale)));
    ink.painter.drawLine(at - 1.4 * aside, at + 1.4 * aside);
}

void paintCount(const Ink& ink, const std::vector<Point>& route, int values)
{
    const auto length = [&](std::size_t k) {
        return std::abs(route[k].x - route[k - 1].x) + std::abs(route[k].y - route[k - 1].y);
    };
    std::size_t longest = 1;
    for (std::size_t k = 2; k < route.size(); ++k)
        longest = length(k) > length(longest) ? k : longest;
    const Point& p = route[longest];
    const Point& q = route[longest - 1];
    const QPointF at = ink.view.toScreen(QPointF((p.x + q.x) / 2, (p.y + q.y) / 2));
    ink.painter.setFont(ink.text);
    ink.painter.setPen(toColor(ink.style.palette->mutedText));
    ink.painter.drawText(at + QPointF(5, 0), QStringLiteral("×%1").arg(countText(values)));
}

void paintArrow(const Ink& ink, const GraphDrawing& drawing, const GraphEmphasis& emphasis, std::size_t i)
{
    const auto& route = drawing.layout.routes[i];
    if (route.size() < 2) return;
    const GraphArrow& arrow = drawing.picture.arrows[i];
    const char level = emphasis.any ? emphasis.arrows[i] : 1;
    const Rgb base = arrow.values == 0          ? ink.style.palette->bound
                     : arrow.colour == NoColour ? ink.style.palette->outline
                                                : ink.style.fill(arrow.colour);
    const bool wraps = !drawing.layout.wraps.empty() && drawing.layout.wraps[i];
    const QSizeF extent = drawing.arrowRects[i].size();
    const double length = drawing.layout.rightwards ? extent.width() : extent.height();
    const bool far = level != 2 && !wraps && length > FarEdge;
    const QColor colour = toColor(level == 0 ? ink.style.dimmed(base) : base, far ? FarOpacity : 1.0);
    double width = std::clamp(2.2 * ink.view.scale, 1.0, 3.0) * (arrow.values > 1 ? 1.4 : arrow.values == 0 ? 0.6 : 1);
    if (level == 2) width += 1.5;
    QPen pen(colour, width);
    const bool caller = drawing.made.look.colours == ColourBy::Storage && arrow.colour == NoColour;
    if (caller || arrow.values == 0) pen.setStyle(Qt::DashLine);
    ink.painter.setPen(pen);
    ink.painter.setBrush(Qt::NoBrush);
    if (ink.view.scale < Curves) {
        // From so far away bends do not show, but what a long edge passes does.
        const bool bends = length > FarEdge;
        QPolygonF line;
        for (const Point& point : route) {
            const bool end = &point == &route.front() || &point == &route.back();
            if (bends || end) line << ink.view.toScreen(QPointF(point.x, point.y));
        }
        ink.painter.drawPolyline(line);
        return;
    }
    ink.painter.drawPath(pathOf(drawing.layout, route, ink.view));
    if (ink.view.scale >= Heads) paintHead(ink, route, drawing.layout.rightwards, colour, arrow.waits);
    if (arrow.values > 1 && ink.view.scale >= TwoLines) paintCount(ink, route, arrow.values);
}

Rgb fillOf(const Style& style, const GraphBox& box)
{
    if (box.kind == BoxKind::Group && !box.node.valid()) return style.palette->panel;
    return style.fill(box.colour);
}

void paintShape(const Ink& ink, const GraphBox& box, const QRectF& rect, Rgb fill, bool dim)
{
    const double corner = box.kind == BoxKind::Input || box.kind == BoxKind::Output ? rect.height() / 2
                          : box.reorder                                             ? 0
                                                                                    : Corner * ink.view.scale;
    const Rgb line = mix(fill, ink.style.palette->text, dim ? 0.15 : 0.4);
    QPen pen(toColor(line), 1);
    if (box.kind == BoxKind::Input || box.kind == BoxKind::Output || box.kind == BoxKind::BodyStart)
        pen.setStyle(Qt::DashLine);
    if (box.reorder || box.fused) pen.setStyle(Qt::DotLine);
    ink.painter.setBrush(toColor(fill));
    if (box.kind == BoxKind::Group) { // a pile of boxes
        ink.painter.setPen(pen);
        ink.painter.drawRoundedRect(rect.translated(3 * ink.view.scale, 3 * ink.view.scale), corner, corner);
    }
    ink.painter.setPen(pen);
    ink.painter.drawRoundedRect(rect, corner, corner);
    if (!box.inPlace || ink.view.scale < OneLine) return;
    ink.painter.setPen(Qt::NoPen);
    ink.painter.setBrush(
        patternBrush(Pattern::InPlace, toColor(textOn(fill), 0.3), ink.painter.device()->devicePixelRatioF()));
    ink.painter.drawRoundedRect(rect, corner, corner);
}

/// The name gives way down to a few letters, then the library that computes a node; never the count of a group: half a
/// number would be another number.
QString subtitleOf(const GraphBox& box, const QFontMetricsF& text, double room)
{
    const QString name = labelText(toQString(box.subtitle));
    if (box.count.empty()) return shortened(name, text, room);
    const QString dot = QStringLiteral(" · ");
    QString count = toQString(box.count);
    const double wanted = std::min(text.horizontalAdvance(name), LegibleLetters * text.averageCharWidth());
    const double forCount = room - wanted - text.horizontalAdvance(dot);
    if (box.kind == BoxKind::Node && !name.isEmpty() && text.horizontalAdvance(count) > forCount)
        count = text.elidedText(count, Qt::ElideRight, std::max(forCount, 0.0));
    const double left = room - text.horizontalAdvance(dot + count);
    return name.isEmpty() || left < ShortestName ? count : shortened(name, text, left) + dot + count;
}

/// Letters over a hatch are hard to read: they get ground of the box's colour.
void paintWords(const Ink& ink, const QRectF& where, Qt::Alignment side, const QString& words, Rgb colour, Rgb fill,
                bool hatched)
{
    if (hatched) {
        QRectF ground = where;
        ground.setWidth(QFontMetricsF(ink.painter.font()).horizontalAdvance(words));
        if (side == Qt::AlignRight) ground.moveRight(where.right());
        ink.painter.fillRect(ground.adjusted(-2, 0, 2, 0), toColor(fill));
    }
    ink.painter.setPen(toColor(colour));
    ink.painter.drawText(where, static_cast<int>(side | Qt::AlignVCenter), words);
}

void paintText(const Ink& ink, const StreamPlan& streams, const GraphBox& box, const QRectF& rect, Rgb fill, bool dim)
{
    const Rgb letters = textOn(fill);
    const Rgb colour = dim ? ink.style.legible(fill, ink.style.palette->mutedText) : letters;
    const auto faint = [&](double share) { return dim ? colour : ink.style.legible(fill, mix(fill, letters, share)); };
    const bool twoLines = ink.view.scale >= TwoLines && !(box.subtitle.empty() && box.count.empty());
    const QFontMetricsF title(ink.title);
    const QFontMetricsF text(ink.text);
    const double below = box.figures.empty() ? 0 : FiguresHeight * ink.view.scale;
    const double middle = rect.center().y() - (twoLines ? below / 2 : 0);
    QRectF room = rect.adjusted(8 * ink.view.scale, 0, -8 * ink.view.scale, 0);
    QString mark;
    if (box.group.valid()) mark = box.kind == BoxKind::Group ? QStringLiteral("+ ") : QStringLiteral("− ");
    ink.painter.setFont(ink.title);
    QRectF line = twoLines
                      ? QRectF(room.left(), middle - title.height() + 2 * ink.view.scale, room.width(), title.height())
                      : room;
    if (twoLines && box.step >= 0) { // the place in the schedule, top right
        QString step = countText(box.step);
        if (streams.several() && box.node.valid()) step += QStringLiteral(" · s%1").arg(streams.of(box.node));
        const double width = text.horizontalAdvance(step);
        ink.painter.setFont(ink.text);
        paintWords(ink,
                   QRectF(rect.right() - width - 7 * ink.view.scale, rect.top() + 2 * ink.view.scale, width + 1,
                          text.height()),
                   Qt::AlignRight, step, faint(0.7), fill, box.inPlace);
        ink.painter.setFont(ink.title);
        line.setWidth(line.width() - width - 4);
    }
    const double left = line.width() - title.horizontalAdvance(mark);
    paintWords(ink, line, Qt::AlignLeft, mark + shortened(toQString(box.title), title, left), colour, fill,
               box.inPlace);
    if (!twoLines) return;
    ink.painter.setFont(ink.text);
    paintWords(ink, QRectF(room.left(), middle + 1 * ink.view.scale, room.width(), text.height()), Qt::AlignLeft,
               subtitleOf(box, text, room.width()), faint(0.8), fill, box.inPlace);
    if (box.figures.empty()) return;
    const QRectF last(room.left(), middle + 1 * ink.view.scale + below, room.width(), text.height());
    paintWords(ink, last, Qt::AlignLeft, text.elidedText(toQString(box.figures), Qt::ElideRight, last.width()),
               faint(0.8), fill, box.inPlace);
}

/// Weights and constants have no boxes: a stub up from the port of each, and beside the stubs what they are called.
void paintStubs(const Ink& ink, const GraphDrawing& drawing, std::span<const ValueId> inputs, const QRectF& rect,
                double limit)
{
    const Graph& graph = *drawing.made.report->program.graph;
    const int count = std::min<int>(narrow<int>(inputs.size()), MostPorts);
    const double step = 6 * ink.view.scale * 1.6;
    const double first = rect.center().x() - (count - 1) * step / 2;
    const double top = rect.top() - 14 * ink.view.scale;
    QStringList names;
    double last = 0;
    ink.painter.setPen(QPen(toColor(ink.style.palette->mutedText), 1));
    for (int i = 0; i < count; ++i) {
        const ValueId id = inputs[i];
        if (!id.valid()) continue;
        const Value& value = graph[id];
        const bool boxless = value.role == ValueRole::Input && drawing.picture.boxOfValue[id.index()] < 0;
        if (!boxless && value.role != ValueRole::Parameter && value.role != ValueRole::Constant) continue;
        last = first + i * step;
        ink.painter.drawLine(QPointF(last, rect.top()), QPointF(last, top));
        names << toQString(value.name).section(QLatin1Char('/'), -1);
    }
    const QFontMetricsF text(ink.text);
    const double room = limit - last - 4;
    if (names.isEmpty() || room < ShortestStubName) return;
    ink.painter.setFont(ink.text);
    ink.painter.drawText(QRectF(last + 4, rect.top() - 4 * ink.view.scale - text.height(), room, text.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, shortened(names.join(QStringLiteral(", ")), text, room));
}

/// A small square for each value, in the colour of its storage, along the side of a box.
void paintPorts(const Ink& ink, const GraphDrawing& drawing, std::span<const ValueId> values, QLineF side)
{
    const int count = std::min<int>(narrow<int>(values.size()), MostPorts);
    const double size = 6 * ink.view.scale;
    side.setLength(side.length() - size);
    const QPointF step = side.unitVector().p2() - side.p1();
    const double apart = std::min(size * 1.6, side.length() / std::max(count, 1));
    for (int i = 0; i < count; ++i) {
        if (!values[i].valid()) continue;
        const auto [x, y] = side.center() + (i - (count - 1) / 2.0) * apart * step;
        const Rgb colour = ink.style.fill(drawing.valueColours[values[i].index()]);
        ink.painter.setPen(QPen(toColor(mix(colour, ink.style.palette->text, 0.5)), 1));
        ink.painter.setBrush(toColor(colour));
        ink.painter.drawRect(QRectF(x - size / 2, y - size / 2, size, size));
    }
}

void paintRing(const Ink& ink, const QRectF& rect, Rgb colour, double width)
{
    ink.painter.setBrush(Qt::NoBrush);
    ink.painter.setPen(QPen(toColor(colour), width));
    ink.painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), Corner * ink.view.scale + 2, Corner * ink.view.scale + 2);
}

/// Never smaller than eight pixels, so that it cannot be zoomed away.
void paintAlarm(const Ink& ink, const QRectF& rect, bool error)
{
    const Rgb colour = error ? ink.style.palette->violation : ink.style.palette->warning;
    paintRing(ink, rect, colour, 2);
    const double size = std::max(8.0, 15 * ink.view.scale);
    const QRectF badge(rect.left() - size / 2, rect.top() - size / 2, size, size);
    ink.painter.setPen(Qt::NoPen);
    ink.painter.setBrush(toColor(colour));
    ink.painter.drawEllipse(badge);
    if (ink.view.scale < OneLine) return;
    ink.painter.setFont(ink.title);
    ink.painter.setPen(toColor(error ? ink.style.palette->onViolation : ink.style.palette->background));
    ink.painter.drawText(badge, Qt::AlignCenter, QStringLiteral("!"));
}

void paintFrame(const Ink& ink, const GraphDrawing& drawing, const GraphEmphasis& emphasis, const FramePart& part)
{
    const GraphFrame& frame = drawing.picture.frames[part.frame];
    const bool picked = emphasis.group.valid() && frame.group == emphasis.group;
    const QRectF rect = ink.view.toScreen(part.rect);
    const double corner = 2 * Corner * ink.view.scale;
    ink.painter.setPen(picked ? QPen(toColor(ink.style.palette->accent), 2.5)
                              : QPen(toColor(ink.style.palette->outline), 1));
    ink.painter.setBrush(toColor(ink.style.palette->text, frame.wraps ? GroupTint : FrameTint));
    ink.painter.drawRoundedRect(rect, corner, corner);
    const auto [line, minus] = handleOf(part, ink.view);
    if (line.isEmpty()) return;
    const QFontMetricsF text(ink.text);
    const QString mark = part.goesOn ? QStringLiteral("… ") : QStringLiteral("− ");
    ink.painter.setFont(ink.text);
    ink.painter.setPen(toColor(picked ? ink.style.palette->text : ink.style.palette->mutedText));
    ink.painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         mark + shortened(toQString(frame.title), text, line.width() - text.horizontalAdvance(mark)));
}

void paintBox(const Ink& ink, const GraphDrawing& drawing, const GraphEmphasis& emphasis, std::size_t i)
{
    const GraphBox& box = drawing.picture.boxes[i];
    const char level = emphasis.any ? emphasis.boxes[i] : 1;
    const QRectF rect = ink.view.toScreen(drawing.boxRects[i]);
    const Rgb fill = level == 0 ? ink.style.dimmed(fillOf(ink.style, box)) : fillOf(ink.style, box);
    if (ink.view.scale < Curves) {
        const bool outlined = fillOf(ink.style, box) == ink.style.palette->panel;
        ink.painter.fillRect(rect, toColor(outlined ? ink.style.palette->outline : fill));
    } else {
        paintShape(ink, box, rect, fill, level == 0);
    }
    if (ink.view.scale >= OneLine) paintText(ink, drawing.made.report->program.streams, box, rect, fill, level == 0);
    if (ink.view.scale >= TwoLines && box.kind == BoxKind::Node) {
        const Node& node = (*drawing.made.report->program.graph)[box.node];
        double limit = rect.right() + StubNameBeyond * ink.view.scale; // of the names of weights: not out of the frame
        if (const QRectF frame = drawing.frameAround(i); !frame.isEmpty())
            limit = std::min(limit, ink.view.toScreen(frame).right() - 4);
        paintStubs(ink, drawing, node.inputs, rect, limit);
        const bool right = drawing.layout.rightwards;
        paintPorts(ink, drawing, node.inputs, {rect.topLeft(), right ? rect.bottomLeft() : rect.topRight()});
        paintPorts(ink, drawing, node.outputs, {right ? rect.topRight() : rect.bottomLeft(), rect.bottomRight()});
    }
    if (level == 2) paintRing(ink, rect, ink.style.palette->accent, 2.5);
    if (static_cast<std::int32_t>(i) == emphasis.stepBox) paintRing(ink, rect, ink.style.palette->text, 2);
    if (drawing.alarms[i] > 0) paintAlarm(ink, rect, drawing.alarms[i] == 2);
}

} // namespace

void GraphViewport::zoom(double factor, QPointF aboutPixel)
{
    const QPointF stays = toDrawing(aboutPixel);
    scale = std::clamp(scale * factor, SmallestScale, LargestScale);
    origin = stays - (aboutPixel - area.topLeft()) / scale;
}

void GraphViewport::centre(QPointF point)
{
    const QRectF seen = visible();
    origin = point - QPointF(seen.width(), seen.height()) / 2;
}

void GraphViewport::fit(const QRectF& bounds)
{
    constexpr double Margin = 24;
    const double across = (area.width() - 2 * Margin) / std::max(bounds.width(), 1.0);
    const double down = (area.height() - 2 * Margin) / std::max(bounds.height(), 1.0);
    scale = std::clamp(std::min({across, down, 1.0}), SmallestScale, LargestScale);
    centre(bounds.center());
}

FrameHandle handleOf(const FramePart& part, const GraphViewport& view)
{
    if (view.scale < FrameTitles) return {};
    const QRectF rect = view.toScreen(part.rect);
    const QRectF title(rect.left() + 8 * view.scale, rect.top() + 2 * view.scale, rect.width() - 16 * view.scale,
                       std::max(FrameTitle * view.scale, SmallestText + 2.0));
    const QSizeF minus(8 * view.scale + MinusWidth, title.height());
    return {title, part.goesOn ? QRectF() : QRectF(QPointF(rect.left(), title.top()), minus)};
}

const FramePart* frameTitledAt(const GraphDrawing& drawing, const GraphViewport& view, QPointF pixel)
{
    const FramePart* found = nullptr;
    for (const FramePart& part : drawing.frames) {
        const FrameHandle handle = handleOf(part, view);
        if (handle.title.contains(pixel) || handle.minus.contains(pixel)) found = &part;
    }
    return found;
}

void paintGraph(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view,
                const GraphEmphasis& emphasis, const Style& style)
{
    const Clip clip(painter, view.area);
    const Ink ink {painter, view, style};
    const QRectF seen = view.visible().adjusted(-8, -8, 8, 8);
    painter.setRenderHint(QPainter::Antialiasing, view.scale >= Curves);
    for (const FramePart& part : drawing.frames) // behind everything, those inside over those around
        if (part.rect.intersects(seen)) paintFrame(ink, drawing, emphasis, part);
    std::vector<std::size_t> bold;
    drawing.arrowIndex.visit(seen, [&](std::size_t i) {
        if (!drawing.arrowRects[i].intersects(seen)) return;
        if (emphasis.any && emphasis.arrows[i] == 2)
            bold.push_back(i);
        else
            paintArrow(ink, drawing, emphasis, i);
    });
    for (const std::size_t i : bold)
        paintArrow(ink, drawing, emphasis, i);
    drawing.boxIndex.visit(seen, [&](std::size_t i) {
        if (drawing.boxRects[i].intersects(seen)) paintBox(ink, drawing, emphasis, i);
    });
}

} // namespace plimsoll::app
