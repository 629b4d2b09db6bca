#include "app/views/plan/plan_canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/plan/plan_marks.h"
#include "core/base/narrow.h"
#include "core/facts/completeness.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll::app {
namespace {

/// In a picture of the whole plan, in pixels; of long plans names are left out rather than making it endless.
constexpr double NamedStep = 24;
constexpr double NamedBar = 20;
constexpr QSizeF LargestWhole(12000, 6000);

} // namespace

/// A picture that is not shown yet.
struct PlanCanvas::Made
{
    PlanScene scene;
    std::shared_ptr<const StepPlaces> places {};
    bool first = false;  ///< By this axis: everything is seen.
    bool unseen = false; ///< No plan was shown here: the steps are those of the other pictures.
};

PlanCanvas::PlanCanvas(QWidget* parent) : Canvas(parent)
{
    setObjectName(QStringLiteral("planCanvas"));
    setAccessibleName(tr("Plan"));
    setStops({});
}

void PlanCanvas::setStops(std::vector<StopMark> stops)
{
    m_stops = std::move(stops);
    QStringList said = {tr("Time and address picture of the plan. Arrow keys go from value to value, the bracket "
                           "keys from step to step. The tables show the same as text.")};
    for (const StopMark& stop : m_stops)
        said << stopText(stop) + u'.';
    setAccessibleDescription(said.join(u' '));
    update();
}

void PlanCanvas::reportChanged()
{
    const bool unseen = !m_scene.report;
    const bool first = unseen || m_scene.picture.axis != m_axis;
    m_ghost.clear();
    m_keeps.room = {};
    makeRoom();                  // the room that it took is not that of the plan
    if (m_held.drag) dropHold(); // it was of the report before
    m_held.drag.reset();
    m_scene = {.showHoles = m_scene.showHoles, .measured = m_scene.measured, .caption = m_scene.caption};
    m_pointer = {};
    if (!report() || !report()->program.graph) return viewChanged();
    makePicture(
        [first, unseen, report = report(), colours = sharedColours(), axis = m_axis, steps = m_stepAxis,
         caption = m_scene.caption] {
            PlanScene scene {.report = report, .picture = makePlanPicture(*report, *colours, axis), .caption = caption};
            scene.namePrefix = commonPrefix(*report->program.graph);
            scene.endings = nameEndings(*report->program.graph);
            return Made {std::move(scene), steps.placesOf(*report), first, unseen};
        },
        [this](Made made) { lay(std::move(made)); });
}

/// The bars of a large plan are laid before it is shown, so that the window need not wait for them. If it is to be seen
/// otherwise by then, they are laid anew as it is painted.
void PlanCanvas::lay(Made made)
{
    if (!made.scene.report || !isLarge(*made.scene.report)) return showPlan(std::move(made));
    const auto kept = std::make_shared<Made>(std::move(made));
    makePicture(
        [kept, view = firstView(*kept), focus = selection(), style = looks(), scale = devicePixelRatioF()] {
            kept->scene.emphasis = emphasise(*kept->scene.report, focus);
            return layBars(kept->scene, view, style, scale);
        },
        [this, kept](std::shared_ptr<const LaidBars> laid) {
            kept->scene.laid = std::move(laid);
            showPlan(std::move(*kept));
        });
}

/// As the picture before was seen, if it has the same steps.
PlanViewport PlanCanvas::firstView(const Made& made) const
{
    PlanViewport view = m_view;
    const bool sameSteps = view.worldSteps == double(made.scene.picture.steps);
    view.setWorld(double(made.scene.picture.steps), double(made.scene.picture.heightBytes), made.places);
    view.setArea(planRegions(rect(), made.scene, looks()).bars); // the legend may need another row
    if (made.first || !sameSteps) view.fit();
    if (made.unseen && sharedSteps()) view.showSteps(*sharedSteps());
    return view;
}

