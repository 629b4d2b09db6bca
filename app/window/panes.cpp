#include "app/window/panes.h"

#include "app/session/workbench.h"
#include "app/views/helps_canvas.h"
#include "app/views/search_canvas.h"
#include "app/views/trade_off_canvas.h"
#include "app/window/docks.h"
#include "app/window/panes/bytes_pane.h"
#include "app/window/panes/content_picture.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/measure_strip.h"
#include "app/window/panes/plots/helps_pane.h"
#include "app/window/panes/plots/search_pane.h"
#include "app/window/panes/plots/sweep_pane.h"
#include "app/window/panes/plots/trade_off_pane.h"
#include "app/window/panes/policies_pane.h"
#include "app/window/panes/run_pane.h"
#include "app/window/panes/step_panel.h"
#include "app/window/panes/summary_strip.h"
#include "app/window/panes/table_pane.h"
#include "app/window/view_table.h"
#include "app/window/views/canvas_tabs.h"
#include "core/facts/tables.h"

#include <QPlainTextEdit>
#include <QTableView>

#include <algorithm>

namespace plimsoll::app {
namespace {

QPlainTextEdit* makeRemarks()
{
    auto* remarks = new QPlainTextEdit;
    remarks->setAccessibleName(QObject::tr("Remarks"));
    remarks->setPlaceholderText(QObject::tr("Remarks about this graph and its plans, saved with the session"));
    remarks->setTabChangesFocus(true);
    return remarks;
}

} // namespace

Panes makePanes(Workbench& bench, Docks& docks)
{
    const auto dock = [&](const QString& id, auto* pane) {
        docks.add(viewInfo(id), pane);
        return pane;
    };
    Panes panes;
    panes.worker = new JobRunner;
    panes.pictures = new CanvasTabs(bench.selection, *panes.worker);
    panes.worker->setParent(panes.pictures);
    panes.summary = new SummaryStrip;
    panes.policies = dock(QStringLiteral("policies"), new PoliciesPane(bench.session, bench.costs));
    const auto swatches = std::make_shared<Swatches>();
    panes.inspector =
        dock(QStringLiteral("inspector"), new InspectorPane(bench.selection, bench.freeing, *panes.worker, swatches));
    for (const TableUse& use : TableUses) {
        if (use.pane.label.empty()) continue;
        const QString id = QString::fromLatin1(use.table().id);
        auto* table = new TablePane(use.table(), bench.selection, panes.worker, swatches);
        panes.tables.insert(id, table);
        if (use.table == tradeOffsTable)
            panes.plots[id] = dock(id, new TradeOffPane(bench, table)); // beside its picture
        else if (use.table == sweepTable)
            panes.plots[id] = dock(id, new SweepPane(bench, table));
        else if (use.table == helpsTable)
            panes.plots[id] = panes.helps = dock(id, new HelpsPane(bench, table));
        else
            dock(id, table);
    }
    panes.tables.value(QStringLiteral("backends"))->setAbove(new MeasureStrip(bench));
    const QString search = QStringLiteral("search");
    panes.plots[search] = panes.search = dock(search, new SearchPane(bench));
    panes.run = dock(QStringLiteral("run"), new RunPane(bench));
    panes.bytes = dock(QStringLiteral("bytes"), new BytesPane(bench, *panes.worker, swatches));
    panes.remarks = dock(QStringLiteral("remarks"), makeRemarks());
    QObject::connect(panes.pictures, &CanvasTabs::groupPicked, panes.inspector, &InspectorPane::setGroup);
    QObject::connect(panes.pictures, &CanvasTabs::coloured, panes.inspector,
                     [swatches, panes](const std::shared_ptr<const StorageColours>& colours) {
                         swatches->colours = colours;
                         for (const TablePane* table : panes.tables)
                             table->view()->viewport()->update();
                         panes.bytes->view()->viewport()->update();
                         panes.inspector->view()->viewport()->update();
                         panes.inspector->step()->view()->viewport()->update();
                     });
    return panes;
}

TablePane* Panes::shownTable() const
{
    TablePane* shown = nullptr;
    for (TablePane* table : tables) {
        if (table->visibleRegion().isEmpty()) continue; // one behind another tab counts as visible
        if (table->isAncestorOf(table->window()->focusWidget())) return table;
        if (!shown) shown = table;
    }
    return shown;
}

Canvas* Panes::shownPicture() const
{
    if (Canvas* other = pictures->otherPlan(); other->hasFocus()) return other;
    for (Canvas* canvas : picturesBelow()) {
        if (canvas->hasFocus()) return canvas;
    }
    if (bytes->isAncestorOf(bytes->window()->focusWidget())) return bytes->picture();
    return pictures->current();
}

QList<Canvas*> Panes::picturesBelow() const
{
    QList<Canvas*> all;
    for (const PlotPane* pane : plots)
        all << pane->plot();
    return all << bytes->picture();
}

Canvas* Panes::picture(const QString& view) const
{
    const auto plot = plots.find(view);
    return plot == plots.end() ? pictures->canvas(view) : (*plot)->plot();
}

void Panes::setReport(const Session& session) const
{
    const auto report = session.report();
    const auto withRun = session.reportWithRun();
    const Compared compared = report ? session.comparison().shown() : Compared();
    const TablePane* const timed = tables.value(QString::fromLatin1(nodesTable().id));
    pictures->setReport(report, session.colours(), compared);
    for (const auto& [id, table] : tables.asKeyValueRange()) {
        if (!plots.contains(id)) // those take in what comes later
            table->setReport(table == timed ? withRun : report, compared.other, compared.matches);
    }
    inspector->setReport(withRun);
}

void Panes::setCompared(std::shared_ptr<const Report> report, const Compared& compared) const
{
    pictures->setCompared(report, compared);
    tables.value(QString::fromLatin1(changesTable().id))
        ->setReport(std::move(report), compared.other, compared.matches);
}

void Panes::setRun(const Session& session) const
{
    const Compared compared = session.comparison().shown();
    const auto withRun = session.reportWithRun();
    pictures->setRun(session.run());
    tables.value(QString::fromLatin1(nodesTable().id))->setReport(withRun, compared.other, compared.matches);
    inspector->setReport(withRun);
}

} // namespace plimsoll::app
