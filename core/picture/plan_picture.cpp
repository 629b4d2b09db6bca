#include "core/picture/plan_picture.h"

#include "core/base/beside.h"
#include "core/base/bytes.h"
#include "core/facts/about/asked.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/english/english.h"
#include "core/facts/peak_causes.h"
#include "core/facts/reserved.h"
#include "core/facts/stream_waits.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/source_text.h"
#include "core/picture/age_stack.h"
#include "core/picture/row_stack.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Capacities beyond this many times the plan's height would press the bars flat; they are named, not drawn to scale.
constexpr double CapacityShownUpTo = 1.5;
/// Between two lanes, as a part of all of them.
constexpr std::int64_t LaneGapShare = 20;

void addLanes(const Report& report, PlanPicture& picture)
{
    for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i) {
        const PlannedArena& arena = report.program.map.arenas[i];
        PlanLane lane {.arena = ArenaId(i), .title = arenaName(report, ArenaId(i)), .bytes = arena.bytes};
        lane.capacityBytes = arena.capacityBytes;
        lane.reserved = arena.reserved;
        if (i < report.memory.arenas.size()) lane.lowerBoundBytes = report.memory.arenas[i].lowerBoundBytes;
        lane.extent = std::max<std::int64_t>(arena.bytes, 1);
        if (arena.capacityBytes &&
            static_cast<double>(*arena.capacityBytes) <= CapacityShownUpTo * double(lane.extent)) {
            lane.extent = std::max(lane.extent, *arena.capacityBytes);
        }
        picture.lanes.push_back(std::move(lane));
    }
}

void addBars(const Report& report, const StorageColours& colours, StorageId id, std::vector<PlanBar>& bars)
{
    const Storage& storage = report.program.storages[id.index()];
    PlanBar bar {.bytes = {storage.offset, storage.offset + storage.bytes}, .storage = id};
    bar.lane = storage.arena.number();
    bar.colour = id.index() < colours.size() ? colours[id.index()] : NoColour;
    bar.pattern = storage.scratchOf.valid() ? Pattern::Scratch : Pattern::Padding;
    const PlannedArena& arena = report.program.map.arenas[storage.arena.index()];
    const std::int64_t rounded = std::min(storage.offset + takenBytes(report, id), arena.bytes);
    if (rounded > bar.bytes.end && storage.bytes > 0) {
        PlanBar rounding = bar;
        rounding.bytes = {bar.bytes.end, rounded};
        rounding.pattern = Pattern::Rounding;
        for (const Interval& live : storage.live.intervals()) {
            rounding.steps = live;
            bars.push_back(rounding);
        }
    }
    // A storage of one value that fills it is one bar; otherwise the storage lies beneath and shows as padding.
    const bool filled = storage.values.size() == 1 && [&](const PlannedValue& value) {
        return value.offset == storage.offset && mostBytes(value) == storage.bytes && value.live == storage.live;
    }(report.program.values[storage.values.front().index()]);
    if (!filled && storage.bytes > 0) {
        for (const Interval& live : storage.live.intervals()) {
            bar.steps = live;
            bars.push_back(bar);
        }
    }
    for (ValueId valueId : storage.values) {
        const PlannedValue& value = report.program.values[valueId.index()];
        if (mostBytes(value) <= 0) continue;
        bar.value = valueId;
        bar.bytes = {value.offset, value.offset + mostBytes(value)};
        bar.pattern = patternOf(value);
        bar.output = value.visible;
        for (const Interval& live : value.live.intervals()) {
            bar.steps = live;
            bars.push_back(bar);
        }
    }
}

void addMarks(const Report& report, PlanPicture& picture)
{
    for (std::size_t i = 0; i < report.verdict.findings.size(); ++i) {
        const Finding& finding = report.verdict.findings[i];
        FindingMark mark {.finding = i, .severity = finding.severity};
        const bool hasBytes =
            finding.arena.valid() && finding.arena.index() < picture.lanes.size() && !finding.bytes.empty();
        if (hasBytes && !finding.steps.empty()) {
            mark.lane = finding.arena.number();
            mark.steps = finding.steps;
            mark.bytes = finding.bytes;
            picture.findings.push_back(mark);
            continue;
        }
        const std::size_t before = picture.findings.size();
        for (ValueId id : finding.values) { // one without bytes of its own is shown on the bars of its values
            if (!id.valid()) continue;
            const PlannedValue& value = report.program.values[id.index()];
            const ArenaId arena =
                value.storage.valid() ? report.program.storages[value.storage.index()].arena : ArenaId();
            mark.steps = finding.steps.empty() ? value.live.hull() : finding.steps;
            if (!arena.valid() || mostBytes(value) <= 0 || mark.steps.empty()) continue;
            if (arena.index() >= picture.lanes.size()) continue;
            mark.lane = arena.number();
            mark.bytes = {value.offset, value.offset + mostBytes(value)};
            picture.findings.push_back(mark);
        }
        if (picture.findings.size() > before) continue;
        mark.steps = finding.steps.empty() ? Interval {0, std::max<std::int64_t>(picture.steps, 1)} : finding.steps;
        picture.findings.push_back(mark);
    }
    if (picture.axis != PlanAxis::Address) {
        for (FindingMark& mark : picture.findings) {
            mark.lane = -1;
            mark.bytes = {};
        }
    }
    std::stable_sort(picture.findings.begin(), picture.findings.end(),
                     [](const auto& a, const auto& b) { return a.severity > b.severity; });
}

