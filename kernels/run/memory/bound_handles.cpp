#include "kernels/run/memory/bound_handles.h"

#include "core/base/bytes.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

namespace plimsoll::kernels {
namespace {

/// New bytes in the same memory, \p bytes at least, that begin like the old ones.
Result<RuntimeValue> copiedBytes(Device* device, std::span<const std::byte> old, std::int64_t bytes)
{
    const Shape shape = {std::max<std::int64_t>(bytes, std::ssize(old))};
    if (device) {
        std::vector<std::byte> onHost(old.size());
        PLIMSOLL_TRY(device->copyOut(onHost, old.data()));
        PLIMSOLL_ASSIGN(made, allocateOn(*device, DType::UInt8, shape));
        PLIMSOLL_TRY(device->copyIn(made.tensor.as<std::byte>(), onHost));
        return made;
    }
    PLIMSOLL_ASSIGN(memory, allocateTensor(DType::UInt8, shape));
    if (!old.empty()) std::memcpy(memory.view().data, old.data(), old.size());
    return tensorValue(std::move(memory));
}

} // namespace

BoundHandles::BoundHandles(const PlannedProgram& program, const Memory& planned)
    : m_program(program), m_planned(planned), m_moved(program.handles.size(), false)
{
    for (const Handle& handle : program.handles)
        m_contents.push_back(planned.value(handle.value));
}

RuntimeValue BoundHandles::content(std::size_t handle) const
{
    const Result<RuntimeValue> here = m_planned.spaces().onHost(m_program.handles[handle].value, m_contents[handle]);
    return here.ok() ? here.value() : RuntimeValue {};
}

Result<BoundHandles::Permit> BoundHandles::beginWrite(std::size_t handle)
{
    const Handle& planned = m_program.handles[handle];
    if (!planned.writable) return refusal(handle);
    if (m_contents[handle].kind != RuntimeValue::Kind::Tensor) {
        const bool sequence = m_contents[handle].kind == RuntimeValue::Kind::Sequence;
        return Error {ErrorCode::Unsupported, say(sequence ? "handle.sequence" : "handle.absent"), nameOf(handle), {}};
    }
    Permit permit;
    const std::vector<std::size_t> group = planned.detaches ? movingWith(handle) : std::vector<std::size_t> {};
    if (sharesStill(group)) {
        permit.detachedBytes = planned.detachBytes;
        PLIMSOLL_TRY(detach(group, planned.detachBytes));
    }
    permit.target = m_contents[handle].tensor;
    permit.device = deviceOf(handle);
    return permit;
}

std::string BoundHandles::nameOf(std::size_t handle) const
{
    return "'" + (*m_program.graph)[m_program.handles[handle].value].name + "'";
}

std::optional<std::size_t> BoundHandles::partnerOf(std::size_t handle) const
{
    const Handle& planned = m_program.handles[handle];
    if (!planned.aliases.empty()) return planned.aliases.front();
    if (!planned.together.empty()) return planned.together.front();
    return std::nullopt;
}

Error BoundHandles::refusal(std::size_t handle) const
{
    const Handle& planned = m_program.handles[handle];
    const auto partner = partnerOf(handle);
    Message reason = say("handle.read-only");
    if (partner) {
        const Handle& other = m_program.handles[*partner];
        const word::Name name {(*m_program.graph)[other.value].name};
        const bool input = other.kind == Handle::Kind::Input;
        reason = !planned.aliases.empty()
                     ? say("handle.shares", name)
                     : say(input ? "handle.same-input" : "handle.same-output", word::Number {other.index}, name);
    } else if ((*m_program.graph)[planned.value].role == ValueRole::Constant) {
        reason = say("handle.constant");
    }
    return {ErrorCode::BadUsage, std::move(reason), "output " + std::to_string(planned.index), {}};
}

/// The handle and all that are parts of one entry with it, however far from each other.
std::vector<std::size_t> BoundHandles::movingWith(std::size_t handle) const
{
    std::vector<std::size_t> group = {handle};
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (const std::size_t other : m_program.handles[group[i]].together) {
            if (std::find(group.begin(), group.end(), other) == group.end()) group.push_back(other);
        }
    }
    return group;
}

/// Of several that share, the last one to be written keeps the block.
bool BoundHandles::sharesStill(const std::vector<std::size_t>& group) const
{
    return std::any_of(group.begin(), group.end(), [this](std::size_t member) {
        const std::vector<std::size_t>& aliases = m_program.handles[member].aliases;
        return !m_moved[member] &&
               std::any_of(aliases.begin(), aliases.end(), [this](std::size_t other) { return !m_moved[other]; });
    });
}

Status BoundHandles::detach(const std::vector<std::size_t>& group, std::int64_t bytes)
{
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
    for (const std::size_t member : group) {
        const TensorView& old = m_contents[member].tensor;
        auto* data = old.as<std::byte>();
        if (!begin || data < begin) begin = data;
        if (!end || data + old.bytes() > end) end = data + old.bytes();
    }
    PLIMSOLL_ASSIGN(owned, copiedBytes(deviceOf(group.front()), {begin, end}, bytes));
    auto* const target = owned.tensor.as<std::byte>();
    for (const std::size_t member : group) {
        m_contents[member].tensor.data = target + (m_contents[member].tensor.as<std::byte>() - begin);
        m_contents[member].owner = owned.owner;
        m_moved[member] = true;
    }
    m_detachedBytes += bytes;
    return {};
}

std::vector<std::size_t> BoundHandles::sharers(std::size_t handle) const
{
    const Handle& planned = m_program.handles[handle];
    std::vector<std::size_t> all = planned.together;
    for (const std::size_t other : planned.aliases) {
        if (!m_moved[handle] && !m_moved[other]) all.push_back(other);
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::int64_t BoundHandles::liveBytes() const
{
    std::map<ArenaId, std::vector<Interval>> held;
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        const ValuePlacement& where = m_program.map.values[m_program.handles[i].value.index()];
        const bool inArena = m_contents[i].kind == RuntimeValue::Kind::Tensor && where.placed() && !m_moved[i];
        if (!inArena || m_program.handles[i].kind == Handle::Kind::Input) continue;
        const std::int64_t alignment = m_program.map.arenas[where.arena.index()].alignment;
        const std::int64_t end = where.offset + where.bytes;
        held[where.arena].push_back({where.offset, checkedAlignUp(end, alignment).value_or(end)});
    }
    std::int64_t bytes = m_detachedBytes;
    for (auto& [arena, intervals] : held) {
        std::sort(intervals.begin(), intervals.end(),
                  [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
        std::int64_t from = 0;
        for (const Interval& one : intervals) {
            bytes += std::max<std::int64_t>(0, one.end - std::max(from, one.begin));
            from = std::max(from, one.end);
        }
    }
    return bytes;
}

} // namespace plimsoll::kernels
