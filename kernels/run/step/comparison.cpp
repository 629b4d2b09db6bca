#include "kernels/run/step/comparison.h"

#include "core/base/stopwatch.h"
#include "core/graph/value_strides.h"
#include "core/record/run_record.h"
#include "kernels/run/control/out_of_order.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/strided_values.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MaxMismatches = 200;

Interval reservedBytes(const MemoryMap& map, const Graph& graph, ValueId value)
{
    const ValuePlacement& where = map.values[value.index()];
    return {where.offset, where.offset + spanBytes(graph[value]).value_or(where.bytes)};
}

bool sharesBytes(const PlannedProgram& program, ValueId a, ValueId b)
{
    const ValuePlacement& first = program.map.values[a.index()];
    const ValuePlacement& second = program.map.values[b.index()];
    const bool known = (first.placed() && second.placed()) || (first.host.valid() && second.host.valid());
    if (!known || first.arena != second.arena || first.host != second.host) return false;
    return overlaps(reservedBytes(program.map, *program.graph, a), reservedBytes(program.map, *program.graph, b));
}

StepEvent eventOf(const Run& run)
{
    const Schedule& schedule = run.start.program.schedule;
    const Step& step = schedule.steps[static_cast<std::size_t>(run.now.number)];
    return {run.now.number, schedule.length(), step.node, step.kind, run.now.iteration};
}

std::optional<Difference> differenceOf(Run& run, ValueId value)
{
    const Value& info = run.planned.graph()[value];
    if (isStrided(info))
        return compareExactly(ownElements(info, run.planned.value(value)), ownElements(info, run.oracle.value(value)));
    if (!run.planned.spaces().of(value)) return compareExactly(run.planned.value(value), run.oracle.value(value));
    const Result<RuntimeValue> found = run.planned.onHost(value);
    const Result<RuntimeValue> wanted = run.oracle.onHost(value);
    if (found.ok() && wanted.ok()) return compareExactly(found.value(), wanted.value());
    noteFailure(run, found.ok() ? wanted.error() : found.error());
    return std::nullopt;
}

void addMismatch(Run& run, RunResult::Mismatch mismatch)
{
    run.start.observer.mismatch(mismatch);
    run.result.mismatches.push_back(std::move(mismatch));
}

/// Bytes beside what the step may write.
void addOverrun(Run& run, Message note, const std::string& value)
{
    addMismatch(run, {value, run.planned.graph()[eventOf(run).node].name, run.now.number,
                      std::numeric_limits<double>::quiet_NaN(), std::move(note)});
}

/// As before a node, but for what stays where it is and for what is itself handed on: that is read before it is
/// written.
void poisonTargets(Run& run, const std::vector<Move>& moves)
{
    for (const Move& move : moves) {
        const bool isRead = std::ranges::find(moves, move.to, &Move::from) != moves.end();
        if (!isRead && !liesOver(run.start.program.map, move.to, move.from)) poisonWritten(run, move.to);
    }
}

void noteWrite(Run& run, ValueId value, bool overOthers)
{
    Comparison::LastWrite& last = run.compared.lastWrites[value.index()];
    last = {++run.compared.writes, run.now.number, overOthers || last.overOthers};
}

/// Nothing has been written there by then, whatever the bytes are.
bool isTooEarly(const Run& run, ValueId value)
{
    return run.compared.oracle == Comparison::Oracle::Adopted && run.compared.early.values.contains(value) &&
           run.compared.lastWrites[value.index()].order == 0;
}

void checkGuards(Run& run)
{
    while (const auto hit = run.planned.arenas().checkGuards()) {
        using Zone = ArenaMemory::GuardHit::Zone;
        const word::Number arena {hit->arena.number()};
        const word::Number at {hit->distance};
        addOverrun(run,
                   hit->zone == Zone::After    ? say("run.guard-after", arena, at)
                   : hit->zone == Zone::Before ? say("run.guard-before", arena, at)
                                               : say("run.guard-reserved", arena, at),
                   {});
    }
}

