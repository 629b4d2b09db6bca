// What of the graph is looked at, and how.
#include "app/models/window_text.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/graph/graph_filter.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// Of the field for a filter, in pixels.
constexpr int FilterWidth = 300;
constexpr int FilterMargin = 8;

} // namespace

void GraphCanvas::setLook(const GraphLook& look)
{
    if (look == m_look) return;
    const bool wasCut = m_look.cut();
    const bool otherScope = look.scope != m_look.scope || look.filter != m_look.filter;
    if (look.flow != m_look.flow) m_framing = Framing::Opening;
    m_look = look;
    Expansion expansion = m_asked.expansion;
    if (m_look.cut() && !wasCut) m_asked.uncut = expansion;
    if (!m_look.cut() && wasCut) expansion = m_asked.uncut;
    if (m_look.cut() != wasCut || (wasCut && otherScope)) m_framing = m_look.cut() ? Framing::Opening : Framing::Picked;
    request(std::move(expansion), m_look.cut() && (otherScope || !wasCut));
    showFilter();
    Q_EMIT lookChanged(m_look);
}

void GraphCanvas::addFilterField()
{
    auto* field = new QLineEdit(this);
    field->setObjectName(QStringLiteral("graphFilter"));
    field->setAccessibleName(tr("Filter of the graph"));
    field->setPlaceholderText(tr("Filter: words, bytes>1MiB, not, or"));
    field->setToolTip(tr("Nodes that have this, by the columns of the tables of nodes and values; Escape ends it"));
    field->setClearButtonEnabled(true);
    field->hide();
    field->installEventFilter(this);
    connect(field, &QLineEdit::textEdited, this, [this](const QString& text) {
        GraphLook look = m_look;
        look.filter = text.trimmed().toStdString();
        setLook(look);
        if (const Message complaint = filterComplaint(look.filter); !complaint.empty())
            Q_EMIT noticed(windowText(complaint));
    });
}

/// In the corner, while it has the keyboard or something to say.
void GraphCanvas::showFilter()
{
    auto* field = findChild<QLineEdit*>();
    const QString text = toQString(m_look.filter);
    if (field->text().trimmed() != text) field->setText(text);
    const int width = std::min<int>(FilterWidth, static_cast<int>(m_view.area.width()) / 2);
    const QPoint corner = m_view.area.topRight().toPoint() + QPoint(-width - FilterMargin, FilterMargin);
    field->setGeometry(QRect(corner, QSize(width, field->sizeHint().height())));
    if (text.isEmpty() && !field->hasFocus()) field->hide();
}

void GraphCanvas::find()
{
    auto* field = findChild<QLineEdit*>();
    showFilter();
    field->show();
    field->setFocus(Qt::ShortcutFocusReason);
    field->selectAll();
}

/// Of the filter: Enter goes back to the picture, Escape ends the filter, and an empty one is gone with the keyboard.
bool GraphCanvas::eventFilter(QObject* watched, QEvent* event)
{
    auto* field = qobject_cast<QLineEdit*>(watched);
    if (!field) return Canvas::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) QTimer::singleShot(0, this, &GraphCanvas::showFilter);
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool ends = key == Qt::Key_Escape;
    if (!ends && key != Qt::Key_Return && key != Qt::Key_Enter) return false;
    GraphLook look = m_look;
    if (ends) look.filter.clear();
    setFocus(Qt::ShortcutFocusReason);
    setLook(look);
    showFilter();
    return true;
}

/// What stands for what is picked; invalid where nothing of the graph is.
GraphPlace GraphCanvas::pickedPlace() const
{
    if (!m_drawing || m_drawing->made.report != report()) return {};
    if (const NodeId node = m_drawing->nodeFor(selection()); node.valid()) return {node, {}};
    return {{}, selection().value};
}

void GraphCanvas::scopeTo(GraphScope scope)
{
    scope.at = pickedPlace();
    if (!scope.at.valid()) {
        Q_EMIT noticed(tr("Select a node or a value first."));
        return;
    }
    GraphLook look = m_look;
    look.scope = scope;
    setLook(look);
}

void GraphCanvas::lookAround(int hops)
{
    scopeTo({.kind = ScopeKind::Around, .hops = hops, .at = {}});
}

void GraphCanvas::lookAtSources()
{
    scopeTo({.kind = ScopeKind::Sources, .at = {}});
}

void GraphCanvas::lookAtUses()
{
    scopeTo({.kind = ScopeKind::Uses, .at = {}});
}

void GraphCanvas::lookAtAll()
{
    GraphLook look = m_look;
    look.scope = {};
    look.filter.clear();
    setLook(look);
}

void GraphCanvas::startPath()
{
    scopeTo({.kind = ScopeKind::Path, .at = {}});
    if (m_look.scope.kind == ScopeKind::Path) Q_EMIT noticed(tr("Click the other end of the path, or press Shift+M."));
}

void GraphCanvas::endPath()
{
    GraphLook look = m_look;
    look.scope.other = pickedPlace();
    if (look.scope.kind != ScopeKind::Path || !look.scope.at.valid())
        Q_EMIT noticed(tr("Say first where the path begins: M."));
    else if (look.scope.other.valid())
        setLook(look);
}

bool GraphCanvas::lookByKey(const QKeyEvent& event)
{
    const bool shift = event.modifiers() & Qt::ShiftModifier;
    const int key = event.key();
    GraphLook look = m_look;
    if (key >= Qt::Key_1 && key <= Qt::Key_9 && !shift)
        lookAround(key - Qt::Key_0);
    else if (key == Qt::Key_0 && !shift)
        lookAtAll();
    else if (key == Qt::Key_U)
        shift ? lookAtUses() : lookAtSources();
    else if (key == Qt::Key_M)
        shift ? endPath() : startPath();
    else if (key == Qt::Key_X) {
        look.hideRest = !look.hideRest;
        setLook(look);
    } else if (key == Qt::Key_V && !shift) {
        look.figures = !look.figures;
        setLook(look);
    } else
        return false;
    return true;
}

} // namespace plimsoll::app
