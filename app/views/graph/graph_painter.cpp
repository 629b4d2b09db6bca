#include "app/views/graph/graph_painter.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/patterns.h"
#include "core/base/narrow.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// From these scales on: both lines of a box, its title alone, rounded boxes and curved edges, arrow heads.
constexpr double TwoLines = 0.62;
constexpr double OneLine = 0.3;
constexpr double Curves = 0.14;
constexpr double Heads = 0.3;
constexpr double Corner = 5;
/// Nested graphs: how much darker, and from which scale on they have titles.
constexpr double FrameTint = 0.05;
constexpr double FrameTitles = 0.4;
/// Less room than this, in pixels, and the weights a node reads are not named.
constexpr double ShortestStubName = 24;
/// Less room than this, in pixels, and a closed group says only how many nodes it has.
constexpr double ShortestName = 18;
/// So many letters of a node's name are left when who computes it is cut instead.
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
        if (layout.curved || route[i].x == route[i - 1].x) {
            path.lineTo(b);
            continue;
        }
        const double middle = (a.y() + b.y()) / 2;
        path.cubicTo(QPointF(a.x(), middle), QPointF(b.x(), middle), b);
    }
    return path;
}

class GraphPainter
{
public:
    GraphPainter(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view,
                 const GraphEmphasis& emphasis, const Style& style)
        : m_painter(painter), m_drawing(drawing), m_view(view), m_emphasis(emphasis), m_style(style),
          m_title(scaled(style.boldFont)), m_text(scaled(style.smallFont))
    {
    }

    void paintAll()
    {
        const QRectF seen = m_view.visible().adjusted(-8, -8, 8, 8);
        m_painter.setRenderHint(QPainter::Antialiasing, m_view.scale >= Curves);
        paintFrames(seen);
        std::vector<std::size_t> bold;
        m_drawing.arrowIndex.visit(seen, [&](std::size_t i) {
            if (!m_drawing.arrowRects[i].intersects(seen)) return;
            if (m_emphasis.any && m_emphasis.arrows[i] == 2)
                bold.push_back(i);
            else
                paintArrow(i);
        });
        for (std::size_t i : bold)
            paintArrow(i);
        m_drawing.boxIndex.visit(seen, [&](std::size_t i) {
            if (m_drawing.boxRects[i].intersects(seen)) paintBox(i);
        });
    }

private:
    [[nodiscard]] QFont scaled(QFont font) const
    {
        const double factor = std::min(m_view.scale, 1.6);
        const double pixels = QFontInfo(font).pixelSize() * factor;
        font.setPixelSize(std::max(SmallestText, static_cast<int>(std::lround(pixels))));
        return font;
    }

