#include "kernels/runtime/world.h"

#include "core/base/bytes.h"
#include "core/ops/op_traits.h"
#include "kernels/runtime/compare.h"
#include "kernels/runtime/elements.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

const RuntimeValue AbsentValue;

std::string typeText(DType dtype, const Shape& shape)
{
    return std::string(dtypeName(dtype)) + describe(shape);
}

Status checkType(const Value& value, DType dtype, const Shape& shape)
{
    if (value.type.dtype == dtype && value.type.shape() == shape) return {};
    return Error {ErrorCode::Internal,
                  "the kernel computed " + typeText(dtype, shape) + " where " + describe(value.type) + " was planned",
                  "value '" + value.name + "'",
                  {}};
}

Error outside(const std::string& what, const ValuePlacement& where, std::int64_t bytes, const MemoryMap& map)
{
    const std::string end = std::to_string(where.offset) + " + " + std::to_string(bytes) + " bytes";
    if (where.arena.index() >= map.arenas.size()) {
        return {ErrorCode::BadInput,
                "the plan puts it into arena " + std::to_string(where.arena.number()) + ", which it does not have",
                what,
                {}};
    }
    return {ErrorCode::BadInput,
            "beyond-capacity: the plan puts it at " + end + ", outside arena " + std::to_string(where.arena.number()) +
                " of " + std::to_string(map.arenas[where.arena.index()].bytes) + " bytes; such a plan is not executed",
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

} // namespace

World::World(const Graph& graph, const ExternalValues& externals)
    : m_graph(graph), m_externals(externals), m_values(graph.values.size())
{
}

const RuntimeValue& World::value(ValueId id) const
{
    if (!id.valid()) return AbsentValue;
    const RuntimeValue& own = m_values[id.index()];
    if (own.kind != RuntimeValue::Kind::Absent) return own;
    const RuntimeValue* external = m_externals.find(id);
    return external ? *external : own;
}

Result<TensorView> World::produce(ValueId id, DType dtype, const Shape& shape)
{
    PLIMSOLL_ASSIGN(placed, place(id, dtype, shape));
    m_values[id.index()] = std::move(placed);
    return m_values[id.index()].tensor;
}

void World::set(ValueId id, RuntimeValue value)
{
    accept(value);
    m_values[id.index()] = std::move(value);
}

void World::release(ValueId id)
{
    m_values[id.index()] = RuntimeValue {};
}

PlannedWorld::PlannedWorld(const Report& report, const ExternalValues& externals, ArenaMemory memory)
    : World(*report.graph, externals), m_report(report), m_memory(std::move(memory)),
      m_scratchOf(report.graph->nodes.size(), -1)
{
    m_aliases = findExternalAliases();
    for (std::size_t i = 0; i < report.map.scratch.size(); ++i) {
        m_scratchOf[report.map.scratch[i].node.index()] = static_cast<std::int64_t>(i);
    }
}

std::vector<PlannedWorld::ExternalAlias> PlannedWorld::findExternalAliases() const
{
    const Graph& graph = m_graph;
    std::vector<ExternalAlias> aliases(graph.values.size());
    const auto storageOf = [&](ValueId id) { return m_report.values[id.index()].storage; };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const AliasTrait& trait : aliasTraits(graph, NodeId {i})) {
            if (trait.kind != AliasKind::Identity && trait.kind != AliasKind::View) continue;
            const ValueId output = graph.nodes[i].outputs[static_cast<std::size_t>(trait.output)];
            const ValueId input = graph.nodes[i].inputs[static_cast<std::size_t>(trait.input)];
            if (!output.valid() || !input.valid() || m_report.map.values[output.index()].placed()) continue;
            const bool together = storageOf(output).valid() && storageOf(output) == storageOf(input);
            if (!together || m_report.storages[storageOf(output).index()].arena.valid()) continue;
            aliases[output.index()] = {input, trait.offsetBytes};
        }
    }
    return aliases;
}

