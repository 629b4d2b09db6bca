#pragma once

#include "kernels/common/formula/formula_scope.h"
#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/launch.h"

/// The steps of formulas on a device: values are float32 in the scratchpad of the node.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

[[nodiscard]] const FormulaSteps& deviceSteps();

/// The call of a scope that was made with the steps of a device.
inline DeviceCall& deviceCall(const FormulaScope& scope)
{
    return static_cast<DeviceCall&>(scope.call());
}

/// Room in the scratchpad; the address of a rehearsal is nothing.
inline Result<FormulaValue> deviceValue(const FormulaScope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(data, deviceCall(scope).scratch<float>(elementCount(shape).value_or(0)));
    return FormulaValue {.shape = shape, .dtype = DType::Float32, .data = data};
}
inline const float* floatsOf(const FormulaValue& value)
{
    return value.as<float>();
}
inline float* roomOf(const FormulaValue& value)
{
    return static_cast<float*>(value.data);
}

[[nodiscard]] Result<FormulaValue> convolvedOnDevice(const FormulaScope& scope, const FormulaConvolution& side);
[[nodiscard]] Result<FormulaValue> averagePoolBackOnDevice(const FormulaScope& scope, const Windows& windows,
                                                           const FormulaValue& g);
[[nodiscard]] Result<FormulaValue> maxPoolBackOnDevice(const FormulaScope& scope, const Windows& windows,
                                                       const FormulaValue& g, const FormulaValue& x);
[[nodiscard]] Result<FormulaValue> normalizedOnDevice(const FormulaScope& scope, const Normalization& how,
                                                      const FormulaValue& x, const FormulaValue* g);
[[nodiscard]] Result<FormulaValue> lossBackOnDevice(const FormulaScope& scope, const FormulaValue& g,
                                                    const FormulaValue* scores, const FormulaValue& labels,
                                                    const FormulaValue* weights);
[[nodiscard]] Result<FormulaValue> movedBackOnDevice(const FormulaScope& scope, const FormulaValue& g);
[[nodiscard]] Result<FormulaValue> resizedBackOnDevice(const FormulaScope& scope, const FormulaValue& g);

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
