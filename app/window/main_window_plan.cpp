// Edits of the plan that is shown. Each is judged at once, and undone as one.
#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/commands/constraint_actions.h"
#include "app/window/commands/devices.h"
#include "app/window/commands/edit_text.h"
#include "app/window/commands/finder.h"
#include "app/window/commands/move_dialog.h"
#include "app/window/commands/searches.h"
#include "app/window/main_window.h"
#include "app/window/views/canvas_tabs.h"
#include "core/advice/bisect_json.h"
#include "core/advice/lay_apart.h"
#include "core/advice/moved_plan.h"
#include "core/advice/reordered_plan.h"
#include "core/facts/about.h"
#include "core/facts/about/neighbours.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/verdict.h"
#include "core/plan/space_texts.h"

#include <QAction>
#include <QMenu>
#include <QStatusBar>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int EditLetters = 60;

Culprit::Side sideOf(const Movable& moved)
{
    return {moved.values, moved.scratchOf};
}

/// The node that is picked, or that makes the value; invalid: none that has a step.
NodeId runningNode(const Report& report, const Focus& focus)
{
    const NodeId node = focus.value.valid() ? (*report.program.graph)[focus.value].producer : focus.node;
    return node.valid() && !report.program.schedule.nodes[node.index()].empty() ? node : NodeId();
}

} // namespace

/// What was changed last, and what came of it.
void MainWindow::sayEdit()
{
    const PlanHistory& history = m_bench.session.history();
    const QString what = editText(history, history.position());
    const QString price = priceText(history, history.position());
    if (history.position() == 0 || price.isEmpty()) return statusBar()->clearMessage(); // it may be of an edit undone
    QString text = tr("%1. Peak %2").arg(labelText(what), price);
    const Report& report = *m_bench.session.report();
    if (report.planning.edited && verdictLevel(report) == VerdictLevel::Broken) // places of another order, often
        text += tr(". %1 looks for other places").arg(m_actions.howToReach("plan.anew"));
    else if (report.planning.edited && report.memory.lowerBoundBytes < report.memory.peakBytes)
        text += tr(". %1 may go down to %2")
                    .arg(m_actions.howToReach("plan.anew"), sizeText(report.memory.lowerBoundBytes));
    statusBar()->showMessage(text, SaidForMs);
}

void MainWindow::connectPlanEdits()
{
    connect(m_panes.pictures, &CanvasTabs::moveWanted, this, &MainWindow::moveInPlan);
    connect(m_menus.edits, &QMenu::aboutToShow, this, &MainWindow::listEdits);
    m_actions.on("edit.device", this, [this] { fitDevice(); });
    m_actions.on("plan.move", this, [this] {
        const auto report = m_bench.session.report(); // another may come while the dialog stands
        const Focus what = m_bench.selection.focus();
        const auto offset = askForOffset(this, *report, what, OffsetUse::Move);
        if (offset && report == m_bench.session.report()) moveInPlan(what, *offset);
    });
    for (const bool above : {true, false})
        m_actions.on(above ? "plan.up" : "plan.down", this, [this, above] {
            const PlannedProgram& program = m_bench.session.report()->program;
            const Focus& what = m_bench.selection.focus();
            if (const auto offset = nextFreeOffset(program, movableOf(program, what), above))
                return moveInPlan(what, *offset);
            statusBar()->showMessage(above ? tr("No free place above") : tr("No free place below"), SaidForMs);
        });
    m_actions.on("plan.own", this, [this] {
        const Focus& what = m_bench.selection.focus();
        editPlan(
            [&](PlanFile plan, const Report& report) {
                return laidApart(std::move(plan), report.program, sideOf(movableOf(report.program, what)));
            },
            tr("%1 on bytes of its own").arg(toQString(focusTitle(*m_bench.session.report(), what, numberForm()))));
    });
    connectConstraints(m_bench, m_actions, *m_finder, this);
    m_actions.on("plan.into", this, [this] { putIntoBytes(); });
    m_actions.on("plan.before", this, [this] { runBefore(); });
    m_actions.on("plan.anew", this, [this] { placeAnew(); });
    for (const bool earlier : {true, false})
        m_actions.on(earlier ? "plan.earlier" : "plan.later", this, [this, earlier] {
            const auto report = m_bench.session.report();
            const NodeId node = runningNode(*report, m_bench.selection.focus());
            const QString name = toQString((*report->program.graph)[node].name);
            editPlan([&](PlanFile plan, const Report& of) { return reordered(std::move(plan), of, node, earlier); },
                     earlier ? tr("%1 earlier").arg(name) : tr("%1 later").arg(name));
        });
}

