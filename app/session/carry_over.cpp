#include "app/session/carry_over.h"

#include "core/base/narrow.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

/// Ids of a graph that did not change mean the same; otherwise the name decides.
ValueId sameValue(ValueId id, const Report& from, const Report& to)
{
    if (!id.valid() || id.index() >= from.program.graph->values.size()) return {};
    const std::string& name = (*from.program.graph)[id].name;
    if (id.index() < to.program.graph->values.size() && (*to.program.graph)[id].name == name) return id;
    return findValue(*to.program.graph, name);
}

NodeId sameNode(NodeId id, const Report& from, const Report& to)
{
    if (!id.valid() || id.index() >= from.program.graph->nodes.size()) return {};
    const std::string& name = (*from.program.graph)[id].name;
    if (id.index() < to.program.graph->nodes.size() && (*to.program.graph)[id].name == name) return id;
    return findNode(*to.program.graph, name);
}

StorageId sameStorage(StorageId id, const Report& from, const Report& to)
{
    if (!id.valid() || id.index() >= from.program.storages.size()) return {};
    const Storage& storage = from.program.storages[id.index()];
    if (!storage.values.empty()) {
        const ValueId value = sameValue(storage.values.front(), from, to);
        return value.valid() && value.index() < to.program.values.size() ? to.program.values[value.index()].storage
                                                                         : StorageId();
    }
    const NodeId node = sameNode(storage.scratchOf, from, to);
    const auto found = std::find_if(to.program.storages.begin(), to.program.storages.end(),
                                    [&](const Storage& other) { return node.valid() && other.scratchOf == node; });
    return found == to.program.storages.end()
               ? StorageId()
               : StorageId(static_cast<std::size_t>(found - to.program.storages.begin()));
}

std::int32_t sameFinding(std::int32_t index, const Report& from, const Report& to)
{
    if (index < 0 || static_cast<std::size_t>(index) >= from.verdict.findings.size()) return -1;
    const Finding& finding = from.verdict.findings[static_cast<std::size_t>(index)];
    const auto found = std::find_if(to.verdict.findings.begin(), to.verdict.findings.end(), [&](const Finding& other) {
        return other.rule == finding.rule &&
               std::equal(other.values.begin(), other.values.end(), finding.values.begin(), finding.values.end(),
                          [&](ValueId there, ValueId here) { return there == sameValue(here, from, to); });
    });
    return found == to.verdict.findings.end() ? -1 : narrow<std::int32_t>(found - to.verdict.findings.begin());
}

/// Holes have no names: the one with the same steps and bytes.
std::int32_t sameHole(std::int32_t rank, const Report& from, const Report& to)
{
    if (rank < 0) return -1;
    if (static_cast<std::size_t>(rank) >= from.memory.holes.size()) return -1;
    const Hole& hole = from.memory.holes[static_cast<std::size_t>(rank)];
    const auto found = std::find_if(to.memory.holes.begin(), to.memory.holes.end(), [&](const Hole& other) {
        return other.arena == hole.arena && other.steps == hole.steps && other.bytes == hole.bytes;
    });
    return found == to.memory.holes.end() ? -1 : narrow<std::int32_t>(found - to.memory.holes.begin());
}

} // namespace

Focus carryOver(const Focus& focus, const Report& from, const Report& to)
{
    return {.node = sameNode(focus.node, from, to),
            .value = sameValue(focus.value, from, to),
            .storage = sameStorage(focus.storage, from, to),
            .finding = sameFinding(focus.finding, from, to),
            .hole = sameHole(focus.hole, from, to),
            .step = std::min(focus.step, to.program.schedule.length() - 1)};
}

} // namespace plimsoll::app
