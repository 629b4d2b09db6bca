#pragma once

#include "app/views/canvas.h"
#include "core/record/content_map.h"

namespace plimsoll::app {

/// What a tensor's elements are like: figures, a histogram, and a map in which an element is as dark as it is large.
struct ContentFigures
{
    QString title {}; ///< "conv1_out, float32[1,64,56,56]"
    ContentSummary summary {};
    ContentMap map {};
};

class ContentPicture : public Canvas
{
    Q_OBJECT

public:
    explicit ContentPicture(QWidget* parent = nullptr);

    void setFigures(ContentFigures figures); ///< Without elements: nothing is painted.
    void paint(QPainter& painter, const QRectF& area, const Style& style) override;
    void fit() override {}
    bool frameSelection() override { return false; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void reportChanged() override {}

private:
    [[nodiscard]] QStringList lines() const;

    ContentFigures m_figures;
};

} // namespace plimsoll::app
