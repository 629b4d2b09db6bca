#pragma once

#include "core/graph/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// A dense row-major tensor in memory that it does not own: an arena, a caller's buffer, a HostTensor.
/// For DType::String \c data points to std::string objects. Elements below a byte are packed, low bits first.
struct TensorView
{
    DType dtype = DType::Unknown;
    Shape shape;
    void* data = nullptr;

    [[nodiscard]] std::int64_t elements() const { return elementCount(shape).value_or(0); }
    [[nodiscard]] std::int64_t bytes() const { return denseBytes(dtype, shape).value_or(0); }
    template <typename T>
    [[nodiscard]] T* as() const
    {
        return static_cast<T*>(data);
    }
    /// Of anything but strings.
    [[nodiscard]] std::span<std::byte> byteSpan() const { return {as<std::byte>(), static_cast<std::size_t>(bytes())}; }
};

/// A tensor that owns its memory (64-byte aligned): test data, sequences, what is not planned.
class HostTensor
{
public:
    HostTensor() = default;
    /// Zeroed. The size must have been checked (denseBytes).
    HostTensor(DType dtype, Shape shape);

    [[nodiscard]] const TensorView& view() const { return m_view; }
    [[nodiscard]] DType dtype() const { return m_view.dtype; }
    [[nodiscard]] const Shape& shape() const { return m_view.shape; }

private:
    TensorView m_view;
    std::shared_ptr<void> m_memory; ///< Shared by copies: tensors are written once, by their producer.
};

/// A tensor, a sequence of tensors, or an absent optional: what a Value is at run time.
struct RuntimeValue
{
    enum class Kind : std::uint8_t { Absent, Tensor, Sequence };
    Kind kind = Kind::Absent;
    TensorView tensor;
    std::vector<HostTensor> sequence;
    DType sequenceDtype = DType::Unknown;
    std::shared_ptr<void> owner; ///< Keeps the memory of an unplanned tensor alive.
};

/// A tensor as a value that keeps its memory alive.
[[nodiscard]] RuntimeValue tensorValue(HostTensor tensor);

} // namespace plimsoll::kernels