void PlanCanvas::showPlan(Made made)
{
    const bool compact = made.places && made.places->msPerPlace == 0;
    if (compact && made.places->quiet.empty() && !m_view.places)
        Q_EMIT noticed(tr("Something large begins or ends at nearly every step: none is narrower."));
    made.scene.showHoles = m_scene.showHoles;
    made.scene.measured = std::move(m_scene.measured);
    made.scene.caption = m_scene.caption;
    m_view = firstView(made);
    m_scene = std::move(made.scene);
    refreshGhost();
    if (m_scene.picture.axis != m_axis)
        Q_EMIT noticed(tr("Stacked by age this plan has too many pieces; it stays by address."));
    viewChanged();
}

void PlanCanvas::selectionChanged()
{
    const std::int64_t step = selection().step;
    const bool moved = std::exchange(m_pointer.step, step) != step;
    if (!m_scene.report) return;
    m_scene.emphasis = emphasise(*m_scene.report, selection());
    if (moved && step >= 0 && m_view.reveal({double(step), m_view.bytes.first, 1, m_view.bytes.span})) viewChanged();
}

void PlanCanvas::forgetPointed()
{
    m_pointer.bar.reset();
    m_pointer.finding = nullptr;
    repaintPicture();
}

void PlanCanvas::viewChanged()
{
    forgetPointed();
    if (m_scene.report) announceSteps(m_view.seenSteps());
    Q_EMIT viewShown();
}

void PlanCanvas::showSteps(const AxisWindow& steps)
{
    if (!takeSteps(m_view.seenSteps(), steps) || !m_scene.report) return;
    m_view.showSteps(steps);
    forgetPointed();
    Q_EMIT viewShown();
}

void PlanCanvas::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.fillRect(area, toColor(style.palette->panel));
    if (!m_scene.report) {
        paintEmpty(painter, area, emptyText(), style);
        return;
    }
    if (m_scene.picture.bars.empty()) {
        const bool complete = m_scene.report->verdict.completeness.complete();
        paintEmpty(painter, area,
                   complete ? tr("Nothing is planned here: every value of this graph belongs to the caller, or has "
                                 "a size that is known only when it runs.")
                            : windowText(say("picture.nothing-yet", incompleteLine(*m_scene.report))),
                   style);
        return;
    }
    const PlanRegions parts = planRegions(area, m_scene, style);
    PlanViewport view = m_view;
    view.setArea(parts.bars);
    paintPlan(painter, parts, m_scene, view, style);
}

void PlanCanvas::paintWhole(QPainter& painter, const QRectF& area, const Style& style)
{
    const PlanViewport seen = m_view;
    m_view.setArea(planRegions(area, m_scene, style).bars);
    m_view.fit();
    paint(painter, area, style);
    m_view = seen;
}

/// Room for the name of a bar of one step, and of one of as many bytes as bars have on average at the peak.
QSizeF PlanCanvas::wholeSize() const
{
    const auto atPeak = std::ranges::count_if(
        m_scene.picture.bars, [&](const PlanBar& bar) { return bar.steps.contains(m_scene.picture.peakStep); });
    const double rows = inRows(m_scene.picture.axis) ? double(m_scene.picture.heightBytes) / PlanRowUnits : 0;
    const QSizeF wanted(m_view.worldPlaces() * NamedStep, std::max(double(atPeak), rows) * NamedBar);
    return wanted.boundedTo(LargestWhole).expandedTo(size());
}

void PlanCanvas::paintPointer(QPainter& painter)
{
    if (!m_scene.report || m_scene.picture.bars.empty()) return;
    paintGhost(painter, m_ghost, m_view, looks());
    paintStops(painter, regions().ruler, m_view, m_stops, looks());
    paintPlanPointer(painter, regions(), m_scene, m_view, m_pointer, looks());
    if (m_held.drag) paintBarDrag(painter, regions().bars, m_scene, m_view, *m_held.drag, looks());
}

void PlanCanvas::resizeEvent(QResizeEvent*)
{
    m_view.setArea(regions().bars);
    viewChanged();
}

void PlanCanvas::fit()
{
    m_view.fit();
    viewChanged();
}

void PlanCanvas::fitBytes()
{
    m_view.fitBytes();
    viewChanged();
}

void PlanCanvas::revealSelection()
{
    if (!m_scene.report) return;
    const QRectF world = pickedWorld(m_scene, selection());
    if (!world.isNull() && m_view.reveal(world)) viewChanged();
}

