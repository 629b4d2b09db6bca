#pragma once

#include <QProxyStyle>

namespace plimsoll::app {

/// Fusion, with radio buttons and check boxes whose outline is seen in the dark theme too, and tabs whose names are
/// never cut short: where there is no room for all of them, their bar scrolls. Labels and tips show text as it is. The
/// mark of a sorted column points down where the greatest is at the top. In the dark theme fields have an outline.
/// Under high contrast everything that can be used has one, and what has the keyboard a thick one.
class WindowStyle : public QProxyStyle
{
    Q_OBJECT

public:
    WindowStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    /// Buttons of dialogs have no icons: those of Qt are of other colours than ours.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;
    /// Tool bars with the property "flush" have no margin round what they hold.
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

} // namespace plimsoll::app