/// Around what the device has just written in the oracle, where nothing else lies beside it.
void checkCanaries(Run& run)
{
    const NodeId node = eventOf(run).node;
    if (!run.planned.spaces().of(node)) return;
    std::vector<ValueId> written = run.now.written;
    if (run.start.program.implementations[node].scratchpadBytes > 0) written.push_back(ValueId {});
    for (const ValueId value : written) {
        const DeviceCanaries* const canaries = run.oracle.canariesOf(value);
        if (!canaries) continue;
        const auto hit = canaries->firstHit();
        if (!hit.ok()) noteFailure(run, hit.error());
        if (!hit.ok() || !hit.value()) continue;
        const std::int64_t distance = *hit.value();
        const std::string name = value.valid() ? run.planned.graph()[value].name : std::string();
        addOverrun(run,
                   say(distance < 0 ? "run.wrote-before" : "run.wrote-behind",
                       value.valid() ? Argument(word::Name {name}) : Argument(say("run.scratchpad")),
                       word::Number {distance < 0 ? -distance : distance}),
                   name);
    }
}

/// In an order in which it is named without being looked at: the value that was written there, under its first name.
ValueId firstName(const Run& run, ValueId value)
{
    const Graph& graph = run.planned.graph();
    const std::vector<PlannedValue>& values = run.start.program.values;
    for (bool found = true; found && run.compared.lastWrites[value.index()].order == 0;) {
        const NodeId maker = graph[value].producer;
        if (!maker.valid() || !run.start.writes[maker.index()].namesOnly) break;
        const auto input = std::ranges::find_if(graph[maker].inputs, [&](ValueId one) {
            return one.valid() && values[one.index()].storage == values[value.index()].storage;
        });
        found = input != graph[maker].inputs.end();
        if (found) value = *input;
    }
    return value;
}

/// In another order than the captured one: the node that makes it is still to come.
bool isStillToBeMade(const Run& run, ValueId value)
{
    const NodeId maker = run.planned.graph()[value].producer;
    return run.compared.oracle == Comparison::Oracle::Adopted && maker.valid() &&
           !run.planned.graph().decided[maker].ahead && run.compared.lastWrites[value.index()].order == 0;
}

/// The value of the latest write since its own to bytes that it shares.
std::optional<ValueId> writtenOver(const Run& run, ValueId spoiled)
{
    const std::vector<Comparison::LastWrite>& writes = run.compared.lastWrites;
    std::optional<ValueId> latest;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        const ValueId other {i};
        const std::int64_t since = writes[latest ? latest->index() : spoiled.index()].order;
        if (other == spoiled || writes[i].order <= since) continue;
        if (sharesBytes(run.start.program, spoiled, other)) latest = other;
    }
    return latest;
}

Message also(Message note, Message clause)
{
    return note.empty() ? std::move(clause) : say("clauses", std::move(note), std::move(clause));
}

void addDifference(Run& run, ValueId value, const Difference& difference, bool follows = false)
{
    if (!run.compared.mismatched.insert(value).second || run.result.mismatches.size() >= MaxMismatches) return;
    const Graph& graph = run.planned.graph();
    RunResult::Mismatch mismatch;
    mismatch.value = graph[value].name;
    mismatch.step = run.now.number;
    mismatch.maxAbsDiff = difference.maxAbsDiff;
    mismatch.note = difference.note;
    const ValueId made = firstName(run, value);
    const bool early = isStillToBeMade(run, made);
    const auto by = early ? std::nullopt : writtenOver(run, made);
    mismatch.follows = follows || (made != value && !early && !by && run.compared.mismatched.contains(made));
    if (mismatch.follows) mismatch.note = also(std::move(mismatch.note), say("run.from-spoiled"));
    if (early) mismatch.note = also(std::move(mismatch.note), say("run.read-early"));
    if (by) {
        mismatch.overwrittenBy = graph[*by].name;
        mismatch.overwrittenStep = run.compared.lastWrites[by->index()].step;
        mismatch.note = also(std::move(mismatch.note), say("run.overwritten", word::Name {mismatch.overwrittenBy},
                                                           word::Number {mismatch.overwrittenStep}));
    }
    if (run.now.number >= 0) mismatch.node = graph[eventOf(run).node].name;
    if (!run.now.iteration.empty())
        mismatch.note = also(std::move(mismatch.note), say("run.iteration", iterationText(run.now.iteration)));
    addMismatch(run, std::move(mismatch));
}

/// As the step leaves it, or finds it.
void tellContent(Run& run, ValueId value, bool given)
{
    const RuntimeValue& there = run.planned.value(value);
    if (there.kind != RuntimeValue::Kind::Tensor || there.tensor.dtype == DType::String) return;
    if (run.planned.graph()[value].type.isSparse() || isStrided(run.planned.graph()[value])) return;
    const Result<RuntimeValue> content = run.planned.onHost(value);
    if (!content.ok()) return noteFailure(run, content.error());
    run.start.observer.content(value, given, content.value().tensor);
}

} // namespace

