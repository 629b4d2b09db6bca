#include "kernels/run/memory/dead_bytes.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

Interval bytesOf(const Storage& storage)
{
    return {storage.offset, storage.offset + storage.bytes};
}

} // namespace

DeadBytes::DeadBytes(const PlannedProgram& program)
    : m_program(program), m_endingAt(static_cast<std::size_t>(program.schedule.length()) + 1)
{
    for (std::size_t i = 0; i < program.storages.size(); ++i) {
        if (!program.storages[i].arena.valid() || program.storages[i].arena.index() >= program.map.arenas.size())
            continue;
        for (const Interval live : program.storages[i].live.intervals()) {
            const auto end = static_cast<std::size_t>(std::clamp<std::int64_t>(live.end, 0, program.schedule.length()));
            m_endingAt[end].push_back(StorageId {i});
        }
    }
}

void DeadBytes::pass(std::int64_t from, std::int64_t to, ArenaMemory& memory) const
{
    if (from < 0) return;
    if (to == from + 1) {
        for (const StorageId storage : m_endingAt[static_cast<std::size_t>(to)])
            poison(storage, to, memory);
        return;
    }
    for (std::size_t i = 0; i < m_program.storages.size(); ++i) {
        const Storage& storage = m_program.storages[i];
        const bool placed = storage.arena.valid() && storage.arena.index() < m_program.map.arenas.size();
        if (placed && storage.live.contains(from)) poison(StorageId {i}, to, memory);
    }
}

void DeadBytes::poison(StorageId id, std::int64_t step, ArenaMemory& memory) const
{
    const Storage& storage = m_program.storages[id.index()];
    if (storage.live.contains(step) || heldByLiving(storage, step)) return;
    memory.poison(storage.arena, bytesOf(storage));
}

bool DeadBytes::heldByLiving(const Storage& dead, std::int64_t step) const
{
    return std::any_of(m_program.storages.begin(), m_program.storages.end(), [&](const Storage& other) {
        return other.arena == dead.arena && overlaps(bytesOf(other), bytesOf(dead)) && other.live.contains(step);
    });
}

} // namespace plimsoll::kernels
