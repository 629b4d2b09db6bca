#pragma once

#include "core/plan/program.h"
#include "kernels/run/device/device_canaries.h"
#include "kernels/run/memory/arena_memory.h"
#include "kernels/run/memory/external_values.h"
#include "kernels/run/memory/host_memory.h"

#include <map>
#include <span>
#include <vector>

namespace plimsoll::kernels {

/// What every value is at this moment of one execution. The planned run and its oracle are two worlds that go through
/// the same steps and differ only in where they put the bytes.
class World
{
public:
    World(const Graph& graph, const ExternalValues& externals);
    virtual ~World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Absent for an invalid id and for a value nobody has written.
    [[nodiscard]] const RuntimeValue& value(ValueId id) const;

    /// New bytes for a value that is about to be written. Refuses a type that contradicts the plan, in the oracle, too:
    /// what was not computed as planned says nothing of the plan.
    [[nodiscard]] Result<TensorView> produce(ValueId id, DType dtype, const Shape& shape);
    /// Whether the latest produce() was refused for that reason.
    [[nodiscard]] bool refusedType() const { return m_refusedType; }
    /// Sequences, optionals, and tensors that somebody else owns.
    void set(ValueId id, RuntimeValue value);
    void release(ValueId id);

    /// What the value holds, where the host can read it: on a device, a copy of it.
    [[nodiscard]] Result<RuntimeValue> onHost(ValueId id) const { return spaces().onHost(id, value(id)); }
    /// Writes what the host has: produce() and a copy, to a device if the value lies there.
    [[nodiscard]] Status write(ValueId id, const RuntimeValue& content);
    [[nodiscard]] const DeviceSpaces& spaces() const { return m_externals.spaces(); }

    /// Temporary bytes of a node's implementation.
    [[nodiscard]] virtual std::span<std::byte> scratchpad(NodeId node) = 0;

protected:
    [[nodiscard]] virtual Result<RuntimeValue> place(ValueId id, DType dtype, const Shape& shape) = 0;
    virtual void accept(RuntimeValue&) {} ///< Called for what set() brings.
    [[nodiscard]] virtual Status checkType(ValueId, DType, const Shape&) const { return {}; } ///< Against the plan.

    const Graph& m_graph;

private:
    const ExternalValues& m_externals;
    std::vector<RuntimeValue> m_values; ///< By ValueId.
    bool m_refusedType = false;
};

/// The shape under which a value's bytes are held. In a library's layout that is a row of all its elements, pad lanes
/// among them: only the library knows where which element is, but all of them are compared.
[[nodiscard]] Shape heldShape(const PlannedProgram& program, ValueId value, DType dtype, const Shape& shape);

/// The world in which the plan decides: planned values in the arenas at their offsets, those with a host in the
/// caller's bytes, the rest in the fallback allocator.
class PlannedWorld : public World
{
public:
    PlannedWorld(const PlannedProgram& program, const ExternalValues& externals, ArenaMemory memory);

    [[nodiscard]] std::span<std::byte> scratchpad(NodeId node) override;
    [[nodiscard]] ArenaMemory& memory() { return m_memory; }
    [[nodiscard]] const ArenaMemory& memory() const { return m_memory; }
    [[nodiscard]] std::int64_t unplannedPeakBytes() const { return m_fallback.peakBytes(); }

protected:
    [[nodiscard]] Result<RuntimeValue> place(ValueId id, DType dtype, const Shape& shape) override;
    void accept(RuntimeValue& value) override;
    [[nodiscard]] Status checkType(ValueId id, DType dtype, const Shape& shape) const override;

private:
    [[nodiscard]] Result<RuntimeValue> placeInHost(ValueId id, DType dtype, const Shape& shape);
    [[nodiscard]] Result<RuntimeValue> allocateUnplanned(ValueId id, DType dtype, const Shape& shape);

    const PlannedProgram& m_program;
    ArenaMemory m_memory;
    CountingAllocator m_fallback;
    std::vector<std::int64_t> m_scratchOf; ///< By NodeId: index into map.scratch, or -1.
    RuntimeValue m_unplannedScratch;       ///< Of the latest node whose scratchpad the plan has forgotten.
};

/// The world without sharing: every value in memory of its own, as far from a 64-byte boundary as its planned bytes
/// are, so that kernels that look at addresses take the same path in both worlds. On a device each stands between
/// canaries: what a kernel writes beyond its tensors is found here, whatever lies there under the plan.
class OracleWorld : public World
{
public:
    OracleWorld(const PlannedProgram& program, const ExternalValues& externals);
    [[nodiscard]] std::span<std::byte> scratchpad(NodeId node) override;

    /// Around a value that the device has written, or, for an invalid id, the scratchpad of its latest node; nullptr
    /// where there are none.
    [[nodiscard]] const DeviceCanaries* canariesOf(ValueId value) const;
    /// Of a device's bytes, what is here.
    [[nodiscard]] std::int64_t heldOn(const Device& device) const;

protected:
    [[nodiscard]] Result<RuntimeValue> place(ValueId id, DType dtype, const Shape& shape) override;
    [[nodiscard]] Status checkType(ValueId id, DType dtype, const Shape& shape) const override;

private:
    [[nodiscard]] Result<GuardedTensor> allocateCounted(Device& device, DType dtype, const Shape& shape,
                                                        std::int64_t shift = 0);

    const PlannedProgram& m_program;
    HostTensor m_scratch;
    RuntimeValue m_deviceScratch;
    std::map<ValueId, DeviceCanaries> m_canaries; ///< Of the latest scratchpad under an invalid id.
    std::map<const Device*, std::shared_ptr<std::int64_t>> m_held;
};

/// Refuses a plan that cannot be executed safely: anything outside its arena, a negative offset, an arena that does
/// not exist. What is inside is executed, overlaps included. BadInput names the value, its bytes and the arena.
[[nodiscard]] Status checkPlacements(const PlannedProgram& program);

} // namespace plimsoll::kernels
