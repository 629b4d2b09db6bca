// Stops at steps, and the step cursor that moves by itself.
#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/plan/plan_stops.h"
#include "app/window/commands/bookmark_actions.h"
#include "app/window/commands/player.h"
#include "app/window/main_window.h"
#include "app/window/views/canvas_tabs.h"
#include "core/facts/about.h"
#include "core/facts/about/stop_steps.h"

#include <QAction>
#include <QMenu>
#include <QStatusBar>

#include <algorithm>

namespace plimsoll::app {

void MainWindow::connectStopActions()
{
    auto* player = new Player(m_bench.session, m_bench.selection, this);
    QAction* play = m_actions.at("go.play");
    connect(play, &QAction::triggered, player, &Player::play);
    const auto tellWriters = [this] { // what else is written at the stop that the cursor has come to
        const auto report = m_bench.session.report();
        const std::int64_t step = m_bench.selection.step();
        for (const Focus& stop : report ? m_bench.selection.stops() : std::vector<Focus>()) {
            const Message over = writtenOver(*report, stop, step);
            if (!over.empty())
                statusBar()->showMessage(tr("Step %1: %2").arg(countText(step), windowText(over)), SaidForMs);
        }
    };
    connect(player, &Player::ended, play, [play, tellWriters] {
        play->setChecked(false);
        tellWriters();
    });
    const auto goToStop = [this, player, tellWriters](bool forwards) {
        const auto step = player->stopFrom(m_bench.selection.step(), forwards);
        if (step) {
            m_bench.selection.setStep(*step);
            return tellWriters();
        }
        statusBar()->showMessage(m_bench.selection.stops().empty() ? tr("There are no stops: set one at the selection.")
                                 : forwards                        ? tr("No stop comes behind this step.")
                                                                   : tr("No stop comes before this step."),
                                 SaidForMs);
    };
    m_actions.on("go.next-stop", this, [goToStop] { goToStop(true); });
    m_actions.on("go.previous-stop", this, [goToStop] { goToStop(false); });
    m_actions.on("go.stop-here", this, [this] {
        const auto report = m_bench.session.report();
        const Focus focus = m_bench.selection.focus();
        if (!report || (!focus.picked() && focus.step < 0)) return;
        const bool set = m_bench.selection.toggleStop(focus);
        const QString title = toQString(focusTitle(*report, focus, numberForm()));
        const QString steps = countedText(std::ssize(stopSteps(*report, focus)), tr("1 step"), tr("%1 steps"));
        statusBar()->showMessage(set ? tr("Stop at %1: %2").arg(title, steps) : tr("No stop at %1").arg(title),
                                 SaidForMs);
    });
    m_actions.on("go.no-stops", this, [this] { m_bench.selection.clearStops(); });
    connect(&m_bench.selection, &Selection::stopsChanged, this, &MainWindow::markStops);
    connect(m_menus.stops, &QMenu::aboutToShow, this, &MainWindow::listStops);
    connectBookmarks(m_bench, m_actions, *m_panes.inspector, *m_menus.bookmarks, this);
}

/// Behind the entries that the menu has.
void MainWindow::listStops()
{
    for (QAction* old : m_menus.stops->findChildren<QAction*>(QStringLiteral("stop")))
        delete old;
    const auto report = m_bench.session.report();
    for (const Focus& stop : report ? m_bench.selection.stops() : std::vector<Focus>()) {
        const std::vector<std::int64_t> steps = stopSteps(*report, stop);
        const QString title = toQString(focusTitle(*report, stop, numberForm()));
        auto* entry = new QAction(QString(title).replace(u'&', QStringLiteral("&&")), m_menus.stops);
        entry->setObjectName(QStringLiteral("stop"));
        connect(entry, &QAction::triggered, this, [this, stop, steps] {
            Focus focus = stop;
            if (!steps.empty()) focus.step = steps.front();
            m_bench.selection.pick(focus);
        });
        m_menus.stops->addAction(entry);
    }
}

/// Stops of a new report come once it is the session's, before it is shown.
void MainWindow::markStops()
{
    std::vector<StopMark> marks;
    const auto report = m_bench.session.report();
    for (const Focus& stop : report ? m_bench.selection.stops() : std::vector<Focus>()) {
        const std::vector<std::int64_t> steps = stopSteps(*report, stop);
        if (!steps.empty()) marks.push_back({steps.front(), toQString(focusTitle(*report, stop, numberForm()))});
    }
    m_panes.pictures->setStops(std::move(marks));
}

} // namespace plimsoll::app
