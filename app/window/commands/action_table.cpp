#include "app/window/commands/action_table.h"

#include "core/facts/tables.h"

#include <QtGlobal>

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr ActionInfo Actions[] = {
    {"file.new-tab", "File", "A&dd a tab", "The start page beside what is open", "Ctrl+N", ""},
    {"file.open", "File", "&Open…", "Open a captured graph", "Ctrl+O", "open"},
    {"file.paste", "File", "&Paste graph", "Open the file or the text of a graph on the clipboard", "Ctrl+Shift+V",
     "copy"},
    {"file.judge-plan", "File", "&Judge a plan…", "Judge a plan that was made elsewhere", "", "findings"},
    {"file.own-plan", "File", "Back to our o&wn plan", "Plan instead of judging a plan", "", "plan"},
    {"file.compare-with", "File", "Co&mpare with…",
     "Compare with a saved report, a plan of this graph, or another graph: outlines in the plan, rows under Changes",
     "", "plan"},
    {"file.compare-before", "File", "Compare with the plan be&fore",
     "Compare with the plan before the last change again", "", ""},
    {"file.reload", "File", "&Reload", "Read the file again; the selection stays", "Ctrl+R", "reload"},
    {"file.close", "File", "&Close", "Close the graph: its tab, and from the last one to the start page", "Ctrl+W",
     "close"},
    {"file.save", "File", "&Save session",
     "Save graph, policies, plans, selection, stops, remarks and layout as one file that opens again", "Ctrl+S",
     "export"},
    {"file.save-as", "File", "Save session &as…", "Save the session as another file", "Ctrl+Shift+S", "export"},
    {"file.export", "File", "&Export report…", "Save the report as HTML, JSON, Markdown, CSV, SVG or DOT",
     "Ctrl+Shift+E", "export"},
    {"file.picture", "File", "Export pic&ture…", "Save what is seen of the picture as PNG, SVG or PDF", "", "export"},
    {"file.whole-picture", "File", "Export who&le picture…",
     "Save all of the picture, as large as its words need, as PNG, SVG or PDF", "", "export"},
    {"file.table", "File", "Export ta&ble…", "Save the rows of the table that is shown as CSV or Markdown", "",
     "export"},
    {"file.quit", "File", "&Quit", "Leave Plimsoll", "Ctrl+Q", ""},

    {"edit.undo", "Edit", "&Undo", "Take back the last change of a policy, a dimension or the plan", "Ctrl+Z", "undo"},
    {"edit.redo", "Edit", "&Redo", "Make the change again", "Ctrl+Shift+Z; Ctrl+Y", "redo"},
    {"edit.copy-facts", "Edit", "&Copy facts", "Copy all the inspector says as text", "Ctrl+Shift+C", "copy"},
    {"edit.copy-facts-markdown", "Edit", "Copy facts as Markdo&wn", "Copy all the inspector says as Markdown", "",
     "copy"},
    {"edit.copy-picture", "Edit", "Copy &picture", "Copy what is seen of the picture as an image", "", "copy"},
    {"edit.copy-csv", "Edit", "Copy table as CS&V", "Copy the rows of the table that is shown as CSV", "", "copy"},
    {"edit.copy-markdown", "Edit", "Copy table as &Markdown", "Copy the rows of the table that is shown as Markdown",
     "", "copy"},
    {"edit.find", "Edit", "&Find in table or graph",
     "Filter the rows of the table that is shown, or the nodes of the graph where it has the keyboard", "Ctrl+F",
     "search"},
    {"edit.clear", "Edit", "Clear &selection", "Pick nothing; then put the step cursor away", "Esc", ""},

    {"pick.plan", "Selection", "Show in the &plan", "Frame the selection in the plan", "", "plan"},
    {"pick.live", "Selection", "Show in the &live ranges", "Frame the selection in the live ranges", "", "live"},
    {"pick.graph", "Selection", "Show in the &graph", "Frame the selection in the graph", "", "graph"},
    {"pick.table", "Selection", "Show in the &table", "Go to the row of the selection", "", "table"},
    {"pick.bytes", "Selection", "Select its &bytes", "Who else lies on the same bytes, and why they may", "", ""},
    {"pick.apart", "Selection", "Lay apa&rt",
     "Give one side of the finding bytes of its own, behind all others, and judge the plan that this makes", "",
     "plan"},
    {"plan.move", "Selection", "&Move to an address…",
     "Move what is selected to another address of its arena, and judge the plan that this makes", "", "plan"},
    {"plan.up", "Selection", "Move &up", "Move what is selected to the next free place above", "", "plan", false,
     "Alt+Up"},
    {"plan.down", "Selection", "Move &down", "Move what is selected to the next free place below", "", "plan", false,
     "Alt+Down"},
    {"plan.own", "Selection", "Give b&ytes of its own",
     "Move what is selected behind all others, with what must share its bytes, and judge the plan that this makes", "",
     "plan"},
    {"plan.into", "Selection", "Put into the &bytes of…",
     "Move what is selected to where another value begins, and judge the plan that this makes", "", "plan"},
    {"plan.earlier", "Selection", "Run &earlier",
     "The node that is selected, or that makes the value, changes places with the one that runs before it", "",
     "previous-step"},
    {"plan.later", "Selection", "Run &later",
     "The node that is selected, or that makes the value, changes places with the one that runs after it", "",
     "next-step"},
    {"pick.suppress", "Selection", "Suppress the &finding…",
     "Say why this finding is none to act on: it stays among the others, with the reason", "", ""},
    {"pick.same", "Selection", "These are the sa&me",
     "What is picked under Changes, one of the plan before and one of this plan, is the same thing by another name", "",
     ""},
    {"pick.not-same", "Selection", "Not the sam&e", "Take back what was said last to be the same", "", ""},
    {"pick.copy-name", "Selection", "Copy &name", "Copy what the selection is called", "", "copy"},
    {"pick.copy-address", "Selection", "Copy &address", "Copy the bytes on which the selection lies", "", "copy"},
    {"pick.copy-exact", "Selection", "Copy e&xact numbers",
     "Copy the row that is picked, of the inspector or a table, with numbers as programs read them", "", "copy"},
    {"pick.source", "Selection", "Go to the so&urce", "Open the file in which it was made, where it is at hand", "",
     "open"},
    {"pick.copy-source", "Selection", "Copy &source", "Copy where in the program it was made", "", "copy"},

    {"go.anything", "Go", "&Go to anything…", "Find a value, node, storage, step or byte by name or number", "Ctrl+P",
     "search"},
    {"go.commands", "Go", "&Commands…", "Find any command by name", "Ctrl+Shift+P", "commands"},
    {"go.back", "Go", "&Back", "What was selected before", "Alt+Left", "back"},
    {"go.forward", "Go", "&Forward", "What was selected after", "Alt+Right", "forward"},
    {"go.previous-step", "Go", "&Previous step", "Move the step cursor back", "Ctrl+Left", "previous-step"},
    {"go.next-step", "Go", "&Next step", "Move the step cursor on", "Ctrl+Right", "next-step"},
    {"go.peak", "Go", "Pea&k", "Move the step cursor to the peak", "P", "peak"},
    {"go.play", "Go", "P&lay", "Move the step cursor on by itself, up to the next stop", "F7", "run", true},
    {"go.stop-here", "Go", "&Stop at the selection",
     "Playing stops at the steps of what is selected, or at the step cursor; again: no more", "F9", ""},
    {"go.next-stop", "Go", "&Next stop", "Move the step cursor to the next stop", "F8", "next-step"},
    {"go.previous-stop", "Go", "&Previous stop", "Move the step cursor to the stop before", "Shift+F8",
     "previous-step"},
    {"go.no-stops", "Go", "&Take all stops away", "Playing stops at no step any more", "", ""},
    {"go.next-finding", "Go", "Next fin&ding", "Select the next finding", "N", "next-finding"},
    {"go.previous-finding", "Go", "Previous f&inding", "Select the one before", "Shift+N", "previous-finding"},

    {"go.next-difference", "Go", "Next diff&erence",
     "Select the next value by which this plan differs from what it is compared with", "Ctrl+D", ""},
    {"go.previous-difference", "Go", "Previo&us difference", "Select the one before", "Ctrl+Shift+D", ""},
    {"go.next-pane", "Go", "Next p&ane", "The keyboard goes on: bars, picture, panes", "F6", ""},
    {"go.previous-pane", "Go", "Pre&vious pane", "The keyboard goes back one pane", "Shift+F6", ""},
    {"go.next-tab", "Go", "Ne&xt tab", "The document in the next tab", "Ctrl+PgDown; Ctrl+Tab", ""},
    {"go.previous-tab", "Go", "P&revious tab", "The document in the tab before", "Ctrl+PgUp; Ctrl+Shift+Tab", ""},

    {"view.plan", "View", "&Plan", "Time × address: where every value lies and when", "Ctrl+1", "plan"},
    {"view.live", "View", "&Live ranges", "A row for each value or storage, over steps", "Ctrl+2", "live"},
    {"view.graph", "View", "&Graph", "Nodes and edges, coloured by storage", "Ctrl+3", "graph"},
    {"view.fit", "View", "&Whole picture", "Zoom the picture so that everything is seen", "", "layout", false, "Home"},
    {"view.frame", "View", "&Frame selection", "Zoom the picture to what is selected", "", "search", false, "F"},
    {"view.tidy", "View", "Tidy g&raph", "Lay out what is visible again, with Graphviz", "", "graph"},
    {"view.expand-all", "View", "&Expand all", "Open every group of the graph", "Ctrl+Shift+Down", "graph"},
    {"view.collapse-all", "View", "&Collapse all", "Close every group of the graph", "Ctrl+Shift+Up", "graph"},
    {"graph.whole", "Graph", "&Whole graph", "Look at all of the graph again", "", "graph", false, "0"},
    {"graph.hops-1", "Graph", "Beside it, &1 hop", "What the selection reads, and what reads it", "", "graph", false,
     "1"},
    {"graph.hops-2", "Graph", "Within &2 hops", "What is two arrows away from the selection, or one", "", "graph",
     false, "2"},
    {"graph.hops-3", "Graph", "Within &3 hops", "What is at most three arrows away from the selection", "", "graph",
     false, "3"},
    {"graph.sources", "Graph", "What it &comes from", "All nodes above the selection, up to the inputs", "", "graph",
     false, "U"},
    {"graph.uses", "Graph", "What &uses it", "All nodes below the selection, down to the outputs", "", "graph", false,
     "Shift+U"},
    {"graph.path-from", "Graph", "&Path from here", "The path begins at the selection", "", "graph", false, "M"},
    {"graph.path-to", "Graph", "Path &to here", "The path ends at the selection", "", "graph", false, "Shift+M"},
    {"graph.hide-rest", "Graph", "&Hide the rest", "Hide what is not looked at, instead of dimming it", "", "graph",
     true, "X"},
    {"graph.figures", "Graph", "&Bytes and time on nodes",
     "What a node writes, how long it takes, and its share of the peak", "", "graph", true, "V"},
    {"graph.flow-fitting", "Graph", "&As it fits", "Top to bottom; a long thin graph in columns, as text is set", "",
     "graph", true},
    {"graph.flow-down", "Graph", "T&op to bottom", "In one column, whatever its length", "", "graph", true},
    {"graph.flow-right", "Graph", "&Left to right", "What comes later stands further right", "", "graph", true},
    {"colour.storage", "Colours", "By &storage", "What lies on the same bytes has one colour near by", "", "layout",
     true},
    {"colour.kind", "Colours", "By &kind of value", "Inputs, parameters, constants, outputs, and what is between", "",
     "layout", true},
    {"colour.type", "Colours", "By &type", "The type of the elements: float32, int8", "", "layout", true},
    {"colour.operator", "Colours", "By &operator", "The operator that writes it, the most frequent first", "", "layout",
     true},
    {"colour.module", "Colours", "By &module", "The part of the model that it belongs to", "", "layout", true},
    {"colour.lifetime", "Colours", "By &lifetime", "Over how many steps its bytes matter", "", "layout", true},
    {"colour.reuse", "Colours", "By &reuse", "How many values lie in its storage", "", "layout", true},
    {"colour.time", "Colours", "By t&ime", "How long the node that writes it took in the run", "", "layout", true},
    {"colour.none", "Colours", "&None", "No colours", "", "layout", true},
    {"view.run", "View", "&Run", "Run the plan and see what came of it", "Ctrl+8", "run"},
    {"view.bytes", "View", "What bytes hol&d",
     "What the last run left in the bytes that are selected, at the step cursor", "Ctrl+Alt+3", "table"},
    {"view.remarks", "View", "Rem&arks", "Write about this graph and its plans; it is saved with the session",
     "Ctrl+Alt+4", "copy"},
    {"view.search", "View", "S&earch", "How the plan was found, and looking longer for a lower one", "Ctrl+Alt+2",
     "search"},
    {"view.show-holes", "View", "Outline &holes", "Outline the holes in the plan", "", "plan", true, "H"},
    {"view.keep-ghost", "View", "Outli&ne the plan before",
     "Outlines of the plan before the last change, or of what is compared, with arrows to where bars moved", "", "plan",
     true},
    {"view.side-by-side", "View", "Compared plan abo&ve",
     "What the plan is compared with stands above it: side by side, with the same steps and heights by one scale", "",
     "plan", true},
    {"view.by-age", "View", "S&tack by age",
     "The plan without addresses: what is alive stands on what is older, without holes", "", "plan", true},
    {"view.compact-steps", "View", "Narrow &quiet steps",
     "Less room for stretches of steps in which nothing large begins or ends, in the plan and in live ranges", "",
     "plan", true},
    {"view.as-table", "View", "Show &as a table", "What the picture shows as rows, at what is selected", "Ctrl+T",
     "table"},
    {"view.policies", "View", "P&olicies", "What plans may share, and what it costs", "Ctrl+9", "policies"},
    {"view.inspector", "View", "&Inspector", "Every fact about the selection", "Ctrl+0", "inspector"},
    {"view.light", "View", "&Light theme", "Dark on white", "", "theme", true},
    {"view.dark", "View", "&Dark theme", "Light on black", "", "theme", true},
    {"view.contrast", "View", "&High contrast theme", "White and bright colours on black", "", "theme", true},
    {"view.system", "View", "&Theme of the system", "Follow the desktop's theme", "", "theme", true},
    {"view.exact-bytes", "View", "&Exact bytes", "Sizes as exact bytes: 1,468,006 B instead of 1.40 MiB", "", "", true},
    {"view.decimal-addresses", "View", "Decimal &addresses", "Addresses as 221,184 instead of 0x36000", "", "", true},
    {"view.reduced-motion", "View", "Reduced &motion", "Nothing moves by itself: no gliding pictures or panes", "", "",
     true},
    {"language.system", "View", "&Language of the system", "The language of the desktop, from the next start on", "",
     "", true},
    {"language.en", "View", "&English", "English, from the next start on", "", "", true},
    {"language.de", "View", "&Deutsch", "German, from the next start on", "", "", true},
    {"layout.plan", "View", "Layout &Plan", "Picture in the middle, tables below, inspector at the side", "", "layout"},
    {"layout.picture", "View", "Layout P&icture", "The picture alone, with the inspector", "", "layout"},
    {"layout.tables", "View", "Layout &Tables", "Tables as large as they go", "", "layout"},
    {"layout.reset", "View", "&Reset layout", "Put every pane back where it was at first", "", "layout"},
    {"layout.save", "View", "&Save layout as…", "Keep the panes as they stand now, by a name", "", "layout"},

    {"run.start", "Run", "&Run", "Run the graph under this plan, beside the oracle", "F5", "run"},
    {"run.bisect", "Run", "&Find the guilty sharing",
     "Run the plan again and again, with values laid apart, until the sharings that make it go wrong are named", "",
     "search"},
    {"run.cancel", "Run", "&Cancel", "Stop the run", "Shift+F5", "cancel"},

    {"search.start", "Run", "Search &longer", "Look longer for a lower plan", "Ctrl+F5", "search"},
    {"search.stop", "Run", "&Stop searching", "End the search and keep the best plan so far", "Ctrl+Shift+F5",
     "cancel"},

    {"help.manual", "Help", "&Manual", "The manual, where it tells of the pane that has the keyboard", "F1", "help"},
    {"help.tour", "Help", "&Tour", "Five stops, from the verdict to the run", "", ""},
    {"help.shortcuts", "Help", "&Shortcuts", "Every command and its keys", "?", "keyboard"},
    {"help.log", "Help", "&Log", "What this window has done: files, plans, runs, errors", "", ""},
    {"help.diagnostics", "Help", "&Copy diagnostics",
     "Version, system, backends, shape of the graph, policies and the log as text, without names", "", "copy"},
    {"help.diagnostics-names", "Help", "Copy diagnostics with &names",
     "The same with the file, the graph's name and the log in full", "", "copy"},
    {"help.about", "Help", "&About Plimsoll", "Version and licence", "", ""},
};

