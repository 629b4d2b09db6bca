#include "app/views/plan/plan_scene.h"

#include "app/models/window_text.h"
#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/plan/plan_marks.h"
#include "core/facts/about/byte_uses.h"
#include "core/facts/reserved.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/verdict.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr double CurveHeight = 76;
/// Of one of two plans, where there is no room for that.
constexpr double SmallCurve = 24;
constexpr double SmallCurveFrom = 140;
constexpr double StripHeight = 30;
constexpr double Gap = 8;
/// Before each word of the legend, with the gap to the word before.
constexpr double LegendSwatch = 34;

void markValue(PlanEmphasis& emphasis, const Report& report, ValueId value, ValueMark mark)
{
    if (!value.valid() || value.index() >= emphasis.values.size()) return;
    emphasis.any = true;
    emphasis.values[value.index()] = mark;
    const StorageId storage = report.program.values[value.index()].storage;
    if (storage.valid()) emphasis.storages[storage.index()] = 1;
}

QString headline(const PlanScene& scene)
{
    const PlanPicture& picture = scene.picture;
    const std::int64_t peak = picture.peakBytes;
    const std::int64_t bound = picture.lowerBoundBytes;
    const bool reserved = reservedBytes(*scene.report).has_value();
    if (!scene.caption.isEmpty() && !reserved) { // of two plans there is little room
        const QString both = scene.knowsBound() ? QObject::tr("%1: peak %2, bound %3") : QObject::tr("%1: peak %2");
        const QString named = both.arg(scene.caption, sizeTextBeside(peak, bound));
        return scene.knowsBound() ? named.arg(sizeTextBeside(bound, peak)) : named;
    }
    QString text = scene.caption.isEmpty() ? QString() : scene.caption + QStringLiteral(": ");
    text += (reserved ? QObject::tr("Reserved %1 at most") : QObject::tr("Peak %1")).arg(sizeTextBeside(peak, bound));
    if (!scene.report->verdict.completeness.complete())
        text += QObject::tr(" of what has a size");
    else if (scene.knowsBound() && peak == bound)
        text += QObject::tr(", at the lower bound");
    else if (scene.knowsBound())
        text += QObject::tr(", %1 (%2) above the lower bound %3")
                    .arg(sizeText(wasteBytes(*scene.report)), percentText(aboveBound(*scene.report)),
                         sizeTextBeside(bound, peak));
    if (picture.outside.externalValues > 0) {
        text += QObject::tr("  ·  outside the arenas %1").arg(sizeText(picture.outside.externalBytes));
    }
    if (picture.outside.unplannedValues > 0) {
        text += QObject::tr("  ·  not planned: %1")
                    .arg(countText(static_cast<std::int64_t>(picture.outside.unplannedValues)));
    }
    return text;
}

struct LegendEntry
{
    enum class Mark : std::uint8_t {
        None,
        Output,  ///< A dashed outline.
        Asked,   ///< A corner.
        Finding, ///< The hatch over contested bytes.
        Waits    ///< The line behind what another stream may not have yet.
    };
    Pattern pattern;
    QString text;
    Mark mark = Mark::None; ///< Instead of the pattern.
};

/// Only what the picture has, from the right to the left.
std::vector<LegendEntry> legendOf(const PlanScene& scene)
{
    std::vector<LegendEntry> entries = {{Pattern::Scratch, QObject::tr("scratchpad")},
                                        {Pattern::Rounding, QObject::tr("alignment")},
                                        {Pattern::Padding, QObject::tr("padding")},
                                        {Pattern::View, QObject::tr("same bytes")},
                                        {Pattern::InPlace, QObject::tr("in place")},
                                        {Pattern::Plain, QObject::tr("output"), LegendEntry::Mark::Output},
                                        {Pattern::Plain, QObject::tr("asked for"), LegendEntry::Mark::Asked},
                                        {Pattern::Plain, QObject::tr("other stream waits"), LegendEntry::Mark::Waits},
                                        {Pattern::Plain, QObject::tr("not legal"), LegendEntry::Mark::Finding}};
    std::erase_if(entries, [&](const LegendEntry& entry) {
        switch (entry.mark) {
        case LegendEntry::Mark::Output:
            return !scene.picture.outputs;
        case LegendEntry::Mark::Asked:
            return !scene.picture.asked;
        case LegendEntry::Mark::Finding:
            return std::ranges::none_of(scene.picture.findings, [](const FindingMark& mark) {
                return mark.severity == Severity::Error && mark.lane >= 0;
            });
        case LegendEntry::Mark::Waits:
            return scene.picture.waits.empty();
        case LegendEntry::Mark::None:
            break;
        }
        return !scene.picture.patterns.contains(entry.pattern);
    });
    return entries;
}

