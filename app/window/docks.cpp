#include "app/window/docks.h"

#include "app/models/window_text.h"
#include "app/window/settings.h"
#include "app/window/view_table.h"

#include <QDockWidget>
#include <QMainWindow>

#include <utility>

namespace plimsoll::app {
namespace {

/// Below this width the panes at the sides stand in one column, as tabs.
constexpr int RoomForTwoColumns = 1200;

/// Narrower than its contents would like: they elide or scroll. Below the pictures a line of controls, a header and two
/// rows are seen.
QSize leastSize(const ViewInfo& view, const QWidget& content)
{
    constexpr int Lines = 9;
    const int rows = Lines * content.fontMetrics().lineSpacing();
    return {200, view.place == ViewPlace::Below ? rows : 90};
}

} // namespace

Docks::Docks(QMainWindow& window) : m_window(window)
{
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::GroupedDragging);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setDocumentMode(true);
}

void Docks::add(const ViewInfo& view, QWidget* content)
{
    const QString id = QString::fromLatin1(view.id);
    const QString title = translated(view.title);
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(id);
    dock->setAccessibleName(title);
    content->setMinimumSize(leastSize(view, *content));
    dock->setWidget(content);
    QObject::connect(
        dock, &QDockWidget::topLevelChanged, &m_window, [this] { showTitles(); }, Qt::QueuedConnection);
    QObject::connect(
        dock, &QDockWidget::visibilityChanged, &m_window, [this] { showTitles(); }, Qt::QueuedConnection);
    m_docks.insert(id, dock);
    m_order << id;
}

/// A tab says the name already: a title is needed only of a dock that floats or stands alone.
void Docks::showTitles()
{
    for (QDockWidget* dock : m_docks) {
        const bool tab = !dock->isFloating() && !m_window.tabifiedDockWidgets(dock).isEmpty();
        QWidget* bare = dock->titleBarWidget();
        if (tab == (bare != nullptr)) continue;
        dock->setTitleBarWidget(tab ? new QWidget(dock) : nullptr);
        delete bare;
    }
}

/// The first takes the area, the others come behind it one by one: side by side, if only for a moment, all of them
/// would make the window wider.
void Docks::place(const QStringList& ids, Qt::DockWidgetArea area)
{
    for (const QString& id : ids) {
        m_docks.value(id)->setFloating(false); // of a dock that is removed it would float on
        m_window.removeDockWidget(m_docks.value(id));
    }
    for (qsizetype i = 0; i < ids.size(); ++i) {
        QDockWidget* dock = m_docks.value(ids[i]);
        if (i == 0)
            m_window.addDockWidget(area, dock);
        else
            m_window.tabifyDockWidget(m_docks.value(ids[i - 1]), dock);
        dock->show();
    }
}

void Docks::apply(Preset preset)
{
    setAway(false);
    const bool wide = m_window.width() >= RoomForTwoColumns;
    const QStringList left = viewIds(ViewPlace::Left);
    const QStringList right = viewIds(ViewPlace::Right);
    const QStringList below = viewIds(ViewPlace::Below);
    if (wide) {
        place(left, Qt::LeftDockWidgetArea);
        place(right, Qt::RightDockWidgetArea);
    } else {
        place(left + right, Qt::RightDockWidgetArea);
    }
    place(below, Qt::BottomDockWidgetArea);
    QList<QDockWidget*> columns = {m_docks.value(right.first())};
    QList<int> widths = {wide ? 320 : 300};
    if (wide) {
        columns << m_docks.value(left.first());
        widths << 270;
    }
    m_window.resizeDocks(columns, widths, Qt::Horizontal);
    const int height = preset == Preset::Tables ? m_window.height() * 2 / 3 : m_window.height() * 3 / 10;
    m_window.resizeDocks({m_docks.value(below.first())}, {height}, Qt::Vertical);
    for (const QString& id : below) {
        if (viewInfo(id).closed) m_docks.value(id)->hide();
    }
    showTitles();
    raise(below.first());
    raise(wide ? right.first() : left.first());
    if (preset != Preset::Picture) return;
    for (const QString& id : below + left)
        m_docks.value(id)->hide();
}

void Docks::raise(const QString& id)
{
    QDockWidget* dock = m_docks.value(id);
    if (!dock) return;
    if (m_asleep) {
        m_wanted = id;
        return;
    }
    dock->show();
    dock->raise();
}

void Docks::setAway(bool away)
{
    if (away == m_away) return;
    if (away) {
        m_kept = save();
        for (QDockWidget* dock : m_docks)
            dock->hide();
    } else if (m_asleep) {
        m_stale = true;
    } else {
        m_window.restoreState(m_kept, Settings::LayoutVersion);
    }
    m_away = away;
}

void Docks::setAsleep(bool asleep)
{
    if (asleep == m_asleep) return;
    if (asleep) {
        m_kept = save();
        m_stale = hideFloating();
    }
    m_asleep = asleep;
    if (asleep) return;
    if (m_stale && !m_away) m_window.restoreState(m_kept, Settings::LayoutVersion);
    m_stale = false;
    raise(std::exchange(m_wanted, {}));
}

/// Whether any did: a pane, or several as tabs.
bool Docks::hideFloating()
{
    bool any = false;
    for (QWidget* each : m_window.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (each->windowType() != Qt::Tool || !each->isVisible()) continue;
        each->hide();
        any = true;
    }
    return any;
}

QByteArray Docks::save() const
{
    return m_away || m_asleep ? m_kept : m_window.saveState(Settings::LayoutVersion);
}

bool Docks::restore(const QByteArray& state)
{
    if (state.isEmpty()) return false;
    setAway(false);
    const bool restored = m_window.restoreState(state, Settings::LayoutVersion);
    showTitles();
    if (restored && m_asleep) {
        m_kept = state;
        m_stale = hideFloating() || m_stale;
    }
    return restored;
}

} // namespace plimsoll::app
