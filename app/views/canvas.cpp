#include "app/views/canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "core/facts/about/byte_uses.h"
#include "core/facts/words/area_text.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QContextMenuEvent>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// A press that moves less is a click, in pixels.
constexpr double ClickSlack = 4;

QString asSentence(const QString& text)
{
    return text.endsWith(u'.') ? text : text + u'.';
}

/// A canvas as screen readers see it: one item, whose value is what is picked; its description begins with that.
class AccessibleCanvas : public QAccessibleWidget
{
public:
    explicit AccessibleCanvas(Canvas* canvas) : QAccessibleWidget(canvas, QAccessible::Graphic), m_canvas(canvas) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Value) return m_canvas->selectionText();
        const QString text = QAccessibleWidget::text(kind);
        const bool any = m_canvas->selection().picked() || m_canvas->selection().step >= 0;
        return kind == QAccessible::Description && any ? asSentence(m_canvas->selectionText()) + u' ' + text
                                                       : text; // AT-SPI has no value
    }

private:
    Canvas* m_canvas;
};

QString describeStorage(const Report& report, StorageId id)
{
    const Storage& storage = report.program.storages[id.index()];
    const Interval steps = storage.live.hull();
    if (storage.scratchOf.valid()) {
        return Canvas::tr("scratchpad of %1, storage %2 of %3, steps %4")
            .arg(toQString((*report.program.graph)[storage.scratchOf].name), QString::number(id.number()),
                 sizeText(storage.bytes), stepsText(steps));
    }
    return Canvas::tr("storage %1 of %2, values: %3, steps %4")
        .arg(id.number())
        .arg(sizeText(storage.bytes), countText(std::ssize(storage.values)), stepsText(steps));
}

QString describeValue(const Report& report, ValueId id)
{
    const PlannedValue& value = report.program.values[id.index()];
    const QString name = toQString((*report.program.graph)[id].name);
    const NodeId inside = report.program.graph->decided[id].fusedInto;
    if (inside.valid())
        return Canvas::tr("%1, never stored: %2 hands it on inside")
            .arg(name, toQString((*report.program.graph)[inside].name));
    if (!value.storage.valid()) return Canvas::tr("%1, not planned: its size is known only when it runs").arg(name);
    const QString text = isBounded(value) ? Canvas::tr("%1 of at most %2, in %3") : Canvas::tr("%1 of %2, in %3");
    QStringList said {
        text.arg(name, sizeText(std::max<std::int64_t>(mostBytes(value), 0)), describeStorage(report, value.storage))};
    if (const PlanArea area = areaOf(report, Focus::on(id)); area.valid())
        said << Canvas::tr("it has bytes %1").arg(toQString(areaText(report, area, numberForm())));
    const auto worst = std::ranges::find_if(report.verdict.findings, [&](const Finding& finding) {
        return std::ranges::find(finding.values, id) != finding.values.end();
    });
    if (worst != report.verdict.findings.end()) said << windowText(worst->message);
    return said.join(QStringLiteral("; "));
}

/// "step 41 of 107: pool2 runs, 8.45 MiB alive"
QString describeStep(const Report& report, std::int64_t step)
{
    const std::vector<Step>& steps = report.program.schedule.steps;
    const auto at = static_cast<std::size_t>(step);
    const QString number = Canvas::tr("step %1 of %2").arg(countText(step), countText(std::ssize(steps) - 1));
    if (at >= steps.size() || at >= report.memory.liveBytes.size()) return number;
    return Canvas::tr("%1: %2 runs, %3 alive")
        .arg(number, toQString((*report.program.graph)[steps[at].node].name), sizeText(report.memory.liveBytes[at]));
}

} // namespace

std::shared_ptr<const StepPlaces> StepAxis::placesOf(const Report& report) const
{
    if (timed) return timedSteps(*timed);
    return compact ? compactSteps(report) : nullptr;
}

std::optional<KeyMove> keyMove(const QKeyEvent& event)
{
    KeyMove move;
    move.secondAxis = event.modifiers() & Qt::ShiftModifier;
    switch (event.key()) {
    case Qt::Key_W:
        move.zoom = KeyZoom;
        return move;
    case Qt::Key_S:
        move.zoom = 1 / KeyZoom;
        return move;
    case Qt::Key_A:
        move.pan = move.secondAxis ? -KeyPanPixels : KeyPanPixels;
        return move;
    case Qt::Key_D:
        move.pan = move.secondAxis ? KeyPanPixels : -KeyPanPixels;
        return move;
    default:
        return std::nullopt;
    }
}

