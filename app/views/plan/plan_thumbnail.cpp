#include "app/views/plan/plan_thumbnail.h"

#include "app/views/plan/plan_viewport.h"
#include "core/picture/plan_picture.h"

#include <QPainter>

namespace plimsoll::app {

QImage planThumbnail(const Report& report, QSize size, double ratio, const Style& style)
{
    QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(toColor(style.palette->background));
    const PlanPicture picture = makePlanPicture(report, colourStorages(report.program));
    PlanViewport view;
    view.setWorld(double(picture.steps), double(picture.heightBytes));
    view.setArea(QRectF(QPointF(), QSizeF(size)));
    view.fit();
    QPainter painter(&image);
    for (const PlanBar& bar : picture.bars) {
        const QRectF rect = view.rectOf(bar.steps, stackedBytes(picture, bar));
        painter.fillRect(rect, toColor(style.fill(bar.colour)));
        painter.fillRect(rect, patternBrush(bar.pattern, toColor(style.palette->background, 0.4), ratio));
        painter.setPen(toColor(style.palette->background, 0.6));
        painter.drawRect(rect);
    }
    for (const FindingMark& mark : picture.findings) {
        if (mark.lane < 0 || mark.severity != Severity::Error) continue;
        const QRectF rect = view.rectOf(mark.steps, stackedBytes(picture, mark));
        painter.setPen(QPen(toColor(style.palette->violation), 2));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    }
    return image;
}

} // namespace plimsoll::app
