#include "app/window/menus.h"

#include "app/window/commands/action_set.h"
#include "app/window/docks.h"
#include "app/window/view_table.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include <initializer_list>

namespace plimsoll::app {
namespace {

QList<QAction*> named(const ActionSet& actions, std::initializer_list<const char*> ids)
{
    QList<QAction*> found;
    for (const char* id : ids)
        found << actions.at(id);
    return found;
}

/// An empty id is a separator.
void fill(QWidget* menu, const ActionSet& actions, std::initializer_list<const char*> ids)
{
    for (const char* id : ids) {
        QAction* action = nullptr;
        if (*id) {
            action = actions.at(id);
        } else {
            action = new QAction(menu);
            action->setSeparator(true);
        }
        menu->addAction(action);
    }
}

/// What of the graph is looked at.
void fillScopeMenu(QMenu& menu, const ActionSet& actions)
{
    fill(&menu, actions,
         {"graph.hops-1", "graph.hops-2", "graph.hops-3", "", "graph.sources", "graph.uses", "", "graph.path-from",
          "graph.path-to", "", "graph.whole", "graph.hide-rest", "", "graph.figures", "", "graph.group",
          "graph.ungroup"});
}

} // namespace

void fillLooksMenu(QMenu& menu, const ActionSet& actions)
{
    fill(&menu, actions, {"view.light", "view.dark", "view.contrast", "view.system", "", "view.reduced-motion", ""});
    fill(menu.addMenu(QObject::tr("La&nguage")), actions, {"language.system", "", "language.en", "language.de"});
    fill(&menu, actions, {"", "view.exact-bytes", "view.decimal-addresses"});
}

void fillSelectionMenu(QMenu& menu, const ActionSet& actions)
{
    fill(&menu, actions,
         {"pick.plan",
          "pick.live",
          "pick.graph",
          "pick.table",
          "view.inspector",
          "",
          "pick.bytes",
          "pick.why",
          "pick.apart",
          "pick.suppress",
          "pick.bookmark",
          "pick.source",
          "",
          "pick.same",
          "pick.not-same",
          "",
          "pick.copy-name",
          "pick.copy-address",
          "pick.copy-exact",
          "pick.copy-source",
          "edit.copy-facts",
          "edit.copy-facts-markdown",
          ""});
    fill(menu.addMenu(QObject::tr("E&dit the plan")), actions,
         {"plan.move", "plan.up", "plan.down", "", "plan.own", "plan.into", "", "plan.earlier", "plan.later",
          "plan.before", "", "plan.anew"});
    fill(menu.addMenu(QObject::tr("Ask &of the plan")), actions,
         {"ask.here", "ask.place", "", "ask.apart", "ask.together", "", "ask.implementation", "ask.freeze",
          "ask.recompute", "", "ask.nothing"});
    fillScopeMenu(*menu.addMenu(QObject::tr("Loo&k at in the graph")), actions);
}

QList<QAction*> pictureActions(const ActionSet& actions, bool rows)
{
    const QList<QAction*> ofRows =
        rows ? named(actions, {"rows.pin", "rows.hide", "rows.show", "rows.by-module"}) : QList<QAction*>();
    return ofRows + named(actions, {"view.as-table", "file.picture", "file.whole-picture", "edit.copy-picture"});
}

QList<QAction*> tableActions(const ActionSet& actions)
{
    return named(actions, {"edit.copy-csv", "edit.copy-markdown", "file.table"});
}

FilledLater buildMenus(QMainWindow& window, const ActionSet& actions, const Docks& docks)
{
    QMenuBar* bar = window.menuBar();
    QMenu* file = bar->addMenu(QObject::tr("&File"));
    fill(file, actions, {"file.new-tab", "file.open", "file.paste"});
    QMenu* recent = file->addMenu(QObject::tr("Open rece&nt"));
    fill(file, actions,
         {"file.reload", "file.close", "", "file.save", "file.save-as", "", "file.judge-plan", "file.own-plan", "",
          "file.compare-with", "file.compare-before", "", "file.export", "file.picture", "file.whole-picture",
          "file.table", "", "file.quit"});
    QMenu* edit = bar->addMenu(QObject::tr("&Edit"));
    fill(edit, actions, {"edit.undo", "edit.redo"});
    QMenu* edits = edit->addMenu(QObject::tr("C&hanges and their peaks"));
    fill(edit, actions,
         {"edit.device", "", "edit.copy-facts", "edit.copy-facts-markdown", "edit.copy-picture", "edit.copy-csv",
          "edit.copy-markdown", "", "edit.find", "edit.clear"});
    fillSelectionMenu(*bar->addMenu(QObject::tr("&Selection")), actions);
    QMenu* view = bar->addMenu(QObject::tr("&View"));
    fill(view, actions, {"view.plan", "view.live", "view.graph", "", "view.policies", "view.inspector"});
    QMenu* below = view->addMenu(QObject::tr("Ta&bles, search and run"));
    for (const QString& id : viewIds(ViewPlace::Below))
        below->addAction(actions.at(QStringLiteral("view.") + id));
    fill(view, actions,
         {"", "view.fit", "view.frame", "view.show-holes", "view.keep-ghost", "view.side-by-side", "view.compact-steps",
          "view.by-time", "view.as-table", "", "view.tidy", "view.expand-all", "view.collapse-all"});
    fill(view->addMenu(QObject::tr("Heigh&ts and rows")), actions,
         {"view.by-address", "view.by-age", "view.by-storage", "view.by-value", "", "rows.pin", "rows.hide",
          "rows.show", "rows.by-module"});
    fill(view->addMenu(QObject::tr("Colo&urs")), actions,
         {"colour.storage", "colour.kind", "colour.type", "colour.operator", "colour.module", "colour.lifetime",
          "colour.reuse", "colour.time", "", "colour.none"});
    fill(view->addMenu(QObject::tr("Graph &direction")), actions,
         {"graph.flow-fitting", "graph.flow-down", "graph.flow-right"});
    fillScopeMenu(*view->addMenu(QObject::tr("Loo&k at in the graph")), actions);
    QMenu* panes = view->addMenu(QObject::tr("Pane&s"));
    for (const QString& id : docks.ids())
        panes->addAction(docks.at(id)->toggleViewAction());
    QMenu* layouts = view->addMenu(QObject::tr("La&yout"));
    fill(layouts, actions,
         {"layout.plan", "layout.picture", "layout.tables", "layout.graph", "layout.compare", "layout.debug", "",
          "layout.reset", "layout.save"});
    fillLooksMenu(*view->addMenu(QObject::tr("The&me, language, numbers")), actions);
    QMenu* go = bar->addMenu(QObject::tr("&Go"));
    fill(go, actions,
         {"go.anything", "go.commands", "", "go.back", "go.forward", "", "go.previous-step", "go.next-step", "go.peak",
          "go.play", "", "go.next-finding", "go.previous-finding", "go.next-difference", "go.previous-difference", ""});
    fill(go, actions, {"go.next-pane", "go.previous-pane", "go.next-tab", "go.previous-tab"});
    QMenu* stops = go->addMenu(QObject::tr("&Stops"));
    fill(stops, actions, {"go.stop-here", "go.next-stop", "go.previous-stop", "go.no-stops", ""});
    QMenu* bookmarks = go->addMenu(QObject::tr("B&ookmarks"));
    fill(bookmarks, actions, {"pick.bookmark", "pick.no-bookmark", ""});
    fill(bar->addMenu(QObject::tr("&Run")), actions,
         {"run.start", "run.bisect", "run.cancel", "", "search.start", "search.stop"});
    fill(bar->addMenu(QObject::tr("&Help")), actions,
         {"help.manual", "help.tour", "help.shortcuts", "", "help.log", "help.diagnostics", "help.diagnostics-names",
          "", "help.about"});
    return {recent, edits, stops, bookmarks, layouts};
}

void buildToolBar(QMainWindow& window, const ActionSet& actions, QWidget* stepLabel)
{
    QToolBar* bar = window.addToolBar(QObject::tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setIconSize(QSize(16, 16));
    fill(bar, actions,
         {"file.open", "file.reload", "", "edit.undo", "edit.redo", "", "go.back", "go.forward", "",
          "go.previous-step"});
    bar->addWidget(stepLabel);
    fill(bar, actions,
         {"go.next-step", "go.peak", "", "go.previous-finding", "go.next-finding", "", "run.start", "run.cancel"});
    auto* spacer = new QWidget(bar);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spacer);
    auto* find = new QToolButton(bar);
    find->setDefaultAction(actions.at("go.anything"));
    find->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addWidget(find);
    fill(bar, actions, {"go.commands", "file.export", "help.manual"});
    for (QToolButton* button : bar->findChildren<QToolButton*>())
        button->setFocusPolicy(Qt::TabFocus);
}

} // namespace plimsoll::app
