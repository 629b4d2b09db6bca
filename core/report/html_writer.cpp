#include "core/facts/words/report_tables.h"
#include "core/report/escape.h"
#include "core/report/plan_svg.h"
#include "core/report/search_svg.h"
#include "core/report/svg_scale.h"
#include "core/report/writers.h"

namespace plimsoll {
namespace {

constexpr std::size_t ShownFindings = 300;
constexpr std::size_t MostStorages = 300;
constexpr std::size_t MostValues = 100;
constexpr std::size_t MostDecisions = 300;
constexpr std::size_t MostUnplanned = 200;
constexpr std::size_t MostImprovements = 200;
constexpr std::size_t MostAtPeak = 20;
constexpr std::size_t MostHoles = 50;

constexpr std::string_view Layout = R"(
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1240px;padding:0 1em;background:var(--background);color:var(--text)}
h1{font-size:1.5em}h2,summary{font-size:1.15em;font-weight:600;margin:1.5em 0 .5em}summary{cursor:pointer}
.verdict{padding:.8em 1em;border-left:6px solid var(--bound);background:var(--panel)}.verdict.bad{border-color:var(--violation)}.verdict.warned{border-color:var(--warning)}
.picture{overflow-x:auto}.picture svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th,td{padding:.25em .7em;border-bottom:1px solid var(--grid);text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{border-bottom-color:var(--outline)}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.note{color:var(--muted)}td.error{color:var(--violation);font-weight:600}td.warning{color:var(--warning);font-weight:600}
)";

std::string variables(Theme theme)
{
    std::string css = ":root{";
    for (const char* role :
         {"background", "panel", "text", "muted", "grid", "outline", "violation", "warning", "bound"}) {
        css += std::string("--") + role + ":" + hex(roleColour(palette(theme), role)) + ";";
    }
    return css + "}" + svgStyle(theme);
}

class HtmlWriter
{
public:
    explicit HtmlWriter(const Report& report) : m_report(report) {}

    std::string write()
    {
        head();
        addTable(totalsTable(m_report), true);
        m_text += "<h2>Picture</h2>\n<div class=\"picture\">\n" + planSvg(m_report, SvgInk::Classes) + "</div>\n";
        addTable(findingsTable(m_report, ShownFindings), true);
        addTable(notesTable(m_report), true);
        addTable(runTable(m_report), true);
        addTable(mismatchesTable(m_report, ShownFindings), true);
        addTable(arenasTable(m_report), true);
        addTable(searchTable(m_report), true);
        addSearchPlot();
        addTable(searchHistoryTable(m_report, MostImprovements), false);
        addTable(peakTable(m_report, MostAtPeak), true);
        addTable(whatIfTable(m_report), true);
        addTable(holesTable(m_report, MostHoles), false);
        addTable(policiesTable(m_report), true);
        addTable(bindingsTable(m_report), true);
        addTable(gradientsTable(m_report), false);
        addTable(storagesTable(m_report, MostStorages), false);
        addTable(valuesTable(m_report, MostValues), false);
        addTable(unplannedTable(m_report, MostUnplanned), false);
        addTable(decisionCountsTable(m_report), false);
        addTable(decisionsTable(m_report, MostDecisions), false);
        addTable(environmentTable(m_report), false);
        m_text += "</body>\n</html>\n";
        return std::move(m_text);
    }

private:
    void head();
    void addTable(const DocumentTable& table, bool open);
    void addRow(const DocumentTable& table, const std::vector<std::string>& row);
    void addSearchPlot();

    const Report& m_report;
    std::string m_text;
};

void HtmlWriter::head()
{
    const std::string name =
        escapeXml(m_report.program.graph->name.empty() ? "an unnamed graph" : m_report.program.graph->name);
    m_text += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Memory plan of " +
              name + "</title>\n<style>" + variables(Theme::Light) + "\n@media (prefers-color-scheme:dark){" +
              variables(Theme::Dark) + "}" + std::string(Layout) + "</style>\n</head>\n<body>\n<h1>Memory plan of " +
              name + "</h1>\n";
    const bool bad = countFindings(m_report, Severity::Error) > 0;
    const bool warned = countFindings(m_report, Severity::Warning) > 0 || !m_report.memory.unplanned.empty() ||
                        !m_report.verdict.completeness.complete();
    m_text += std::string("<p class=\"verdict") +
              (bad      ? " bad"
               : warned ? " warned"
                        : "") +
              "\">" + escapeXml(verdictSentence(m_report)) + "</p>\n";
}

void HtmlWriter::addSearchPlot()
{
    const std::string plot = m_report.planning.search ? searchSvg(*m_report.planning.search) : std::string();
    if (!plot.empty()) m_text += "<div class=\"picture\">\n" + plot + "</div>\n";
}

void HtmlWriter::addRow(const DocumentTable& table, const std::vector<std::string>& row)
{
    m_text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool severity = table.id == "findings" && i == 0;
        const std::string cssClass = severity ? row[i] : table.columns[i].number ? "n" : "";
        m_text +=
            (cssClass.empty() ? std::string("<td>") : "<td class=\"" + cssClass + "\">") + escapeXml(row[i]) + "</td>";
    }
    m_text += "</tr>\n";
}

void HtmlWriter::addTable(const DocumentTable& table, bool open)
{
    if (table.rows.empty()) return;
    m_text += "<details id=\"" + table.id + "\"" + (open ? " open" : "") + ">\n<summary>" + escapeXml(table.title) +
              "</summary>\n";
    for (const std::string& note : {table.note, table.cutNote()}) {
        if (!note.empty()) m_text += "<p class=\"note\">" + escapeXml(note) + "</p>\n";
    }
    m_text += "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const DocumentTable::Column& column : table.columns) {
        m_text += std::string("<th scope=\"col\"") + (column.number ? " class=\"n\">" : ">") + escapeXml(column.title) +
                  "</th>";
    }
    m_text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows)
        addRow(table, row);
    m_text += "</tbody>\n</table></div>\n</details>\n";
}

} // namespace

std::string writeHtml(const Report& report)
{
    return HtmlWriter(report).write();
}

} // namespace plimsoll
