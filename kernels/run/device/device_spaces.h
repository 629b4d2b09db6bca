#pragma once

#include "core/plan/program.h"
#include "kernels/device.h"
#include "kernels/tensor_view.h"

#include <map>
#include <memory>
#include <string>

namespace plimsoll::kernels {

/// The memory space in which a value has to lie: of the node that makes it, or where the caller has it; empty is that
/// of the CPU.
[[nodiscard]] std::string deviceSpaceOf(const PlannedProgram& program, ValueId value);

/// A device that a run may use.
struct RunDevice
{
    std::shared_ptr<Device> device;
    bool emulated = false; ///< Host memory stands in for it, and every result says so.
};
using RunDevices = std::map<std::string, RunDevice>; ///< By memory space.

/// The device that each value of a planned graph lies on, and the one that computes each node. Says what has to be:
/// where the plan puts it is for checkPlacements() to compare.
class DeviceSpaces
{
public:
    /// Unsupported where a node is computed on a device that is not among \p devices.
    [[nodiscard]] static Result<DeviceSpaces> create(const PlannedProgram& program, const RunDevices& devices);

    [[nodiscard]] Device* of(ValueId value) const { return m_devices.empty() ? nullptr : m_ofValue[value.index()]; }
    /// The CPU, nullptr, for a copy too, which is between the two.
    [[nodiscard]] Device* of(NodeId node) const { return m_devices.empty() ? nullptr : m_ofNode[node.index()]; }
    /// The device of an arena; nullptr where its space is only a name.
    [[nodiscard]] Device* of(const std::string& space) const;
    /// Those that compute nodes, by memory space.
    [[nodiscard]] const std::map<std::string, std::shared_ptr<Device>>& devices() const { return m_devices; }

    /// What the value holds, where the host can read it: itself, or a copy.
    [[nodiscard]] Result<RuntimeValue> onHost(ValueId id, const RuntimeValue& value) const;

private:
    std::map<std::string, std::shared_ptr<Device>> m_devices;
    std::vector<Device*> m_ofValue; ///< By ValueId.
    std::vector<Device*> m_ofNode;  ///< By NodeId.
};

/// A tensor of its own in the memory of a device.
[[nodiscard]] Result<RuntimeValue> allocateOn(Device& device, DType dtype, const Shape& shape);
/// Bytes from the host to where \p target lies.
[[nodiscard]] Status copyToDevice(Device& device, const TensorView& source, const TensorView& target);

} // namespace plimsoll::kernels