void PressAndDrag::press(QPointF at)
{
    m_last = at;
    m_pressed = true;
    m_dragged = false;
}

std::optional<QPointF> PressAndDrag::dragTo(QPointF at)
{
    const QPointF by = at - m_last;
    if (!m_pressed || (!m_dragged && by.manhattanLength() < ClickSlack)) return std::nullopt;
    m_dragged = true;
    m_last = at;
    return by;
}

bool PressAndDrag::release()
{
    const bool click = m_pressed && !m_dragged;
    m_pressed = false;
    return click;
}

Canvas::Canvas(QWidget* parent)
    : QWidget(parent), m_colours(std::make_shared<const StorageColours>()), m_style(makeStyle(Theme::Light, font())),
      m_emptyText(tr("Open a graph to see it here."))
{
    installCanvasAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void Canvas::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const StorageColours> colours)
{
    const auto stepsOf = [](const auto& of) { return of ? of->program.schedule.length() : 0; };
    if (stepsOf(report) != stepsOf(m_report)) m_steps.reset();
    m_report = std::move(report);
    m_colours = std::move(colours);
    if (!m_colours) m_colours = std::make_shared<const StorageColours>();
    m_jobs.cancel(JobTag::Picture);
    m_due = m_report && isLarge(*m_report) && !isVisible();
    const auto later = m_due ? std::exchange(m_report, nullptr) : nullptr;
    reportChanged();
    if (later) m_report = later;
    if (!m_due) selectionChanged();
    repaintPicture();
}

void Canvas::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_due, false)) setReport(m_report, m_colours);
}

void Canvas::setSelection(const Focus& focus)
{
    if (focus == m_focus) return;
    const bool same = focus.samePick(m_focus);
    m_focus = focus;
    if (m_due) return;
    selectionChanged();
    if (!same) revealSelection();
    repaintPicture();
    QAccessibleEvent described(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&described);
}

void Canvas::setTheme(Theme theme)
{
    m_style = makeStyle(theme, font());
    repaintPicture();
}

void Canvas::setEmptyText(const QString& text)
{
    m_emptyText = text;
    repaintPicture();
}

QSize Canvas::sizeHint() const
{
    return {720, 420};
}

QSize Canvas::minimumSizeHint() const
{
    return {160, 120};
}

QString Canvas::selectionText() const
{
    if (!m_report || !m_report->program.graph) return m_emptyText;
    if (m_focus.step < 0) return m_focus.picked() ? pickedText() : tr("nothing is selected");
    const QString step = describeStep(*m_report, m_focus.step);
    return m_focus.picked() ? asSentence(pickedText()) + u' ' + step : step;
}

QString Canvas::pickedText() const
{
    if (m_focus.value.valid() && m_focus.value.index() < m_report->program.values.size()) {
        return describeValue(*m_report, m_focus.value);
    }
    if (m_focus.storage.valid() && m_focus.storage.index() < m_report->program.storages.size()) {
        return describeStorage(*m_report, m_focus.storage);
    }
    if (m_focus.node.valid() && m_focus.node.index() < m_report->program.graph->nodes.size()) {
        const Node& node = (*m_report->program.graph)[m_focus.node];
        const Interval steps = m_report->program.schedule.nodes[m_focus.node.index()];
        const QString when = steps.empty() ? tr("at no step") : tr("step %1").arg(countText(steps.begin));
        return tr("%1, %2, %3").arg(toQString(node.name), toQString(node.op), when);
    }
    const auto finding = static_cast<std::size_t>(m_focus.finding);
    if (m_focus.finding >= 0 && finding < m_report->verdict.findings.size()) {
        return windowText(m_report->verdict.findings[finding].message);
    }
    return tr("bytes %1").arg(toQString(areaText(*m_report, m_focus.area, numberForm())));
}

