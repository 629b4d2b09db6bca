#include "kernels/run/step/kept_inputs.h"

#include "core/graph/value_strides.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <span>

namespace plimsoll::kernels {
namespace {

bool isCallers(const Value& value)
{
    return value.role == ValueRole::Input || value.role == ValueRole::Parameter || value.role == ValueRole::Constant;
}

/// Of an input in an arena the run itself brings a copy there.
bool isGivenAway(const PlannedProgram& program, ValueId value)
{
    const Value& input = (*program.graph)[value];
    const bool mayBe = program.policies.inputs == InputsPolicy::Donate || program.map.values[value.index()].placed();
    return input.role == ValueRole::Input && !input.visible && mayBe;
}

/// Which bytes of what the caller has the other value takes.
Interval partOf(const PlannedProgram& program, ValueId kept, ValueId other)
{
    const ValuePlacement& own = program.map.values[kept.index()];
    const ValuePlacement& place = program.map.values[other.index()];
    const std::int64_t bytes = spanBytes((*program.graph)[other]).value_or(place.bytes);
    if (other == kept) return {};
    if (place.host == kept) return {place.offset, place.offset + bytes};
    if (!own.placed() || place.arena != own.arena) return {};
    return {place.offset - own.offset, place.offset - own.offset + bytes};
}

/// Values outside the arenas in whose bytes others lie.
std::set<ValueId> hostsOf(const MemoryMap& map)
{
    std::set<ValueId> hosts;
    for (const ValuePlacement& place : map.values) {
        if (place.host.valid()) hosts.insert(place.host);
    }
    return hosts;
}

/// Those that have bytes in common with it.
std::vector<ValueId> guestsOf(const PlannedProgram& program, ValueId kept)
{
    std::vector<ValueId> guests;
    const Interval all {0, (*program.graph)[kept].type.bytes().value_or(0)};
    for (std::size_t i = 0; i < program.map.values.size(); ++i) {
        if (overlaps(partOf(program, kept, ValueId(i)), all)) guests.emplace_back(i);
    }
    return guests;
}

/// What the output of a node is a version, a view or another name of; invalid: it is something new.
ValueId madeFrom(const Graph& graph, ValueId value, bool& written)
{
    const NodeId node = graph[value].producer;
    if (!node.valid()) return {};
    for (const AliasTrait& trait : aliasTraits(graph, node)) {
        const bool same =
            trait.kind == AliasKind::Mutates || trait.kind == AliasKind::View || trait.kind == AliasKind::Identity;
        if (!same || valueAt(graph[node].outputs, trait.output) != value) continue;
        written = written || trait.kind == AliasKind::Mutates;
        return valueAt(graph[node].inputs, trait.input);
    }
    return {};
}

/// Whether the graph itself writes the value into what the caller has.
bool isNewVersionOf(const Graph& graph, ValueId value, ValueId kept)
{
    bool written = false;
    while (value.valid() && value != kept)
        value = madeFrom(graph, value, written);
    return value == kept && written;
}

/// What differs, and is not what the graph itself changes.
struct Changed
{
    std::int64_t bytes = 0;
    Interval range;
};

Changed changedBytes(const PlannedProgram& program, ValueId kept, std::span<const ValueId> guests,
                     const TensorView& found, const TensorView& given)
{
    Changed changed;
    const std::int64_t bytes = std::min(found.bytes(), given.bytes());
    if (std::memcmp(found.data, given.data, static_cast<std::size_t>(bytes)) == 0) return changed;
    std::vector<Interval> wanted;
    for (const ValueId guest : guests) {
        if (isNewVersionOf(*program.graph, guest, kept)) wanted.push_back(partOf(program, kept, guest));
    }
    for (std::int64_t i = 0; i < bytes; ++i) {
        if (found.as<std::byte>()[i] == given.as<std::byte>()[i]) continue;
        if (std::ranges::any_of(wanted, [i](Interval part) { return part.contains(i); })) continue;
        if (changed.bytes++ == 0) changed.range.begin = i;
        changed.range.end = i + 1;
    }
    return changed;
}

/// The latest that was written to some of these bytes.
std::optional<ValueId> lastWritten(const Run& run, ValueId kept, std::span<const ValueId> guests, Interval bytes)
{
    std::optional<ValueId> last;
    for (const ValueId guest : guests) {
        const AliasKind kind = run.start.program.values[guest.index()].sharedAs;
        const std::int64_t order = run.compared.lastWrites[guest.index()].order;
        if (kind == AliasKind::Identity || kind == AliasKind::View || order == 0) continue;
        if (!overlaps(partOf(run.start.program, kept, guest), bytes)) continue;
        if (!last || order > run.compared.lastWrites[last->index()].order) last = guest;
    }
    return last;
}

/// What was written there, but for what the graph itself changes and for other names of what the caller has.
std::optional<ValueId> writtenOver(const Run& run, ValueId kept, std::span<const ValueId> guests)
{
    const auto found = std::ranges::find_if(guests, [&](ValueId guest) {
        return run.compared.lastWrites[guest.index()].overOthers && !isNewVersionOf(run.planned.graph(), guest, kept);
    });
    return found == guests.end() ? std::nullopt : std::optional(*found);
}

void addMismatch(Run& run, ValueId kept, Message note, std::optional<ValueId> writer)
{
    const Graph& graph = run.planned.graph();
    RunResult::Mismatch mismatch;
    mismatch.value = graph[kept].name;
    mismatch.step = std::max<std::int64_t>(0, run.start.program.schedule.length() - 1);
    mismatch.maxAbsDiff = std::numeric_limits<double>::quiet_NaN();
    mismatch.rule = Rule::InputOverwritten;
    mismatch.note = std::move(note);
    if (writer) {
        const NodeId node = graph[*writer].producer;
        mismatch.step = run.compared.lastWrites[writer->index()].step;
        if (node.valid()) mismatch.node = graph[node].name;
        mismatch.overwrittenBy = graph[*writer].name;
        mismatch.overwrittenStep = mismatch.step;
        mismatch.note = say("clauses", std::move(mismatch.note),
                            say("run.overwritten", word::Name {graph[*writer].name}, word::Number {mismatch.step}));
    }
    run.start.observer.mismatch(mismatch);
    run.result.mismatches.push_back(std::move(mismatch));
}

} // namespace

void checkKeptInputs(Run& run)
{
    const PlannedProgram& program = run.start.program;
    const std::set<ValueId> hosts = hostsOf(program.map);
    for (std::size_t i = 0; i < program.map.values.size(); ++i) {
        const ValueId kept(i);
        if (!program.map.values[i].placed() && !hosts.contains(kept)) continue;
        const RuntimeValue* const given = run.start.externals.find(kept);
        if (!given || !isCallers((*program.graph)[kept]) || isGivenAway(program, kept)) continue;
        if (given->kind != RuntimeValue::Kind::Tensor || given->tensor.dtype == DType::String) continue;
        const std::vector<ValueId> guests = guestsOf(program, kept);
        if (guests.empty()) continue;
        const Result<RuntimeValue> found = run.planned.onHost(kept);
        if (!found.ok() || found.value().kind != RuntimeValue::Kind::Tensor) continue;
        const Changed changed = changedBytes(program, kept, guests, found.value().tensor, given->tensor);
        if (changed.bytes > 0)
            addMismatch(run, kept, say("run.input-written", changed.bytes, given->tensor.bytes()),
                        lastWritten(run, kept, guests, changed.range));
        else if (const auto writer = writtenOver(run, kept, guests))
            addMismatch(run, kept, say("run.input-rewritten"), writer);
    }
}

} // namespace plimsoll::kernels
