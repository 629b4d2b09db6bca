#pragma once

#include "core/ops/derivatives/formula.h"
#include "kernels/cuda/device_call.h"
#include "kernels/cuda/launch.h"

#include <vector>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A dense tensor on the device while a formula is computed, or a number that the host knows. Its shape may be one that
/// broadcasts to the meant one.
struct Part
{
    Shape shape;
    DType dtype = DType::Float32;
    const void* data = nullptr;
    std::optional<float> number {};

    [[nodiscard]] const float* floats() const { return static_cast<const float*>(data); }
    [[nodiscard]] std::int64_t elements() const { return elementCount(shape).value_or(0); }
};

/// What the names of a formula mean at one node, and where its parts go. reference/formula_scope.h on the device.
class DeviceScope
{
public:
    DeviceScope(DeviceCall& call, std::vector<std::string> names, std::string variable)
        : m_call(call), m_names(std::move(names)), m_variable(std::move(variable))
    {
    }
    [[nodiscard]] DeviceCall& call() const { return m_call; }
    [[nodiscard]] const std::string& variable() const { return m_variable; }
    [[nodiscard]] Queue& queue() const { return m_call.queue(); }
    [[nodiscard]] const TensorView* input(std::string_view name) const;
    [[nodiscard]] Result<Part> value(std::string_view name) const;
    [[nodiscard]] Shape sizes(std::string_view name) const;
    [[nodiscard]] Shape target() const { return sizes(m_variable); }
    /// Room in the scratchpad; the address of a rehearsal is nothing.
    [[nodiscard]] Result<float*> room(const Shape& shape) const
    {
        return m_call.scratch<float>(elementCount(shape).value_or(0));
    }
    /// As float32 with every element of \p shape written out.
    [[nodiscard]] Result<Part> written(const Part& part, const Shape& shape) const;
    /// Summed over the dimensions in which \p shape has 1 or which it lacks.
    [[nodiscard]] Result<Part> summed(const Part& part, const Shape& shape) const;

private:
    DeviceCall& m_call;
    std::vector<std::string> m_names; ///< By input of the node.
    std::string m_variable;           ///< Whose gradient it is.
};

/// A function of whole tensors; its arguments are float32 and written out where g stands in them.
using DeviceFunction = Result<Part> (*)(const DeviceScope&, std::span<const Part>);
struct DeviceFunctionEntry
{
    std::string_view name;
    DeviceFunction run = nullptr;
};
[[nodiscard]] std::span<const DeviceFunctionEntry> shapeFunctions();
[[nodiscard]] std::span<const DeviceFunctionEntry> layerFunctions();
[[nodiscard]] std::span<const DeviceFunctionEntry> placeFunctions();
/// Of operators that move elements: the incoming gradient back where they came from.
[[nodiscard]] Result<Part> movedBack(const DeviceScope& scope, std::span<const Part> arguments);
/// Of Resize and Upsample: every place of the old picture gets from the places that are made of it.
[[nodiscard]] Result<Part> resizedBack(const DeviceScope& scope, std::span<const Part> arguments);

/// The value of a formula, into \p out where that is given and the value has its shape.
[[nodiscard]] Result<Part> evaluate(const Formula& formula, const DeviceScope& scope, const TensorView* out);

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