void paintSwatch(QPainter& painter, const QRectF& swatch, const LegendEntry& entry, const Style& style)
{
    if (entry.mark == LegendEntry::Mark::Waits)
        return paintWaitLine(painter, swatch.left(), swatch.right(), std::round(swatch.center().y()) + 0.5, style);
    const double ratio = painter.device()->devicePixelRatioF();
    painter.fillRect(swatch, toColor(style.palette->external));
    painter.fillRect(swatch, patternBrush(entry.pattern, toColor(style.palette->text, 0.5), ratio));
    if (entry.mark == LegendEntry::Mark::Asked) paintAskedCorner(painter, swatch, toColor(style.palette->text));
    if (entry.mark == LegendEntry::Mark::Finding) {
        painter.setPen(toColor(style.palette->violation));
        painter.setBrush(hatchBrush(Qt::DiagCrossPattern, toColor(style.palette->violation), ratio));
        painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (entry.mark != LegendEntry::Mark::Output) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->text), 1, Qt::DashLine));
    painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
}

double legendWidth(const std::vector<LegendEntry>& entries, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    double width = 2;
    for (const LegendEntry& entry : entries)
        width += metrics.horizontalAdvance(entry.text) + LegendSwatch;
    return width;
}

double headerRow(const Style& style)
{
    return QFontMetricsF(style.font).height() + 10;
}

} // namespace

bool PlanScene::knowsBound() const
{
    return boundCounts(*report) && (picture.lowerBoundBytes > 0 || picture.peakBytes == 0);
}

PlanEmphasis emphasise(const Report& report, const Focus& focus)
{
    PlanEmphasis emphasis;
    emphasis.storages.assign(report.program.storages.size(), 0);
    emphasis.values.assign(report.program.values.size(), ValueMark::None);
    if (focus.value.valid() && focus.value.index() < report.program.values.size()) {
        markValue(emphasis, report, focus.value, ValueMark::Picked);
        emphasis.accesses = findAccesses(report, focus.value);
    }
    if (focus.storage.valid() && focus.storage.index() < report.program.storages.size()) {
        emphasis.any = true;
        emphasis.storages[focus.storage.index()] = 1;
        for (ValueId value : report.program.storages[focus.storage.index()].values)
            markValue(emphasis, report, value, ValueMark::Picked);
    }
    if (focus.node.valid() && focus.node.index() < report.program.graph->nodes.size()) {
        const Node& node = (*report.program.graph)[focus.node];
        for (ValueId input : node.inputs)
            markValue(emphasis, report, input, ValueMark::Read);
        for (ValueId output : node.outputs)
            markValue(emphasis, report, output, ValueMark::Written);
    }
    if (focus.finding >= 0 && static_cast<std::size_t>(focus.finding) < report.verdict.findings.size()) {
        emphasis.finding = focus.finding;
        for (ValueId value : report.verdict.findings[focus.finding].values) {
            markValue(emphasis, report, value, ValueMark::Picked);
        }
    }
    emphasis.hole = focus.hole;
    emphasis.area = focus.area;
    if (focus.onThing() || !focus.area.valid()) return emphasis;
    for (const StorageId storage : storagesIn(report, focus.area)) {
        emphasis.any = true;
        emphasis.storages[storage.index()] = 1;
    }
    return emphasis;
}

PlanRegions planRegions(const QRectF& area, const PlanScene& scene, const Style& style)
{
    const QFontMetricsF small(style.smallFont);
    const double axisWidth = small.horizontalAdvance(QStringLiteral("1023.9 MiB")) + 14;
    const double rulerHeight = 2 * small.height() + 5;
    const bool roomy = area.height() >= 260;
    const bool low = !roomy && !scene.caption.isEmpty() && area.height() >= SmallCurveFrom;
    const double curve = roomy ? std::min(CurveHeight, area.height() * 0.18) : low ? SmallCurve : 0;
    const double strip = area.height() >= 160 ? StripHeight : 0;
    const double left = area.left() + axisWidth;
    const double width = std::max(area.width() - axisWidth - Gap, 1.0);

    PlanRegions regions;
    regions.header = QRectF(area.left(), area.top(), area.width() - Gap, headerRow(style));
    if (roomy && scene.report) { // the legend goes beneath the sentence where both do not fit side by side
        const std::vector<LegendEntry> legend = legendOf(scene);
        const double words = QFontMetricsF(style.font).horizontalAdvance(headline(scene)) + 3 * Gap;
        const bool beneath = !legend.empty() && words + legendWidth(legend, style) > regions.header.width();
        if (beneath) regions.header.setHeight(1.75 * headerRow(style));
    }
    regions.strip = QRectF(left, area.bottom() - strip - Gap, width, strip);
    regions.curve = QRectF(left, regions.strip.top() - curve - Gap, width, curve);
    regions.ruler =
        QRectF(left, (curve > 0 ? regions.curve.top() : regions.strip.top()) - rulerHeight, width, rulerHeight);
    regions.bars =
        QRectF(left, regions.header.bottom(), width, std::max(regions.ruler.top() - regions.header.bottom(), 1.0));
    regions.axis = QRectF(area.left(), regions.bars.top(), axisWidth, regions.bars.height());
    return regions;
}

