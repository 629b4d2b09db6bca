// What can be done with what is selected: the same in the menu bar, the palette and under the right button.
#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/canvas.h"
#include "app/views/live_range_canvas.h"
#include "app/window/commands/editors.h"
#include "app/window/commands/finder.h"
#include "app/window/commands/searches.h"
#include "app/window/exporting.h"
#include "app/window/main_window.h"
#include "app/window/menus.h"
#include "app/window/panes/bytes_pane.h"
#include "app/window/panes/content_picture.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/plots/plot_pane.h"
#include "app/window/panes/run_pane.h"
#include "app/window/panes/step_panel.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "core/advice/lay_apart.h"
#include "core/facts/about.h"
#include "core/facts/tables.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/pair_reason.h"
#include "core/facts/words/source_text.h"
#include "core/plan/suppression.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QRegularExpression>
#include <QTableView>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// The table that has a row for it; empty: none has.
QString tableOf(const Focus& focus)
{
    if (focus.finding >= 0) return QStringLiteral("findings");
    if (focus.value.valid()) return QStringLiteral("values");
    if (focus.storage.valid()) return QStringLiteral("storages");
    if (focus.hole >= 0) return QStringLiteral("holes");
    return focus.node.valid() || !focus.picked() ? QStringLiteral("nodes") : QString();
}

/// The table that says as text what a picture shows, with a row for what is picked.
QString twinOf(const QString& view, const Focus& focus)
{
    if (focus.picked() && !tableOf(focus).isEmpty()) return tableOf(focus);
    return view == QStringLiteral("graph") ? QStringLiteral("nodes") : QStringLiteral("values");
}

QString sourceOf(const Report& report, const Focus& focus)
{
    const Graph& graph = *report.program.graph;
    if (focus.node.valid()) return toQString(sourceText(graph, focus.node));
    ValueId value = focus.value;
    if (focus.storage.valid() && !report.program.storages[focus.storage.index()].values.empty())
        value = report.program.storages[focus.storage.index()].values.front();
    return value.valid() ? toQString(sourceText(graph, value)) : QString();
}

/// The file that a source ("model.py:21 in Block.forward") names, if it is there, as it stands or beside the graph.
/// Only program text: a desktop may run what it opens, and the name comes from a file.
QString sourceFile(const QString& source, const QString& graph)
{
    static const QStringList text {QStringLiteral("py"), QStringLiteral("cpp"), QStringLiteral("cc"),
                                   QStringLiteral("h"), QStringLiteral("mlir")};
    const QFileInfo named(QFileInfo(graph).dir(), source.section(u':', 0, 0));
    return text.contains(named.suffix()) && named.isFile() ? named.absoluteFilePath() : QString();
}

/// Of "model.py:21 in Block.forward", 21; 1 where none is named.
int lineOf(const QString& source)
{
    static const QRegularExpression number(QStringLiteral("^\\d+"));
    return std::max(1, number.match(source.section(u':', 1)).captured().toInt());
}

/// Of the facts that have the keyboard, else of the table in sight, else of that of what is picked in a picture.
QString exactRow(const Panes& panes, const QWidget* keyboard, const Focus& focus)
{
    QString row;
    for (const FactView* facts : {panes.inspector->view(), panes.inspector->step()->view()})
        if (keyboard == facts) row = facts->facts().exactText(facts->currentIndex());
    for (const TablePane* table : {panes.shownTable(), panes.tables.value(tableOf(focus))})
        if (table && row.isEmpty()) row = table->pickedExactly();
    return row;
}

QMenu* menuOf(QWidget* window, const QList<QAction*>& entries)
{
    auto* menu = new QMenu(window);
    menu->addActions(entries);
    return menu;
}

/// Filled: what is added later finds no room on the screen.
void popUp(QMenu* menu, QPoint screen)
{
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(screen);
}

/// That of the same pane; null where the picture has none.
QTableView* tableBeside(const Panes& panes, const Canvas* canvas)
{
    if (canvas == panes.bytes->picture()) return panes.bytes->view();
    for (const auto& [id, pane] : panes.plots.asKeyValueRange())
        if (const TablePane* table = panes.tables.value(id); table && canvas == pane->plot()) return table->view();
    return nullptr;
}

