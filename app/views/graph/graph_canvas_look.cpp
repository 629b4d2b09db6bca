// What of the graph is looked at, and how.
#include "app/models/window_text.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/graph/graph_filter.h"

#include <QApplication>
#include <QHBoxLayout>
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
    viewChanged();
    Q_EMIT lookChanged(m_look);
}

void GraphCanvas::setGroupsByHand(std::vector<NamedNodes> groups)
{
    if (groups == m_asked.byHand) return;
    m_asked.byHand = std::move(groups);
    pickGroup({});
    if (m_asked.graph) request(m_asked.expansion, m_look.cut(), true);
}

std::vector<NodeId> GraphCanvas::nodesToGroup() const
{
    if (!m_drawing) return {};
    if (m_cursor.group.valid()) return m_drawing->nodesIn(m_cursor.group);
    return m_look.whole() ? std::vector<NodeId>() : m_drawing->nodesLookedAt();
}

std::string GraphCanvas::pickedByHand() const
{
    if (!m_drawing || !m_cursor.group.valid()) return {};
    const Group& group = (*m_drawing->made.tree)[m_cursor.group];
    return group.kind == GroupKind::Hand ? group.name : std::string();
}

void GraphCanvas::addFilterField()
{
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("graphFilterBar"));
    auto* field = new QLineEdit(bar);
    field->setObjectName(QStringLiteral("graphFilter"));
    field->setAccessibleName(tr("Filter of the graph"));
    field->setPlaceholderText(tr("Filter: words, bytes>1MiB, not, or"));
    field->setToolTip(tr("Nodes that have this, by the columns of the tables of nodes and values; Escape ends it"));
    field->setClearButtonEnabled(true);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(FilterMargin / 2);
    row->addWidget(field);
    bar->hide();
    field->installEventFilter(this);
    connect(field, &QLineEdit::textChanged, this, [this](const QString& text) {
        GraphLook look = m_look;
        look.filter = text.trimmed().toStdString();
        if (look == m_look) return;
        setLook(look);
        if (const Message complaint = filterComplaint(look.filter); !complaint.empty())
            Q_EMIT noticed(windowText(complaint));
    });
}

QLineEdit* GraphCanvas::filterField() const
{
    return findChild<QLineEdit*>();
}

void GraphCanvas::addBesideFilter(QWidget* widget)
{
    QWidget* bar = filterField()->parentWidget();
    bar->layout()->addWidget(widget);
    widget->installEventFilter(this);
    setTabOrder(filterField(), widget);
}

/// In the corner, while it has the keyboard or something to say.
void GraphCanvas::showFilter()
{
    QLineEdit* field = filterField();
    QWidget* bar = field->parentWidget();
    const QString text = toQString(m_look.filter);
    if (field->text().trimmed() != text) field->setText(text);
    const QSize size(std::min(FilterWidth, width() / 2), bar->sizeHint().height());
    bar->setGeometry(QRect(QPoint(width() - size.width() - FilterMargin, FilterMargin), size));
    const QWidget* focus = QApplication::focusWidget();
    if (text.isEmpty() && !(focus && bar->isAncestorOf(focus)) && !QApplication::activePopupWidget()) bar->hide();
}

/// The picture stands beneath what is said of it, so that nothing is covered.
QRectF GraphCanvas::room(const QRectF& area) const
{
    const QWidget* bar = filterField()->parentWidget();
    const bool said = !bar->isHidden() || !m_look.whole() || pathWaits();
    return said ? area.adjusted(0, bar->sizeHint().height() + 2 * FilterMargin, 0, 0) : area;
}

void GraphCanvas::find()
{
    QLineEdit* field = filterField();
    showFilter();
    field->parentWidget()->show();
    field->setFocus(Qt::ShortcutFocusReason);
    field->selectAll();
    viewChanged();
}

/// Of the filter: Enter goes back to the picture, Escape ends the filter, and an empty one is gone with the keyboard.
bool GraphCanvas::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut) QTimer::singleShot(0, this, &GraphCanvas::viewChanged);
    if (!qobject_cast<QLineEdit*>(watched)) return Canvas::eventFilter(watched, event);
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool ends = key == Qt::Key_Escape;
    if (!ends && key != Qt::Key_Return && key != Qt::Key_Enter) return false;
    GraphLook look = m_look;
    if (ends) look.filter.clear();
    setFocus(Qt::ShortcutFocusReason);
    setLook(look);
    viewChanged();
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
    viewChanged();
}

/// One end of a path is marked, and the other one is not.
bool GraphCanvas::pathWaits() const
{
    return m_look.scope.kind == ScopeKind::Path && m_look.scope.at.valid() && m_look.scope.whole();
}

void GraphCanvas::endPath()
{
    GraphLook look = m_look;
    look.scope.other = pickedPlace();
    if (look.scope.kind != ScopeKind::Path || !look.scope.at.valid())
        Q_EMIT noticed(tr("Say first where the path begins: M."));
    else if (look.scope.other.valid())
        setLook(look);
    else
        Q_EMIT noticed(tr("Select a node or a value first."));
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
        shift || (pathWaits() && pickedPlace() != m_look.scope.at) ? endPath() : startPath();
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
