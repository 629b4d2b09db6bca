#pragma once

#include <QByteArray>
#include <QRectF>

class QPainter;

namespace plimsoll::app {

/// While it lives, the painter paints inside of the rectangle only; then it is as it was before. In an SVG it leaves
/// marks, since QSvgGenerator ignores clips: withClips() makes clips of them.
class Clip
{
public:
    Clip(QPainter& painter, const QRectF& rect);
    ~Clip();
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;

private:
    void mark(const QString& text);

    QPainter& m_painter;
};

/// \p svg as QSvgGenerator writes it, with the clips of its painter.
[[nodiscard]] QByteArray withClips(const QByteArray& svg);

} // namespace plimsoll::app
