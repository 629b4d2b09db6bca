#include "core/facts/cell.h"

#include "core/base/bytes.h"
#include "core/facts/completeness.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/source_text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

Cell Cell::withTip(std::string more) &&
{
    tip = std::move(more);
    return std::move(*this);
}

Cell Cell::sortedBy(double by) &&
{
    order = by;
    return std::move(*this);
}

Cell Cell::leadingTo(Focus focus) &&
{
    link = focus;
    return std::move(*this);
}

namespace cell {
namespace {

Cell number(Cell::Kind kind, std::int64_t value)
{
    Cell made;
    made.kind = kind;
    made.number = value;
    return made;
}

Cell real(Cell::Kind kind, double value)
{
    Cell made;
    made.kind = kind;
    made.real = value;
    return made;
}

} // namespace

Cell text(std::string_view words)
{
    Cell made;
    made.text = words;
    return made;
}

Cell word(std::string_view word)
{
    return text(spoken(word));
}

Cell sentence(Message message)
{
    Cell made;
    made.kind = Cell::Kind::Sentence;
    made.message = std::move(message);
    return made;
}

Cell level(Severity severity)
{
    return number(Cell::Kind::Level, static_cast<std::int64_t>(severity));
}

Cell choice(std::string_view policy, std::string_view value)
{
    Cell made = text(value);
    made.kind = Cell::Kind::Choice;
    made.policy = std::ranges::find(policyTable(), policy, &PolicyInfo::id)->id;
    return made;
}

Cell bytes(std::int64_t value)
{
    return number(Cell::Kind::Bytes, value);
}

Cell bytesOrBlank(std::int64_t value)
{
    return value == 0 ? blank(0).withTip(exactBytesText(0)) : bytes(value);
}

Cell change(std::int64_t bytes)
{
    return number(Cell::Kind::Change, bytes);
}

Cell offset(std::int64_t value)
{
    return number(Cell::Kind::Offset, value);
}

Cell span(Interval bytes)
{
    Cell made = number(Cell::Kind::Span, bytes.length());
    made.text = rangeText(bytes);
    made.tip = english(say("about.bytes-of-arena", made.text));
    return made;
}

Cell area(double byteSteps)
{
    return real(Cell::Kind::Area, byteSteps);
}

Cell count(std::size_t value)
{
    return number(Cell::Kind::Count, static_cast<std::int64_t>(value));
}

Cell percent(double fraction)
{
    return real(Cell::Kind::Percent, fraction);
}

Cell seconds(double time)
{
    if (std::isnan(time)) return blank();
    return real(Cell::Kind::Seconds, time);
}

Cell steps(const LiveRanges& live)
{
    Cell made;
    made.kind = Cell::Kind::Steps;
    made.steps = live;
    made.number = live.empty() ? -1 : live.hull().begin;
    return made;
}

Cell blank(double order)
{
    return text({}).sortedBy(order);
}

Cell value(const Report& report, ValueId id)
{
    if (!id.valid()) return {};
    const Value& named = (*report.program.graph)[id];
    return text(named.name).withTip(describe(named.type)).leadingTo(Focus::on(id));
}

Cell node(const Report& report, NodeId id)
{
    if (!id.valid()) return {};
    const Node& named = (*report.program.graph)[id];
    Focus focus = Focus::on(id);
    if (const Interval when = report.program.schedule.nodes[id.index()]; !when.empty()) focus.step = when.begin;
    return text(named.name).withTip(qualifiedOp(named)).leadingTo(focus);
}

Cell storage(StorageId id)
{
    if (!id.valid()) return blank();
    return text(storageText(id)).sortedBy(id.number()).leadingTo(Focus::on(id));
}

Cell space(const Report& report, ArenaId arena)
{
    const auto& arenas = report.program.map.arenas;
    return text(arena.valid() && arena.index() < arenas.size() ? arenaName(report, arena) : std::string());
}

Cell source(const Report& report, ValueId value)
{
    return value.valid() ? text(sourceText(*report.program.graph, value)) : text("");
}

Cell source(const Report& report, NodeId node)
{
    return text(sourceText(*report.program.graph, node));
}

Cell source(const Report& report, StorageId id)
{
    const Storage& storage = report.program.storages[id.index()];
    if (storage.scratchOf.valid()) return source(report, storage.scratchOf);
    for (const ValueId value : storage.values)
        if (Cell found = source(report, value); !found.text.empty()) return found;
    return text("");
}

} // namespace cell

