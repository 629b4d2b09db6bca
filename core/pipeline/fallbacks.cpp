#include "core/pipeline/stages.h"

#include <algorithm>
#include <set>

namespace plimsoll::pipeline {
namespace {

constexpr std::size_t MostNamed = 3;

std::int64_t bytesOf(const Report& report, ValueId value)
{
    return std::max<std::int64_t>(0, report.program.values[value.index()].requiredBytes);
}

Finding findingFor(const Report& report, const DenseFallback& fallback)
{
    std::int64_t bytes = 0;
    for (const ValueId value : fallback.temporaries)
        bytes += bytesOf(report, value);
    Finding finding;
    finding.rule = Rule::DenseFallback;
    finding.severity = Severity::Advice;
    finding.nodes = {fallback.node};
    finding.values = fallback.temporaries;
    finding.steps = report.program.schedule.nodes[fallback.node.index()];
    finding.message =
        say("dense-fallback", word::Name {(*report.program.graph)[fallback.node].name}, bytes,
            listOf(
                fallback.temporaries, [&](ValueId value) { return word::Name {(*report.program.graph)[value].name}; },
                MostNamed),
            fallback.reason);
    finding.fix = say("fix.keep-dense");
    return finding;
}

} // namespace

void addDenseFallbacks(Report& report)
{
    std::set<ValueId> temporaries;
    for (const DenseFallback& fallback : report.memory.fallbacks) {
        temporaries.insert(fallback.temporaries.begin(), fallback.temporaries.end());
        report.verdict.findings.push_back(findingFor(report, fallback));
    }
    for (const ValueId value : temporaries)
        report.memory.fallbackBytes += bytesOf(report, value);
}

} // namespace plimsoll::pipeline
