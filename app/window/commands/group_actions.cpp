#include "app/window/commands/group_actions.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/window/commands/action_set.h"
#include "app/window/views/canvas_tabs.h"

#include <QInputDialog>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int DialogWidth = 420; ///< Pixels.

void group(Workbench& bench, GraphCanvas& graph, QWidget* window)
{
    const std::vector<NodeId> nodes = graph.nodesToGroup();
    if (nodes.empty())
        return Q_EMIT graph.noticed(
            QObject::tr("Look at a part of the graph first, by a filter (Ctrl+F) or around a node, or pick a group."));
    QInputDialog dialog(window);
    dialog.setObjectName(QStringLiteral("groupName"));
    dialog.setWindowTitle(QObject::tr("Group"));
    dialog.setLabelText(QObject::tr("Name of the group of %1:")
                            .arg(countedText(std::ssize(nodes), QObject::tr("1 node"), QObject::tr("%1 nodes"))));
    dialog.resize(DialogWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted || dialog.textValue().trimmed().isEmpty()) return;
    NamedNodes made {dialog.textValue().trimmed().toStdString(), {}};
    for (const NodeId node : nodes)
        made.nodes.push_back((*bench.session.report()->program.graph)[node].name);
    Said said = bench.session.said();
    std::erase_if(said.groups, [&](const NamedNodes& one) { return one.name == made.name; });
    const QString name = toQString(made.name);
    said.groups.push_back(std::move(made));
    bench.session.setSaid(std::move(said), QObject::tr("Group %1").arg(name));
}

void ungroup(Workbench& bench, GraphCanvas& graph)
{
    const std::string name = graph.pickedByHand();
    if (name.empty()) return Q_EMIT graph.noticed(QObject::tr("Pick a group that was made by hand first."));
    Said said = bench.session.said();
    std::erase_if(said.groups, [&](const NamedNodes& one) { return one.name == name; });
    bench.session.setSaid(std::move(said), QObject::tr("No group %1 any more").arg(toQString(name)));
}

} // namespace

void connectGroups(Workbench& bench, const ActionSet& actions, CanvasTabs& pictures, QWidget* window)
{
    actions.on("graph.group", window, [&bench, &pictures, window] {
        pictures.withGraph([&](GraphCanvas& graph) { group(bench, graph, window); });
    });
    actions.on("graph.ungroup", window,
               [&bench, &pictures] { pictures.withGraph([&](GraphCanvas& graph) { ungroup(bench, graph); }); });
    auto* const graph = static_cast<GraphCanvas*>(pictures.canvas(QStringLiteral("graph")));
    const auto follow = [&bench, graph] { graph->setGroupsByHand(bench.session.said().groups); };
    QObject::connect(&bench.session, &Session::choicesChanged, window, follow);
    QObject::connect(&bench.session, &Session::opening, window, follow);
    QObject::connect(&bench.session, &Session::reportChanged, window, follow);
    QObject::connect(&bench.session, &Session::closed, window, follow);
}

} // namespace plimsoll::app