Cell unplannedCell(const Report& report, const UnplannedValue& value)
{
    Cell made = cell::sentence(value.reason);
    if (const Gap* gap = gapOf(report, value.lacking)) made.command = english(remedyFor(*report.program.graph, *gap));
    return made;
}

std::string fullText(const Cell& cell, RemedyWords words)
{
    switch (cell.kind) {
    case Cell::Kind::Text:
    case Cell::Kind::Span:
        return cell.text;
    case Cell::Kind::Sentence:
        return english(cell.message, words);
    case Cell::Kind::Level:
        return std::string(spoken(severityName(static_cast<Severity>(cell.number))));
    case Cell::Kind::Choice:
        return std::string(cell.policy) + "=" + cell.text;
    case Cell::Kind::Bytes:
        return bytesText(cell.number);
    case Cell::Kind::Change:
        return exactChangeText(cell.number);
    case Cell::Kind::Area:
        return formatCount(static_cast<std::int64_t>(std::min(cell.real, 9e18)));
    case Cell::Kind::Offset:
    case Cell::Kind::Count:
        return formatCount(cell.number);
    case Cell::Kind::Percent:
        return percentText(cell.real);
    case Cell::Kind::Seconds:
        return durationText(cell.real);
    case Cell::Kind::Steps:
        return rangesText(cell.steps);
    }
    return {};
}

std::string briefText(const Cell& cell)
{
    return briefText(cell, {});
}

std::string briefText(const Cell& cell, NumberForm form)
{
    if (cell.kind == Cell::Kind::Bytes || cell.kind == Cell::Kind::Span) return sizeText(cell.number, form);
    if (cell.kind == Cell::Kind::Offset) return addressText(cell.number, form);
    if (cell.kind == Cell::Kind::Change) return changeText(cell.number, form);
    if (cell.kind != Cell::Kind::Area) return fullText(cell);
    std::string text = formatBytes(static_cast<std::int64_t>(std::min(cell.real, 9e18)));
    text.resize(text.size() - 1); // "1.2 Mi"
    return text.ends_with(' ') ? text.substr(0, text.size() - 1) : text;
}

std::string tipText(const Cell& cell, RemedyWords words)
{
    if (!cell.tip.empty()) return cell.tip;
    const bool sized = cell.kind == Cell::Kind::Bytes || cell.kind == Cell::Kind::Offset;
    return sized ? exactBytesText(cell.number) : fullText(cell, words);
}

std::string plainText(const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Bytes:
        return cell.number < 0 ? std::string() : std::to_string(cell.number);
    case Cell::Kind::Change:
    case Cell::Kind::Offset:
    case Cell::Kind::Count:
        return std::to_string(cell.number);
    case Cell::Kind::Steps: {
        std::string text;
        for (const Interval steps : cell.steps.intervals())
            text += (text.empty() ? "[" : " [") + std::to_string(steps.begin) + ", " + std::to_string(steps.end) + ")";
        return text;
    }
    default:
        return fullText(cell);
    }
}

SortKey sortKey(const Cell& cell)
{
    if (cell.order) return *cell.order;
    switch (cell.kind) {
    case Cell::Kind::Text:
    case Cell::Kind::Sentence:
    case Cell::Kind::Choice:
        return fullText(cell);
    case Cell::Kind::Area:
    case Cell::Kind::Percent:
    case Cell::Kind::Seconds:
        return cell.real;
    default:
        return static_cast<double>(cell.number);
    }
}

} // namespace plimsoll
