#pragma once

#include "kernels/tensor_view.h"

#include <optional>

namespace plimsoll::kernels {

/// A dense tensor while a formula is computed, in the memory of the backend, or a number that the host knows. Its shape
/// may be one that broadcasts to the meant one.
struct FormulaValue
{
    Shape shape {};
    DType dtype = DType::Unknown;
    void* data = nullptr;
    std::optional<double> number {};
    std::shared_ptr<void> owner {}; ///< Keeps the memory alive, where it is not the backend's.

    [[nodiscard]] std::int64_t elements() const { return elementCount(shape).value_or(0); }
    [[nodiscard]] TensorView view() const { return {dtype, shape, data}; }
    template <typename T>
    [[nodiscard]] const T* as() const
    {
        return static_cast<const T*>(data);
    }
};

} // namespace plimsoll::kernels
