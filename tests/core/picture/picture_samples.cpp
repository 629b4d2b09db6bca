#include "tests/core/picture/picture_samples.h"

#include "core/facts/arena_peaks.h"
#include "core/facts/holes.h"

#include <algorithm>
#include <map>
#include <random>

namespace plimsoll::test {
namespace {

void addNodes(Graph& graph, Report& report, std::int64_t steps)
{
    static const char* const Ops[] = {"Conv", "Relu", "MatMul", "Add", "Softmax"};
    for (std::int64_t i = 0; i < steps; ++i) {
        Node node;
        node.op = Ops[i % 5];
        node.name = "node" + std::to_string(i);
        graph.nodes.push_back(node);
        graph.bodies[0].nodes.push_back(NodeId(static_cast<std::size_t>(i)));
        report.program.schedule.steps.push_back({StepKind::Node, NodeId(static_cast<std::size_t>(i)), TopBody});
        report.program.schedule.nodes.push_back({i, i + 1});
    }
    report.program.schedule.bodies = {{0, steps}};
}

void addRow(Graph& graph, Report& report, const Row& row, std::map<int, StorageId>& storages)
{
    const ValueId id(graph.values.size());
    Value value;
    value.name = row.name;
    value.type = TensorType::dense(DType::UInt8, {row.bytes});
    if (row.external) {
        value.role = ValueRole::Input;
        graph.bodies[0].inputs.push_back(id);
    } else {
        value.producer = NodeId(static_cast<std::size_t>(row.steps.begin));
        graph[value.producer].outputs.push_back(id);
    }
    graph[NodeId(static_cast<std::size_t>(row.steps.end - 1))].inputs.push_back(id);
    graph.values.push_back(value);

    StorageId storage(report.program.storages.size());
    if (row.storage >= 0) storage = storages.emplace(row.storage, storage).first->second;
    if (storage.index() == report.program.storages.size()) {
        report.program.storages.push_back({.offset = row.offset});
        if (!row.external) report.program.storages.back().arena = ArenaId(std::size_t {0});
    }
    Storage& place = report.program.storages[storage.index()];
    place.bytes = std::max(place.bytes, row.offset + row.bytes - place.offset);
    place.live.add(row.steps);
    place.values.push_back(id);

    PlannedValue planned {
        .storage = storage, .logicalBytes = row.bytes, .requiredBytes = row.bytes, .offset = row.offset};
    planned.live = LiveRanges(row.steps);
    planned.shared = row.sharedAs != AliasKind::Fresh;
    planned.sharedAs = row.sharedAs;
    report.program.values.push_back(planned);
}

void addTotals(Report& report, std::int64_t steps)
{
    report.program.map.arenas.push_back({});
    std::vector<std::int64_t> change(static_cast<std::size_t>(steps) + 1, 0);
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid()) {
            report.memory.externalBytes += storage.bytes;
            continue;
        }
        report.program.map.arenas[0].bytes =
            std::max(report.program.map.arenas[0].bytes, storage.offset + storage.bytes);
        report.memory.noReuseBytes += storage.bytes;
        for (const Interval& live : storage.live.intervals()) {
            change[static_cast<std::size_t>(live.begin)] += storage.bytes;
            change[static_cast<std::size_t>(live.end)] -= storage.bytes;
        }
    }
    std::int64_t live = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
        live += change[static_cast<std::size_t>(step)];
        report.memory.liveBytes.push_back(live);
        report.memory.lowerBoundBytes = std::max(report.memory.lowerBoundBytes, live);
    }
    report.memory.peakBytes = report.program.map.arenas[0].bytes;
    report.memory.arenas.push_back({report.memory.lowerBoundBytes, report.memory.noReuseBytes});
}

/// The lowest place where it fits below, between or above what is live.
std::int64_t firstFit(const std::vector<Row>& live, std::int64_t bytes)
{
    std::int64_t offset = 0;
    for (const Row& other : live) { // sorted by offset
        if (other.offset - offset >= bytes) break;
        offset = std::max(offset, other.offset + other.bytes);
    }
    return offset;
}

} // namespace

Report reportOf(const std::vector<Row>& rows)
{
    Report report;
    std::int64_t steps = 0;
    for (const Row& row : rows)
        steps = std::max(steps, row.steps.end);
    auto graph = std::make_shared<Graph>();
    graph->name = "sample";
    addNodes(*graph, report, steps);
    std::map<int, StorageId> storages;
    for (const Row& row : rows)
        addRow(*graph, report, row, storages);
    addTotals(report, steps);
    report.program.graph = graph;
    report.memory.holes = findHoles(report.program);
    report.memory.peaks = arenaPeaks(report.program);
    report.memory.storages = plannedStorages(report.program);
    return report;
}

Report randomReport(std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto upTo = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
    std::vector<Row> rows;
    std::vector<Row> live;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<std::int64_t>(i);
        std::erase_if(live, [begin](const Row& row) { return row.steps.end <= begin; });
        Row row {.name = "block" + std::to_string(i / 40) + "/value" + std::to_string(i)};
        const std::int64_t length = i % 50 == 0 ? 1 + upTo(400) : 1 + upTo(12);
        row.steps = {begin, std::min(begin + length, static_cast<std::int64_t>(count))};
        row.bytes = 64 * (1 + upTo(i % 7 == 0 ? 4000 : 300));
        row.offset = firstFit(live, row.bytes);
        live.insert(std::upper_bound(live.begin(), live.end(), row,
                                     [](const Row& a, const Row& b) { return a.offset < b.offset; }),
                    row);
        rows.push_back(row);
    }
    return reportOf(rows);
}

} // namespace plimsoll::test
