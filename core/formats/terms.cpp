#include "core/formats/terms.h"

#include "core/formats/executorch/executorch_reader.h"
#include "core/formats/hlo/hlo_reader.h"
#include "core/formats/packing/packing_graph.h"
#include "core/formats/tflite/tflite_reader.h"
#include "core/formats/torch/fx_reader.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace plimsoll {
namespace {

/// TensorFlow Lite Micro and ExecuTorch align to 16; a table of buffers says it row by row.
const std::pair<std::string_view, Terms> Elsewhere[] = {
    {FxFormat, {{}, BackendPolicy::Captured}},     {HloFormat, {{}, BackendPolicy::Captured}},
    {TfliteFormat, {16, BackendPolicy::Captured}}, {ExecutorchFormat, {16, BackendPolicy::Captured}},
    {PackingFormat, {1, BackendPolicy::Captured}}, {SnapshotFormat, {1, BackendPolicy::Captured}},
};

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
    const auto row =
        std::ranges::find(Elsewhere, std::string_view(graph.format), &std::pair<std::string_view, Terms>::first);
    return row == std::end(Elsewhere) ? Terms {} : row->second;
}

void takeTerms(const Graph& graph, const PlanFile* plan, const std::set<std::string, std::less<>>& named,
               Policies& policies)
{
    const Terms terms = termsOf(graph);
    const std::int64_t otherwise = plan ? alignmentOf(*plan) : Policies().alignment;
    if (!named.contains("alignment")) policies.alignment = terms.alignment.value_or(otherwise);
    if (!named.contains("backend")) policies.backend = plan ? BackendPolicy::Captured : terms.backend;
}

} // namespace plimsoll
