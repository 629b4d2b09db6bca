// What of the graph is looked at, and how.
#include "app/views/graph/graph_canvas.h"

#include <QKeyEvent>

namespace plimsoll::app {

void GraphCanvas::setLook(const GraphLook& look)
{
    if (look == m_look) return;
    const bool wasCut = m_look.cut();
    const bool otherScope = look.scope != m_look.scope;
    m_look = look;
    Expansion expansion = m_asked.expansion;
    if (m_look.cut() && !wasCut) m_asked.uncut = expansion;
    if (!m_look.cut() && wasCut) expansion = m_asked.uncut;
    if (m_look.cut() != wasCut || (wasCut && otherScope)) m_framing = m_look.cut() ? Framing::Opening : Framing::Picked;
    request(std::move(expansion), m_look.cut() && (otherScope || !wasCut));
    Q_EMIT lookChanged(m_look);
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
