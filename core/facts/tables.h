#pragma once

#include "core/facts/fact_table.h"

namespace plimsoll {

// What each is of stands in its declaration, in core/facts/tables.
[[nodiscard]] const FactTable& arenasTable();
[[nodiscard]] const FactTable& backendUseTable();
[[nodiscard]] const FactTable& bindingsTable();
[[nodiscard]] const FactTable& changesTable();
[[nodiscard]] const FactTable& comparedTable();
[[nodiscard]] const FactTable& constraintsTable();
[[nodiscard]] const FactTable& decisionCountsTable();
[[nodiscard]] const FactTable& decisionsTable();
[[nodiscard]] const FactTable& environmentTable();
[[nodiscard]] const FactTable& fallbacksTable();
[[nodiscard]] const FactTable& findingsTable();
[[nodiscard]] const FactTable& gradientsTable();
[[nodiscard]] const FactTable& helpsTable();
[[nodiscard]] const FactTable& holesTable();
[[nodiscard]] const FactTable& implementationsTable();
[[nodiscard]] const FactTable& mismatchesTable();
[[nodiscard]] const FactTable& nodesTable();
[[nodiscard]] const FactTable& notesTable();
[[nodiscard]] const FactTable& offersTable();
[[nodiscard]] const FactTable& outputsTable();
[[nodiscard]] const FactTable& paddedTable();
[[nodiscard]] const FactTable& peakTable();
[[nodiscard]] const FactTable& policiesTable();
[[nodiscard]] const FactTable& recomputedTable();
[[nodiscard]] const FactTable& runGradientsTable();
[[nodiscard]] const FactTable& runTable();
[[nodiscard]] const FactTable& savedTable();
[[nodiscard]] const FactTable& searchHistoryTable();
[[nodiscard]] const FactTable& searchTable();
[[nodiscard]] const FactTable& sourcesTable();
[[nodiscard]] const FactTable& storagesTable();
[[nodiscard]] const FactTable& sweepTable();
[[nodiscard]] const FactTable& totalsTable();
[[nodiscard]] const FactTable& tradeOffsTable();
[[nodiscard]] const FactTable& unplannedTable();
[[nodiscard]] const FactTable& valuesFile(); ///< Every value, for programs.
[[nodiscard]] const FactTable& valuesTable();
[[nodiscard]] const FactTable& waitsTable();
[[nodiscard]] const FactTable& whatIfTable();
[[nodiscard]] const FactTable& writesTable();

/// A pane of the window that shows a table.
struct PaneInfo
{
    std::string_view label; ///< In the menu, with its mnemonic; empty: there is no pane.
    std::string_view tip;
    std::string_view keys; ///< "Ctrl+4"; empty: none.
    bool tall = true;      ///< A screenshot of it gives it most of the height.
    bool closed = false;   ///< Until it is asked for: the tabs of a small window have room for the others.
};

/// Where a table is shown.
struct TableUse
{
    const FactTable& (*table)();
    std::size_t onPage = 0;     ///< So many rows at most in an HTML page; 0: it is not there.
    std::size_t inMarkdown = 0; ///< Likewise.
    bool folded = false;        ///< On a page, until it is opened.
    PaneInfo pane {};
};
inline constexpr std::size_t AllRows = 1'000'000;
inline constexpr bool Folded = true;

/// Every table, in the order of a page and of the panes.
inline constexpr TableUse TableUses[] = {
    {totalsTable, AllRows, AllRows},
    {findingsTable, 300, 100, false, {"&Findings", "Broken rules, warnings and advice", "Ctrl+7"}},
    {notesTable, AllRows, AllRows},
    {runTable, AllRows, AllRows},
    {mismatchesTable, 300, 50},
    {writesTable, 300, 50},
    {outputsTable, 100, 30, Folded},
    {runGradientsTable, 100, 30, Folded},
    {arenasTable, AllRows, AllRows},
    {searchTable, AllRows, AllRows},
    {searchHistoryTable, 200, 20, Folded, {"Plans &on the way", "How the search for the plan got on", "", false, true}},
    {peakTable, AllRows, AllRows},
    {whatIfTable, AllRows, AllRows},
    {tradeOffsTable,
     AllRows,
     AllRows,
     false,
     {"Time against pea&k", "What other choices of implementations take, in time and bytes", "", true, true}},
    {helpsTable,
     0,
     0,
     false,
     {"&What helps most", "What other policies would save, alone and two by two; what fits a capacity", "", true,
      true}},
    {sweepTable, 0, 0, false, {"Swee&p", "What the plan takes for many sizes, or under many policies", "", true, true}},
    {sourcesTable, 100, 20, Folded, {"B&y source", "Lines and modules of the program, by their bytes", "", true, true}},
    {policiesTable, AllRows, AllRows},
    {constraintsTable,
     AllRows,
     AllRows,
     false,
     {"Constra&ints", "What is asked of single values and nodes, beside the policies", "", false, true}},
    {bindingsTable, AllRows, AllRows},
    {gradientsTable, AllRows, AllRows, Folded},
    {storagesTable, 300, 50, Folded, {"&Storages", "Table of storages", "Ctrl+4"}},
    {savedTable, 100, 30, Folded, {"Saved &tensors", "What is kept for backward, and why", ""}},
    {recomputedTable, 100, 30, Folded},
    {valuesTable, 100, 30, Folded, {"&Values", "Table of values", "Ctrl+5"}},
    {nodesTable, 0, 0, Folded, {"&Nodes", "Table of nodes", "Ctrl+6"}},
    {offersTable, 0, 0, Folded, {"&Backends", "The offers for each node, and why one was taken", ""}},
    {implementationsTable,
     AllRows,
     AllRows,
     Folded,
     {"I&mplementations in use", "Which implementations compute how many nodes", "", true, true}},
    {backendUseTable},
    {paddedTable},
    {fallbacksTable},
    {holesTable, 50, 10, Folded, {"&Holes", "Free bytes below live ones, the largest first", "Ctrl+Alt+1", false}},
    {changesTable,
     0,
     0,
     Folded,
     {"&Changes", "Which values differ from the plan before, or from what the plan is compared with", "", false}},
    {comparedTable},
    {waitsTable},
    {unplannedTable, 200, 50, Folded},
    {decisionCountsTable, AllRows, AllRows, Folded},
    {decisionsTable, 300, 0, Folded},
    {environmentTable, AllRows, AllRows, Folded},
};

} // namespace plimsoll