QRectF PlanCanvas::selectedWorld() const
{
    const bool byte = !selection().onThing() && selection().area.bytes.length() == 1; // too little to fill a view
    return byte || !m_scene.report ? QRectF() : pickedWorld(m_scene, selection());
}

bool PlanCanvas::frameSelection()
{
    return frameWith({});
}

bool PlanCanvas::frameWith(const QRectF& beside)
{
    if (!m_scene.report) return false;
    const QRectF world = selectedWorld() | beside;
    const AxisWindow steps = m_view.steps;
    const AxisWindow bytes = m_view.bytes;
    if (!world.isNull()) m_view.frame(world.left(), world.right(), world.top(), world.bottom());
    viewChanged();
    return steps != m_view.steps || bytes != m_view.bytes;
}

void PlanCanvas::goToPeak()
{
    if (!m_scene.report) return;
    Q_EMIT stepChanged(m_scene.picture.peakStep);
    m_view.centre(double(m_scene.picture.peakStep), m_view.bytes.first + m_view.bytes.span / 2);
    viewChanged();
}

void PlanCanvas::hoverAt(QPointF at)
{
    const PlanPointer before = m_pointer;
    m_pointer.at = at;
    m_pointer.bar.reset();
    m_pointer.finding = nullptr;
    if (m_scene.report && regions().bars.contains(at)) {
        const auto step = static_cast<std::int64_t>(std::floor(m_view.stepAt(at.x())));
        const auto byte = static_cast<std::int64_t>(std::floor(m_view.byteAt(at.y())));
        m_pointer.bar = barUnder(m_scene, m_view, at);
        m_pointer.finding = findingAt(m_scene.picture, step, byte);
    }
    QString below;
    if (m_run && regions().curve.contains(at))
        below = measuredText(*m_run, static_cast<std::int64_t>(std::floor(m_view.stepAt(at.x()))));
    if (const StopMark* stop = stopAt(regions().ruler, m_view, m_stops, at)) below = stopText(*stop);
    if (std::exchange(m_saidBelow, !below.isEmpty()) || m_saidBelow) Q_EMIT hovered(below);
    if (before.bar != m_pointer.bar) {
        const bool over = m_pointer.bar.has_value();
        Q_EMIT hovered(over ? windowText(barDescription(*m_scene.report, m_scene.picture.bars[*m_pointer.bar]))
                            : QString());
    }
    if (before.bar || m_pointer.bar) update();
}

void PlanCanvas::clickAt(QPointF at)
{
    const PlanRegions parts = regions();
    const StopMark* stop = stopAt(parts.ruler, m_view, m_stops, at);
    const auto step = stop ? stop->step : static_cast<std::int64_t>(std::floor(m_view.stepAt(at.x())));
    if (parts.ruler.contains(at) || parts.curve.contains(at)) {
        if (step >= 0 && step < m_scene.picture.steps) Q_EMIT stepChanged(step);
        return;
    }
    if (!parts.bars.contains(at)) return;
    const auto byte = static_cast<std::int64_t>(std::floor(m_view.byteAt(at.y())));
    const FindingMark* mark = findingAt(m_scene.picture, step, byte);
    if (mark && mark->severity == Severity::Error && static_cast<std::int32_t>(mark->finding) != selection().finding) {
        Q_EMIT picked(Focus::onFinding(static_cast<std::int32_t>(mark->finding)));
        return;
    }
    const auto bar = barUnder(m_scene, m_view, at);
    const Hole* hole = m_scene.report && m_scene.showHoles ? holeAt(m_scene, step, byte) : nullptr;
    Focus focus;
    if (bar)
        focus = focusOn(m_scene.picture.bars[*bar]);
    else if (hole)
        focus = Focus::onHole(narrow<std::int32_t>(hole - m_scene.report->memory.holes.data()));
    // Of one that is too small to be hit, its own first byte and step.
    const PlanBar* small = bar ? &m_scene.picture.bars[*bar] : nullptr;
    if (small && barAt(m_scene.picture, step, byte) == bar) small = nullptr;
    const std::int64_t there = small ? small->steps.begin : step;
    const auto area = areaAt(m_scene.picture, small ? stackedBytes(m_scene.picture, *small).begin : byte);
    if (area && there >= 0 && there < m_scene.picture.steps) {
        focus.area = *area;
        focus.step = there;
    }
    Q_EMIT picked(focus);
}

