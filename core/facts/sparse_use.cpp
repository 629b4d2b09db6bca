#include "core/facts/sparse_use.h"

#include "core/facts/arena_peaks.h"
#include "core/ops/reorder_node.h"
#include "core/ops/sparse_rules.h"

#include <algorithm>
#include <set>
#include <span>

namespace plimsoll {
namespace {

std::string joined(const Graph& graph, std::span<const ValueId> values)
{
    std::string text;
    for (const ValueId value : values) {
        if (!value.valid()) continue;
        text += (text.empty() ? "" : " + ") + std::string(storageTypeName(graph[value].type.storage));
    }
    return text;
}

/// Of temporaries whose storage is alive then, be it by a value that was written over one.
std::int64_t bytesAtPeak(const Report& report)
{
    const std::int64_t step = peakStep(report);
    std::set<StorageId> counted;
    std::int64_t bytes = 0;
    for (const DenseFallback& fallback : report.memory.fallbacks) {
        for (const ValueId value : fallback.temporaries) {
            const PlannedValue& planned = report.program.values[value.index()];
            if (!planned.storage.valid() || !report.program.storages[planned.storage.index()].live.contains(step))
                continue;
            if (counted.insert(planned.storage).second) bytes += std::max<std::int64_t>(0, planned.requiredBytes);
        }
    }
    return bytes;
}

} // namespace

SparseDispatchKind sparseDispatchOf(const Report& report, NodeId node)
{
    const auto isIt = [node](const DenseFallback& fallback) { return fallback.node == node; };
    if (std::any_of(report.memory.fallbacks.begin(), report.memory.fallbacks.end(), isIt))
        return SparseDispatchKind::Fallback;
    return touchesSparse(*report.program.graph, node) ? SparseDispatchKind::Native : SparseDispatchKind::Dense;
}

std::string_view sparseDispatchName(SparseDispatchKind kind)
{
    constexpr std::string_view Names[] = {"", "native", "fallback"};
    return Names[static_cast<std::size_t>(kind)];
}

SparseUse sparseUse(const Report& report)
{
    SparseUse use;
    for (std::size_t i = 0; i < report.program.graph->nodes.size(); ++i) {
        const bool conversion = isStorageConversion(report.program.graph->nodes[i]);
        if (conversion) ++use.conversions;
        if (!conversion && touchesSparse(*report.program.graph, NodeId(i))) ++use.native;
    }
    if (!report.memory.fallbacks.empty()) use.atPeakBytes = bytesAtPeak(report);
    return use;
}

std::string storageTypesText(const Graph& graph, NodeId node)
{
    return joined(graph, graph[node].inputs) + " → " + joined(graph, graph[node].outputs);
}

std::string shortStorageTypesText(const Graph& graph, NodeId node)
{
    std::set<StorageType> kinds;
    for (const auto* values : {&graph[node].inputs, &graph[node].outputs}) {
        for (const ValueId value : *values) {
            if (value.valid()) kinds.insert(graph[value].type.storage);
        }
    }
    return kinds.size() == 1 ? std::string(storageTypeName(*kinds.begin())) : storageTypesText(graph, node);
}

} // namespace plimsoll
