#include "kernels/run/memory/run_memory.h"

#include "core/base/bytes.h"
#include "core/graph/value_strides.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/compare.h"
#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <limits>
#include <set>

namespace plimsoll::kernels {
namespace {

const RuntimeValue AbsentValue;

std::string typeText(DType dtype, const Shape& shape)
{
    return std::string(dtypeName(dtype)) + describe(shape);
}

/// As far as the type is known.
bool fits(const TensorType& type, DType dtype, const Shape& shape)
{
    if (type.dtype != dtype) return false;
    if (const auto planned = heldShape(type)) return *planned == shape;
    if (!type.dims) return true;
    if (type.dims->size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if ((*type.dims)[i].known() && (*type.dims)[i].size != shape[i]) return false;
    }
    return true;
}

/// Of a value for which the plan has a place. A size that only the run knows may be any for which there is room.
Status checkAgainstPlan(const PlannedProgram& program, ValueId id, DType dtype, const Shape& shape)
{
    const ValuePlacement& where = program.map.values[id.index()];
    const bool planned = where.placed() || (where.host.valid() && dtype != DType::String);
    const Value& value = (*program.graph)[id];
    if (!planned) return {};
    if (!fits(value.type, dtype, shape))
        return Error {ErrorCode::Unsupported,
                      say("memory.other-type", word::Name {value.name}, typeText(dtype, shape), describe(value.type)),
                      {},
                      {}};
    const std::int64_t bytes = denseBytes(dtype, shape).value_or(std::numeric_limits<std::int64_t>::max());
    if (heldShape(value.type) || bytes <= where.bytes) return {};
    return Error {ErrorCode::Unsupported,
                  say("memory.beyond-place", word::Name {value.name}, typeText(dtype, shape), bytes, where.bytes),
                  {},
                  {}};
}

Error outside(const std::string& what, const ValuePlacement& where, std::int64_t bytes, const MemoryMap& map)
{
    const word::Number arena {where.arena.number()};
    if (where.arena.index() >= map.arenas.size()) return {ErrorCode::BadInput, say("memory.no-arena", arena), what, {}};
    return {ErrorCode::BadInput,
            say("memory.outside", word::Number {where.offset}, word::Number {bytes}, arena,
                word::Number {map.arenas[where.arena.index()].bytes}),
            what,
            {}};
}

Status checkInside(const std::string& what, const ValuePlacement& where, std::int64_t needed, const MemoryMap& map)
{
    if (!where.placed()) return {};
    const std::int64_t bytes = std::max(where.bytes, needed);
    const auto end = checkedAdd(where.offset, bytes);
    const bool exists = where.arena.index() < map.arenas.size();
    if (exists && where.offset >= 0 && bytes >= 0 && end && *end <= map.arenas[where.arena.index()].bytes) return {};
    return outside(what, where, bytes, map);
}

Error elsewhere(const std::string& what, const std::string& there, const std::string& wanted)
{
    const auto title = [](const std::string& space) { return word::Name {space.empty() ? "cpu" : space}; };
    return {ErrorCode::BadInput, say("memory.wrong-space", title(there), title(wanted)), what, {}};
}

/// Whether everything lies in the memory of the device that computes it, or in that of the CPU.
Status checkSpaces(const PlannedProgram& program)
{
    std::set<std::string> devices;
    for (const Implementation& chosen : program.implementations.chosen())
        devices.insert(chosen.device);
    devices.erase(std::string());
    if (devices.empty()) return {};
    const auto check = [&](const std::string& what, const ValuePlacement& where, std::string wanted) -> Status {
        const std::string space = where.placed() ? program.map.arenas[where.arena.index()].space : wanted;
        const std::string there = devices.contains(space) ? space : std::string();
        if (!devices.contains(wanted)) wanted.clear();
        return there == wanted ? Status {} : Status(elsewhere(what, there, wanted));
    };
    for (std::size_t i = 0; i < program.map.values.size(); ++i)
        PLIMSOLL_TRY(check("value '" + program.graph->values[i].name + "'", program.map.values[i],
                           deviceSpaceOf(program, ValueId(i))));
    for (const ScratchPlacement& scratch : program.map.scratch)
        PLIMSOLL_TRY(check("scratchpad of node '" + (*program.graph)[scratch.node].name + "'", scratch.where,
                           program.implementations[scratch.node].device));
    return {};
}

} // namespace

Memory::Memory(ExternalValues& externals, const PlannedProgram* program)
    : m_program(program), m_externals(externals), m_values(externals.graph().values.size())
{
}

const RuntimeValue& Memory::value(ValueId id) const
{
    if (!id.valid()) return AbsentValue;
    const RuntimeValue& own = m_values[id.index()];
    if (own.kind != RuntimeValue::Kind::Absent) return own;
    const RuntimeValue* external = m_externals.findForReaders(id);
    return external ? *external : own;
}

Result<TensorView> Memory::produce(ValueId id, DType dtype, const Shape& shape)
{
    const Status fitting = m_program ? checkAgainstPlan(*m_program, id, dtype, shape) : Status {};
    m_refusedType = !fitting.ok();
    PLIMSOLL_TRY(fitting);
    const Value& value = m_externals.graph()[id];
    const int bits = dtypeBits(dtype);
    // Of a strided view all that lies between its first element and its last is held, as a row.
    if (isStrided(value) && bits >= 8) {
        PLIMSOLL_SET(m_values[id.index()], place(id, dtype, {spanBytes(value).value_or(0) / (bits / 8)}));
        return m_values[id.index()].tensor;
    }
    // In a library's layout the bytes are held as a row of all elements, pad lanes among them: only the library knows
    // where which element is, but all of them are compared.
    const bool inRows =
        !m_program || bits < 8 || layoutOf(*m_program->graph, m_program->implementations, id) == PlainLayout;
    PLIMSOLL_ASSIGN(
        placed, place(id, dtype, inRows ? shape : Shape {m_program->values[id.index()].requiredBytes / (bits / 8)}));
    m_values[id.index()] = std::move(placed);
    return m_values[id.index()].tensor;
}

Result<RuntimeValue> Memory::place(ValueId /*id*/, DType /*dtype*/, const Shape& /*shape*/)
{
    return Error {ErrorCode::Internal, say("memory.nothing-placed"), {}, {}};
}

Status Memory::write(ValueId id, const RuntimeValue& content)
{
    if (content.kind != RuntimeValue::Kind::Tensor) {
        set(id, content);
        return {};
    }
    PLIMSOLL_ASSIGN(view, produce(id, content.tensor.dtype, content.tensor.shape));
    if (Device* const device = spaces().of(id)) return copyToDevice(*device, content.tensor, view);
    copyTensor(content.tensor, view);
    return {};
}

void Memory::set(ValueId id, RuntimeValue value)
{
    accept(value);
    m_values[id.index()] = std::move(value);
}

PlannedMemory::PlannedMemory(const PlannedProgram& program, ExternalValues& externals, ArenaMemory arenas)
    : Memory(externals, &program), m_arenas(std::move(arenas)), m_scratch(program.graph->nodes.size())
{
    for (const ScratchPlacement& scratch : program.map.scratch)
        m_scratch[scratch.node.index()] = scratch.where;
}

/// What the caller brings for an output is not the run's to count. A buffer that is there already is used again.
Result<RuntimeValue> PlannedMemory::placeInHost(ValueId id, DType dtype, const Shape& shape)
{
    const ValuePlacement& where = m_program->map.values[id.index()];
    if (where.host == id) {
        const RuntimeValue& earlier = this->value(id);
        const bool fits = earlier.kind == RuntimeValue::Kind::Tensor && earlier.tensor.dtype == dtype &&
                          earlier.tensor.shape == shape;
        if (fits) return earlier;
        if (Device* const device = spaces().of(id)) return allocateOn(*device, dtype, shape);
        PLIMSOLL_ASSIGN(brought, allocateTensor(dtype, shape));
        return tensorValue(std::move(brought));
    }
    const RuntimeValue& host = this->value(where.host);
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = {dtype, shape, nullptr};
    const auto end = checkedAdd(where.offset, value.tensor.bytes());
    const bool inside = host.kind == RuntimeValue::Kind::Tensor && host.tensor.dtype != DType::String &&
                        where.offset >= 0 && end && *end <= host.tensor.bytes();
    if (!inside) return allocateUnplanned(id, dtype, shape);
    value.tensor.data = host.tensor.as<std::byte>() + where.offset;
    value.owner = host.owner;
    return value;
}

Result<RuntimeValue> PlannedMemory::place(ValueId id, DType dtype, const Shape& shape)
{
    const ValuePlacement& where = m_program->map.values[id.index()];
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    if (where.placed()) {
        value.tensor = {dtype, shape, m_arenas.at(where.arena, where.offset)};
        m_arenas.touch(where.arena, where.offset, value.tensor.bytes());
        return value;
    }
    if (where.host.valid() && dtype != DType::String) return placeInHost(id, dtype, shape);
    return allocateUnplanned(id, dtype, shape);
}

void PlannedMemory::poison(const ValuePlacement& where)
{
    if (where.placed()) return m_arenas.poison(where.arena, {where.offset, where.offset + where.bytes});
    const RuntimeValue& host = value(where.host);
    const Interval all {0, host.kind == RuntimeValue::Kind::Tensor ? host.tensor.bytes() : 0};
    const Interval inside = intersection({where.offset, where.offset + where.bytes}, all);
    if (!inside.empty())
        m_arenas.poison(spaces().of(where.host), host.tensor.as<std::byte>() + inside.begin, inside.length());
}

Result<RuntimeValue> PlannedMemory::allocateUnplanned(ValueId id, DType dtype, const Shape& shape)
{
    Device* const device = spaces().of(id);
    if (!device) return m_fallback.allocate(dtype, shape);
    PLIMSOLL_ASSIGN(value, allocateOn(*device, dtype, shape));
    value.owner = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(
        std::move(value.owner), m_fallback.account(value.tensor.bytes()));
    return value;
}

void PlannedMemory::accept(RuntimeValue& value)
{
    if (value.kind == RuntimeValue::Kind::Sequence) value.owner = m_fallback.account(valueBytes(value));
}

std::span<std::byte> PlannedMemory::scratchpad(NodeId node)
{
    const std::int64_t bytes = m_program->implementations[node].scratchpadBytes;
    const ValuePlacement& where = m_scratch[node.index()];
    if (bytes <= 0) return {};
    if (!where.placed()) {
        Device* const device = spaces().of(node);
        auto memory = device ? allocateOn(*device, DType::UInt8, {bytes}) : m_fallback.allocate(DType::UInt8, {bytes});
        if (!memory.ok()) return {};
        m_unplannedScratch = std::move(memory).value();
        return {m_unplannedScratch.tensor.as<std::byte>(), static_cast<std::size_t>(bytes)};
    }
    m_arenas.touch(where.arena, where.offset, bytes);
    return {m_arenas.at(where.arena, where.offset), static_cast<std::size_t>(bytes)};
}

Result<RuntimeValue> OracleMemory::place(ValueId id, DType dtype, const Shape& shape)
{
    const ValuePlacement& where = m_program->map.values[id.index()];
    const std::int64_t shift = where.placed() || where.host.valid() ? where.offset % 64 : 0;
    if (Device* const device = spaces().of(id)) {
        PLIMSOLL_ASSIGN(guarded, allocateCounted(*device, dtype, shape, shift));
        m_canaries.insert_or_assign(id, guarded.canaries);
        return guarded.value;
    }
    if (shift == 0 || dtype == DType::String) {
        PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
        return tensorValue(std::move(tensor));
    }
    const auto bytes = denseBytes(dtype, shape);
    const auto padded = bytes ? checkedAdd(*bytes, shift) : std::nullopt;
    if (!padded) return Error {ErrorCode::BadInput, say("memory.no-size", typeText(dtype, shape)), {}, {}};
    PLIMSOLL_ASSIGN(memory, allocateTensor(DType::UInt8, {*padded}));
    RuntimeValue value = tensorValue(std::move(memory));
    value.tensor = {dtype, shape, value.tensor.as<std::byte>() + shift};
    return value;
}

/// What the device gives for it, until the last copy of it is gone.
Result<GuardedTensor> OracleMemory::allocateCounted(Device& device, DType dtype, const Shape& shape, std::int64_t shift)
{
    const std::int64_t before = device.heldBytes();
    PLIMSOLL_ASSIGN(guarded, allocateGuarded(device, dtype, shape, shift));
    const std::int64_t bytes = device.heldBytes() - before;
    const auto total = m_held.try_emplace(&device, std::make_shared<std::int64_t>(0)).first->second;
    *total += bytes;
    guarded.value.owner = std::shared_ptr<void>(
        guarded.value.tensor.data, [owner = std::move(guarded.value.owner), total, bytes](void* /*data*/) mutable {
            owner.reset();
            *total -= bytes;
        });
    return guarded;
}

std::int64_t OracleMemory::heldOn(const Device& device) const
{
    const auto found = m_held.find(&device);
    return found == m_held.end() ? 0 : *found->second;
}

const DeviceCanaries* OracleMemory::canariesOf(ValueId value) const
{
    const auto found = m_canaries.find(value);
    return found == m_canaries.end() ? nullptr : &found->second;
}

std::span<std::byte> OracleMemory::scratchpad(NodeId node)
{
    const std::int64_t bytes = m_program->implementations[node].scratchpadBytes;
    if (bytes <= 0) return {};
    if (Device* const device = spaces().of(node)) {
        auto memory = allocateCounted(*device, DType::UInt8, {bytes});
        if (!memory.ok()) return {};
        m_canaries.insert_or_assign(ValueId {}, memory.value().canaries);
        m_deviceScratch = std::move(memory).value().value;
        return {m_deviceScratch.tensor.as<std::byte>(), static_cast<std::size_t>(bytes)};
    }
    if (m_scratch.view().data == nullptr || m_scratch.view().bytes() < bytes) {
        auto memory = allocateTensor(DType::UInt8, {bytes});
        if (!memory.ok()) return {};
        m_scratch = std::move(memory).value();
    }
    return {m_scratch.view().as<std::byte>(), static_cast<std::size_t>(bytes)};
}

Status checkPlacements(const PlannedProgram& program)
{
    const MemoryMap& map = program.map;
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        const Value& value = program.graph->values[i];
        const std::int64_t needed = std::max<std::int64_t>(0, program.values[i].requiredBytes);
        PLIMSOLL_TRY(checkInside("value '" + value.name + "'", map.values[i], needed, map));
    }
    for (const ScratchPlacement& scratch : map.scratch) {
        const std::int64_t bytes = program.implementations[scratch.node].scratchpadBytes;
        PLIMSOLL_TRY(
            checkInside("scratchpad of node '" + (*program.graph)[scratch.node].name + "'", scratch.where, bytes, map));
    }
    return checkSpaces(program);
}

} // namespace plimsoll::kernels
