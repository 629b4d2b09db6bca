#include "kernels/run/control/control_flow.h"

#include "core/ops/op_schema.h"
#include "kernels/run/control/scan_slices.h"
#include "kernels/run/step/comparison.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace plimsoll::kernels {
namespace {

using Kind = BodyLink::Kind;
constexpr std::int64_t Unbounded = std::numeric_limits<std::int64_t>::max();

/// A link with the values at its ends; invalid where its kind has none.
struct Way
{
    Kind kind = Kind::Carried;
    ValueId ownerInput;
    ValueId bodyInput;
    ValueId bodyOutput;
    ValueId ownerOutput;
    std::int64_t axis = 0; ///< Of slices.
    bool reverse = false;  ///< The last slice comes first.
};

struct OpenStack
{
    const Way* way;
    Stack stack;
};

/// Scan-8 runs its body once for each element of a batch.
struct Batch
{
    bool there = false;
    std::int64_t count = 1;
    std::int64_t element = 0;
};

struct Loop
{
    Run& run;
    NodeId owner;
    BodyId body;
    const BodyTraits& traits;
    Batch batch {};
    std::vector<Way> ways {};
    std::int64_t limit = Unbounded; ///< Iterations at most, of each element of the batch.
    bool condition = true;
    bool forced = false; ///< The limit is the number of iterations, whatever the condition.
    bool cut = false;    ///< It was ended before it was over.
    std::vector<OpenStack> stacks {};
    std::map<ValueId, std::pair<RuntimeValue, RuntimeValue>> states {}; ///< Scan-8: oracle's and planned run's.
};

std::int64_t listItem(const Node& node, std::string_view attribute, std::size_t index)
{
    const auto* list = findAttribute<std::vector<std::int64_t>>(node, attribute);
    return list && index < list->size() ? (*list)[index] : 0;
}

std::vector<Way> waysOf(const Graph& graph, NodeId owner, BodyId body, bool batched)
{
    const Node& node = graph[owner];
    std::vector<Way> ways;
    std::size_t scanned = 0;
    std::size_t stacked = 0;
    for (const BodyLink& link : bodyLinks(graph, owner, body)) {
        Way& way = ways.emplace_back(
            Way {link.kind, valueAt(node.inputs, link.ownerInput), valueAt(graph[body].inputs, link.bodyInput),
                 valueAt(graph[body].outputs, link.bodyOutput), valueAt(node.outputs, link.ownerOutput)});
        if (link.kind == Kind::ScanInput) {
            way.axis = listItem(node, "scan_input_axes", scanned);
            way.reverse = listItem(node, batched ? "directions" : "scan_input_directions", scanned++) == 1;
        } else if (link.kind == Kind::ScanOutput) {
            way.axis = listItem(node, "scan_output_axes", stacked);
            way.reverse = listItem(node, "scan_output_directions", stacked++) == 1;
        }
    }
    return ways;
}

SliceLayout layoutOf(const Loop& loop, const Way& way)
{
    if (way.kind == Kind::Carried) return {0, {loop.batch.count}, false};
    if (loop.batch.there) return {0, {loop.batch.count, loop.limit}, false};
    return {way.axis, {loop.limit}, way.reverse};
}

/// Handed over whole: a tensor beside sequences that are cut up.
bool isWhole(const Loop& loop, const RuntimeValue& outer)
{
    return loop.traits.sequences && outer.kind == RuntimeValue::Kind::Tensor;
}

/// Whether the input says how many iterations there are.
bool measureScan(Loop& loop, const Way& way, const RuntimeValue& outer)
{
    if (outer.kind == RuntimeValue::Kind::Sequence) {
        loop.limit = std::min<std::int64_t>(loop.limit, std::ssize(outer.sequence));
        return true;
    }
    if (outer.kind != RuntimeValue::Kind::Tensor || isWhole(loop, outer)) return false;
    const Shape& shape = outer.tensor.shape;
    const std::int64_t axis = loop.batch.there ? 1 : way.axis;
    const std::int64_t normal = axis < 0 ? axis + std::ssize(shape) : axis;
    if (normal < 0 || normal >= std::ssize(shape)) return false;
    loop.limit = std::min(loop.limit, shape[static_cast<std::size_t>(normal)]);
    if (loop.batch.there) loop.batch.count = shape[0];
    return true;
}

/// How many iterations at most, and how many elements the batch has.
Status measure(Loop& loop)
{
    bool counted = false;
    for (const Way& way : loop.ways) {
        const RuntimeValue& outer = loop.run.oracle.value(way.ownerInput);
        if (way.kind == Kind::Iteration && outer.kind == RuntimeValue::Kind::Tensor && outer.tensor.elements() > 0) {
            loop.limit = readInteger(outer.tensor, 0);
            counted = true;
        }
        if (way.kind == Kind::ScanInput) counted = measureScan(loop, way, outer) || counted;
    }
    if (counted || loop.traits.endless) return {};
    return Error {
        ErrorCode::BadInput, say("loop.no-scan"), "node '" + loop.run.planned.graph()[loop.owner].name + "'", {}};
}

/// Iterations of the element of the batch at most: sequences have lengths of their own.
std::int64_t iterationLimit(const Loop& loop)
{
    if (!loop.batch.there) return loop.limit;
    const RuntimeValue& lengths = loop.run.oracle.value(valueAt(loop.run.planned.graph()[loop.owner].inputs, 0));
    const bool given = lengths.kind == RuntimeValue::Kind::Tensor && loop.batch.element < lengths.tensor.elements();
    if (!given) return loop.limit;
    return std::clamp<std::int64_t>(readInteger(lengths.tensor, loop.batch.element), 0, loop.limit);
}

/// Slice of the batch's element and iteration; Scan-8 counts reversed sequences from the end of their own length.
std::int64_t sliceIndex(const Loop& loop, const Way& way, std::int64_t iteration)
{
    if (!loop.batch.there) return iteration;
    const bool reverse = way.kind == Kind::ScanInput && way.reverse;
    return loop.batch.element * loop.limit + (reverse ? iterationLimit(loop) - 1 - iteration : iteration);
}

bool goesOn(const Loop& loop, std::int64_t iteration, std::int64_t limit)
{
    return iteration < limit && (loop.forced || loop.condition);
}

bool isConstant(const Graph& graph, ValueId value)
{
    return value.valid() && graph[value].role == ValueRole::Constant;
}

/// Whether the body hands the condition on as it got it, or hands on a constant.
bool keepsCondition(const Graph& graph, const Way& way)
{
    if (way.bodyOutput == way.bodyInput || isConstant(graph, way.bodyOutput)) return true;
    const NodeId producer = graph[way.bodyOutput].producer;
    return producer.valid() && graph[producer].op == "Identity" && graph[producer].inputs[0] == way.bodyInput;
}

/// How often the loop may go round for data that are not these: numbers to be tried. Empty where constants and shapes
/// alone decide.
std::vector<std::int64_t> possibleTrips(const Loop& loop)
{
    constexpr std::int64_t Many = 5;
    const Graph& graph = loop.run.planned.graph();
    std::int64_t most = Unbounded;
    bool kept = true;  // the condition, by every iteration
    bool given = true; // at the first
    for (const Way& way : loop.ways) {
        if (way.kind == Kind::ScanInput) return {};
        if (way.kind == Kind::ScanOutput && way.ownerOutput.valid() && graph[way.ownerOutput].type.shape()) return {};
        if (way.kind == Kind::Iteration && isConstant(graph, way.ownerInput)) most = loop.limit;
        if (way.kind != Kind::Condition) continue;
        kept = keepsCondition(graph, way);
        given = !way.ownerInput.valid() || isConstant(graph, way.ownerInput);
    }
    if (most <= 0 || (kept && given && most != Unbounded)) return {};
    if (kept && most != Unbounded) return {0, std::min(most, Many)}; // all or none
    std::vector<std::int64_t> trips {0, 1, 2, std::min(most, Many)};
    std::erase_if(trips, [&](std::int64_t number) { return number > most; });
    return trips;
}

Status writeNumber(Run& run, ValueId target, DType dtype, std::int64_t number)
{
    const Shape shape = run.planned.graph()[target].type.shape().value_or(Shape {});
    return writeBoth(run, target, [&](Memory& memory) -> Status {
        PLIMSOLL_ASSIGN(view, memory.produce(target, dtype, shape));
        if (view.elements() < 1) return {};
        if (dtype == DType::Bool)
            *view.as<std::uint8_t>() = number != 0;
        else
            std::memcpy(view.data, &number, sizeof number);
        return {};
    });
}

Status feedSlice(Loop& loop, const Way& way, std::int64_t iteration)
{
    return writeBoth(loop.run, way.bodyInput, [&](Memory& memory) -> Status {
        const RuntimeValue& outer = memory.value(way.ownerInput);
        if (outer.kind == RuntimeValue::Kind::Tensor && !isWhole(loop, outer))
            return takeSlice(memory, outer, layoutOf(loop, way), sliceIndex(loop, way, iteration), way.bodyInput);
        const bool isElement = outer.kind == RuntimeValue::Kind::Sequence && iteration < std::ssize(outer.sequence);
        if (!isElement && !isWhole(loop, outer)) {
            const std::string& name = memory.graph()[loop.owner].name;
            return Error {ErrorCode::BadInput, say("loop.no-scan"), "node '" + name + "'", {}};
        }
        const TensorView source = isElement ? outer.sequence[static_cast<std::size_t>(iteration)].view() : outer.tensor;
        PLIMSOLL_ASSIGN(target, memory.produce(way.bodyInput, source.dtype, source.shape));
        copyTensor(source, target);
        return {};
    });
}

/// Iteration number and slices for the iteration that comes next.
Status feed(Loop& loop, std::int64_t iteration)
{
    for (const Way& way : loop.ways) {
        if (!way.bodyInput.valid()) continue;
        if (way.kind == Kind::Iteration) PLIMSOLL_TRY(writeNumber(loop.run, way.bodyInput, DType::Int64, iteration));
        if (way.kind == Kind::ScanInput && iteration < iterationLimit(loop))
            PLIMSOLL_TRY(feedSlice(loop, way, iteration));
    }
    return {};
}

/// The state of one element of the batch. All of it is kept from the first Enter on: the owner's input need not live
/// longer.
Status enterBatch(Loop& loop, const Way& way)
{
    const ValueId from = way.ownerInput;
    if (loop.batch.element == 0) {
        loop.states.insert_or_assign(
            from, std::pair(cloneValue(loop.run.oracle.value(from)), cloneValue(loop.run.planned.value(from))));
    }
    const auto& [oracle, planned] = loop.states.at(from);
    return writeBoth(loop.run, way.bodyInput, [&](Memory& memory) {
        const RuntimeValue& state = &memory == &loop.run.oracle ? oracle : planned;
        return takeSlice(memory, state, layoutOf(loop, way), loop.batch.element, way.bodyInput);
    });
}

/// Before anything is read: what feed() writes lies apart from it.
void poisonFed(Loop& loop)
{
    for (const Way& way : loop.ways) {
        const bool fed = way.kind == Kind::Iteration || way.kind == Kind::ScanInput;
        if (fed && way.bodyInput.valid()) poisonWritten(loop.run, way.bodyInput);
    }
}

Status enter(Loop& loop)
{
    poisonFed(loop);
    std::vector<Move> moves;
    for (const Way& way : loop.ways) {
        if (!way.bodyInput.valid() || way.kind == Kind::ScanInput) continue;
        if (way.kind == Kind::Carried && loop.batch.there)
            PLIMSOLL_TRY(enterBatch(loop, way));
        else if (way.ownerInput.valid() && (way.kind == Kind::Carried || way.kind == Kind::Condition))
            moves.push_back({way.ownerInput, way.bodyInput});
    }
    PLIMSOLL_TRY(moveBoth(loop.run, moves));
    loop.condition = true;
    for (const Way& way : loop.ways) {
        if (way.kind != Kind::Condition) continue;
        loop.condition = truthOf(loop.run.oracle.value(way.ownerInput), true);
        if (!way.ownerInput.valid() && way.bodyInput.valid())
            PLIMSOLL_TRY(writeNumber(loop.run, way.bodyInput, DType::Bool, 1));
    }
    return feed(loop, 0);
}

Status leave(Loop& loop, std::int64_t iteration, std::int64_t limit)
{
    poisonFed(loop);
    for (OpenStack& opened : loop.stacks) {
        if (opened.way->kind == Kind::ScanOutput)
            PLIMSOLL_TRY(opened.stack.add(opened.way->bodyOutput, sliceIndex(loop, *opened.way, iteration)));
    }
    std::vector<Move> moves;
    for (const Way& way : loop.ways) {
        if (way.kind == Kind::Condition) loop.condition = truthOf(loop.run.oracle.value(way.bodyOutput), true);
        if (way.kind == Kind::Condition && !way.bodyInput.valid()) checkRead(loop.run, way.bodyOutput);
        const bool carried = way.kind == Kind::Carried || way.kind == Kind::Condition;
        if (carried && way.bodyInput.valid() && way.bodyOutput.valid())
            moves.push_back({way.bodyOutput, way.bodyInput});
    }
    PLIMSOLL_TRY(moveBoth(loop.run, moves));
    return goesOn(loop, iteration + 1, limit) ? feed(loop, iteration + 1) : Status {};
}

Status iterate(Loop& loop)
{
    Run& run = loop.run;
    const std::int64_t limit = iterationLimit(loop);
    const std::size_t depth = run.now.iteration.size();
    std::int64_t iteration = 0;
    for (; goesOn(loop, iteration, limit); ++iteration) {
        if (!run.budget.take(run.planned.graph(), loop.body)) {
            run.budget.noteCut(loop.owner, iteration);
            loop.cut = true;
            break;
        }
        if (loop.batch.there) run.now.iteration.push_back(loop.batch.element);
        run.now.iteration.push_back(iteration);
        PLIMSOLL_TRY(runBody(run, loop.body));
        PLIMSOLL_TRY(beginLeave(run, loop.body));
        PLIMSOLL_TRY(leave(loop, iteration, limit));
        endLeave(run, loop.body);
        run.now.iteration.resize(depth);
    }
    run.start.coverage.wentRound(loop.owner, iteration);
    for (OpenStack& opened : loop.stacks) {
        if (opened.way->kind == Kind::Carried)
            PLIMSOLL_TRY(opened.stack.add(opened.way->bodyInput, loop.batch.element));
    }
    return {};
}

} // namespace