constexpr int ReasonWidth = 460; ///< Pixels, of the dialog for a reason.

} // namespace

void MainWindow::connectSelectionActions()
{
    const auto report = [this] { return m_bench.session.report(); };
    const auto focus = [this]() -> const Focus& { return m_bench.selection.focus(); };
    for (const char* view : {"plan", "live", "graph"}) {
        const QString id = QString::fromLatin1(view);
        m_actions.on((QByteArray("pick.") + view).constData(), this, [this, id] {
            showView(id);
            m_panes.pictures->canvas(id)->frameSelection();
            focusView(id);
        });
    }
    m_actions.on("pick.table", this, [this, focus] {
        showView(tableOf(focus()));
        focusView(tableOf(focus()));
    });
    m_actions.on("view.as-table", this, [this, focus] {
        const Canvas* canvas = m_panes.shownPicture();
        QString table = twinOf(canvas->objectName(), focus());
        if (canvas == m_panes.picture(QStringLiteral("search"))) table = QStringLiteral("search-history");
        if (QTableView* beside = tableBeside(m_panes, canvas)) return beside->setFocus();
        showView(table);
        focusView(table);
    });
    m_actions.on("pick.bytes", this, [this, report, focus] {
        m_bench.selection.pick({.area = areaOf(*report(), focus()), .step = focus().step});
    });
    m_actions.on("pick.copy-name", this,
                 [report, focus] { copyText(toQString(focusTitle(*report(), focus(), numberForm()))); });
    m_actions.on("pick.copy-address", this, [report, focus] {
        copyText(toQString(areaText(*report(), areaOf(*report(), focus()), numberForm())));
    });
    m_actions.on("pick.copy-exact", this, [this, focus] {
        const QString row = exactRow(m_panes, focusWidget(), focus());
        row.isEmpty() ? m_said.notice->setText(tr("No row is picked.")) : copyText(row);
    });
    m_actions.on("pick.copy-source", this, [report, focus] { copyText(sourceOf(*report(), focus())); });
    m_actions.on("pick.source", this, [this, report, focus] {
        const QString source = sourceOf(*report(), focus());
        openInEditor(sourceFile(source, m_bench.session.file()), lineOf(source));
    });
    connectMends();
    connectPlanEdits();
    connect(&m_bench.selection, &Selection::focusChanged, this, &MainWindow::refreshSelectionActions);
    connect(m_panes.pictures, &CanvasTabs::menuRequested, this, [this](QPoint at) {
        popUpSelectionMenu(at, pictureActions(m_actions, m_panes.pictures->current() == &m_panes.pictures->rows()));
    });
    for (const Canvas* canvas : m_panes.picturesBelow())
        connect(canvas, &Canvas::menuRequested, this,
                [this](QPoint at) { popUp(menuOf(this, pictureActions(m_actions)), at); });
    const auto popUpTable = [this](QPoint at, const QList<QAction*>& own) {
        popUpSelectionMenu(at, own + tableActions(m_actions));
    };
    connect(m_panes.inspector, &InspectorPane::menuRequested, this, popUpTable);
    connect(m_panes.run, &RunPane::menuRequested, this, popUpTable);
    for (const TablePane* table : m_panes.tables)
        connect(table, &TablePane::menuRequested, this, popUpTable);
}

void MainWindow::connectMends()
{
    m_actions.on("pick.apart", this, [this] {
        const auto& findings = m_bench.session.report()->verdict.findings;
        const auto picked = static_cast<std::size_t>(m_bench.selection.focus().finding);
        if (const Status laid = m_bench.session.layApart(findings[picked]); !laid.ok()) return say(laid.error());
        const auto fit = [this] { m_panes.pictures->current()->fit(); }; // what was moved lies above all others
        connect(&m_bench.session, &Session::reportChanged, this, fit, Qt::SingleShotConnection);
    });
    m_actions.on("pick.suppress", this, [this] { suppressFinding(); });
    m_actions.on("pick.why", this, [this] { askWhy(); });
    m_panes.inspector->setMends({m_actions.at("pick.apart"), m_actions.at("file.own-plan")});
}