    /// Behind everything, those inside over those around.
    void paintFrames(const QRectF& seen)
    {
        for (std::size_t i = 0; i < m_drawing.frameRects.size(); ++i) {
            if (!m_drawing.frameRects[i].intersects(seen)) continue;
            const QRectF rect = m_view.toScreen(m_drawing.frameRects[i]);
            const double corner = 2 * Corner * m_view.scale;
            m_painter.setPen(QPen(toColor(m_style.palette->outline), 1));
            m_painter.setBrush(toColor(m_style.palette->text, FrameTint));
            m_painter.drawRoundedRect(rect, corner, corner);
            if (m_view.scale < FrameTitles) continue;
            const QRectF line(rect.left() + 8 * m_view.scale, rect.top() + 3 * m_view.scale,
                              rect.width() - 16 * m_view.scale, QFontMetricsF(m_text).height());
            m_painter.setFont(m_text);
            m_painter.setPen(toColor(m_style.palette->mutedText));
            m_painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                               shortened(QString::fromStdString(m_drawing.picture.frames[i].title),
                                         QFontMetricsF(m_text), line.width()));
        }
    }

    void paintArrow(std::size_t i)
    {
        const auto& route = m_drawing.layout.routes[i];
        if (route.size() < 2) return;
        const GraphArrow& arrow = m_drawing.picture.arrows[i];
        const char level = m_emphasis.any ? m_emphasis.arrows[i] : 1;
        const Rgb base = arrow.values == 0          ? m_style.palette->bound
                         : arrow.colour == NoColour ? m_style.palette->outline
                                                    : m_style.fill(arrow.colour);
        const bool far = level != 2 && m_drawing.arrowRects[i].height() > FarEdge;
        const QColor colour = toColor(level == 0 ? m_style.dimmed(base) : base, far ? FarOpacity : 1.0);
        double width = std::clamp(2.2 * m_view.scale, 1.0, 3.0) * (arrow.values > 1    ? 1.4
                                                                   : arrow.values == 0 ? 0.6
                                                                                       : 1);
        if (level == 2) width += 1.5;
        QPen pen(colour, width);
        if (arrow.colour == NoColour) pen.setStyle(Qt::DashLine);
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        if (m_view.scale < Curves) {
            paintPlain(route, m_drawing.arrowRects[i].height() > FarEdge);
            return;
        }
        m_painter.drawPath(pathOf(m_drawing.layout, route, m_view));
        if (m_view.scale >= Heads) paintHead(route, colour);
        if (m_view.scale >= Heads && arrow.waits) paintWaitBar(route);
        if (arrow.values > 1 && m_view.scale >= TwoLines) paintCount(route, arrow.values);
    }

    /// From so far away bends do not show, but what a long edge passes does.
    void paintPlain(const std::vector<Point>& route, bool far)
    {
        QPolygonF line;
        for (const Point& point : route) {
            const bool end = &point == &route.front() || &point == &route.back();
            if (far || end) line << m_view.toScreen(QPointF(point.x, point.y));
        }
        m_painter.drawPolyline(line);
    }

    void paintHead(const std::vector<Point>& route, const QColor& colour)
    {
        const QPointF tip = m_view.toScreen(QPointF(route.back().x, route.back().y));
        const double up = route.back().y >= route[route.size() - 2].y ? -1 : 1;
        const double size = 6 * m_view.scale;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colour);
        m_painter.drawPolygon(
            QPolygonF({tip, tip + QPointF(-size * 0.7, up * size * 1.4), tip + QPointF(size * 0.7, up * size * 1.4)}));
    }

    /// Across the arrow behind its head, as on the dotted lines of the plan.
    void paintWaitBar(const std::vector<Point>& route)
    {
        const double up = route.back().y >= route[route.size() - 2].y ? -1 : 1;
        const double size = 6 * m_view.scale;
        const QPointF at = m_view.toScreen(QPointF(route.back().x, route.back().y)) + QPointF(0, up * size * 1.9);
        m_painter.setPen(QPen(toColor(m_style.palette->bound), std::max(1.5, 2.4 * m_view.scale)));
        m_painter.drawLine(at - QPointF(1.4 * size, 0), at + QPointF(1.4 * size, 0));
    }

    void paintCount(const std::vector<Point>& route, int values)
    {
        const auto length = [&](std::size_t k) {
            return std::abs(route[k].x - route[k - 1].x) + std::abs(route[k].y - route[k - 1].y);
        };
        std::size_t longest = 1;
        for (std::size_t k = 2; k < route.size(); ++k)
            longest = length(k) > length(longest) ? k : longest;
        const Point& p = route[longest];
        const Point& q = route[longest - 1];
        const QPointF at = m_view.toScreen(QPointF((p.x + q.x) / 2, (p.y + q.y) / 2));
        m_painter.setFont(m_text);
        m_painter.setPen(toColor(m_style.palette->mutedText));
        m_painter.drawText(at + QPointF(5, 0), QStringLiteral("×%1").arg(countText(values)));
    }

    [[nodiscard]] Rgb fillOf(const GraphBox& box) const
    {
        if (box.kind == BoxKind::Group && !box.node.valid()) return m_style.palette->panel;
        return m_style.fill(box.colour);
    }

    void paintBox(std::size_t i)
    {
        const GraphBox& box = m_drawing.picture.boxes[i];
        const char level = m_emphasis.any ? m_emphasis.boxes[i] : 1;
        const QRectF rect = m_view.toScreen(m_drawing.boxRects[i]);
        const Rgb fill = level == 0 ? m_style.dimmed(fillOf(box)) : fillOf(box);
        if (m_view.scale < Curves) {
            const bool outlined = fillOf(box) == m_style.palette->panel;
            m_painter.fillRect(rect, toColor(outlined ? m_style.palette->outline : fill));
        } else {
            paintShape(box, rect, fill, level == 0);
        }
        if (m_view.scale >= OneLine) paintText(box, rect, fill, level == 0);
        if (m_view.scale >= TwoLines && box.kind == BoxKind::Node) paintPorts(box, rect);
        if (level == 2) paintRing(rect, m_style.palette->accent, 2.5);
        if (static_cast<std::int32_t>(i) == m_emphasis.stepBox) paintRing(rect, m_style.palette->text, 2);
        if (m_drawing.alarms[i] > 0) paintAlarm(rect, m_drawing.alarms[i] == 2);
    }

    void paintShape(const GraphBox& box, const QRectF& rect, Rgb fill, bool dim)
    {
        const double corner = box.kind == BoxKind::Input || box.kind == BoxKind::Output ? rect.height() / 2
                              : box.reorder                                             ? 0
                                                                                        : Corner * m_view.scale;
        const Rgb line = mix(fill, m_style.palette->text, dim ? 0.15 : 0.4);
        QPen pen(toColor(line), 1);
        if (box.kind == BoxKind::Input || box.kind == BoxKind::Output || box.kind == BoxKind::BodyStart)
            pen.setStyle(Qt::DashLine);
        if (box.reorder || box.fused) pen.setStyle(Qt::DotLine);
        m_painter.setBrush(toColor(fill));
        if (box.kind == BoxKind::Group) { // a pile of boxes
            m_painter.setPen(pen);
            m_painter.drawRoundedRect(rect.translated(3 * m_view.scale, 3 * m_view.scale), corner, corner);
        }
        m_painter.setPen(pen);
        m_painter.drawRoundedRect(rect, corner, corner);
        if (!box.inPlace || m_view.scale < OneLine) return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(patternBrush(Pattern::InPlace, toColor(textOn(fill), 0.3)));
        m_painter.drawRoundedRect(rect, corner, corner);
    }

    void paintText(const GraphBox& box, const QRectF& rect, Rgb fill, bool dim)
    {
        const Rgb ink = textOn(fill);
        const QColor colour = dim ? toColor(m_style.palette->mutedText) : toColor(ink);
        const bool twoLines = m_view.scale >= TwoLines && !(box.subtitle.empty() && box.count.empty());
        const QFontMetricsF title(m_title);
        const QFontMetricsF text(m_text);
        QRectF room = rect.adjusted(8 * m_view.scale, 0, -8 * m_view.scale, 0);
        QString name = QString::fromStdString(box.title);
        if (box.group.valid()) name = (box.kind == BoxKind::Group ? QStringLiteral("+ ") : QStringLiteral("− ")) + name;
        m_painter.setPen(colour);
        m_painter.setFont(m_title);
        QRectF line = twoLines ? QRectF(room.left(), rect.center().y() - title.height() + 2 * m_view.scale,
                                        room.width(), title.height())
                               : room;
        if (twoLines && box.step >= 0) line.setWidth(line.width() - paintStep(box, rect, colour));
        m_painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shortened(name, title, line.width()));
        if (!twoLines) return;
        m_painter.setFont(m_text);
        m_painter.setPen(dim ? colour : toColor(mix(fill, ink, 0.8)));
        m_painter.drawText(QRectF(room.left(), rect.center().y() + 1 * m_view.scale, room.width(), text.height()),
                           Qt::AlignLeft | Qt::AlignVCenter, subtitleOf(box, text, room.width()));
    }

    /// The name gives way down to a few letters, then, of a node, who computes it; never how many nodes a group has:
    /// half a number would be another number.
    [[nodiscard]] static QString subtitleOf(const GraphBox& box, const QFontMetricsF& text, double room)
    {
        const QString name = QString::fromStdString(box.subtitle);
        if (box.count.empty()) return shortened(name, text, room);
        const QString dot = QStringLiteral(" · ");
        QString count = QString::fromStdString(box.count);
        const double wanted = std::min(text.horizontalAdvance(name), LegibleLetters * text.averageCharWidth());
        const double forCount = room - wanted - text.horizontalAdvance(dot);
        if (box.kind == BoxKind::Node && !name.isEmpty() && text.horizontalAdvance(count) > forCount)
            count = text.elidedText(count, Qt::ElideRight, std::max(forCount, 0.0));
        const double left = room - text.horizontalAdvance(dot + count);
        return name.isEmpty() || left < ShortestName ? count : shortened(name, text, left) + dot + count;
    }

    /// The place in the schedule, top right; returns the room it takes.
    double paintStep(const GraphBox& box, const QRectF& rect, const QColor& colour)
    {
        const StreamPlan& streams = m_drawing.made.report->program.streams;
        QString step = countText(box.step);
        if (streams.several() && box.node.valid()) step += QStringLiteral(" · s%1").arg(streams.of(box.node));
        const double width = QFontMetricsF(m_text).horizontalAdvance(step);
        QColor faint = colour;
        faint.setAlphaF(0.7F);
        m_painter.setFont(m_text);
        m_painter.setPen(faint);
        m_painter.drawText(QRectF(rect.right() - width - 7 * m_view.scale, rect.top() + 2 * m_view.scale, width + 1,
                                  QFontMetricsF(m_text).height()),
                           Qt::AlignRight | Qt::AlignVCenter, step);
        m_painter.setPen(colour);
        m_painter.setFont(m_title);
        return width + 4;
    }

    /// One small square for each input along the top and each output along the bottom, in the colour of its storage.
    void paintPorts(const GraphBox& box, const QRectF& rect)
    {
        const Node& node = (*m_drawing.made.report->program.graph)[box.node];
        paintStubs(node.inputs, rect, nameLimit(box, rect));
        paintPortRow(node.inputs, rect, rect.top());
        paintPortRow(node.outputs, rect, rect.bottom());
    }

    /// How far to the right the names of weights may go: not out of the frame.
    [[nodiscard]] double nameLimit(const GraphBox& box, const QRectF& rect) const
    {
        const double limit = rect.right() + StubNameBeyond * m_view.scale;
        if (box.frame < 0) return limit;
        const QRectF& frame = m_drawing.frameRects[static_cast<std::size_t>(box.frame)];
        return std::min(limit, m_view.toScreen(frame).right() - 4);
    }

    /// Weights and constants have no boxes: a stub up from the port of each, and beside the stubs what they are called.
    void paintStubs(const std::vector<ValueId>& inputs, const QRectF& rect, double limit)
    {
        const Graph& graph = *m_drawing.made.report->program.graph;
        const int count = std::min<int>(narrow<int>(inputs.size()), MostPorts);
        const double step = 6 * m_view.scale * 1.6;
        const double first = rect.center().x() - (count - 1) * step / 2;
        const double top = rect.top() - 14 * m_view.scale;
        QStringList names;
        double last = 0;
        m_painter.setPen(QPen(toColor(m_style.palette->mutedText), 1));
        for (int i = 0; i < count; ++i) {
            const ValueId id = inputs[static_cast<std::size_t>(i)];
            if (!id.valid()) continue;
            const Value& value = graph[id];
            if (value.role != ValueRole::Parameter && value.role != ValueRole::Constant) continue;
            last = first + i * step;
            m_painter.drawLine(QPointF(last, rect.top()), QPointF(last, top));
            names << QString::fromStdString(value.name).section(QLatin1Char('/'), -1);
        }
        const QFontMetricsF text(m_text);
        const double room = limit - last - 4;
        if (names.isEmpty() || room < ShortestStubName) return;
        m_painter.setFont(m_text);
        m_painter.drawText(QRectF(last + 4, rect.top() - 4 * m_view.scale - text.height(), room, text.height()),
                           Qt::AlignLeft | Qt::AlignVCenter, shortened(names.join(QStringLiteral(", ")), text, room));
    }

    void paintPortRow(const std::vector<ValueId>& values, const QRectF& rect, double y)
    {
        const int count = std::min<int>(narrow<int>(values.size()), MostPorts);
        const double size = 6 * m_view.scale;
        double x = rect.center().x() - (count - 1) * size * 0.8;
        for (int i = 0; i < count; ++i, x += size * 1.6) {
            if (!values[static_cast<std::size_t>(i)].valid()) continue;
            const StorageId storage =
                m_drawing.made.report->program.values[values[static_cast<std::size_t>(i)].index()].storage;
            const auto& colours = *m_drawing.made.colours;
            const Rgb colour =
                m_style.fill(storage.valid() && storage.index() < colours.size() ? colours[storage.index()] : NoColour);
            m_painter.setPen(QPen(toColor(mix(colour, m_style.palette->text, 0.5)), 1));
            m_painter.setBrush(toColor(colour));
            m_painter.drawRect(QRectF(x - size / 2, y - size / 2, size, size));
        }
    }

    void paintRing(const QRectF& rect, Rgb colour, double width)
    {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(toColor(colour), width));
        m_painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), Corner * m_view.scale + 2, Corner * m_view.scale + 2);
    }

    /// Never smaller than eight pixels, so that it cannot be zoomed away.
    void paintAlarm(const QRectF& rect, bool error)
    {
        const Rgb colour = error ? m_style.palette->violation : m_style.palette->warning;
        paintRing(rect, colour, 2);
        const double size = std::max(8.0, 15 * m_view.scale);
        const QRectF badge(rect.left() - size / 2, rect.top() - size / 2, size, size);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(toColor(colour));
        m_painter.drawEllipse(badge);
        if (m_view.scale < OneLine) return;
        m_painter.setFont(m_title);
        m_painter.setPen(toColor(error ? m_style.palette->onViolation : m_style.palette->background));
        m_painter.drawText(badge, Qt::AlignCenter, QStringLiteral("!"));
    }

    QPainter& m_painter;
    const GraphDrawing& m_drawing;
    const GraphViewport& m_view;
    const GraphEmphasis& m_emphasis;
    const Style& m_style;
    QFont m_title;
    QFont m_text;
};

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

void paintGraph(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view,
                const GraphEmphasis& emphasis, const Style& style)
{
    painter.save();
    painter.setClipRect(view.area);
    GraphPainter(painter, drawing, view, emphasis, style).paintAll();
    painter.restore();
}

} // namespace plimsoll::app
