#include "app/window/commands/action_table.h"

#include "core/facts/tables.h"

#include <QtGlobal>

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

#define T(text) QT_TRANSLATE_NOOP("plimsoll", text)

constexpr ActionInfo Actions[] = {
    {"file.open", T("File"), T("&Open…"), T("Open a captured graph"), "Ctrl+O", "open"},
    {"file.paste", T("File"), T("&Paste graph"), T("Open the file or the plimsoll.graph/1 text on the clipboard"),
     "Ctrl+Shift+V", "copy"},
    {"file.judge-plan", T("File"), T("&Judge a plan…"), T("Judge a plan that was made elsewhere"), "", "findings"},
    {"file.own-plan", T("File"), T("Back to our o&wn plan"), T("Plan instead of judging a plan"), "", "plan"},
    {"file.reload", T("File"), T("&Reload"), T("Read the file again; the selection stays"), "Ctrl+R", "reload"},
    {"file.close", T("File"), T("&Close"), T("Close the graph and go to the start page"), "Ctrl+W", "close"},
    {"file.export", T("File"), T("&Export report…"), T("Save the report as HTML, JSON, Markdown, CSV, SVG or DOT"),
     "Ctrl+Shift+E", "export"},
    {"file.picture", T("File"), T("Export pic&ture…"), T("Save what is seen of the picture as PNG, SVG or PDF"), "",
     "export"},
    {"file.whole-picture", T("File"), T("Export who&le picture…"),
     T("Save all of the picture, as large as its words need, as PNG, SVG or PDF"), "", "export"},
    {"file.table", T("File"), T("Export ta&ble…"), T("Save the rows of the table that is shown as CSV or Markdown"), "",
     "export"},
    {"file.quit", T("File"), T("&Quit"), T("Leave Plimsoll"), "Ctrl+Q", ""},

    {"edit.undo", T("Edit"), T("&Undo"), T("Take back the last change of a policy or a dimension"), "Ctrl+Z", "undo"},
    {"edit.redo", T("Edit"), T("&Redo"), T("Make the change again"), "Ctrl+Shift+Z; Ctrl+Y", "redo"},
    {"edit.copy-facts", T("Edit"), T("&Copy facts"), T("Copy all the inspector says as text"), "Ctrl+Shift+C", "copy"},
    {"edit.copy-facts-markdown", T("Edit"), T("Copy facts as Markdo&wn"), T("Copy all the inspector says as Markdown"),
     "", "copy"},
    {"edit.copy-picture", T("Edit"), T("Copy &picture"), T("Copy what is seen of the picture as an image"), "", "copy"},
    {"edit.copy-csv", T("Edit"), T("Copy table as CS&V"), T("Copy the rows of the table that is shown as CSV"), "",
     "copy"},
    {"edit.copy-markdown", T("Edit"), T("Copy table as &Markdown"),
     T("Copy the rows of the table that is shown as Markdown"), "", "copy"},
    {"edit.find", T("Edit"), T("&Find in table or graph"),
     T("Filter the rows of the table that is shown, or the nodes of the graph where it has the keyboard"), "Ctrl+F",
     "search"},
    {"edit.clear", T("Edit"), T("Clear &selection"), T("Pick nothing; then put the step cursor away"), "Esc", ""},

    {"pick.plan", T("Selection"), T("Show in the &plan"), T("Frame the selection in the plan"), "", "plan"},
    {"pick.live", T("Selection"), T("Show in the &live ranges"), T("Frame the selection in the live ranges"), "",
     "live"},
    {"pick.graph", T("Selection"), T("Show in the &graph"), T("Frame the selection in the graph"), "", "graph"},
    {"pick.table", T("Selection"), T("Show in the &table"), T("Go to the row of the selection"), "", "table"},
    {"pick.bytes", T("Selection"), T("Select its &bytes"), T("Who else lies on the same bytes, and why they may"), "",
     ""},
    {"pick.copy-name", T("Selection"), T("Copy &name"), T("Copy what the selection is called"), "", "copy"},
    {"pick.copy-address", T("Selection"), T("Copy &address"), T("Copy the bytes on which the selection lies"), "",
     "copy"},
    {"pick.source", T("Selection"), T("Go to the so&urce"),
     T("Open the file in which it was made, where it is at hand"), "", "open"},
    {"pick.copy-source", T("Selection"), T("Copy &source"), T("Copy where in the program it was made"), "", "copy"},

    {"go.anything", T("Go"), T("&Go to anything…"), T("Find a value, node, storage, step or byte by name or number"),
     "Ctrl+P", "search"},
    {"go.commands", T("Go"), T("&Commands…"), T("Find any command by name"), "Ctrl+Shift+P", "commands"},
    {"go.back", T("Go"), T("&Back"), T("What was selected before"), "Alt+Left", "back"},
    {"go.forward", T("Go"), T("&Forward"), T("What was selected after"), "Alt+Right", "forward"},
    {"go.previous-step", T("Go"), T("&Previous step"), T("Move the step cursor back"), "Ctrl+Left", "previous-step"},
    {"go.next-step", T("Go"), T("&Next step"), T("Move the step cursor on"), "Ctrl+Right", "next-step"},
    {"go.peak", T("Go"), T("Pea&k"), T("Move the step cursor to the peak"), "P", "peak"},
    {"go.next-finding", T("Go"), T("Next fin&ding"), T("Select the next finding"), "N", "next-finding"},
    {"go.previous-finding", T("Go"), T("Previous f&inding"), T("Select the one before"), "Shift+N", "previous-finding"},

    {"go.next-pane", T("Go"), T("Next p&ane"), T("The keyboard goes on: bars, picture, panes"), "F6", ""},
    {"go.previous-pane", T("Go"), T("Pre&vious pane"), T("The keyboard goes back one pane"), "Shift+F6", ""},

    {"view.plan", T("View"), T("&Plan"), T("Time × address: where every value lies and when"), "Ctrl+1", "plan"},
    {"view.live", T("View"), T("&Live ranges"), T("A row for each value or storage, over steps"), "Ctrl+2", "live"},
    {"view.graph", T("View"), T("&Graph"), T("Nodes and edges, coloured by storage"), "Ctrl+3", "graph"},
    {"view.fit", T("View"), T("&Whole picture"), T("Zoom the picture so that everything is seen"), "", "layout", false,
     "Home"},
    {"view.frame", T("View"), T("&Frame selection"), T("Zoom the picture to what is selected"), "", "search", false,
     "F"},
    {"view.tidy", T("View"), T("Tidy g&raph"), T("Lay out what is visible again, with Graphviz"), "", "graph"},
    {"view.expand-all", T("View"), T("&Expand all"), T("Open every group of the graph"), "Ctrl+Shift+Down", "graph"},
    {"view.collapse-all", T("View"), T("&Collapse all"), T("Close every group of the graph"), "Ctrl+Shift+Up", "graph"},
    {"graph.whole", T("Graph"), T("&Whole graph"), T("Look at all of the graph again"), "", "graph", false, "0"},
    {"graph.hops-1", T("Graph"), T("Beside it, &1 hop"), T("What the selection reads, and what reads it"), "", "graph",
     false, "1"},
    {"graph.hops-2", T("Graph"), T("Within &2 hops"), T("What is two arrows away from the selection, or one"), "",
     "graph", false, "2"},
    {"graph.hops-3", T("Graph"), T("Within &3 hops"), T("What is at most three arrows away from the selection"), "",
     "graph", false, "3"},
    {"graph.sources", T("Graph"), T("What it &comes from"), T("All nodes above the selection, up to the inputs"), "",
     "graph", false, "U"},
    {"graph.uses", T("Graph"), T("What &uses it"), T("All nodes below the selection, down to the outputs"), "", "graph",
     false, "Shift+U"},
    {"graph.path-from", T("Graph"), T("&Path from here"), T("The path begins at the selection"), "", "graph", false,
     "M"},
    {"graph.path-to", T("Graph"), T("Path &to here"), T("The path ends at the selection"), "", "graph", false,
     "Shift+M"},
    {"graph.hide-rest", T("Graph"), T("&Hide the rest"), T("Hide what is not looked at, instead of dimming it"), "",
     "graph", true, "X"},
    {"graph.figures", T("Graph"), T("&Bytes and time on nodes"),
     T("What a node writes, how long it takes, and its share of the peak"), "", "graph", true, "V"},
    {"graph.flow-fitting", T("Graph"), T("&As it fits"),
     T("Top to bottom; a long thin graph in columns, as text is set"), "", "graph", true},
    {"graph.flow-down", T("Graph"), T("T&op to bottom"), T("In one column, whatever its length"), "", "graph", true},
    {"graph.flow-right", T("Graph"), T("&Left to right"), T("What comes later stands further right"), "", "graph",
     true},
    {"colour.storage", T("Colours"), T("By &storage"), T("What lies on the same bytes has one colour near by"), "",
     "layout", true},
    {"colour.kind", T("Colours"), T("By &kind of value"),
     T("Inputs, parameters, constants, outputs, and what is between"), "", "layout", true},
    {"colour.type", T("Colours"), T("By &type"), T("The type of the elements: float32, int8"), "", "layout", true},
    {"colour.operator", T("Colours"), T("By &operator"), T("The operator that writes it, the most frequent first"), "",
     "layout", true},
    {"colour.module", T("Colours"), T("By &module"), T("The part of the model that it belongs to"), "", "layout", true},
    {"colour.lifetime", T("Colours"), T("By &lifetime"), T("Over how many steps its bytes matter"), "", "layout", true},
    {"colour.reuse", T("Colours"), T("By &reuse"), T("How many values lie in its storage"), "", "layout", true},
    {"colour.none", T("Colours"), T("&None"), T("No colours"), "", "layout", true},
    {"view.run", T("View"), T("&Run"), T("Run the plan and see what came of it"), "Ctrl+8", "run"},
    {"view.search", T("View"), T("S&earch"), T("How the plan was found, and looking longer for a lower one"),
     "Ctrl+Alt+2", "search"},
    {"view.show-holes", T("View"), T("Outline &holes"), T("Outline the holes in the plan"), "", "plan", true, "H"},
    {"view.by-age", T("View"), T("&Stack by age"),
     T("The plan without addresses: what is alive stands on what is older, without holes"), "", "plan", true},
    {"view.as-table", T("View"), T("Show &as a table"), T("What the picture shows as rows, at what is selected"),
     "Ctrl+T", "table"},
    {"view.policies", T("View"), T("P&olicies"), T("What plans may share, and what it costs"), "Ctrl+9", "policies"},
    {"view.inspector", T("View"), T("&Inspector"), T("Every fact about the selection"), "Ctrl+0", "inspector"},
    {"view.light", T("View"), T("&Light"), T("Light theme"), "", "theme", true},
    {"view.dark", T("View"), T("&Dark"), T("Dark theme"), "", "theme", true},
    {"view.contrast", T("View"), T("&High contrast"), T("White and bright colours on black"), "", "theme", true},
    {"view.system", T("View"), T("&As the system"), T("Follow the desktop's theme"), "", "theme", true},
    {"view.reduced-motion", T("View"), T("Reduced &motion"), T("Nothing moves by itself: no gliding pictures or panes"),
     "", "", true},
    {"layout.plan", T("View"), T("Layout &Plan"), T("Picture in the middle, tables below, inspector at the side"), "",
     "layout"},
    {"layout.picture", T("View"), T("Layout P&icture"), T("The picture alone, with the inspector"), "", "layout"},
    {"layout.tables", T("View"), T("Layout &Tables"), T("Tables as large as they go"), "", "layout"},
    {"layout.reset", T("View"), T("&Reset layout"), T("Put every pane back where it was at first"), "", "layout"},
    {"layout.save", T("View"), T("&Save layout as…"), T("Keep the panes as they stand now, by a name"), "", "layout"},

    {"run.start", T("Run"), T("&Run"), T("Run the graph under this plan, beside the oracle"), "F5", "run"},
    {"run.cancel", T("Run"), T("&Cancel"), T("Stop the run"), "Shift+F5", "cancel"},

    {"search.start", T("Run"), T("Search &longer"), T("Look longer for a lower plan"), "Ctrl+F5", "search"},
    {"search.stop", T("Run"), T("&Stop searching"), T("End the search and keep the best plan so far"), "Ctrl+Shift+F5",
     "cancel"},

    {"help.manual", T("Help"), T("&Manual"), T("The manual, where it tells of the pane that has the keyboard"), "F1",
     "help"},
    {"help.tour", T("Help"), T("&Tour"), T("Five stops, from the verdict to the run"), "", ""},
    {"help.shortcuts", T("Help"), T("&Shortcuts"), T("Every command and its keys"), "?", "keyboard"},
    {"help.diagnostics", T("Help"), T("&Copy diagnostics"),
     T("Version, system, backends, shape of the graph, policies and last errors as text, without names"), "", "copy"},
    {"help.diagnostics-names", T("Help"), T("Copy diagnostics with &names"),
     T("The same with the file, the graph's name and the errors in full"), "", "copy"},
    {"help.about", T("Help"), T("&About Plimsoll"), T("Version and licence"), "", ""},
};

