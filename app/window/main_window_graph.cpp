// What of the graph is looked at, and how: actions of the main window.
#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/live_range_canvas.h"
#include "app/window/commands/group_actions.h"
#include "app/window/main_window.h"
#include "app/window/views/canvas_tabs.h"

#include <QAction>

namespace plimsoll::app {

void MainWindow::connectGraphActions()
{
    CanvasTabs* pictures = m_panes.pictures;
    const auto on = [&](const char* id, const std::function<void(GraphCanvas&)>& change) {
        m_actions.on(id, this, [pictures, change] { pictures->withGraph(change); });
    };
    on("view.tidy", &GraphCanvas::tidy);
    on("view.expand-all", &GraphCanvas::expandAll);
    on("view.collapse-all", &GraphCanvas::collapseAll);
    on("graph.whole", &GraphCanvas::lookAtAll);
    on("graph.hops-1", [](GraphCanvas& graph) { graph.lookAround(1); });
    on("graph.hops-2", [](GraphCanvas& graph) { graph.lookAround(2); });
    on("graph.hops-3", [](GraphCanvas& graph) { graph.lookAround(3); });
    on("graph.sources", &GraphCanvas::lookAtSources);
    on("graph.uses", &GraphCanvas::lookAtUses);
    on("graph.path-from", &GraphCanvas::startPath);
    on("graph.path-to", &GraphCanvas::endPath);
    const auto toggle = [&](const char* id, bool GraphLook::*choice) {
        QAction* action = m_actions.at(id);
        on(id, [action, choice](GraphCanvas& graph) {
            GraphLook look = graph.look();
            look.*choice = action->isChecked();
            graph.setLook(look);
        });
        connect(pictures, &CanvasTabs::graphLookChanged, action,
                [action, choice](const GraphLook& look) { action->setChecked(look.*choice); });
    };
    toggle("graph.hide-rest", &GraphLook::hideRest);
    toggle("graph.figures", &GraphLook::figures);
    connectGroups(m_bench, m_actions, *pictures, this);
    connectGraphChoices();
    connectRows();
}

void MainWindow::connectRows()
{
    CanvasTabs* pictures = m_panes.pictures;
    const auto on = [&](const char* id, const std::function<void(LiveRangeCanvas&)>& change) {
        m_actions.on(id, this, [pictures, change] { pictures->withRows(change); });
    };
    on("rows.pin", &LiveRangeCanvas::pinPicked);
    on("rows.hide", &LiveRangeCanvas::hidePicked);
    on("rows.show", &LiveRangeCanvas::showHidden);
    QAction* byModule = m_actions.at("rows.by-module");
    on("rows.by-module", [byModule](LiveRangeCanvas& rows) { rows.groupByModule(byModule->isChecked()); });
    connect(&pictures->rows(), &LiveRangeCanvas::choiceChanged, byModule,
            [byModule](const RowChoice& choice) { byModule->setChecked(choice.byModule); });
    connect(&m_bench.session, &Session::closed, this, [pictures] { pictures->rows().setChoice({}); });
}

/// Those of which one holds, which is kept in the settings.
void MainWindow::connectGraphChoices()
{
    const auto choose = [this](const QString& group, QList<QString> ids, const std::function<void(int)>& take) {
        const auto tell = [this, ids](int at) {
            for (int i = 0; i < ids.size(); ++i)
                m_actions.at(ids[i])->setChecked(i == at);
        };
        for (int i = 0; i < ids.size(); ++i)
            m_actions.on(ids[i].toLatin1(), this, [this, group, ids, take, tell, i] {
                take(i);
                tell(i);
                m_settings.setChosen(group, ids[i]);
            });
        const int kept = std::max(0, static_cast<int>(ids.indexOf(m_settings.chosen(group))));
        if (kept > 0) take(kept);
        tell(kept);
    };
    CanvasTabs* pictures = m_panes.pictures;
    auto* graph = static_cast<GraphCanvas*>(pictures->canvas(QStringLiteral("graph")));
    choose(QStringLiteral("colour"),
           {QStringLiteral("colour.storage"), QStringLiteral("colour.kind"), QStringLiteral("colour.type"),
            QStringLiteral("colour.operator"), QStringLiteral("colour.module"), QStringLiteral("colour.lifetime"),
            QStringLiteral("colour.reuse"), QStringLiteral("colour.time"),
            QStringLiteral("colour.none")}, // as ColourBy
           [pictures](int by) { pictures->setColourBy(static_cast<ColourBy>(by)); });
    choose(QStringLiteral("plan.axis"),
           {QStringLiteral("view.by-address"), QStringLiteral("view.by-age"), QStringLiteral("view.by-storage"),
            QStringLiteral("view.by-value")}, // as PlanAxis
           [pictures](int axis) { pictures->setPlanAxis(static_cast<PlanAxis>(axis)); });
    choose(QStringLiteral("graph.flow"),
           {QStringLiteral("graph.flow-fitting"), QStringLiteral("graph.flow-down"),
            QStringLiteral("graph.flow-right")}, // as FlowDirection
           [graph](int flow) {
               GraphLook look = graph->look();
               look.flow = static_cast<FlowDirection>(flow);
               graph->setLook(look);
           });
}

} // namespace plimsoll::app
