// What of the graph is looked at, and how: actions of the main window.
#include "app/views/graph/graph_canvas.h"
#include "app/window/main_window.h"
#include "app/window/views/canvas_tabs.h"

#include <QAction>

#include <array>

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
    constexpr std::array<const char*, ColourByCount> Colours = {"colour.storage",  "colour.kind",   "colour.type",
                                                                "colour.operator", "colour.module", "colour.lifetime",
                                                                "colour.reuse",    "colour.none"};
    const auto tell = [this, Colours](ColourBy by) {
        for (std::size_t i = 0; i < ColourByCount; ++i)
            m_actions.at(Colours[i])->setChecked(static_cast<ColourBy>(i) == by);
    };
    for (std::size_t i = 0; i < ColourByCount; ++i) {
        m_actions.on(Colours[i], this, [pictures, tell, by = static_cast<ColourBy>(i)] {
            pictures->setColourBy(by);
            tell(by);
        });
    }
    tell(pictures->colouredBy());
}

} // namespace plimsoll::app
