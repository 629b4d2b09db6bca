#pragma once

#include <QProxyStyle>

namespace plimsoll::app {

/// Fusion, with radio buttons and check boxes whose outline is seen in the dark theme too.
class WindowStyle : public QProxyStyle
{
    Q_OBJECT

public:
    WindowStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    /// Tool bars with the property "flush" have no margin round what they hold.
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

} // namespace plimsoll::app
