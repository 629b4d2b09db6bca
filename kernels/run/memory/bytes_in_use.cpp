#include "kernels/run/memory/bytes_in_use.h"

#include "core/base/bytes.h"
#include "kernels/run/memory/run_memory.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

} // namespace

BytesInUse::BytesInUse(const PlannedProgram& program) : m_program(program), m_scratch(program.graph->nodes.size())
{
    for (const ScratchPlacement& scratch : program.map.scratch)
        m_scratch[scratch.node.index()] = scratch.where;
    for (const PlannedArena& arena : program.map.arenas)
        m_bySpace[arena.space].resize(static_cast<std::size_t>(program.schedule.length()), 0);
}

void BytesInUse::begins(ValueId value)
{
    if (m_program.map.values[value.index()].placed()) m_held.insert(value);
}

void BytesInUse::ends(ValueId value)
{
    m_held.erase(value);
}

Interval BytesInUse::bytesOf(const ValuePlacement& where) const
{
    const std::int64_t alignment = std::max<std::int64_t>(1, m_program.map.arenas[where.arena.index()].alignment);
    return {where.offset, where.offset + checkedAlignUp(where.bytes, alignment).value_or(where.bytes)};
}

void BytesInUse::note(std::int64_t step, NodeId node)
{
    std::vector<std::vector<Interval>> held(m_program.map.arenas.size()); // by arena
    const auto add = [&](const ValuePlacement& where) {
        if (where.placed()) held[where.arena.index()].push_back(bytesOf(where));
    };
    for (const ValueId value : m_held)
        add(m_program.map.values[value.index()]);
    add(m_scratch[node.index()]);
    std::map<std::string, std::int64_t> now;
    for (std::size_t i = 0; i < held.size(); ++i) {
        std::ranges::sort(held[i], {}, &Interval::begin);
        std::int64_t& sum = now[m_program.map.arenas[i].space];
        std::int64_t end = 0;
        for (const Interval& interval : held[i]) {
            sum += std::max<std::int64_t>(0, interval.end - std::max(end, interval.begin));
            end = std::max(end, interval.end);
        }
    }
    for (const auto& [space, bytes] : now) {
        std::int64_t& most = m_bySpace[space][static_cast<std::size_t>(step)];
        most = std::max(most, bytes);
    }
}

HeldBytes::HeldBytes(const PlannedProgram& program, const ArenaMemory& arenas)
{
    for (const auto& [space, reserved] : arenas.reserved()) {
        RunResult::Held held {space, 0, reserved.bytes, reserved.before};
        for (const PlannedArena& arena : program.map.arenas)
            held.plannedBytes += arena.space == space ? arena.bytes : 0;
        held.steps.resize(static_cast<std::size_t>(program.schedule.length()), 0);
        m_held.push_back(std::move(held));
        m_devices.push_back(&reserved);
    }
}

void HeldBytes::note(std::int64_t step, const OracleMemory& oracle)
{
    for (std::size_t i = 0; i < m_held.size(); ++i) {
        RunResult::Held& held = m_held[i];
        const ArenaMemory::Reserved& from = *m_devices[i];
        const std::int64_t beside = oracle.heldOn(*from.device);
        std::int64_t& most = held.steps[static_cast<std::size_t>(step)];
        most = std::max(most, from.device->heldBytes() - beside);
        held.oracleBytes = std::max(held.oracleBytes, beside);
        const std::optional<std::int64_t> free = from.device->freeBytes();
        if (free && from.freeBefore)
            held.driverBytes = std::max(held.driverBytes.value_or(0), *from.freeBefore - *free);
    }
}

} // namespace plimsoll::kernels
