#include "core/pipeline/stages.h"

#include <algorithm>

namespace plimsoll::pipeline {
namespace {

constexpr std::size_t MostNamed = 3;

Finding findingFor(const PlannedProgram& planned, const DenseFallback& fallback)
{
    std::int64_t bytes = 0;
    for (const ValueId value : fallback.temporaries)
        bytes += std::max<std::int64_t>(0, planned.values[value.index()].requiredBytes);
    Finding finding;
    finding.rule = Rule::DenseFallback;
    finding.severity = ruleSeverity(finding.rule);
    finding.nodes = {fallback.node};
    finding.values = fallback.temporaries;
    finding.steps = planned.schedule.nodes[fallback.node.index()];
    finding.message = say(
        "dense-fallback", word::Name {(*planned.graph)[fallback.node].name}, bytes,
        listOf(
            fallback.temporaries, [&](ValueId value) { return word::Name {(*planned.graph)[value].name}; }, MostNamed),
        fallback.reason);
    finding.fix = say("fix.keep-dense");
    return finding;
}

} // namespace

std::vector<Finding> denseFallbacks(const PlannedProgram& planned, const std::vector<DenseFallback>& fallbacks)
{
    std::vector<Finding> findings;
    for (const DenseFallback& fallback : fallbacks)
        findings.push_back(findingFor(planned, fallback));
    return findings;
}

} // namespace plimsoll::pipeline