constexpr PictureKey PictureKeys[] = {
    {"Plan, live ranges", "W, S", "Zoom the steps in and out"},
    {"Plan, live ranges", "Shift+W, Shift+S", "Zoom the bytes, or the rows"},
    {"Plan, live ranges", "A, D", "Move along the steps"},
    {"Plan, live ranges", "Shift+A, Shift+D", "Move along the bytes, or the rows"},
    {"Plan", "Arrows", "Select the bar beside, above or below; move the bytes that are selected"},
    {"Plan", "Shift+drag", "Select steps × bytes, with sums"},
    {"Plan", "Alt+drag, Ctrl+drag", "Move a storage to another address; the plan is judged where it is dropped"},
    {"Plan", "B, held", "Outlines of the plan before the last change, or of what is compared, where it differs"},
    {"Live ranges", "Up, Down", "Select the row above or below"},
    {"Live ranges", "PgUp, PgDown", "A page of rows up or down"},
    {"Live ranges", "T", "Change between a row for each value and one for each storage"},
    {"Graph", "W, S", "Zoom in and out"},
    {"Graph", "A, D, Shift+W, Shift+S", "Move the picture"},
    {"Graph", "Arrows", "Up and down along the edges, left and right within the layer"},
    {"Graph", "+ or Return, −", "Open the group that is selected; close the one around"},
    {"Graph", "4 to 9", "Look at so many hops around the selection"},
    {"Graph", "Shift+click", "The path from the selection to what is clicked"},
    {"Graph", "G", "Ask Graphviz for a finer layout"},
    {"All pictures", "[ and ]", "Move the step cursor"},
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
                       {id.c_str(), "View", use.pane.label.data(), use.pane.tip.data(), use.pane.keys.data(), icon});
    }
    return actions;
}

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
