#include "core/report/sarif_writer.h"

#include "core/base/fnv_digest.h"
#include "core/facts/english/english.h"
#include "core/facts/words/source_text.h"
#include "core/formats/files/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view GateRule = "gate";

/// As SARIF calls a severity.
std::string_view levelOf(Severity severity)
{
    constexpr std::array<std::string_view, 3> Levels = {"error", "warning", "note"};
    return Levels[static_cast<std::size_t>(severity)];
}

/// RFC 3986: a path of which all that is not unreserved is escaped.
std::string uriOf(std::string_view path)
{
    constexpr std::string_view Unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    constexpr std::string_view Digits = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (Unreserved.find(c) != std::string_view::npos)
            uri += c;
        else
            uri += {'%', Digits[byte / 16], Digits[byte % 16]};
    }
    return uri;
}

Json artifactAt(std::string_view path)
{
    return {{"artifactLocation", {{"uri", uriOf(path)}}}};
}

/// "model.py:21 in Block.forward"; null where it names no line.
Json lineOf(const std::string& source)
{
    const std::size_t colon = source.find(':');
    int line = 0;
    if (colon == std::string::npos || colon == 0) return nullptr;
    if (std::from_chars(source.data() + colon + 1, source.data() + source.size(), line).ec != std::errc() || line < 1)
        return nullptr;
    Json place = artifactAt(std::string_view(source).substr(0, colon));
    place["region"] = {{"startLine", line}};
    return {{"physicalLocation", std::move(place)}};
}

Json programLines(const Graph& graph, const Finding& finding)
{
    Json lines = Json::array();
    const auto add = [&lines](const std::string& source) {
        Json line = lineOf(source);
        if (!line.is_null() && std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    };
    for (const NodeId node : finding.nodes)
        add(sourceLine(graph, node));
    for (const ValueId value : finding.values)
        add(sourceLine(graph, value));
    return lines;
}

Json placesOf(const std::string& file, const FindingName& name)
{
    Json location = Json::object();
    if (file != "-") location["physicalLocation"] = artifactAt(file);
    Json names = Json::array();
    for (const std::string& value : name.values)
        names.push_back({{"fullyQualifiedName", value}, {"kind", "variable"}});
    for (const std::string& node : name.nodes)
        names.push_back({{"fullyQualifiedName", node}, {"kind", "node"}});
    if (!names.empty()) location["logicalLocations"] = std::move(names);
    return location.empty() ? Json::array() : Json::array({std::move(location)});
}

std::string fingerprintOf(const FindingName& name)
{
    Digest digest;
    digest.add(name.rule);
    for (const std::vector<std::string>* names : {&name.values, &name.nodes}) {
        digest.add(static_cast<std::int64_t>(names->size()));
        for (const std::string& one : *names)
            digest.add(one);
    }
    return digest.hex();
}

Json propertiesOf(const PlannedProgram& program, const Finding& finding)
{
    Json properties = Json::object();
    if (finding.arena.valid()) properties["space"] = program.map.arenas[finding.arena.index()].space;
    if (!finding.steps.empty()) properties["steps"] = {finding.steps.begin, finding.steps.end};
    if (!finding.bytes.empty()) properties["bytes"] = {finding.bytes.begin, finding.bytes.end};
    if (!finding.fix.empty()) properties["fix"] = english(finding.fix);
    return properties;
}

Json resultOf(const SarifResults& results, const Finding& finding)
{
    const Graph& graph = *results.report.program.graph;
    const FindingName name = nameOf(finding, graph);
    Json result = {{"ruleId", name.rule},
                   {"level", levelOf(finding.severity)},
                   {"message", {{"text", english(finding.message)}}},
                   {"locations", placesOf(results.file, name)}};
    if (Json lines = programLines(graph, finding); !lines.empty()) result["relatedLocations"] = std::move(lines);
    result["partialFingerprints"] = {{"ruleAndNames/v1", fingerprintOf(name)}};
    if (results.isNew) result["baselineState"] = "new";
    if (const Suppression* known = suppressionOf(finding, graph, results.suppressions))
        result["suppressions"] = {{{"kind", "external"}, {"justification", known->reason}}};
    if (Json properties = propertiesOf(results.report.program, finding); !properties.empty())
        result["properties"] = std::move(properties);
    return result;
}

Json ruleOf(std::string_view id, std::string_view summary, Severity severity)
{
    return {{"id", id},
            {"shortDescription", {{"text", summary}}},
            {"defaultConfiguration", {{"level", levelOf(severity)}}}};
}

/// Those that results name.
Json rulesOf(const SarifResults& results)
{
    std::set<Rule> named;
    for (const Finding& finding : results.findings)
        named.insert(finding.rule);
    Json rules = Json::array();
    for (const Rule rule : named)
        rules.push_back(ruleOf(ruleId(rule), ruleSummary(rule), ruleSeverity(rule)));
    if (!results.failures.empty())
        rules.push_back(ruleOf(GateRule, "A plan is no worse than --fail-if allows.", Severity::Error));
    return rules;
}

} // namespace

std::string writeSarif(const SarifResults& results)
{
    Json list = Json::array();
    for (const Finding& finding : results.findings)
        list.push_back(resultOf(results, finding));
    for (const Message& failure : results.failures)
        list.push_back({{"ruleId", GateRule},
                        {"level", levelOf(Severity::Error)},
                        {"message", {{"text", english(failure)}}},
                        {"locations", placesOf(results.file, {})}});
    const Json driver = {{"name", "Plimsoll"}, {"rules", rulesOf(results)}};
    return jsonText(Json {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                          {"version", "2.1.0"},
                          {"runs", {{{"tool", {{"driver", driver}}}, {"results", std::move(list)}}}}});
}

} // namespace plimsoll