constexpr PictureKey PictureKeys[] = {
    {T("Plan, live ranges"), T("W, S"), T("Zoom the steps in and out")},
    {T("Plan, live ranges"), T("Shift+W, Shift+S"), T("Zoom the bytes, or the rows")},
    {T("Plan, live ranges"), T("A, D"), T("Move along the steps")},
    {T("Plan, live ranges"), T("Shift+A, Shift+D"), T("Move along the bytes, or the rows")},
    {T("Plan"), T("Arrows"), T("Select the bar beside, above or below; move the bytes that are selected")},
    {T("Plan"), T("Shift+drag"), T("Select steps × bytes, with sums")},
    {T("Plan"), T("B, held"), T("Outlines of the plan before the last change, where it differs")},
    {T("Live ranges"), T("Up, Down"), T("Select the row above or below")},
    {T("Live ranges"), T("PgUp, PgDown"), T("A page of rows up or down")},
    {T("Live ranges"), T("T"), T("Change between a row for each value and one for each storage")},
    {T("Graph"), T("W, S"), T("Zoom in and out")},
    {T("Graph"), T("A, D, Shift+W, Shift+S"), T("Move the picture")},
    {T("Graph"), T("Arrows"), T("Up and down along the edges, left and right within the layer")},
    {T("Graph"), T("+ or Return, −"), T("Open the group that is selected; close the one around")},
    {T("Graph"), T("4 to 9"), T("Look at so many hops around the selection")},
    {T("Graph"), T("Shift+click"), T("The path from the selection to what is clicked")},
    {T("Graph"), T("G"), T("Ask Graphviz for a finer layout")},
    {T("All pictures"), T("[ and ]"), T("Move the step cursor")},
};

/// An action for each table that has a pane.
std::vector<ActionInfo> allActions()
{
    static std::vector<std::string> ids;
    ids.reserve(std::size(TableUses));
    std::vector<ActionInfo> actions(std::begin(Actions), std::end(Actions));
    const auto place = std::ranges::find(actions, std::string_view("view.run"), &ActionInfo::id) - actions.begin();
    for (const TableUse& use : TableUses) {
        if (use.pane.label.empty()) continue;
        const std::string& id = ids.emplace_back("view." + std::string(use.table().id));
        const char* icon = use.table == findingsTable ? "findings" : "table";
        actions.insert(actions.begin() + place + std::ssize(ids) - 1,
                       {id.c_str(), T("View"), use.pane.label.data(), use.pane.tip.data(), use.pane.keys.data(), icon});
    }
    return actions;
}

#undef T

} // namespace

std::span<const ActionInfo> actionTable()
{
    static const std::vector<ActionInfo> actions = allActions();
    return actions;
}

std::span<const PictureKey> pictureKeys()
{
    return PictureKeys;
}

} // namespace plimsoll::app
