#include "core/facts/words/names.h"

#include "core/facts/english/english.h"
#include "core/graph/never_made.h"

#include <algorithm>
#include <span>

namespace plimsoll {

std::string storageText(StorageId storage)
{
    return storage.valid() ? "s" + std::to_string(storage.number()) : std::string();
}

std::string_view roleName(ValueRole role)
{
    switch (role) {
    case ValueRole::Input:
        return "input";
    case ValueRole::Parameter:
        return "parameter";
    case ValueRole::Constant:
        return "constant";
    case ValueRole::Intermediate:
        return "intermediate";
    case ValueRole::BodyInput:
        return "body-input";
    }
    return "";
}

std::string_view roleOf(const Report& report, ValueId value)
{
    const ValueRole role = (*report.program.graph)[value].role;
    const bool output = role == ValueRole::Intermediate && report.program.values[value.index()].visible;
    return output ? "output" : roleName(role);
}

std::string_view sharedAsName(const PlannedValue& value)
{
    if (!value.shared) return "";
    switch (value.sharedAs) {
    case AliasKind::Fresh:
        return "";
    case AliasKind::MayBeInPlace:
        return "in-place";
    case AliasKind::Identity:
        return "identity";
    case AliasKind::View:
        return "view";
    case AliasKind::Mutates:
        return "mutates";
    case AliasKind::Part:
        return "part";
    }
    return "";
}

bool isMadeAhead(const Report& report, const Storage& storage)
{
    const NodeId maker = storage.values.empty() ? NodeId() : (*report.program.graph)[storage.values.front()].producer;
    return !storage.arena.valid() && maker.valid() && report.program.graph->decided[maker].ahead;
}

std::string storageTitle(const Report& report, StorageId id)
{
    const Storage& storage = report.program.storages[id.index()];
    if (!storage.values.empty()) return (*report.program.graph)[storage.values.front()].name;
    return storage.scratchOf.valid()
               ? english(say("where.scratchpad-of", (*report.program.graph)[storage.scratchOf].name))
               : std::string();
}

std::string arenaName(const Report& report, ArenaId arena)
{
    const auto& arenas = report.program.map.arenas;
    const std::string& space = arenas[arena.index()].space;
    if (std::ranges::count(arenas, space, &PlannedArena::space) < 2) return space;
    return space + " #" + std::to_string(arena.number());
}

std::string whereText(const Report& report, const Storage& storage)
{
    if (isMadeAhead(report, storage)) return std::string(spoken("made ahead of the run"));
    return storage.arena.valid() ? arenaName(report, storage.arena) : std::string(spoken("caller's bytes"));
}

std::string whereText(const Report& report, ValueId value)
{
    const NodeId computer = report.program.graph->decided[value].fusedInto;
    if (computer.valid()) return english(say("where.inside", (*report.program.graph)[computer].name));
    if (isNeverMade(*report.program.graph, value)) return std::string(spoken("never made"));
    const StorageId storage = report.program.values[value.index()].storage;
    return storage.valid() ? whereText(report, report.program.storages[storage.index()])
                           : std::string(spoken("at run time"));
}

Message joinedNames(const Graph& graph, std::span<const ValueId> values, std::size_t most)
{
    return say("text", listOf(
                           values, [&](ValueId value) { return graph[value].name; }, most));
}

} // namespace plimsoll
