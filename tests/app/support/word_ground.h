#pragma once

#include <QFontMetricsF>
#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <memory>

namespace plimsoll::test {

/// Words that a picture has, and what was painted below them by then.
struct PaintedWords
{
    QString text;
    QColor colour;
    QImage ground; ///< Under the letters; never empty.
};

/// Paints into an image, and keeps the ground of all words.
class WordGround : public QPaintDevice
{
public:
    explicit WordGround(QSize size) : m_engine(std::make_unique<Engine>(size)) {}

    [[nodiscard]] QPaintEngine* paintEngine() const override { return m_engine.get(); }
    [[nodiscard]] const QList<PaintedWords>& words() const { return m_engine->words; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric what) const override
    {
        const QImage& image = m_engine->image;
        switch (what) {
        case PdmWidth:
            return image.width();
        case PdmHeight:
            return image.height();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmNumColors:
            return 0;
        case PdmDepth:
            return 32;
        default:
            return 96;
        }
    }

private:
    class Engine : public QPaintEngine
    {
    public:
        explicit Engine(QSize size) : QPaintEngine(AllFeatures), image(size, QImage::Format_RGB32) {}

        bool begin(QPaintDevice*) override { return m_painter.begin(&image); }
        bool end() override { return m_painter.end(); }
        [[nodiscard]] Type type() const override { return User; }
        void updateState(const QPaintEngineState& now) override
        {
            const DirtyFlags dirty = now.state();
            if (dirty & DirtyTransform) m_painter.setTransform(now.transform());
            if (dirty & DirtyPen) m_painter.setPen(now.pen());
            if (dirty & DirtyBrush) m_painter.setBrush(now.brush());
            if (dirty & DirtyBrushOrigin) m_painter.setBrushOrigin(now.brushOrigin());
            if (dirty & DirtyOpacity) m_painter.setOpacity(now.opacity());
            if (dirty & DirtyHints) m_painter.setRenderHints(now.renderHints());
            if (dirty & DirtyClipRegion) m_painter.setClipRegion(now.clipRegion(), now.clipOperation());
            if (dirty & DirtyClipPath) m_painter.setClipPath(now.clipPath(), now.clipOperation());
            if (dirty & DirtyClipEnabled) m_painter.setClipping(now.isClipEnabled());
        }
        void drawPath(const QPainterPath& path) override { m_painter.drawPath(path); }
        void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
        {
            if (mode == PolylineMode) return m_painter.drawPolyline(points, count);
            m_painter.drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        }
        void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override
        {
            m_painter.drawPixmap(to, pixmap, from);
        }
        void drawImage(const QRectF& to, const QImage& from, const QRectF& part, Qt::ImageConversionFlags) override
        {
            m_painter.drawImage(to, from, part);
        }
        void drawTextItem(const QPointF& at, const QTextItem& item) override
        {
            QRectF letters = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
            letters = m_painter.transform().mapRect(letters);
            if (m_painter.hasClipping()) letters &= m_painter.transform().mapRect(m_painter.clipBoundingRect());
            const QRect seen = letters.toAlignedRect() & image.rect();
            if (!seen.isEmpty()) words.push_back({item.text(), m_painter.pen().color(), image.copy(seen)});
            m_painter.setFont(item.font());
            m_painter.drawText(at, item.text());
        }

        QImage image;
        QList<PaintedWords> words;

    private:
        QPainter m_painter;
    };
    std::unique_ptr<Engine> m_engine;
};

} // namespace plimsoll::test