void MainWindow::askWhy()
{
    const auto report = m_bench.session.report();
    const ValueId one = m_bench.selection.focus().value;
    m_finder->open(tr("Why with which value"), searchOthers(report, one, {}, [this, report, one](ValueId other) {
                       const auto nameOf = [&](ValueId value) {
                           return labelText(toQString((*report->program.graph)[value].name));
                       };
                       auto* answer = new QMessageBox(this);
                       answer->setObjectName(QStringLiteral("why"));
                       answer->setAttribute(Qt::WA_DeleteOnClose);
                       answer->setWindowTitle(tr("Why these two"));
                       answer->setTextFormat(Qt::PlainText);
                       answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
                       answer->setText(tr("%1 and %2").arg(nameOf(one), nameOf(other)));
                       answer->setInformativeText(windowText(pairReason(*report, one, other)));
                       answer->open();
                   }));
}

/// Without a reason it is suppressed no more.
void MainWindow::suppressFinding()
{
    const Finding& finding =
        m_bench.session.report()->verdict.findings[static_cast<std::size_t>(m_bench.selection.focus().finding)];
    const Graph& graph = *m_bench.session.report()->program.graph;
    Said said = m_bench.session.said();
    const Suppression* known = suppressionOf(finding, graph, said.suppressions);
    const FindingName name = nameOf(finding, graph);
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Suppress the finding"));
    dialog.setLabelText(tr("Reason to live with it (none: it is not suppressed any more):"));
    dialog.setTextValue(known ? toQString(known->reason) : QString());
    dialog.resize(ReasonWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted) return;
    const QString reason = dialog.textValue().trimmed();
    std::erase_if(said.suppressions, [&](const Suppression& one) { return one.finding == name; });
    if (!reason.isEmpty()) said.suppressions.push_back({name, reason.toStdString()});
    QStringList title {toQString(name.rule)};
    for (const std::string& value : name.values)
        title << toQString(value);
    m_bench.session.setSaid(
        std::move(said),
        (reason.isEmpty() ? tr("No more suppressed: %1") : tr("Suppressed: %1")).arg(title.join(u' ')));
}

void MainWindow::refreshSelectionActions()
{
    const auto report = m_bench.session.report();
    const Focus& focus = m_bench.selection.focus();
    const bool open = m_actions.at("go.anything")->isEnabled() && report;
    const bool picked = open && focus.picked();
    const bool lies = picked && areaOf(*report, focus).valid();
    m_actions.setEnabled({"pick.plan", "pick.live", "pick.graph"}, picked);
    m_actions.setEnabled({"graph.hops-1", "graph.hops-2", "graph.hops-3", "graph.sources", "graph.uses",
                          "graph.path-from", "graph.path-to"},
                         picked && (focus.node.valid() || focus.value.valid()));
    m_actions.at("pick.table")->setEnabled(open && (picked || focus.step >= 0) && !tableOf(focus).isEmpty());
    m_actions.at("pick.bytes")->setEnabled(lies && focus.onThing());
    m_actions.at("pick.apart")
        ->setEnabled(open && focus.finding >= 0 && movableSide(*report, report->verdict.findings[focus.finding]));
    refreshPlanEdits();
    m_actions.at("pick.suppress")->setEnabled(open && focus.finding >= 0);
    m_actions.at("pick.why")->setEnabled(picked && focus.value.valid());
    m_actions.at("pick.copy-name")->setEnabled(picked || (open && focus.step >= 0));
    m_actions.at("pick.copy-address")->setEnabled(lies);
    m_actions.at("pick.copy-exact")->setEnabled(open);
    const QString source = picked ? sourceOf(*report, focus) : QString();
    m_actions.at("pick.copy-source")->setEnabled(!source.isEmpty());
    m_actions.at("pick.source")->setEnabled(!sourceFile(source, m_bench.session.file()).isEmpty());
}

void MainWindow::popUpSelectionMenu(QPoint screen, const QList<QAction*>& own)
{
    QMenu* menu = menuOf(this, own);
    if (!own.isEmpty()) menu->addSeparator();
    fillSelectionMenu(*menu, m_actions);
    popUp(menu, screen);
}

} // namespace plimsoll::app