std::vector<ValueId> Canvas::pickedValues() const
{
    if (!m_report || !m_report->program.graph) return {};
    std::vector<ValueId> values;
    if (m_focus.value.valid()) values.push_back(m_focus.value);
    if (m_focus.storage.valid() && m_focus.storage.index() < m_report->program.storages.size()) {
        const auto& tenants = m_report->program.storages[m_focus.storage.index()].values;
        values.insert(values.end(), tenants.begin(), tenants.end());
    }
    if (m_focus.node.valid() && m_focus.node.index() < m_report->program.graph->nodes.size()) {
        const Node& node = (*m_report->program.graph)[m_focus.node];
        values.insert(values.end(), node.inputs.begin(), node.inputs.end());
        values.insert(values.end(), node.outputs.begin(), node.outputs.end());
    }
    const auto finding = static_cast<std::size_t>(m_focus.finding);
    if (m_focus.finding >= 0 && finding < m_report->verdict.findings.size()) {
        const auto& offenders = m_report->verdict.findings[finding].values;
        values.insert(values.end(), offenders.begin(), offenders.end());
    }
    if (!m_focus.onThing() && m_focus.area.valid()) values = valuesIn(*m_report, m_focus.area);
    std::erase_if(values, [&](ValueId id) { return !id.valid() || id.index() >= m_report->program.values.size(); });
    return values;
}

void Canvas::announceSteps(const AxisWindow& steps)
{
    if (m_steps == steps) return;
    m_steps = steps;
    Q_EMIT stepsShown(steps);
}

bool Canvas::takeSteps(const AxisWindow& own, const AxisWindow& steps)
{
    m_steps = steps;
    return own != steps;
}

void Canvas::repaintPicture()
{
    m_painted.stale = true;
    update();
}

void Canvas::paintEvent(QPaintEvent*)
{
    const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (m_painted.image.size() != pixels) {
        m_painted.image = QImage(pixels, QImage::Format_RGB32);
        m_painted.image.setDevicePixelRatio(devicePixelRatioF());
        m_painted.stale = true;
    }
    if (m_painted.stale) {
        m_painted.stale = false;
        QPainter painter(&m_painted.image);
        paint(painter, rect(), m_style);
    }
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_painted.image);
    paintPointer(painter);
    if (hasFocus() && m_ringed) paintFocusRing(painter, rect(), m_style);
}

void Canvas::focusInEvent(QFocusEvent* event)
{
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        m_ringed = event->reason() != Qt::OtherFocusReason;
    QWidget::focusInEvent(event);
}

bool Canvas::event(QEvent* event)
{
    // Escape ends a drag before it clears the selection.
    const bool drags = event->type() == QEvent::ShortcutOverride && m_grabbed;
    if (drags && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) event->accept();
    return QWidget::event(event);
}

void Canvas::frameOrFit()
{
    if (!frameSelection()) fit();
}

void Canvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && std::exchange(m_grabbed, false)) return letGo();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool shown = m_report && m_report->program.graph;
    if (shown && (event->modifiers() & ~Qt::KeypadModifier) == Qt::AltModifier && takeAltKey(*event)) return;
    if (!plain || !shown) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (takeKey(*event)) return;
    switch (event->key()) {
    case Qt::Key_F:
        frameOrFit();
        break;
    case Qt::Key_Home:
        fit();
        break;
    case Qt::Key_BracketLeft:
        Q_EMIT stepAsked(-1);
        break;
    case Qt::Key_BracketRight:
        Q_EMIT stepAsked(1);
        break;
    case Qt::Key_Escape:
        Q_EMIT picked(Focus());
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void Canvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_report) return;
    m_grabbed = grabAt(event->position(), event->modifiers());
    if (!m_grabbed) m_press.press(event->position());
}

void Canvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_grabbed) {
        dragGrabbedTo(at);
    } else if (!m_press.pressed()) {
        hoverAt(at);
    } else if (const auto by = m_press.dragTo(at)) {
        setCursor(Qt::ClosedHandCursor);
        dragBy(*by);
    }
}

void Canvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    unsetCursor();
    if (std::exchange(m_grabbed, false)) dropGrabbed();
    if (m_press.release()) clickAt(event->position());
}

void Canvas::leaveEvent(QEvent*)
{
    pointerLeft();
    update();
}

void Canvas::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (m_report && !byKey) clickAt(event->pos());
    pointerLeft(); // what is said of what lies under it would stand beside the menu
    update();
    Q_EMIT menuRequested(byKey ? mapToGlobal(rect().center()) : event->globalPos());
}

void Canvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) setTheme(m_style.theme);
    QWidget::changeEvent(event);
}

void installCanvasAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
            auto* canvas = qobject_cast<Canvas*>(object);
            return canvas ? new AccessibleCanvas(canvas) : nullptr;
        });
        return true;
    }();
    Q_UNUSED(installed)
}

} // namespace plimsoll::app
