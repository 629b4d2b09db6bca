#include "core/facts/offers.h"
#include "core/facts/tables.h"
#include "core/ops/reorder_node.h"
#include "core/plan/decision.h"
#include "core/plan/implementation.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

std::size_t refusedForPadding(const Report& report)
{
    return static_cast<std::size_t>(std::ranges::count(report.decisions, rules::PaddingOff, &Decision::rule));
}

/// Whether there was anything to choose: not where the reference computes everything.
bool isChosen(const Report& report)
{
    const auto isOther = [](const Implementation& chosen) { return chosen.backend != ReferenceBackend; };
    return refusedForPadding(report) > 0 || std::ranges::any_of(report.program.implementations.chosen(), isOther);
}

/// How many nodes each backend computes, and what was put between them.
void addBackends(const Report& report, std::vector<Fact>& rows)
{
    std::map<std::string, std::size_t> counts;
    std::size_t reorders = 0;
    std::size_t copies = 0;
    for (const NodeId node : idsOf<NodeId>(report.program.graph->nodes.size())) {
        if (report.program.schedule.nodes[node.index()].empty() ||
            report.program.graph->decided[node].fusedInto.valid())
            continue;
        const Node& info = (*report.program.graph)[node];
        if (isReorder(info))
            ++reorders;
        else if (isSpaceCopy(info))
            ++copies;
        else if (!isStorageConversion(info))
            ++counts[report.program.implementations[node].backend];
    }
    for (const auto& [backend, count] : counts)
        rows.push_back({backend, cell::count(count)});
    rows.push_back({"reorders", cell::count(reorders)});
    if (copies > 0) rows.push_back({"copies between memories", cell::count(copies)});
}

std::vector<Fact> backendFacts(const Plans& plans)
{
    const Report& report = plans.report;
    std::vector<Fact> rows;
    if (!isChosen(report)) return rows;
    addBackends(report, rows);
    if (const KernelTime time = kernelTime(report.program); time.known) {
        rows.push_back({time.measured ? "time, measured" : "time, estimated", cell::seconds(time.allMs / 1e3)});
        rows.push_back({"of it for reorders and copies", cell::seconds(time.reorderMs / 1e3)});
    }
    if (const std::size_t refused = refusedForPadding(report))
        rows.push_back({"offers refused since padding is off", cell::count(refused)});
    std::size_t fused = 0;
    std::int64_t bytes = 0;
    for (const ValueId value : idsOf<ValueId>(report.program.values.size())) {
        if (!report.program.graph->decided[value].fusedInto.valid()) continue;
        ++fused;
        bytes += std::max<std::int64_t>(0, report.program.values[value.index()].logicalBytes);
    }
    if (fused > 0) {
        rows.push_back({"values fused away", cell::count(fused)});
        rows.push_back({"bytes fused away", cell::bytes(bytes)});
    }
    if (report.memory.preparedBytes > 0)
        rows.push_back({"weights prepared or copied ahead of the run", cell::bytes(report.memory.preparedBytes)});
    return rows;
}

const PlannedValue& plannedOf(const Report& report, ValueId value)
{
    return report.program.values[value.index()];
}

/// Those with the most padding first.
std::vector<ValueId> paddedValues(const Plans& plans)
{
    const auto extra = [&](ValueId value) {
        const PlannedValue& planned = plannedOf(plans.report, value);
        return planned.logicalBytes < 0 ? 0 : planned.requiredBytes - planned.logicalBytes;
    };
    std::vector<ValueId> padded = idsOf<ValueId>(plans.report.program.values.size());
    std::erase_if(padded, [&](ValueId value) { return extra(value) <= 0; });
    std::ranges::stable_sort(padded, std::greater(), extra);
    return padded;
}

Message sparseText(const Report& report)
{
    const SparseUse use = sparseUse(report);
    if (!use.any()) return {};
    if (report.memory.fallbacks.empty()) return say("sparse-use.native", use.native);
    return say("sparse-use", use.native, report.memory.fallbacks.size(), report.memory.fallbackBytes, use.atPeakBytes);
}

} // namespace

const FactTable& backendUseTable()
{
    static const FactTable table = listTable({.id = "backend-use", .title = "Implementations"}, backendFacts);
    return table;
}

const FactTable& paddedTable()
{
    static const FactTable table = factTable<ValueId>(
        {.id = "padded",
         .title = "Values that take more than their logical bytes",
         .whyEmpty = [](const Report& report) { return isChosen(report) ? say("padded.none") : Message(); }},
        {.rows = paddedValues, .focus = [](const Report&, const ValueId& value) { return Focus::on(value); }},
        {{{"Value", "", Words, 24},
          [](const Report& report, const ValueId& value) { return cell::value(report, value); }},
         {{"Layout", "", Words, 12},
          [](const Report& report, const ValueId& value) {
              return cell::text(layoutOf(*report.program.graph, report.program.implementations, value));
          }},
         {{"Required", "", Number, 10},
          [](const Report& report, const ValueId& value) {
              return cell::bytes(plannedOf(report, value).requiredBytes);
          }},
         {{"Logical", "", Number, 10}, [](const Report& report, const ValueId& value) {
              return cell::bytes(plannedOf(report, value).logicalBytes);
          }}});
    return table;
}

const FactTable& fallbacksTable()
{
    static const FactTable table = factTable<DenseFallback>(
        {.id = "fallbacks",
         .title = "Sparse tensors",
         .note = [](const Report& report) { return report.memory.fallbacks.empty() ? Message() : sparseText(report); },
         .whyEmpty = sparseText},
        {.rows = [](const Plans& plans) { return plans.report.memory.fallbacks; },
         .focus = [](const Report&, const DenseFallback& row) { return Focus::on(row.node); }},
        {{{"Node", "", Words, 24},
          [](const Report& report, const DenseFallback& row) { return cell::node(report, row.node); }},
         {{"Dense temporaries", "", Number, 10},
          [](const Report& report, const DenseFallback& row) {
              std::int64_t bytes = 0;
              for (const ValueId value : row.temporaries)
                  bytes += std::max<std::int64_t>(0, plannedOf(report, value).requiredBytes);
              return cell::bytes(bytes);
          }},
         {{"Why", "", Long, 30}, [](const Report&, const DenseFallback& row) { return cell::sentence(row.reason); }}});
    return table;
}

} // namespace plimsoll