void MainWindow::runBefore()
{
    const auto report = m_bench.session.report();
    const NodeId node = runningNode(*report, m_bench.selection.focus());
    m_finder->open(
        tr("Run before which node"), searchNodes(report, node, [this, report, node](NodeId other) {
            if (report != m_bench.session.report()) return;
            const Graph& graph = *report->program.graph;
            editPlan([&](PlanFile plan, const Report& of) { return movedBefore(std::move(plan), of, node, other); },
                     tr("%1 before %2").arg(toQString(graph[node].name), toQString(graph[other].name)));
        }));
}

/// Our own plan in the order, with the implementations and on the streams of the one that is shown.
void MainWindow::placeAnew()
{
    const auto report = m_bench.session.report();
    m_panes.worker->start(
        QStringLiteral("place-anew"), tr("Placing anew"),
        [plan = m_bench.session.engine().planBeside, graph = m_bench.session.graph(),
         request = m_bench.session.request()](const Context& context) { return plan(*graph, request, context); },
        [this, report](Result<Report> placed) {
            if (report != m_bench.session.report()) return; // another plan is shown by now
            if (!placed.ok()) return say(placed.error());
            editPlan([&](const PlanFile&, const Report&) { return planOf(placed.value()); }, tr("Placed anew"));
        });
}

void MainWindow::editPlan(const std::function<Result<PlanFile>(PlanFile plan, const Report& report)>& edit,
                          const QString& what)
{
    if (const Status edited = m_bench.session.editPlan(edit, what); !edited.ok()) say(edited.error());
}

void MainWindow::moveInPlan(const Focus& what, std::int64_t offset)
{
    editPlan(
        [&](PlanFile plan, const Report& report) {
            const Culprit::Side side = sideOf(movableOf(report.program, what));
            return movedTo(std::move(plan), namesOf(*report.program.graph, side), offset);
        },
        tr("%1 to %2").arg(toQString(focusTitle(*m_bench.session.report(), what, numberForm())), addressText(offset)));
}

void MainWindow::putIntoBytes()
{
    const auto report = m_bench.session.report();
    const Focus what = m_bench.selection.focus();
    const ArenaId arena = movableOf(report->program, what).arena;
    m_finder->open(tr("Into the bytes of which value"),
                   searchOthers(report, what.value, arena, [this, report, what](ValueId into) {
                       if (report == m_bench.session.report())
                           moveInPlan(what, report->program.map.values[into.index()].offset);
                   }));
}

/// The capacity of the arena that takes most, as one edit; capacities of other memories stay.
void MainWindow::fitDevice()
{
    const auto report = m_bench.session.report();
    if (!mainArena(*report).valid()) return statusBar()->showMessage(tr("Nothing is planned here"), SaidForMs);
    m_finder->open(
        tr("A device whose memory the plan is to fit"),
        searchDevices(report, [this, report](const DeviceProfile& device) {
            Capacities capacities = m_bench.session.choices().policies.capacity;
            capacities[report->program.map.arenas[mainArena(*report).index()].space] = device.bytes;
            const Status set =
                m_bench.session.setPolicy(QStringLiteral("capacity"), QString::fromStdString(capacityText(capacities)));
            if (!set.ok()) return say(set.error());
            statusBar()->showMessage(
                tr("%1, %2 of %3: %4").arg(device.name, device.memory, device.source, fitText(*report, device)),
                SaidForMs);
        }));
}

/// In the order in which they were made. The state that holds is ticked; a click goes to another. What was not made
/// from the one above says from which.
void MainWindow::listEdits()
{
    constexpr std::size_t Most = 30; // the latest
    const PlanHistory& history = m_bench.session.history();
    m_menus.edits->clear();
    const std::size_t all = history.edits().size();
    for (std::size_t i = all - std::min(all, Most); i < all; ++i) {
        QString text = labelText(editText(history, i), EditLetters);
        const std::size_t from = history.edits()[i].from;
        if (i > 0 && from + 1 != i)
            text = tr("%1, after %2").arg(text, labelText(editText(history, from), EditLetters));
        text.replace(u'&', QStringLiteral("&&"));
        QAction* action = m_menus.edits->addAction(text + u'\t' + priceText(history, i), &m_bench.session,
                                                   [this, i] { m_bench.session.goTo(i); });
        action->setCheckable(true);
        action->setChecked(i == history.position());
    }
}

void MainWindow::refreshPlanEdits()
{
    const auto report = m_bench.session.report();
    const Focus& focus = m_bench.selection.focus();
    const bool open = m_actions.at("go.anything")->isEnabled() && report;
    const bool lies = open && (focus.value.valid() || focus.storage.valid()) && areaOf(*report, focus).valid();
    m_actions.setEnabled({"plan.move", "plan.up", "plan.down", "plan.own", "plan.into"}, lies);
    m_menus.edits->setEnabled(open);
    refreshConstraints(m_bench, m_actions, open);
    m_actions.at("plan.anew")->setEnabled(open && !report->program.ownPlan);
    m_actions.setEnabled({"plan.earlier", "plan.later", "plan.before"}, open && runningNode(*report, focus).valid());
}

} // namespace plimsoll::app
