#include "core/formats/terms.h"

#include "core/formats/formats.h"

#include <numeric>

namespace plimsoll {
namespace {

/// What all its arenas are aligned to.
std::int64_t alignmentOf(const PlanFile& plan)
{
    std::int64_t all = 0;
    for (const PlannedArena& arena : plan.arenas)
        all = std::gcd(all, arena.alignment);
    return all > 0 ? all & -all : Policies().alignment;
}

} // namespace

Terms termsOf(const Graph& graph)
{
    const Format* format = findFormat(graph.file.format);
    return format ? format->terms : Terms {};
}

bool isTable(const Graph& graph)
{
    const Format* format = findFormat(graph.file.format);
    return format && format->readTable;
}

void takeTerms(const Graph& graph, const PlanFile* plan, const std::set<std::string, std::less<>>& named,
               Policies& policies)
{
    const Terms terms = termsOf(graph);
    const std::int64_t otherwise = plan ? alignmentOf(*plan) : Policies().alignment;
    if (!named.contains("alignment")) policies.alignment = terms.alignment.value_or(otherwise);
    if (!named.contains("inputs")) policies.inputs = plan ? terms.inputs : Policies().inputs;
    if (!named.contains("backend")) policies.backend = plan ? BackendPolicy::Captured : terms.backend;
}

} // namespace plimsoll