Status runLoop(Run& run, NodeId owner)
{
    const Graph& graph = run.planned.graph();
    const Node& node = graph[owner];
    if (node.bodies.empty()) return Error {ErrorCode::BadInput, say("loop.no-body"), "node '" + node.name + "'", {}};
    Loop loop {run, owner, node.bodies.front(), bodyTraits(graph, owner)};
    loop.batch.there = loop.traits.batched && loop.traits.batched(graph, node);
    loop.ways = waysOf(graph, owner, loop.body, loop.batch.there);
    PLIMSOLL_TRY(beginEnter(run, owner));
    PLIMSOLL_TRY(measure(loop));
    if (const auto trips = run.start.coverage.trips(owner, possibleTrips(loop))) {
        loop.limit = *trips;
        loop.forced = true;
    }
    for (const Way& way : loop.ways) {
        const bool slices = way.kind == Kind::ScanOutput;
        if (!way.ownerOutput.valid() || !(slices || (way.kind == Kind::Carried && loop.batch.there))) continue;
        loop.stacks.push_back({&way, Stack(run, way.ownerOutput, layoutOf(loop, way))});
        if (slices) PLIMSOLL_TRY(loop.stacks.back().stack.begin(loop.batch.there));
    }
    for (; loop.batch.element < loop.batch.count; ++loop.batch.element) {
        if (loop.batch.element > 0) PLIMSOLL_TRY(beginEnter(run, owner));
        PLIMSOLL_TRY(enter(loop));
        endStep(run);
        PLIMSOLL_TRY(iterate(loop));
    }
    PLIMSOLL_TRY(beginExit(run, owner));
    std::vector<Move> moves;
    for (const Way& way : loop.ways) {
        const bool handsOn = way.kind == Kind::Carried && !loop.batch.there && way.ownerOutput.valid();
        if (handsOn) moves.push_back({way.bodyInput, way.ownerOutput});
    }
    PLIMSOLL_TRY(moveBoth(run, moves));
    for (OpenStack& opened : loop.stacks)
        PLIMSOLL_TRY(opened.stack.finish(loop.traits.sequences, loop.cut));
    endExit(run, owner);
    return {};
}

} // namespace plimsoll::kernels