Result<RuntimeValue> PlannedWorld::place(ValueId id, DType dtype, const Shape& shape)
{
    const ValuePlacement& where = m_report.map.values[id.index()];
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    if (where.placed()) {
        PLIMSOLL_TRY(checkType(m_graph[id], dtype, shape));
        value.tensor = {dtype, shape, m_memory.at(where.arena, where.offset)};
        m_memory.touch(where.arena, where.offset, value.tensor.bytes());
        return value;
    }
    const ExternalAlias& alias = m_aliases[id.index()];
    const RuntimeValue& root = this->value(alias.root);
    if (root.kind == RuntimeValue::Kind::Tensor && root.tensor.dtype != DType::String) {
        PLIMSOLL_TRY(checkType(m_graph[id], dtype, shape));
        value.tensor = {dtype, shape, root.tensor.as<std::byte>() + alias.offset};
        value.owner = root.owner;
        return value;
    }
    return m_fallback.allocate(dtype, shape);
}

void PlannedWorld::accept(RuntimeValue& value)
{
    if (value.kind == RuntimeValue::Kind::Sequence) value.owner = m_fallback.account(valueBytes(value));
}

std::span<std::byte> PlannedWorld::scratchpad(NodeId node)
{
    if (node.index() >= m_report.implementations.size()) return {};
    const std::int64_t bytes = m_report.implementations[node.index()].scratchpadBytes;
    const std::int64_t index = m_scratchOf[node.index()];
    const ValuePlacement where =
        index < 0 ? ValuePlacement {} : m_report.map.scratch[static_cast<std::size_t>(index)].where;
    if (bytes <= 0) return {};
    if (!where.placed()) {
        auto memory = m_fallback.allocate(DType::UInt8, {bytes});
        if (!memory.ok()) return {};
        m_unplannedScratch = std::move(memory).value();
        return {m_unplannedScratch.tensor.as<std::byte>(), static_cast<std::size_t>(bytes)};
    }
    m_memory.touch(where.arena, where.offset, bytes);
    return {m_memory.at(where.arena, where.offset), static_cast<std::size_t>(bytes)};
}

OracleWorld::OracleWorld(const Report& report, const ExternalValues& externals)
    : World(*report.graph, externals), m_report(report)
{
}

Result<RuntimeValue> OracleWorld::place(ValueId id, DType dtype, const Shape& shape)
{
    const ValuePlacement& where = m_report.map.values[id.index()];
    const std::int64_t shift = where.placed() ? where.offset % 64 : 0;
    if (shift == 0 || dtype == DType::String) {
        PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
        return tensorValue(std::move(tensor));
    }
    const auto bytes = denseBytes(dtype, shape);
    const auto padded = bytes ? checkedAdd(*bytes, shift) : std::nullopt;
    if (!padded) return Error {ErrorCode::BadInput, typeText(dtype, shape) + " has no size", {}, {}};
    PLIMSOLL_ASSIGN(memory, allocateTensor(DType::UInt8, {*padded}));
    RuntimeValue value = tensorValue(std::move(memory));
    value.tensor = {dtype, shape, value.tensor.as<std::byte>() + shift};
    return value;
}

std::span<std::byte> OracleWorld::scratchpad(NodeId node)
{
    if (node.index() >= m_report.implementations.size()) return {};
    const std::int64_t bytes = m_report.implementations[node.index()].scratchpadBytes;
    if (bytes <= 0) return {};
    if (m_scratch.view().data == nullptr || m_scratch.view().bytes() < bytes) {
        auto memory = allocateTensor(DType::UInt8, {bytes});
        if (!memory.ok()) return {};
        m_scratch = std::move(memory).value();
    }
    return {m_scratch.view().as<std::byte>(), static_cast<std::size_t>(bytes)};
}

Status checkPlacements(const Report& report)
{
    const MemoryMap& map = report.map;
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        const Value& value = report.graph->values[i];
        PLIMSOLL_TRY(checkInside("value '" + value.name + "'", map.values[i], value.type.bytes().value_or(0), map));
    }
    for (const ScratchPlacement& scratch : map.scratch) {
        const std::int64_t bytes = report.implementations[scratch.node.index()].scratchpadBytes;
        PLIMSOLL_TRY(
            checkInside("scratchpad of node '" + (*report.graph)[scratch.node].name + "'", scratch.where, bytes, map));
    }
    return {};
}

} // namespace plimsoll::kernels
