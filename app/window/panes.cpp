#include "app/window/panes.h"

#include "app/models/change_table.h"
#include "app/models/offer_table.h"
#include "app/models/pane_tables.h"
#include "app/session/workbench.h"
#include "app/window/docks.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/measure_strip.h"
#include "app/window/panes/policies_pane.h"
#include "app/window/panes/run_pane.h"
#include "app/window/panes/search_pane.h"
#include "app/window/panes/summary_strip.h"
#include "app/window/panes/table_pane.h"
#include "app/window/view_table.h"
#include "app/window/views/canvas_tabs.h"

#include <QTableView>

namespace plimsoll::app {
namespace {

/// Makes panes and puts them into docks, in the order of the calls.
class Maker
{
public:
    Maker(Workbench& bench, Docks& docks) : m_bench(bench), m_docks(docks) {}

    template <typename Pane>
    Pane* add(const char* id, Pane* pane)
    {
        m_docks.add(viewInfo(QString::fromLatin1(id)), pane);
        return pane;
    }

    /// \p empty stands there while it has no rows.
    TablePane* add(const char* id, std::unique_ptr<ReportTable> table, const QString& empty)
    {
        auto* pane = new TablePane(std::move(table), empty, m_bench.selection);
        pane->view()->setObjectName(QString::fromLatin1(id) + QStringLiteral("View"));
        pane->view()->setAccessibleName(QObject::tr(viewInfo(QString::fromLatin1(id)).title));
        return add(id, pane);
    }

private:
    Workbench& m_bench;
    Docks& m_docks;
};

void setColumns(const Panes& panes)
{
    panes.findings->setColumns({8, 14, 28, 7, 8, 22}, {FindingTable::Message, FindingTable::Fix});
    // What is wrong stands where it is seen however narrow the pane.
    panes.findings->setColumnOrder({FindingTable::Level, FindingTable::Message, FindingTable::Fix, FindingTable::Steps,
                                    FindingTable::Bytes, FindingTable::RuleId});
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
    panes.changes->setColumns({24, 9, 12, 12, 10, 16, 20}, {ChangeTable::Name, ChangeTable::Reason});
    panes.nodes->setColumns({6, 7, 24, 18, 10, 18, 9, 10, 18}, {NodeTable::Name});
    panes.nodes->setPlannedFirst(NodeTable::Step, Qt::AscendingOrder);
}

} // namespace

Panes makePanes(Workbench& bench, Docks& docks)
{
    Maker maker(bench, docks);
    Panes panes;
    panes.pictures = new CanvasTabs(bench.selection);
    panes.summary = new SummaryStrip;
    panes.policies = maker.add("policies", new PoliciesPane(bench.session, bench.costs));
    panes.inspector = maker.add("inspector", new InspectorPane(bench.selection, bench.freeing));
    panes.findings = maker.add("findings", std::make_unique<FindingTable>(),
                               QObject::tr("No findings: every rule holds, and there is no advice."));
    panes.storages = maker.add("storages", std::make_unique<StorageTable>(), QObject::tr("There are no storages."));
    panes.saved =
        maker.add("saved", std::make_unique<SavedTable>(), QObject::tr("Nothing is kept for a backward graph."));
    panes.values = maker.add("values", std::make_unique<ValueTable>(), QObject::tr("There are no values."));
    panes.nodes = maker.add("nodes", std::make_unique<NodeTable>(), QObject::tr("The graph has no nodes."));
    panes.backends = maker.add("backends", std::make_unique<OfferTable>(),
                               QObject::tr("Nobody offers anything beside the reference."));
    panes.backends->setAbove(new MeasureStrip(bench));
    panes.holes = maker.add("holes", std::make_unique<HoleTable>(),
                            QObject::tr("No holes: nowhere do free bytes lie below live ones."));
    auto changes = std::make_unique<ChangeTable>();
    panes.changeTable = changes.get();
    panes.changes = maker.add("changes", std::move(changes),
                              QObject::tr("No value is alive longer or shorter than under the choices before."));
    panes.search = maker.add("search", new SearchPane(bench));
    panes.run = maker.add("run", new RunPane(bench));
    setColumns(panes);
    return panes;
}

TablePane* Panes::shownTable() const
{
    for (TablePane* table : {findings, storages, saved, values, nodes, backends, holes, changes}) {
        if (!table->visibleRegion().isEmpty()) return table; // one behind another tab counts as visible
    }
    return nullptr;
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