Status health(const Run& run)
{
    return run.compared.failure.ok() ? run.planned.arenas().health() : run.compared.failure;
}

void noteFailure(Run& run, const Status& status)
{
    if (run.compared.failure.ok()) run.compared.failure = status;
}

/// An owner writes one value behind the other: all of them are there at the end.
void checkTogether(Run& run)
{
    for (const ValueId value : run.now.written) {
        if (run.compared.mismatched.contains(value)) continue;
        if (const auto spoiled = differenceOf(run, value)) addDifference(run, value, *spoiled);
    }
}

Status beginStep(Run& run, std::int64_t step)
{
    PLIMSOLL_TRY(health(run));
    if (run.start.context.stopped())
        return Error {ErrorCode::Stopped, say("run.stopped-at", word::Number {step}), {}, {}};
    if (run.compared.oracle != Comparison::Oracle::Adopted)
        run.lifetimes.dead.pass(run.now.number, step, run.planned.arenas());
    run.now.number = step;
    run.now.written.clear();
    run.now.ms = 0;
    run.now.spoiledRead = false;
    run.start.observer.begin(eventOf(run));
    return {};
}

void endStep(Run& run)
{
    if (eventOf(run).kind != StepKind::Node) checkTogether(run);
    run.result.stepMs[static_cast<std::size_t>(run.now.number)] += run.now.ms;
    run.lifetimes.inUse.note(run.now.number, eventOf(run).node);
    run.lifetimes.held.note(run.now.number, run.oracle);
    checkGuards(run);
    checkCanaries(run);
    const bool digests = run.start.observer.wantsDigests() && !run.now.written.empty();
    Digest digest;
    for (const ValueId value : digests ? run.now.written : std::vector<ValueId> {}) {
        const Result<RuntimeValue> content = run.planned.onHost(value);
        if (content.ok()) digest.add(content.value());
        if (!content.ok()) noteFailure(run, content.error());
    }
    for (const ValueId value : run.start.observer.wantsContents() ? run.now.written : std::vector<ValueId> {})
        tellContent(run, value, false);
    run.start.observer.end(eventOf(run), run.now.ms, digests ? digest.hex() : std::string());
}

void poisonWritten(Run& run, ValueId value, Interval bytes)
{
    ValuePlacement written = run.start.program.map.values[value.index()];
    const std::int64_t required = run.start.program.values[value.index()].requiredBytes;
    if (required >= 0) written.bytes = required; // what is reserved beyond is not written
    if (bytes.end >= 0) {
        written.offset += bytes.begin;
        written.bytes = bytes.length();
    }
    run.planned.poison(written);
    noteWrite(run, value, true);
}

void poisonBeyond(Run& run, ValueId value)
{
    ValuePlacement beyond = run.start.program.map.values[value.index()];
    const std::int64_t missing = run.start.program.values[value.index()].requiredBytes - beyond.bytes;
    if (!beyond.placed() || missing <= 0) return;
    beyond.offset += beyond.bytes;
    beyond.bytes = missing;
    run.planned.poison(beyond);
}

void poisonWrites(Run& run, NodeId node)
{
    const NodeWrites& writes = run.start.writes[node.index()];
    for (const auto& [output, bytes] : writes.apart)
        poisonWritten(run, output, bytes);
    for (const ValueId output : writes.inPlace)
        run.compared.lastWrites[output.index()].overOthers = true;
    run.planned.poison(writes.scratch);
}

void checkRead(Run& run, ValueId value)
{
    if (!value.valid()) return;
    if (!run.compared.mismatched.contains(value)) {
        auto spoiled = differenceOf(run, value);
        if (!spoiled && isTooEarly(run, value)) // what lies there happens to be equal
            spoiled = Difference {.maxAbsDiff = std::numeric_limits<double>::quiet_NaN()};
        if (spoiled) addDifference(run, value, *spoiled);
    }
    run.now.spoiledRead = run.now.spoiledRead || run.compared.mismatched.contains(value);
    const NodeId maker = run.planned.graph()[value].producer; // another order may come to the value before it does
    const bool made = maker.valid() && !run.planned.graph().decided[maker].ahead;
    const bool given = !made && run.compared.lastWrites[value.index()].order == 0;
    if (given && run.start.observer.wantsContents()) tellContent(run, value, true);
}

