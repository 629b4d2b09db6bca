#include "app/window/look/window_style.h"

#include "app/window/look/icons.h"
#include "app/window/look/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPolygonF>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTextEdit>
#include <QWidget>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int TableAir = 8;
/// Beside the name on a tab, both sides together: ten of them stand side by side in a window of 1,000 pixels.
constexpr int TabAir = 16;
constexpr QSizeF SortMark {8, 5};

void drawRadio(const QStyleOption& option, QPainter& painter)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & QStyle::State_On;
    const QColor accent = option.palette.color(QPalette::Highlight);
    const QRectF ring = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5);
    painter.setPen(QPen(on && enabled ? accent : colours().muted, on ? 1.6 : 1.2));
    painter.setBrush(option.palette.base());
    painter.drawEllipse(ring);
    if (!on) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(enabled ? accent : colours().muted);
    const double inset = ring.width() * 0.26;
    painter.drawEllipse(ring.adjusted(inset, inset, -inset, -inset));
}

void drawCheck(const QStyleOption& option, QPainter& painter)
{
    const bool on = option.state & QStyle::State_On;
    const QColor accent = option.palette.color(QPalette::Highlight);
    const QRectF box = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5);
    painter.setPen(QPen(on ? accent : colours().muted, 1.2));
    painter.setBrush(on ? QBrush(accent) : option.palette.base());
    painter.drawRoundedRect(box, 2.5, 2.5);
    if (!on) return;
    painter.setPen(
        QPen(option.palette.color(QPalette::HighlightedText), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF corners[] = {box.topLeft() + QPointF(box.width() * 0.22, box.height() * 0.52),
                               box.topLeft() + QPointF(box.width() * 0.42, box.height() * 0.72),
                               box.topLeft() + QPointF(box.width() * 0.78, box.height() * 0.28)};
    painter.drawPolyline(corners, 3);
}

/// Down where the greatest stands at the top, as is usual, but not in Qt.
void drawSortMark(const QStyleOption& option, QPainter& painter)
{
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(&option);
    const bool descending = header && header->sortIndicator == QStyleOptionHeader::SortUp;
    QRectF box(QPointF(), SortMark);
    box.moveCenter(QRectF(option.rect).center());
    const double base = descending ? box.top() : box.bottom();
    const double tip = descending ? box.bottom() : box.top();
    painter.setPen(Qt::NoPen);
    painter.setBrush(option.palette.color(QPalette::ButtonText));
    painter.drawPolygon(QPolygonF({{box.left(), base}, {box.right(), base}, {box.center().x(), tip}}));
}

/// Fusion makes its lines darker than the window: around a dark field they are not seen. What has the keyboard it marks
/// itself.
void outlineField(const QStyleOption& option, QPainter& painter)
{
    if (themeNow() != Theme::Dark || option.state & QStyle::State_HasFocus) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.state & QStyle::State_Enabled ? colours().muted.darker(150) : colours().line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

bool isField(QStyle::PrimitiveElement element, const QWidget* widget)
{
    const bool text = qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTextEdit*>(widget);
    return element == QStyle::PE_FrameLineEdit || (element == QStyle::PE_Frame && text);
}

/// Fusion makes its lines of the window's colour: upon black there are none.
void outline(const QStyleOption& option, QPainter& painter)
{
    if (themeNow() != Theme::Contrast) return;
    painter.save();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool focused = enabled && (option.state & QStyle::State_HasFocus);
    painter.setPen(
        QPen(focused ? colours().accent : colours().line, focused ? 2 : 1, enabled ? Qt::SolidLine : Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

void drawFocus(const QStyleOption& option, QPainter& painter)
{
    painter.save();
    painter.setPen(QPen(colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1));
    painter.restore();
}

bool hasOutline(QStyle::PrimitiveElement element)
{
    switch (element) {
    case QStyle::PE_FrameLineEdit:
    case QStyle::PE_PanelButtonCommand:
    case QStyle::PE_FrameMenu:
    case QStyle::PE_FrameGroupBox:
    case QStyle::PE_PanelTipLabel:
        return true;
    default:
        return false;
    }
}

/// Of a tab.
void drawCross(const QStyleOption& option, QPainter& painter)
{
    const bool over = option.state & QStyle::State_MouseOver;
    const int size = std::min(option.rect.width(), option.rect.height()) - 4;
    QRect square(QPoint(), QSize(size, size));
    square.moveCenter(option.rect.center());
    const qreal ratio = painter.device()->devicePixelRatioF();
    painter.drawPixmap(square,
                       iconPixmap(QStringLiteral("close"), over ? colours().text : colours().muted, size, ratio));
}

} // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::polish(QWidget* widget)
{
    auto* bar = qobject_cast<QTabBar*>(widget);
    if (bar && !bar->property("elides").toBool()) bar->setElideMode(Qt::ElideNone);
    // Names come from files: no label and no tip takes one for HTML, unless its text is ours and it says so.
    auto* label = qobject_cast<QLabel*>(widget);
    if (label && label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
    QProxyStyle::polish(widget);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const
{
    const bool ours =
        element == PE_IndicatorRadioButton || element == PE_IndicatorCheckBox || element == PE_IndicatorHeaderArrow;
    if (element == PE_FrameFocusRect && themeNow() == Theme::Contrast) return drawFocus(*option, *painter);
    if (element == PE_IndicatorTabClose) return drawCross(*option, *painter);
    if (!ours) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (isField(element, widget)) outlineField(*option, *painter);
        if (hasOutline(element)) outline(*option, *painter);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (element == PE_IndicatorHeaderArrow)
        drawSortMark(*option, *painter);
    else if (element == PE_IndicatorRadioButton)
        drawRadio(*option, *painter);
    else
        drawCheck(*option, *painter);
    painter->restore();
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const
{
    QProxyStyle::drawControl(element, option, painter, widget);
    if (element != CE_TabBarTabShape || themeNow() != Theme::Contrast) return;
    outline(*option, *painter);
    if (option->state & State_Selected)
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 4), colours().accent);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox) outlineField(*option, *painter);
    if (control == CC_ComboBox || control == CC_SpinBox) outline(*option, *painter);
    if (control == CC_ScrollBar && themeNow() == Theme::Contrast)
        painter->fillRect(subControlRect(control, option, SC_ScrollBarSlider, widget).adjusted(3, 3, -3, -3),
                          colours().muted);
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returned) const
{
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    const bool margin =
        metric == PM_ToolBarItemMargin || metric == PM_ToolBarFrameWidth || metric == PM_ToolBarItemSpacing;
    if (margin && widget && widget->property("flush").toBool()) return 0;
    // Numbers stand at the right and words at the left: between the two there must be air.
    if (metric == PM_TabBarTabHSpace) return TabAir;
    if (metric == PM_HeaderMargin) return TableAir;
    if (metric == PM_FocusFrameHMargin && qobject_cast<const QTableView*>(widget)) return TableAir - 1;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

} // namespace plimsoll::app
