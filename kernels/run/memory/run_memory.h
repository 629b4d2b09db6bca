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

/// Where every value of a run lies at this moment. Without a program: only what comes from outside.
class Memory
{
public:
    explicit Memory(ExternalValues& externals, const PlannedProgram* program = nullptr);
    virtual ~Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Absent for an invalid id and for a value that was not written.
    [[nodiscard]] const RuntimeValue& value(ValueId id) const;

    /// New bytes for a value that is about to be written. Refuses a type that contradicts the plan, in the oracle, too:
    /// what was not computed as planned says nothing of the plan.
    [[nodiscard]] Result<TensorView> produce(ValueId id, DType dtype, const Shape& shape);
    /// Whether the latest produce() was refused for that reason.
    [[nodiscard]] bool refusedType() const { return m_refusedType; }
    /// Sequences, optionals, and tensors that have an owner already.
    void set(ValueId id, RuntimeValue value);
    void release(ValueId id) { m_values[id.index()] = RuntimeValue {}; }

    /// What the value holds, where the host can read it: on a device, a copy of it.
    [[nodiscard]] Result<RuntimeValue> onHost(ValueId id) const { return spaces().onHost(id, value(id)); }
    /// Writes what the host has: produce() and a copy, to a device if the value lies there.
    [[nodiscard]] Status write(ValueId id, const RuntimeValue& content);

    /// Temporary bytes of a node's implementation.
    [[nodiscard]] virtual std::span<std::byte> scratchpad(NodeId /*node*/) { return {}; }

    [[nodiscard]] const Graph& graph() const { return m_externals.graph(); }
    [[nodiscard]] ExternalValues& externals() const { return m_externals; }
    [[nodiscard]] const DeviceSpaces& spaces() const { return m_externals.spaces(); }

protected:
    [[nodiscard]] virtual Result<RuntimeValue> place(ValueId id, DType dtype, const Shape& shape);
    virtual void accept(RuntimeValue&) {} ///< Called for what set() brings.

    const PlannedProgram* const m_program;

private:
    ExternalValues& m_externals;
    std::vector<RuntimeValue> m_values; ///< By ValueId.
    bool m_refusedType = false;
};

/// The memory that the plan decides: planned values in the arenas at their offsets, those with a host in the caller's
/// bytes, the rest in the fallback allocator.
class PlannedMemory : public Memory
{
public:
    PlannedMemory(const PlannedProgram& program, ExternalValues& externals, ArenaMemory arenas);

    [[nodiscard]] std::span<std::byte> scratchpad(NodeId node) override;
    /// The bytes there, of an arena or of a host that has some.
    void poison(const ValuePlacement& where);
    [[nodiscard]] ArenaMemory& arenas() { return m_arenas; }
    [[nodiscard]] const ArenaMemory& arenas() const { return m_arenas; }
    [[nodiscard]] std::int64_t unplannedPeakBytes() const { return m_fallback.peakBytes(); }

protected:
    [[nodiscard]] Result<RuntimeValue> place(ValueId id, DType dtype, const Shape& shape) override;
    void accept(RuntimeValue& value) override;

private:
    [[nodiscard]] Result<RuntimeValue> placeInHost(ValueId id, DType dtype, const Shape& shape);
    [[nodiscard]] Result<RuntimeValue> allocateUnplanned(ValueId id, DType dtype, const Shape& shape);

    ArenaMemory m_arenas;
    CountingAllocator m_fallback;
    std::vector<ValuePlacement> m_scratch; ///< By NodeId.
    RuntimeValue m_unplannedScratch;       ///< Of the latest node whose scratchpad the plan has forgotten.
};

/// The memory without sharing: every value has bytes of its own, as far from a 64-byte boundary as its planned bytes
/// are, so that kernels that look at addresses take the same path in both memories. On a device each stands between
/// canaries: what a kernel writes beyond its tensors is found here, whatever lies there under the plan.
class OracleMemory : public Memory
{
public:
    OracleMemory(const PlannedProgram& program, ExternalValues& externals) : Memory(externals, &program) {}
    [[nodiscard]] std::span<std::byte> scratchpad(NodeId node) override;

    /// Around a value that the device has written, or, for an invalid id, the scratchpad of its latest node; nullptr
    /// where there are none.
    [[nodiscard]] const DeviceCanaries* canariesOf(ValueId value) const;
    /// Of a device's bytes, what is here.
    [[nodiscard]] std::int64_t heldOn(const Device& device) const;

protected:
    [[nodiscard]] Result<RuntimeValue> place(ValueId id, DType dtype, const Shape& shape) override;

private:
    [[nodiscard]] Result<GuardedTensor> allocateCounted(Device& device, DType dtype, const Shape& shape,
                                                        std::int64_t shift = 0);

    HostTensor m_scratch;
    RuntimeValue m_deviceScratch;
    std::map<ValueId, DeviceCanaries> m_canaries; ///< Of the latest scratchpad under an invalid id.
    std::map<const Device*, std::shared_ptr<std::int64_t>> m_held;
};

/// Refuses a plan that cannot be executed safely: anything outside its arena, a negative offset, an arena that does
/// not exist. What is inside is executed, overlaps included. BadInput names the value, its bytes and the arena.
[[nodiscard]] Status checkPlacements(const PlannedProgram& program);

} // namespace plimsoll::kernels
