#include "kernels/checks/measurements.h"

#include "core/pipeline/pipeline.h"
#include "kernels/checks/one_output.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

ValueId convolution(GraphBuilder& builder, ValueId x, Shape weights, std::int64_t stride)
{
    const std::int64_t pad = weights[2] / 2;
    const ValueId w = builder.addParameter("w" + std::to_string(builder.graph().values.size()),
                                           TensorType::dense(DType::Float32, weights));
    return addNode(builder, "Conv", {x, w},
                   {{"strides", Shape {stride, stride}}, {"pads", Shape {pad, pad, pad, pad}}});
}

/// Four stages of four blocks, each with two convolutions and a sum.
Result<Graph> residualNetwork(std::int64_t batch)
{
    GraphBuilder builder("residual");
    builder.graph().opsets[""] = 17;
    ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {batch, 3, 128, 128}));
    x = addNode(builder, "Relu", {convolution(builder, x, {64, 3, 7, 7}, 2)});
    std::int64_t channels = 64;
    for (const std::int64_t width : {64, 128, 256, 512}) {
        for (int block = 0; block < 4; ++block) {
            const std::int64_t stride = width != channels ? 2 : 1;
            const ValueId aside = stride == 2 ? convolution(builder, x, {width, channels, 1, 1}, 2) : x;
            const ValueId inner = addNode(builder, "Relu", {convolution(builder, x, {width, channels, 3, 3}, stride)});
            x = addNode(builder, "Relu",
                        {addNode(builder, "Add", {convolution(builder, inner, {width, width, 3, 3}, 1), aside})});
            channels = width;
        }
    }
    builder.addOutput(x);
    return std::move(builder).build();
}

/// The storages of a plan: what goes at a step makes room for what comes there.
std::vector<AllocationEvent> eventsOf(const Report& report)
{
    std::vector<std::pair<std::int64_t, AllocationEvent>> changes; // by step
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (!storage.arena.valid() || storage.live.empty()) continue;
        changes.push_back({storage.live.hull().begin, {static_cast<int>(i), true, storage.bytes}});
        changes.push_back({storage.live.hull().end, {static_cast<int>(i), false, storage.bytes}});
    }
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : !a.second.begins && b.second.begins;
    });
    std::vector<AllocationEvent> events;
    for (const auto& change : changes)
        events.push_back(change.second);
    return events;
}

} // namespace

Result<AllocationTrace> residualTrace(std::int64_t batch)
{
    PLIMSOLL_ASSIGN(graph, residualNetwork(batch));
    PlanRequest request;
    request.recordDecisions = false;
    PLIMSOLL_ASSIGN(report, analyse(graph, request, {}));
    return AllocationTrace {eventsOf(report), report.memory.peakBytes, report.memory.lowerBoundBytes};
}

Result<std::vector<AllocationTiming>> timeAllocations()
{
    PLIMSOLL_ASSIGN(trace, residualTrace(16));
    return measureAllocations(0, trace.events, trace.arenaBytes);
}

} // namespace plimsoll::kernels