void addWaits(const Report& report, PlanPicture& picture)
{
    const std::vector<StreamOrder::Wait> waits = storageWaits(report.program);
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (waits[i].until == 0 || storage.arena.index() >= picture.lanes.size()) continue;
        picture.waits.push_back({StorageId(i),
                                 storage.arena.number(),
                                 {storage.live.hull().end, waits[i].until},
                                 {storage.offset, storage.offset + storage.bytes}});
    }
}

/// Both partners of a finding stand out, not only the bytes over which they quarrel; and what is asked for.
void markBars(const Report& report, PlanPicture& picture)
{
    std::vector<std::int32_t> worst(report.program.values.size(), -1);
    for (std::size_t i = report.verdict.findings.size(); i-- > 0;) { // backwards, so that the first of the worst stays
        for (ValueId id : report.verdict.findings[i].values) {
            if (!id.valid() || id.index() >= worst.size()) continue;
            std::int32_t& known = worst[id.index()];
            const bool worse =
                known < 0 || report.verdict.findings[i].severity <= report.verdict.findings[known].severity;
            if (worse) known = static_cast<std::int32_t>(i);
        }
    }
    std::vector<bool> asked(worst.size(), false);
    for (const ValueId value : valuesAskedFor(report))
        asked[value.index()] = true;
    for (PlanBar& bar : picture.bars) {
        if (!bar.value.valid()) continue;
        bar.finding = worst[bar.value.index()];
        bar.asked = asked[bar.value.index()];
        picture.asked = picture.asked || bar.asked;
    }
}

void stackLanes(PlanPicture& picture)
{
    for (const PlanBar& bar : picture.bars) { // an illegal plan may reach beyond its arena; that must show too
        PlanLane& lane = picture.lanes[bar.lane];
        lane.extent = std::max(lane.extent, bar.at.end);
    }
    std::int64_t extents = 0;
    for (const PlanLane& lane : picture.lanes)
        extents += lane.extent;
    const std::int64_t gap = extents / LaneGapShare;
    picture.heightBytes = 0;
    for (PlanLane& lane : picture.lanes) {
        lane.base = picture.heightBytes + (&lane == picture.lanes.data() ? 0 : gap);
        picture.heightBytes = lane.base + lane.extent;
    }
}

} // namespace

Pattern patternOf(const PlannedValue& value)
{
    if (!value.shared || value.sharedAs == AliasKind::Fresh) return Pattern::Plain;
    return value.sharedAs == AliasKind::MayBeInPlace ? Pattern::InPlace : Pattern::View;
}

std::string_view patternName(Pattern pattern)
{
    switch (pattern) {
    case Pattern::Plain:
        break;
    case Pattern::InPlace:
        return "written in place";
    case Pattern::View:
        return "same bytes as another value";
    case Pattern::Padding:
        return "padding";
    case Pattern::Scratch:
        return "scratchpad";
    case Pattern::Rounding:
        return "lost to alignment";
    }
    return {};
}

PlanPicture makePlanPicture(const Report& report, const StorageColours& colours, PlanAxis axis)
{
    PlanPicture picture;
    // High addresses do not tell of reserved bytes, and rows have none.
    const bool apart = reservedBytes(report).has_value() || inRows(axis);
    auto above = beside([&] { return apart ? LiveRanges() : stepsAboveBound(report); });
    picture.steps = report.program.schedule.length();
    addLanes(report, picture);
    picture.bars.reserve(report.program.storages.size());
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const ArenaId arena = report.program.storages[i].arena;
        if (arena.valid() && arena.index() < picture.lanes.size()) addBars(report, colours, StorageId(i), picture.bars);
    }
    std::erase_if(picture.bars, [](const PlanBar& bar) { return bar.steps.empty() || bar.bytes.empty(); });
    sortBySteps(picture.bars);
    for (PlanBar& bar : picture.bars)
        bar.at = bar.bytes;
    if (inRows(axis)) standInRows(report, axis, picture);
    if (inRows(axis) || (axis == PlanAxis::Age && stackByAge(report, picture))) picture.axis = axis;
    stackLanes(picture);

    std::vector<Interval> steps;
    steps.reserve(picture.bars.size());
    for (const PlanBar& bar : picture.bars) {
        steps.push_back(bar.steps);
        picture.steps = std::max(picture.steps, bar.steps.end);
        picture.outputs = picture.outputs || bar.output;
        if (!picture.patterns.contains(bar.pattern)) picture.patterns.insert(bar.pattern);
    }
    picture.barIndex = IntervalIndex(steps);
    addMarks(report, picture);
    if (picture.axis == PlanAxis::Address) addWaits(report, picture);
    markBars(report, picture);
    picture.liveBytes = report.memory.liveBytes;
    picture.peakStep = std::max<std::int64_t>(0, peakStep(report));
    picture.peakBytes = mostTakenBytes(report);
    picture.lowerBoundBytes = report.memory.lowerBoundBytes;
    if (picture.axis == PlanAxis::Address) picture.aboveBound = above.get(); // by age, heights are of no address
    picture.turns = passTurns(report);
    picture.outside = {.externalBytes = report.memory.externalBytes, .unplannedValues = report.memory.unplanned.size()};
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid()) picture.outside.externalValues += storage.values.size();
    }
    return picture;
}

