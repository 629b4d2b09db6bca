#include "app/cli/layouts_text.h"

#include "app/cli/text_table.h"
#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/offers.h"
#include "core/lower/choose/dispatch.h"
#include "core/plan/decision.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll::cli {
namespace {

using Align = TextTable::Align;

constexpr std::size_t MostPadded = 5;

std::string timeText(const Report& report)
{
    const KernelTime time = kernelTime(report);
    if (!time.known) return {};
    char text[96];
    std::snprintf(text, sizeof text, "; %s %.3g ms, %.3g of them for reorders and copies",
                  time.measured ? "measured" : "some", time.allMs, time.reorderMs);
    return text;
}

std::string backendsLine(const Report& report)
{
    std::map<std::string, std::int64_t> counts;
    std::int64_t reorders = 0;
    std::int64_t copies = 0;
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node) {
        if (report.program.schedule.nodes[node].empty() ||
            report.program.graph->decided[NodeId(node)].fusedInto.valid())
            continue;
        const Node& info = report.program.graph->nodes[node];
        const bool isOurs = isReorder(info) || isStorageConversion(info) || isSpaceCopy(info);
        if (isReorder(info)) ++reorders;
        if (isSpaceCopy(info)) ++copies;
        if (!isOurs) ++counts[report.program.implementations[node].backend];
    }
    std::string text;
    for (const auto& [backend, count] : counts)
        text += (text.empty() ? "  " : ", ") + backend + " " + formatCount(count);
    text += ", reorders " + formatCount(reorders);
    if (copies > 0) text += ", copies between memories " + formatCount(copies);
    return text + timeText(report) + "\n";
}

/// Values whose implementation wants more than their logical bytes, those with the most padding first.
std::vector<ValueId> paddedValues(const Report& report)
{
    std::vector<ValueId> padded;
    for (std::size_t value = 0; value < report.program.values.size(); ++value) {
        const PlannedValue& planned = report.program.values[value];
        if (planned.logicalBytes >= 0 && planned.requiredBytes > planned.logicalBytes) padded.emplace_back(value);
    }
    const auto extra = [&](ValueId id) {
        return report.program.values[id.index()].requiredBytes - report.program.values[id.index()].logicalBytes;
    };
    std::stable_sort(padded.begin(), padded.end(), [&](ValueId a, ValueId b) { return extra(a) > extra(b); });
    return padded;
}

std::string paddedTable(const Report& report)
{
    const std::vector<ValueId> padded = paddedValues(report);
    if (padded.empty()) return "  every value takes its logical bytes\n";
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right});
    table.add({"padded", "layout", "required", "logical"});
    for (std::size_t i = 0; i < std::min(MostPadded, padded.size()); ++i) {
        const PlannedValue& planned = report.program.values[padded[i].index()];
        table.add({(*report.program.graph)[padded[i]].name,
                   std::string(layoutOf(*report.program.graph, report.program.implementations, padded[i])),
                   formatCount(planned.requiredBytes) + " B", formatCount(planned.logicalBytes) + " B"});
    }
    const std::size_t more = padded.size() - std::min(MostPadded, padded.size());
    const std::string rest = more > 0 ? "  and " + countText(more) + " more\n" : "";
    return table.text(2) + rest;
}

} // namespace

std::string layoutsText(const Report& report)
{
    const bool reference = std::all_of(report.program.implementations.begin(), report.program.implementations.end(),
                                       [](const Implementation& chosen) { return chosen.backend == ReferenceBackend; });
    const auto refused = std::ranges::count(report.decisions, rules::PaddingOff, &Decision::rule);
    if (reference && refused == 0) return {};
    std::string text = "\nImplementations\n" + backendsLine(report) + paddedTable(report);
    if (refused > 0) text += "  refused since padding is off: " + formatCount(refused) + " offers\n";
    std::int64_t fused = 0;
    std::int64_t bytes = 0;
    for (std::size_t value = 0; value < report.program.values.size(); ++value) {
        if (!report.program.graph->decided[ValueId(value)].fusedInto.valid()) continue;
        ++fused;
        bytes += std::max<std::int64_t>(0, report.program.values[value].logicalBytes);
    }
    if (fused > 0) text += "  fused away: " + formatCount(fused) + " values of " + formatCount(bytes) + " B\n";
    if (report.memory.preparedBytes > 0)
        text += "  weights prepared or copied ahead of the run: " + formatCount(report.memory.preparedBytes) + " B\n";
    return text;
}

} // namespace plimsoll::cli