void PlanCanvas::dragGrabbedTo(QPointF at)
{
    if (m_held.drag) {
        dragBarTo(*m_held.drag, m_scene, m_view, at);
        return update();
    }
    if (m_held.corner) {
        m_pointer.drawn = areaBetween(m_scene, m_view, *m_held.corner, at);
        m_pointer.at = at;
        return update();
    }
    const QRectF strip = regions().strip;
    const double place = (at.x() - strip.left()) / strip.width() * m_view.worldPlaces();
    m_view.centre(m_view.stepOf(place), m_view.bytes.first + m_view.bytes.span / 2);
    viewChanged();
}

bool PlanCanvas::grabAt(QPointF at, Qt::KeyboardModifiers modifiers)
{
    if (modifiers & (Qt::AltModifier | Qt::ControlModifier) && m_scene.report && regions().bars.contains(at)) {
        m_held.drag = holdOfBar(m_scene, m_view, selection(), at);
        if (!m_held.drag) return false;
        m_pointer.bar.reset();
        Q_EMIT picked(m_held.drag->what);
        return true;
    }
    if (modifiers & Qt::ShiftModifier && m_scene.report && regions().bars.contains(at)) {
        m_held.corner = at;
        return true;
    }
    if (!regions().strip.contains(at)) return false;
    dragGrabbedTo(at);
    return true;
}

void PlanCanvas::dropGrabbed()
{
    if (const auto drag = std::exchange(m_held.drag, std::nullopt)) {
        if (drag->offset != drag->moved.bytes.begin) Q_EMIT moveWanted(drag->what, drag->offset);
        return update();
    }
    if (!std::exchange(m_held.corner, std::nullopt)) return;
    const PlanArea drawn = std::exchange(m_pointer.drawn, {});
    if (drawn.valid()) Q_EMIT picked(Focus::on(drawn));
    update();
}

void PlanCanvas::letGo()
{
    m_held.corner.reset();
    m_held.drag.reset();
    m_pointer.drawn = {};
    update();
}

void PlanCanvas::dragBy(QPointF pixels)
{
    m_view.pan(pixels);
    viewChanged();
}

void PlanCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && regions().bars.contains(event->position())) frameOrFit();
}

void PlanCanvas::wheelEvent(QWheelEvent* event)
{
    if (!m_scene.report) return;
    QPointF units = event->angleDelta();
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const double turn = shift && units.y() == 0 ? units.x() : units.y(); // some platforms turn the axis with Shift
    if (!shift && std::abs(units.x()) > std::abs(units.y())) {
        m_view.pan({units.x() / 2, 0});
    } else {
        const double factor = std::exp(turn * ZoomPerUnit);
        if (!shift) m_view.zoomSteps(factor, event->position().x());
        if (!control) m_view.zoomBytes(factor, event->position().y());
    }
    viewChanged();
    event->accept();
}

void PlanCanvas::showHoles(bool show)
{
    m_scene.showHoles = show;
    repaintPicture();
}

void PlanCanvas::setAxis(PlanAxis axis)
{
    if (axis == m_axis) return;
    m_axis = axis;
    reportChanged();
    selectionChanged();
    refreshGhost();
}

void PlanCanvas::setStepAxis(const StepAxis& axis)
{
    if (axis == m_stepAxis) return;
    m_stepAxis = axis;
    if (due()) return;
    reportChanged();
    selectionChanged();
}

void PlanCanvas::setRun(std::shared_ptr<const RunResult> run)
{
    m_run = std::move(run);
    m_scene.measured = m_run ? measuredSteps(*m_run) : MeasuredSteps {};
    repaintPicture();
}

void PlanCanvas::focusOutEvent(QFocusEvent* event)
{
    hideGhost();
    Canvas::focusOutEvent(event);
}

void PlanCanvas::pointerLeft()
{
    if (m_pointer.bar) Q_EMIT hovered(QString());
    m_pointer.bar.reset();
}

} // namespace plimsoll::app
