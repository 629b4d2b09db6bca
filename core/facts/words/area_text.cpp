#include "core/facts/words/area_text.h"

#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"

namespace plimsoll {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

/// With or without the commas of the window.
std::optional<std::int64_t> readByte(std::string_view text)
{
    std::string digits(trimmed(text));
    std::erase(digits, ',');
    return parseBytes(digits);
}

std::optional<Interval> readRange(std::string_view text)
{
    text = trimmed(text);
    std::string_view between;
    if (text.starts_with('[') && text.ends_with(')')) { // as it is shown
        text = text.substr(1, text.size() - 2);
        between = ", ";
    } else {
        between = text.find("..") != std::string_view::npos  ? ".."
                  : text.find('-') != std::string_view::npos ? "-"
                                                             : "";
    }
    if (between.empty()) {
        const auto byte = readByte(text);
        if (!byte || *byte == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
        return Interval {*byte, *byte + 1};
    }
    const std::size_t middle = text.find(between);
    if (middle == std::string_view::npos) return std::nullopt;
    const auto first = readByte(text.substr(0, middle));
    const auto last = readByte(text.substr(middle + between.size()));
    if (!first || !last || *last <= *first) return std::nullopt;
    return Interval {*first, *last};
}

} // namespace

std::string areaText(const Report& report, const PlanArea& area, NumberForm form)
{
    std::string text = area.bytes.length() == 1 ? addressText(area.bytes.begin, form) : addressText(area.bytes, form);
    const auto& arenas = report.program.map.arenas;
    if (arenas.size() > 1) text = english(say("of", text, arenaName(report, area.arena)));
    return area.steps.empty() ? text : english(say("area.at-steps", text, area.steps));
}

PlanArea areaOf(const Report& report, const Focus& focus)
{
    const PlannedProgram& program = report.program;
    if (focus.finding >= 0) {
        const Finding& finding = report.verdict.findings[static_cast<std::size_t>(focus.finding)];
        return {finding.arena, finding.bytes, finding.steps};
    }
    if (focus.hole >= 0) {
        const Hole& hole = report.memory.holes[static_cast<std::size_t>(focus.hole)];
        return {hole.arena, hole.bytes, hole.steps};
    }
    const StorageId id = focus.value.valid() ? program.values[focus.value.index()].storage : focus.storage;
    if (!id.valid()) return focus.onThing() ? PlanArea() : focus.area;
    const Storage& storage = program.storages[id.index()];
    if (!focus.value.valid())
        return {storage.arena, {storage.offset, storage.offset + storage.bytes}, storage.live.hull()};
    const PlannedValue& value = program.values[focus.value.index()];
    return {storage.arena, {value.offset, value.offset + value.requiredBytes}, value.live.hull()};
}

std::vector<PlanArea> readAreas(const Report& report, std::string_view text)
{
    std::vector<PlanArea> areas;
    text = trimmed(text);
    for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i) {
        const PlannedArena& arena = report.program.map.arenas[i];
        const std::string named = arenaName(report, ArenaId(i)) + " ";
        const auto bytes = readRange(text.starts_with(named) ? text.substr(named.size()) : text);
        if (!bytes || bytes->begin >= arena.bytes) continue;
        areas.push_back({ArenaId(i), {bytes->begin, std::min(bytes->end, arena.bytes)}});
    }
    return areas;
}

} // namespace plimsoll
