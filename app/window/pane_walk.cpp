#include "app/window/pane_walk.h"

#include "app/window/look/ring.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// The visible region would leave out what opaque children cover, and a tab behind another one is only moved away.
bool isSeen(const QWidget& widget)
{
    const QWidget* const window = widget.window();
    return widget.isVisible() && window->rect().intersects(QRect(widget.mapTo(window, QPoint()), widget.size()));
}

bool takesKeys(const QWidget& widget)
{
    return (widget.focusPolicy() & Qt::TabFocus) && widget.isEnabled() && isSeen(widget);
}

/// Where the keyboard was in it the last time, or what it offers itself, or the first that Tab would come to.
QWidget* entryOf(QWidget* pane)
{
    if (QWidget* last = pane->focusWidget(); last && last != pane && takesKeys(*last)) return last;
    QWidget* content = pane;
    if (auto* dock = qobject_cast<QDockWidget*>(pane)) content = dock->widget();
    for (QWidget* inside : content->findChildren<QTabWidget*>())
        if (QWidget* page = static_cast<QTabWidget*>(inside)->currentWidget()) {
            if (QWidget* proxy = page->focusProxy()) page = proxy;
            if (takesKeys(*page)) return page;
        }
    if (QWidget* proxy = content->focusProxy(); proxy && takesKeys(*proxy)) return proxy;
    if (takesKeys(*content)) return content;
    for (QWidget* next = content->nextInFocusChain(); next && next != content; next = next->nextInFocusChain())
        if (content->isAncestorOf(next) && takesKeys(*next) && !next->focusProxy()) return next;
    return nullptr;
}

QPoint placeIn(const QMainWindow& window, const QWidget& pane)
{
    return window.mapFromGlobal(pane.mapToGlobal(QPoint()));
}

} // namespace

QList<QWidget*> panesOf(const QMainWindow& window)
{
    const auto sorted = [&](auto found, auto before) {
        QList<QWidget*> panes(found.begin(), found.end());
        panes.removeIf([](QWidget* pane) { return !isSeen(*pane) || !entryOf(pane); });
        std::ranges::stable_sort(panes, before, [&](const QWidget* pane) { return placeIn(window, *pane); });
        return panes;
    };
    const auto higher = [](QPoint a, QPoint b) { return a.y() < b.y(); };
    const auto further = [](QPoint a, QPoint b) { return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y()); };
    return sorted(window.findChildren<QToolBar*>(), higher) + sorted(QList {window.centralWidget()}, higher) +
           sorted(window.findChildren<QDockWidget*>(), further) +
           sorted(window.findChildren<QStatusBar*>(QString(), Qt::FindDirectChildrenOnly), higher);
}

PaneWalk::PaneWalk(QMainWindow& window) : QObject(&window), m_window(window), m_ring(new Ring(&window))
{
    m_ring->setObjectName(QStringLiteral("paneRing"));
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        if (now && m_framed && !m_framed->isAncestorOf(now)) frame(nullptr);
    });
}

void PaneWalk::go(int by)
{
    const QList<QWidget*> panes = panesOf(m_window);
    if (panes.isEmpty()) return;
    const QWidget* now = QApplication::focusWidget();
    const auto at = std::ranges::find_if(panes, [&](QWidget* pane) { return now && pane->isAncestorOf(now); });
    const qsizetype from = at != panes.end() ? at - panes.begin() : by > 0 ? -1 : panes.size();
    QWidget* pane = panes[(from + by + panes.size()) % panes.size()];
    QWidget* entry = entryOf(pane);
    pane->window()->setAttribute(Qt::WA_KeyboardFocusChange); // the style draws the focus
    if (pane->isWindow()) pane->activateWindow();
    entry->setFocus(Qt::ShortcutFocusReason);
    frame(pane);
}

void PaneWalk::frame(QWidget* pane)
{
    if (m_framed) m_framed->removeEventFilter(this);
    m_framed = pane && !pane->isWindow() ? pane : nullptr; // a window has a frame of its own
    if (m_framed) m_framed->installEventFilter(this);
    place();
}

void PaneWalk::place()
{
    m_ring->setVisible(m_framed && m_framed->isVisible());
    if (!m_ring->isVisible()) return;
    m_ring->setGeometry(QRect(placeIn(m_window, *m_framed), m_framed->size()));
    m_ring->raise();
}

bool PaneWalk::eventFilter(QObject* watched, QEvent* event)
{
    const auto type = event->type();
    if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Hide) place();
    return QObject::eventFilter(watched, event);
}

} // namespace plimsoll::app
