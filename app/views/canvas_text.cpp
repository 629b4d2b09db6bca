#include "app/views/canvas_text.h"

#include "app/models/window_text.h"
#include "core/graph/graph.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QTextOption>

#include <algorithm>
#include <cmath>
#include <vector>

namespace plimsoll::app {

double stepTick(double unitsPerPixel, double pixels)
{
    const double least = std::max(unitsPerPixel * pixels, 1.0);
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

double timeTick(double msPerPixel, double pixels)
{
    constexpr double Finest = 1e-6;
    return Finest * stepTick(msPerPixel / Finest, pixels);
}

double byteTick(double unitsPerPixel, double pixels)
{
    return std::exp2(std::ceil(std::log2(std::max(unitsPerPixel * pixels, 1.0))));
}

std::size_t commonPrefix(const std::vector<std::string>& names)
{
    if (names.size() < 2) return 0;
    std::size_t length = names.front().size();
    for (const std::string& name : names) {
        const auto end = std::mismatch(name.begin(), name.end(), names.front().begin(),
                                       names.front().begin() + static_cast<std::ptrdiff_t>(length));
        length = static_cast<std::size_t>(end.first - name.begin());
    }
    while (length > 0 && names.front()[length - 1] != '/' && names.front()[length - 1] != '.')
        --length;
    return length;
}

QString commonPrefix(const Graph& graph)
{
    std::vector<std::string> names;
    for (const Value& value : graph.values) {
        if (value.role == ValueRole::Intermediate) names.push_back(value.name);
    }
    return names.empty() ? QString() : QString::fromStdString(names.front().substr(0, commonPrefix(names)));
}

QString without(const QString& prefix, const QString& name)
{
    return name.startsWith(prefix) ? name.mid(prefix.size()) : name;
}

NameEndings nameEndings(const Graph& graph)
{
    constexpr std::size_t MostNames = 50'000; // more are seen as slivers
    NameEndings endings;
    if (graph.values.size() > MostNames) return endings;
    for (const Value& value : graph.values) {
        if (value.role != ValueRole::Intermediate) continue;
        const QString name = QString::fromStdString(value.name);
        ++endings.values[name.section(u'/', -1)];
        if (!name.contains(u'/')) continue;
        ++endings.values[name.section(u'/', -2)];
        ++endings.holders[name.section(u'/', -2, -2)];
    }
    return endings;
}

QString tellingEnd(const NameEndings& endings, const QString& name)
{
    const QString last = name.section(u'/', -1);
    const QString holder = name.section(u'/', -2, -2);
    if (holder.isEmpty() || endings.values.value(last) < 2) return last;
    return endings.holders.value(holder) == 1 ? holder : name.section(u'/', -2);
}

/// What \p part captures is left out, from the left, until the text fits; empty if it never does.
QString leavingOut(const QRegularExpression& part, QString text, const QFontMetricsF& metrics, double width)
{
    qsizetype from = 0;
    for (auto found = part.match(text); found.hasMatch(); found = part.match(text, from)) {
        from = found.capturedEnd() - found.capturedLength(1);
        text.remove(found.capturedStart(1), found.capturedLength(1));
        if (metrics.horizontalAdvance(text) <= width) return text;
    }
    return {};
}

QString wordInitials(QString text, const QFontMetricsF& metrics, double width)
{
    static const QRegularExpression word(QStringLiteral("[^\\W\\d_]([^\\W_]*?)\\d*(?=[\\W_]|$)"));
    return leavingOut(word, std::move(text), metrics, width);
}

/// Parts from the left, each to its first letter and its number, until it fits; empty if it never does.
QString abbreviated(QString text, const QFontMetricsF& metrics, double width)
{
    static const QRegularExpression part(QStringLiteral("[^./:]([^./:]*?)\\d*[./:]"));
    return leavingOut(part, std::move(text), metrics, width);
}

QString shortened(const QString& whole, const QFontMetricsF& metrics, double width)
{
    const QString text = labelText(whole);
    const double letter = metrics.averageCharWidth();
    if (width < letter * 1.5) return {};
    if (metrics.horizontalAdvance(text) <= width) return text;
    if (const QString brief = abbreviated(text, metrics, width); !brief.isEmpty()) return brief;
    const QString cut = metrics.elidedText(text, Qt::ElideMiddle, width);
    return cut.size() < 3 ? QString() : cut;
}

void paintEmpty(QPainter& painter, const QRectF& area, const QString& text, const Style& style)
{
    painter.setFont(style.font);
    painter.setPen(toColor(style.palette->mutedText));
    painter.drawText(area.adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void paintTip(QPainter& painter, QPointF at, const QRectF& bounds, QStringList lines, const Style& style)
{
    constexpr double Margin = 8;
    constexpr double Distance = 14;
    QTextOption wrapped(Qt::AlignLeft | Qt::AlignTop);
    wrapped.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    const QFontMetricsF bold(style.boldFont);
    const QFontMetricsF plain(style.font);
    double width = 0;
    for (QString& line : lines) {
        line = labelText(line);
        const QFontMetricsF& metrics = &line == &lines.front() ? bold : plain;
        width = std::max(width, metrics.horizontalAdvance(line));
    }
    width = std::min(std::ceil(width) + 1, bounds.width() * 0.6);
    std::vector<double> heights; // a name has one line, a sentence as many as it needs
    double height = 0;
    painter.setFont(style.font);
    for (const QString& line : std::as_const(lines)) {
        const bool name = heights.empty();
        const QRectF needed = painter.boundingRect(QRectF(0, 0, width, bounds.height()), line, wrapped);
        heights.push_back(name ? plain.height() : std::max(plain.height(), needed.height()));
        height += heights.back();
    }
    QRectF box(0, 0, width + 2 * Margin, height + 2 * Margin - 2);
    box.moveTopLeft(at + QPointF(Distance, Distance));
    if (box.right() > bounds.right()) box.moveRight(at.x() - Distance);
    if (box.bottom() > bounds.bottom()) box.moveBottom(at.y() - Distance);
    box.moveLeft(std::max(box.left(), bounds.left()));
    box.moveTop(std::max(box.top(), bounds.top()));

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(toColor(style.palette->outline), 1));
    painter.setBrush(toColor(style.palette->panel, 0.97));
    painter.drawRoundedRect(box.translated(0.5, 0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(toColor(style.palette->text));
    double y = box.top() + Margin - 1;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QRectF room(box.left() + Margin, y, width, heights[std::size_t(i)]);
        painter.setFont(i == 0 ? style.boldFont : style.font);
        if (i == 0)
            painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shortened(lines[i], bold, width));
        else
            painter.drawText(room, lines[i], wrapped);
        y += heights[std::size_t(i)];
    }
}

void paintFocusRing(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->accent), 2));
    painter.drawRect(area.adjusted(1, 1, -1, -1));
}

} // namespace plimsoll::app