void checkWritten(Run& run, ValueId value)
{
    if (!value.valid()) return;
    noteWrite(run, value, false);
    keepEarly(run, value);
    run.now.written.push_back(value);
    run.lifetimes.inUse.begins(value);
    ++run.result.comparedValues;
    run.result.comparedBytes += valueBytes(run.oracle.value(value));
    if (run.compared.mismatched.contains(value)) return;
    if (const auto wrong = differenceOf(run, value)) addDifference(run, value, *wrong, run.now.spoiledRead);
}

void settlePlanned(Run& run, const ValueIds& targets, const Status& planned)
{
    if (!planned.ok() && planned.error().code == ErrorCode::Stopped) return noteFailure(run, planned);
    // The same kernel with the same data: memory was short, or a library failed.
    if (!planned.ok() && planned.error().code == ErrorCode::Unsupported && !run.now.spoiledRead)
        return noteFailure(run, planned);
    for (const ValueId target : targets) {
        if (!target.valid()) continue;
        if (!planned.ok()) {
            addDifference(
                run, target,
                {std::numeric_limits<double>::quiet_NaN(), 0, say("run.failed-planned", planned.error().message)});
            const Result<RuntimeValue> content = run.oracle.onHost(target);
            const Status replaced = content.ok() ? run.planned.write(target, content.value()) : content.error();
            if (!replaced.ok() && run.planned.spaces().of(target)) return noteFailure(run, replaced);
            if (!replaced.ok()) run.planned.set(target, cloneValue(run.oracle.value(target)));
        }
        poisonBeyond(run, target);
        checkWritten(run, target);
    }
}

Status timed(Run& run, const std::function<Status()>& work)
{
    const Stopwatch watch;
    Status status = work();
    run.now.ms += watch.ms();
    return status;
}

Status writeBoth(Run& run, ValueId target, const std::function<Status(Memory&)>& writer)
{
    PLIMSOLL_TRY(writer(run.oracle));
    settlePlanned(run, {target}, timed(run, [&] { return writer(run.planned); }));
    return {};
}

Status moveBoth(Run& run, const std::vector<Move>& moves)
{
    bool crossing = false;
    for (const Move& one : moves) {
        for (const Move& other : moves)
            crossing = crossing || (&one != &other && sharesBytes(run.start.program, one.to, other.from));
    }
    poisonTargets(run, moves);
    std::vector<RuntimeValue> planned;
    std::vector<RuntimeValue> oracle;
    for (const Move& one : moves) {
        checkRead(run, one.from);
        planned.push_back(crossing ? cloneValue(run.planned.value(one.from)) : run.planned.value(one.from));
        oracle.push_back(run.oracle.value(one.from));
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
        PLIMSOLL_TRY(run.oracle.write(moves[i].to, oracle[i]));
        settlePlanned(run, {moves[i].to}, timed(run, [&] { return run.planned.write(moves[i].to, planned[i]); }));
    }
    return {};
}

void release(Run& run, std::span<const ValueId> values)
{
    for (const ValueId value : values) {
        if (!value.valid()) continue;
        run.planned.release(value);
        run.lifetimes.inUse.ends(value);
        const bool kept = run.compared.oracle == Comparison::Oracle::Kept && run.planned.graph()[value].body == TopBody;
        if (!kept) run.oracle.release(value);
    }
}

void adoptOracle(Run& run, const Memory& oracle)
{
    run.compared.oracle = Comparison::Oracle::Adopted;
    const Graph& graph = run.planned.graph();
    const std::vector<ValuePlacement>& places = run.start.program.map.values;
    for (const bool brought : {true, false}) { // first the buffers in which others lie
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            const ValueId id {i};
            const Value& value = graph[id];
            if (value.body != TopBody || value.role != ValueRole::Intermediate || !value.producer.valid()) continue;
            if (oracle.value(id).kind != RuntimeValue::Kind::Absent) run.oracle.set(id, oracle.value(id));
            const bool planned = places[i].placed() || places[i].host.valid();
            const auto shape = heldShape(value.type);
            if (planned && shape && brought == (places[i].host == id))
                (void)run.planned.produce(id, value.type.dtype, *shape);
        }
    }
}

} // namespace plimsoll::kernels
