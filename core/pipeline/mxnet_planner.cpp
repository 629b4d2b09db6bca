#include "core/pipeline/mxnet_planner.h"

#include "core/analysis/step_colours.h"
#include "core/base/bytes.h"
#include "core/base/sum.h"
#include "core/ops/op_traits.h"
#include "core/placement/placement.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace plimsoll::pipeline {
namespace {

/// By BufferId: the storage that became it.
std::vector<const Storage*> buffersOf(const std::vector<Storage>& storages)
{
    std::vector<const Storage*> buffers;
    for (const Storage& storage : storages) {
        if (storage.arena.valid()) buffers.push_back(&storage);
    }
    return buffers;
}

std::int64_t elementsOf(const Graph& graph, const Storage& storage)
{
    if (storage.values.empty()) return 0;
    const auto shape = graph[storage.values.front()].type.shape();
    return shape ? elementCount(*shape).value_or(0) : 0;
}

/// What MXNet 1.5 to 1.9 report: they take every element for four bytes.
void noteFourByteElements(const Subject& subject, const PlacedGraph& placed, std::vector<Message>& notes)
{
    const std::vector<const Storage*> storages = buffersOf(placed.storages);
    Problem problem = placed.problem;
    std::int64_t exact = 0;
    std::int64_t guessed = 0;
    for (Arena& arena : problem.arenas)
        arena.alignment = 1;
    for (std::size_t index = 0; index < storages.size(); ++index) {
        Buffer& buffer = problem.buffers[index];
        buffer.alignment = 1;
        const auto bytes = checkedMultiply(elementsOf(subject.graph, *storages[index]), 4);
        if (storages[index]->values.empty() || !bytes) continue;
        exact += buffer.bytes;
        guessed += *bytes;
        buffer.bytes = *bytes;
    }
    const Result<Plan> plan =
        exact == guessed ? Result<Plan>(Plan {}) : place(problem, subject.program.policies.placement, {});
    if (exact == guessed || !plan.ok()) return;
    notes.push_back(say("note.four-bytes", sumOf(plan.value().arenaBytes)));
}

/// A block whose value a node takes without reading its content.
void noteIgnoredReads(const Subject& subject, const PlacedGraph& placed, std::vector<Message>& notes)
{
    std::set<StorageId> lost;
    std::int64_t bytes = 0;
    Message example;
    for (std::size_t n = 0; n < subject.graph.nodes.size(); ++n) {
        const Node& node = subject.graph.nodes[n];
        for (std::size_t i = 0; i < node.inputs.size() && !subject.program.schedule.nodes[n].empty(); ++i) {
            const ValueId input = node.inputs[i];
            if (!input.valid() || readsContent(subject.graph, NodeId(n), static_cast<int>(i))) continue;
            const StorageId storage = placed.storageOf[input.index()];
            if (!storage.valid() || !placed.storages[storage.index()].arena.valid()) continue;
            if (subject.facts.isOutput[input.index()] || !lost.insert(storage).second) continue;
            bytes += placed.storages[storage.index()].bytes;
            if (example.empty())
                example = say("note.shape-of", word::Name {node.name}, word::Name {subject.graph[input].name});
        }
    }
    if (lost.empty()) return;
    notes.push_back(say("note.ignored-reads", example, bytes));
}

/// How often a value is read at \p step or later, a graph output once more: MXNet's count at that time.
std::int64_t readsFrom(const Subject& subject, const Uses& uses, ValueId value, std::int64_t step)
{
    std::int64_t count = 0;
    for (const Uses::Read& read : uses.reads[value.index()]) {
        const bool counted = readsContent(subject.graph, read.node, read.input);
        count += counted && subject.program.schedule.stepOf(read.node) >= step ? 1 : 0;
    }
    return count + static_cast<std::int64_t>(uses.results[value.index()].size());
}

/// In place over an input whose content the node ignores: MXNet asks for one open read, and takes it for the node's
/// own, unless the node ignores all of its inputs.
void noteOverwrittenReads(const Subject& subject, const PlacedGraph& placed, std::vector<Message>& notes)
{
    const Uses uses = findUses(subject.graph);
    for (std::size_t n = 0; n < subject.graph.nodes.size(); ++n) {
        const Node& node = subject.graph.nodes[n];
        bool looks = false;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            looks = looks || readsContent(subject.graph, NodeId(n), static_cast<int>(i));
        if (subject.program.schedule.nodes[n].empty() || !looks) continue;
        for (const AliasTrait& trait : subject.facts.traits[NodeId(n)]) {
            const ValueId input = node.inputs[static_cast<std::size_t>(trait.input)];
            if (trait.kind != AliasKind::MayBeInPlace || readsContent(subject.graph, NodeId(n), trait.input)) continue;
            const StorageId storage = placed.storageOf[input.index()];
            const bool planned = storage.valid() && placed.storages[storage.index()].arena.valid();
            if (!planned || readsFrom(subject, uses, input, subject.program.schedule.stepOf(NodeId(n))) != 1) continue;
            const ValueId output = node.outputs[static_cast<std::size_t>(trait.output)];
            notes.push_back(say("note.overwritten-read", word::Name {subject.graph[output].name},
                                word::Name {subject.graph[input].name}, word::Name {node.name}));
        }
    }
}

} // namespace