void paintPlan(QPainter& painter, const PlanRegions& regions, const PlanScene& scene, const PlanViewport& view,
               const Style& style)
{
    std::vector<LegendEntry> legend = legendOf(scene);
    const QRectF& header = regions.header;
    const double wanted = QFontMetricsF(style.font).horizontalAdvance(headline(scene)) + 3 * Gap;
    const bool crowded = wanted + legendWidth(legend, style) > header.width();
    if (crowded && !scene.caption.isEmpty() && header.height() <= 1.5 * headerRow(style)) legend.clear();
    QRectF words(header.left() + Gap, header.top(), header.width() - 2 * Gap, headerRow(style));
    QRectF key = words.adjusted(0, 0, Gap, 0);
    if (header.height() > 1.5 * headerRow(style)) // the legend stands beneath
        key.moveTop(words.bottom() - 6);
    else
        words.setRight(header.right() - legendWidth(legend, style) - Gap);
    const QFontMetricsF metrics(style.smallFont);
    painter.setFont(style.smallFont);
    double x = key.right() - 2;
    for (const LegendEntry& entry : legend) {
        x -= metrics.horizontalAdvance(entry.text);
        painter.setPen(toColor(style.palette->mutedText));
        painter.drawText(QPointF(x, key.center().y() + metrics.ascent() / 2 - 1), entry.text);
        const QRectF swatch(x - 22, key.center().y() - 6, 17, 11);
        paintSwatch(painter, swatch, entry, style);
        x -= LegendSwatch;
    }
    painter.setFont(style.font);
    painter.setPen(toColor(style.palette->text));
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(style.font).elidedText(headline(scene), Qt::ElideRight, words.width()));
    paintBars(painter, scene, view, style);
    if (inRows(scene.picture.axis))
        paintRowAxis(painter, regions.axis, view, scene.picture, *scene.report, style);
    else
        paintByteAxis(painter, regions.axis, view, scene.picture, style);
    paintPassTurns(painter, regions.bars, view, scene.picture.turns, *scene.report, style);
    paintStepRuler(painter, regions.ruler, view, *scene.report, style);
    paintAccesses(painter, regions.ruler, view, scene.emphasis.accesses, style);
    if (regions.curve.height() > 0) paintLiveCurve(painter, regions.curve, scene, view, style);
    if (regions.strip.height() > 0) paintOverview(painter, regions.strip, scene, view, style);
}

void paintPlanPointer(QPainter& painter, const PlanRegions& regions, const PlanScene& scene, const PlanViewport& view,
                      const PlanPointer& pointer, const Style& style)
{
    const QRectF below(regions.bars.left(), regions.bars.top(), regions.bars.width(),
                       std::max(regions.curve.bottom(), regions.bars.bottom()) - regions.bars.top());
    paintStepCursor(painter, below, view, pointer.step, style);
    if (pointer.drawn.valid()) paintDrawnArea(painter, regions.bars, scene, view, pointer, style);
    if (!pointer.bar || *pointer.bar >= scene.picture.bars.size()) return;
    const PlanBar& bar = scene.picture.bars[*pointer.bar];
    painter.save();
    painter.setClipRect(regions.bars);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->text), 1));
    painter.drawRect(
        view.rectOf(bar.steps, stackedBytes(scene.picture, bar)).intersected(view.area.adjusted(-2, -2, 2, 2)));
    painter.restore();
    QStringList lines = {toQString(barLabel(*scene.report, bar))};
    lines << QObject::tr("%1  ·  storage %2").arg(sizeTip(bar.bytes.length())).arg(bar.storage.number());
    lines << QObject::tr("steps %1").arg(stepsText(liveSteps(*scene.report, bar)));
    if (view.places && view.places->msPerPlace > 0) {
        const Interval steps = liveSteps(*scene.report, bar);
        const auto ms = [&](std::int64_t step) {
            return realText(view.placeOf(double(step)) * view.places->msPerPlace, 4);
        };
        lines << QObject::tr("%1 to %2 ms").arg(ms(steps.begin), ms(steps.end));
    }
    lines << QObject::tr("bytes %1").arg(toQString(plimsoll::addressText(bar.bytes, numberForm())));
    if (bar.pattern == Pattern::InPlace || bar.pattern == Pattern::View) {
        lines << translated(patternName(bar.pattern));
    }
    if (pointer.finding) {
        lines << windowText(scene.report->verdict.findings[pointer.finding->finding].message);
    }
    paintTip(painter, pointer.at, regions.bars, lines, style);
}

} // namespace plimsoll::app
