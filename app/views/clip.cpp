#include "app/views/clip.h"

#include <QPaintEngine>
#include <QPainter>
#include <QRegularExpression>

namespace plimsoll::app {
namespace {

/// In front of a mark: of no script, so that no name begins with it.
constexpr QChar Mark(0xf8ff);
constexpr QLatin1String End("end");

} // namespace

Clip::Clip(QPainter& painter, const QRectF& rect) : m_painter(painter)
{
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    mark(QStringLiteral("%1 %2 %3 %4").arg(rect.x()).arg(rect.y()).arg(rect.width()).arg(rect.height()));
}

Clip::~Clip()
{
    m_painter.restore();
    mark(End);
}

void Clip::mark(const QString& text)
{
    const QPaintEngine* engine = m_painter.paintEngine();
    if (engine && engine->type() == QPaintEngine::SVG) m_painter.drawText(QPointF(), Mark + text);
}

/// A painter that changes has a new group, one behind the other: all between two marks go into a group with the clip.
///
///     <g …> mark of a rectangle … </g>        <g clip-path="…"><g …> … </g>
///     <g …> … </g>                       →    <g …> … </g></g>
///     <g …> mark of the end … </g>            <g …> … </g>
QByteArray withClips(const QByteArray& svg)
{
    static const QRegularExpression marks(QStringLiteral(R"(<text[^>]* x="0" y="0"[^>]*>%1([^<]*)</text>)").arg(Mark));
    const QString text = QString::fromUtf8(svg);
    QString out;
    qsizetype done = 0;
    int clips = 0;
    for (auto found = marks.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch mark = found.next();
        out += QStringView(text).sliced(done, mark.capturedStart() - done);
        done = mark.capturedEnd();
        const qsizetype group = out.lastIndexOf(QLatin1String("<g "));
        if (group < 0) continue;
        if (mark.captured(1) == End) {
            out.insert(group, QLatin1String("</g>\n"));
            continue;
        }
        const QStringList rect = mark.captured(1).split(u' ');
        out.insert(group,
                   QStringLiteral("<clipPath id=\"clip%1\"><rect x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\"/>"
                                  "</clipPath>\n<g clip-path=\"url(#clip%1)\">\n")
                       .arg(QString::number(++clips), rect.value(0), rect.value(1), rect.value(2), rect.value(3)));
    }
    out += QStringView(text).sliced(done);
    return out.toUtf8();
}

} // namespace plimsoll::app