std::optional<PlanArea> areaAt(const PlanPicture& picture, std::int64_t stackedByte)
{
    for (const PlanLane& lane : picture.lanes) {
        if (picture.axis != PlanAxis::Address) break;
        const std::int64_t byte = stackedByte - lane.base;
        if (0 <= byte && byte < lane.bytes) return PlanArea {lane.arena, {byte, byte + 1}};
    }
    return std::nullopt;
}

std::optional<std::size_t> barAt(const PlanPicture& picture, std::int64_t step, std::int64_t stackedByte)
{
    std::optional<std::size_t> top;
    picture.barIndex.visit({step, step + 1}, [&](std::size_t position) {
        if (stackedBytes(picture, picture.bars[position]).contains(stackedByte)) top = position;
    });
    return top;
}

const FindingMark* findingAt(const PlanPicture& picture, std::int64_t step, std::int64_t stackedByte)
{
    const FindingMark* worst = nullptr;
    for (const FindingMark& mark : picture.findings) { // sorted with the worst last
        if (mark.lane < 0 || !mark.steps.contains(step)) continue;
        if (stackedBytes(picture, mark).contains(stackedByte)) worst = &mark;
    }
    return worst;
}

std::string barLabel(const Report& report, const PlanBar& bar)
{
    const Graph& graph = *report.program.graph;
    if (bar.value.valid()) return graph[bar.value].name;
    const Storage& storage = report.program.storages[bar.storage.index()];
    if (bar.pattern == Pattern::Rounding) return std::string(spoken(patternName(bar.pattern)));
    if (storage.scratchOf.valid()) return english(say("where.scratchpad-of", graph[storage.scratchOf].name));
    return std::string(spoken("padding"));
}

Interval liveSteps(const Report& report, const PlanBar& bar)
{
    const LiveRanges& live = bar.value.valid() ? report.program.values[bar.value.index()].live
                                               : report.program.storages[bar.storage.index()].live;
    for (const Interval steps : live.intervals())
        if (steps.contains(bar.steps.begin)) return steps;
    return bar.steps;
}

Message barDescription(const Report& report, const PlanBar& bar)
{
    const Graph& graph = *report.program.graph;
    const NodeId producer = bar.value.valid() ? graph[bar.value].producer : NodeId();
    const bool shares = bar.pattern == Pattern::InPlace || bar.pattern == Pattern::View;
    Message computes;
    if (producer.valid() && !graph.decided[producer].fused.empty()) {
        Message with;
        for (const FusedNode& fused : graph.decided[producer].fused) {
            Message name(graph[fused.node].name);
            with = with.empty() ? std::move(name) : say("plus", std::move(with), std::move(name));
        }
        computes = say("bar.computes", std::move(with), graph[producer].name);
    }
    const std::string source = bar.value.valid() ? sourceText(graph, bar.value) : sourceText(graph, producer);
    return say("bar", barLabel(report, bar), word::Number {bar.storage.number()}, word::Size {bar.bytes.length()},
               rangeText(liveSteps(report, bar)), rangeText(bar.bytes),
               shares ? say("bar.shares", spoken(patternName(bar.pattern))) : Message(),
               bar.output ? say("bar.visible") : Message(), std::move(computes),
               source.empty() ? Message() : say("bar.source", source));
}

Accesses findAccesses(const Report& report, ValueId value)
{
    Accesses accesses;
    const Graph& graph = *report.program.graph;
    if (!value.valid()) return accesses;
    const NodeId producer = graph[value].producer;
    if (producer.valid() && !graph.decided[producer].ahead)
        accesses.writes.push_back(report.program.schedule.exitStep(producer));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (graph.decided[NodeId(i)].ahead ||
            std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end())
            continue;
        accesses.reads.push_back(report.program.schedule.stepOf(NodeId(i)));
    }
    std::sort(accesses.reads.begin(), accesses.reads.end());
    accesses.reads.erase(std::unique(accesses.reads.begin(), accesses.reads.end()), accesses.reads.end());
    return accesses;
}

} // namespace plimsoll
