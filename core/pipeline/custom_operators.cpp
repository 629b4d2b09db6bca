#include "core/ops/dialects/arena_rules.h"
#include "core/pipeline/stages.h"

#include <algorithm>

namespace plimsoll::pipeline {
namespace {

/// Whether it is about a custom operator, and what it makes of its own operand.
bool isUpToTheOperator(const Graph& graph, const Finding& finding)
{
    if (finding.rule != Rule::Overlap || finding.nodes.size() != 1 || finding.values.size() != 2) return false;
    const NodeId node = finding.nodes.front();
    return isCustomOperator(graph[node]) && std::ranges::count(graph[node].inputs, finding.values[0]) > 0 &&
           std::ranges::count(graph[node].outputs, finding.values[1]) > 0;
}

} // namespace

std::vector<Finding> trustCustomOperators(std::vector<Finding> findings, const Graph& graph, const PlanRequest& request)
{
    if (!request.givenPlan || request.givenPlan->file != graph.file.path.string()) return findings;
    const auto first = std::stable_partition(
        findings.begin(), findings.end(), [&](const Finding& finding) { return !isUpToTheOperator(graph, finding); });
    if (first == findings.end()) return findings;
    Finding all = *first;
    const auto count = static_cast<std::size_t>(findings.end() - first);
    for (auto more = first + 1; more != findings.end(); ++more) {
        all.nodes.insert(all.nodes.end(), more->nodes.begin(), more->nodes.end());
        all.values.insert(all.values.end(), more->values.begin(), more->values.end());
    }
    all.severity = Severity::Warning;
    all.message = say("overlap.custom", all.message, count > 1 ? say("overlap.custom-more", count - 1) : Message());

    all.fix = say("fix.look-up");
    findings.erase(first, findings.end());
    findings.push_back(std::move(all));
    return findings;
}

} // namespace plimsoll::pipeline