void orderLikeMxnet(const Subject& subject, const std::vector<Storage>& storages, Problem& problem)
{
    problem.blockRule = {subject.program.policies.matchRange, subject.program.policies.matchRangeSearch,
                         colourSteps(subject.graph, subject.program.schedule, subject.program.policies.colours)};
    const std::vector<const Storage*> buffers = buffersOf(storages);
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t {0});
    const auto key = [&](std::size_t buffer) {
        const Storage& storage = *buffers[buffer];
        const int output = storage.values.empty() ? 0 : subject.graph[storage.values.front()].producerOutput;
        return std::tuple(storage.live.hull().begin, -elementsOf(subject.graph, storage), -output);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t turn = 0; turn < order.size(); ++turn)
        problem.buffers[order[turn]].takeOrder = static_cast<std::int32_t>(turn);
    std::vector<BufferId> bufferOf(subject.graph.values.size());
    for (std::size_t buffer = 0; buffer < buffers.size(); ++buffer) {
        for (const ValueId value : buffers[buffer]->values)
            bufferOf[value.index()] = BufferId(buffer);
    }
    for (std::int64_t step = 0; step < subject.program.schedule.length(); ++step) {
        const NodeId id = subject.program.schedule.steps[static_cast<std::size_t>(step)].node;
        const Node& node = subject.graph[id];
        const auto freeAt = [&](ValueId value, std::size_t turn) {
            const BufferId buffer = value.valid() ? bufferOf[value.index()] : BufferId();
            if (!buffer.valid() || problem.buffers[buffer.index()].live.hull().end != step + 1) return;
            problem.buffers[buffer.index()].freeOrder = static_cast<std::int32_t>(turn);
        };
        for (std::size_t input = 0; input < node.inputs.size(); ++input) {
            if (readsContent(subject.graph, id, static_cast<int>(input))) freeAt(node.inputs[input], input);
        }
        for (std::size_t output = 0; output < node.outputs.size(); ++output)
            freeAt(node.outputs[output], node.inputs.size() + output);
    }
}

std::vector<Message> mxnetNotes(const Subject& subject, const PlacedGraph& placed, const Plan& plan)
{
    std::vector<Message> notes;
    const Policies& policies = subject.program.policies;
    if (policies.matchRangeSearch && policies.matchRange == 0) notes.push_back(say("note.match-range-0"));
    if (policies.matchRangeSearch && policies.matchRange > 0) {
        const auto lowest = std::ranges::min_element(plan.tried, {}, &MatchRangeTry::bytes);
        const auto sizeOf = [](const MatchRangeTry& one) { return say("note.range-bytes", one.range, one.bytes); };
        notes.push_back(say("note.match-ranges", allOf(plan.tried, sizeOf, word::List::Joint::Comma), lowest->range));
    }
    noteFourByteElements(subject, placed, notes);
    noteIgnoredReads(subject, placed, notes);
    noteOverwrittenReads(subject, placed, notes);
    return notes;
}

void logMatchRanges(const Plan& plan, const DecisionLog& log)
{
    if (!log.recording() || plan.tried.size() < 2) return;
    const std::int64_t height = sumOf(plan.arenaBytes);
    bool found = false;
    for (const MatchRangeTry& one : plan.tried) {
        const bool kept = !found && one.bytes == height;
        found = found || kept;
        log.add({DecisionKind::Placement, "storage-reuse", "match-range " + std::to_string(one.range), kept,
                 "match-range", say("match-range", one.range, one.bytes), one.bytes});
    }
}

} // namespace plimsoll::pipeline
