#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/facts/words/verdict.h"
#include "core/report/escape.h"
#include "core/report/plan_svg.h"
#include "core/report/search_svg.h"
#include "core/report/svg_scale.h"
#include "core/report/writers.h"

namespace plimsoll {
namespace {

constexpr std::string_view Layout = R"(
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1240px;padding:0 1em;background:var(--background);color:var(--text)}
h1{font-size:1.5em}h2,summary{font-size:1.15em;font-weight:600;margin:1.5em 0 .5em}summary{cursor:pointer}
.verdict{padding:.8em 1em;border-left:6px solid var(--bound);background:var(--panel)}.verdict.bad{border-color:var(--violation)}.verdict.warned{border-color:var(--warning)}
.picture{overflow-x:auto}.picture svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th,td{padding:.25em .7em;border-bottom:1px solid var(--grid);text-align:left;vertical-align:top}
td{overflow-wrap:anywhere;min-width:8em}td.n{min-width:0}
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

std::string head(const Report& report)
{
    const std::string title = escapeXml(english(reportTitle(report)));
    constexpr std::string_view Classes[] = {"", " warned", " bad"};
    return "<!DOCTYPE html>\n<html lang=\"" + english(say("language")) +
           "\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
           title + "</title>\n<style>" + variables(Theme::Light) + "\n@media (prefers-color-scheme:dark){" +
           variables(Theme::Dark) + "}" + std::string(Layout) + "</style>\n</head>\n<body>\n<h1>" + title +
           "</h1>\n<p class=\"verdict" + std::string(Classes[static_cast<std::size_t>(verdictLevel(report))]) + "\">" +
           escapeXml(english(verdictText(report))) + "</p>\n";
}

std::string picture(const std::string& svg)
{
    return svg.empty() ? svg : "<div class=\"picture\">\n" + svg + "</div>\n";
}

std::string tag(std::string_view name, std::string_view cssClass)
{
    return "<" + std::string(name) + (cssClass.empty() ? ">" : " class=\"" + std::string(cssClass) + "\">");
}

std::string rowText(const DocumentTable& table, const std::vector<Cell>& row)
{
    std::string text = "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool number = table.columns[i]->kind == ColumnInfo::Kind::Number;
        const std::string shown = fullText(row[i]);
        text += tag("td", row[i].kind == Cell::Kind::Level ? severityName(static_cast<Severity>(row[i].number))
                          : number                         ? "n"
                                                           : "") +
                escapeXml(shown) + "</td>";
    }
    return text + "</tr>\n";
}

std::string tableText(const FactTable& table, const DocumentTable& shown, bool folded)
{
    if (shown.empty()) return {};
    std::string text = "<details id=\"" + std::string(table.id) + "\"" + (folded ? "" : " open") + ">\n<summary>" +
                       escapeXml(spoken(table.title)) + "</summary>\n";
    if (!shown.note.empty()) text += "<p class=\"note\">" + escapeXml(english(shown.note)) + "</p>\n";
    if (shown.rows.empty()) return text + "</details>\n";
    text += "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const ColumnInfo* column : shown.columns) {
        const bool number = column->kind == ColumnInfo::Kind::Number;
        text += std::string("<th scope=\"col\"") + (number ? " class=\"n\">" : ">") + escapeXml(spoken(column->title)) +
                "</th>";
    }
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : shown.rows)
        text += rowText(shown, row);
    return text + "</tbody>\n</table></div>\n</details>\n";
}

} // namespace

std::string writeHtml(const Report& report)
{
    std::string text = head(report);
    for (const TableUse& use : TableUses) {
        if (use.onPage == 0) continue;
        const FactTable& table = use.table();
        text += tableText(table, documentTable(table, report, use.onPage), use.folded);
        if (use.table == totalsTable)
            text += "<h2>" + escapeXml(spoken("Picture")) + "</h2>\n" + picture(planSvg(report, SvgInk::Classes));
        if (use.table == searchTable && report.planning.search) text += picture(searchSvg(*report.planning.search));
    }
    return text + "</body>\n</html>\n";
}

} // namespace plimsoll
