#include "app/window/panes.h"

#include "app/models/change_table.h"
#include "app/models/offer_table.h"
#include "app/models/report_tables.h"
#include "app/session/workbench.h"
#include "app/window/docks.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/measure_strip.h"
#include "app/window/panes/policies_pane.h"
#include "app/window/panes/run_pane.h"
#include "app/window/panes/search_pane.h"
#include "app/window/panes/summary_strip.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"

#include <QTableView>

namespace plimsoll::app {
namespace {

struct TableTexts
{
    const char* id;
    QString title;
    QString empty;
};

TablePane* makePane(Workbench& bench, const TableTexts& texts, std::unique_ptr<ReportTable> table)
{
    auto* pane = new TablePane(std::move(table), texts.empty, bench.selection);
    pane->view()->setObjectName(QString::fromLatin1(texts.id) + QStringLiteral("View"));
    pane->view()->setAccessibleName(texts.title);
    return pane;
}

template <typename Table>
TablePane* makeTable(Workbench& bench, const char* id, const QString& title, const QString& empty)
{
    return makePane(bench, {id, title, empty}, std::make_unique<Table>());
}

void makeChanges(Workbench& bench, Panes& panes)
{
    auto table = std::make_unique<ChangeTable>();
    panes.changeTable = table.get();
    panes.changes = makePane(bench,
                             {"changes", QObject::tr("Changes"),
                              QObject::tr("No value is alive longer or shorter than under the choices before.")},
                             std::move(table));
}

void setColumns(const Panes& panes)
{
    panes.findings->setColumns({9, 14, 20, 7, 8, 18}, {FindingTable::Message, FindingTable::Fix});
    panes.findings->setSentences();
    panes.storages->setPlannedFirst(StorageTable::Bytes);
    panes.saved->setPlannedFirst(SavedTable::Bytes);
    panes.saved->setColumns({24, 9, 9, 16, 18, 16, 20, 12}, {SavedTable::Name, SavedTable::Reason});
    panes.values->setPlannedFirst(ValueTable::Required);
    panes.storages->setColumns({6, 12, 9, 10, 12, 6, 30}, {StorageTable::Holds});
    panes.backends->setColumns({18, 6, 9, 20, 24, 9, 9, 9, 12, 10, 30}, {OfferTable::Why});
    panes.values->setColumns({36, 20, 13, 6, 9, 9, 10, 12, 9, 20, 9}, {ValueTable::Name, ValueTable::Producer});
    panes.holes->setColumns({6, 10, 10, 12, 12, 12, 12, 10},
                            {HoleTable::Arena, HoleTable::Bytes, HoleTable::From, HoleTable::To, HoleTable::Steps,
                             HoleTable::Area, HoleTable::Share});
    panes.changes->setColumns({24, 9, 12, 12, 10, 20}, {ChangeTable::Name, ChangeTable::Reason});
    panes.nodes->setColumns({6, 7, 24, 18, 10, 18, 9, 10, 18}, {NodeTable::Name});
}

void addDocks(const Panes& panes, Docks& docks)
{
    docks.add(QStringLiteral("policies"), QObject::tr("Policies"), panes.policies);
    docks.add(QStringLiteral("inspector"), QObject::tr("Inspector"), panes.inspector);
    docks.add(QStringLiteral("findings"), QObject::tr("Findings"), panes.findings);
    docks.add(QStringLiteral("storages"), QObject::tr("Storages"), panes.storages);
    docks.add(QStringLiteral("saved"), QObject::tr("Saved tensors"), panes.saved);
    docks.add(QStringLiteral("values"), QObject::tr("Values"), panes.values);
    docks.add(QStringLiteral("nodes"), QObject::tr("Nodes"), panes.nodes);
    docks.add(QStringLiteral("backends"), QObject::tr("Backends"), panes.backends);
    docks.add(QStringLiteral("holes"), QObject::tr("Holes"), panes.holes);
    docks.add(QStringLiteral("changes"), QObject::tr("Changes"), panes.changes);
    docks.add(QStringLiteral("search"), QObject::tr("Search"), panes.search);
    docks.add(QStringLiteral("run"), QObject::tr("Run"), panes.run);
}

} // namespace

Panes makePanes(Workbench& bench, Docks& docks)
{
    Panes panes;
    panes.pictures = new CanvasTabs(bench.selection);
    panes.summary = new SummaryStrip;
    panes.findings = makeTable<FindingTable>(bench, "findings", QObject::tr("Findings"),
                                             QObject::tr("No findings: every rule holds, and there is no advice."));
    panes.storages =
        makeTable<StorageTable>(bench, "storages", QObject::tr("Storages"), QObject::tr("There are no storages."));
    panes.saved = makeTable<SavedTable>(bench, "saved", QObject::tr("Saved tensors"),
                                        QObject::tr("Nothing is kept for a backward graph."));
    panes.values = makeTable<ValueTable>(bench, "values", QObject::tr("Values"), QObject::tr("There are no values."));
    panes.nodes = makeTable<NodeTable>(bench, "nodes", QObject::tr("Nodes"), QObject::tr("The graph has no nodes."));
    panes.backends = makeTable<OfferTable>(bench, "backends", QObject::tr("Backends"),
                                           QObject::tr("Nobody offers anything beside the reference."));
    panes.backends->setAbove(new MeasureStrip(bench));
    panes.holes = makeTable<HoleTable>(bench, "holes", QObject::tr("Holes"),
                                       QObject::tr("No holes: nowhere do free bytes lie below live ones."));
    makeChanges(bench, panes);
    panes.search = new SearchPane(bench);
    panes.run = new RunPane(bench);
    panes.policies = new PoliciesPane(bench.session, bench.costs);
    panes.inspector = new InspectorPane(bench.selection, bench.freeing);
    setColumns(panes);
    addDocks(panes, docks);
    return panes;
}

void Panes::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous) const
{
    pictures->setReport(report, previous);
    if (report) summary->setReport(report, previous);
    changeTable->setPrevious(previous);
    for (TablePane* table : {findings, storages, saved, values, nodes, backends, holes, changes})
        table->setReport(report);
    inspector->setReport(std::move(report));
}

} // namespace plimsoll::app
