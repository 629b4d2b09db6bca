#pragma once

#include "core/graph/number_formats.h"
#include "kernels/tensor_view.h"

#include <array>
#include <string>
#include <utility>

namespace plimsoll::kernels {

/// Elements by position whose meaning does not matter: for everything that only moves them.
template <typename T>
class PlainElements
{
public:
    using Element = T;
    explicit PlainElements(void* data) : m_data(static_cast<T*>(data)) {}
    [[nodiscard]] const T& get(std::int64_t index) const { return m_data[index]; }
    void set(std::int64_t index, const T& element) { m_data[index] = element; }

private:
    T* m_data;
};

/// The same for elements below a byte.
template <int Bits>
class PackedElements
{
public:
    using Element = std::uint8_t;
    explicit PackedElements(void* data) : m_data(static_cast<std::uint8_t*>(data)) {}
    [[nodiscard]] std::uint8_t get(std::int64_t index) const { return packedCode<Bits>(m_data, index); }
    void set(std::int64_t index, std::uint8_t element) { setPackedCode<Bits>(m_data, index, element); }

private:
    std::uint8_t* m_data;
};

/// Calls \p visitor.template operator()<Elements>() with PlainElements or PackedElements of the type's width.
template <typename Visitor>
void visitElements(DType dtype, Visitor&& visitor)
{
    if (dtype == DType::String) return visitor.template operator()<PlainElements<std::string>>();
    switch (dtypeBits(dtype)) {
    case 2:
        return visitor.template operator()<PackedElements<2>>();
    case 4:
        return visitor.template operator()<PackedElements<4>>();
    case 8:
        return visitor.template operator()<PlainElements<std::uint8_t>>();
    case 16:
        return visitor.template operator()<PlainElements<std::uint16_t>>();
    case 32:
        return visitor.template operator()<PlainElements<std::uint32_t>>();
    case 64:
        return visitor.template operator()<PlainElements<std::uint64_t>>();
    case 128:
        return visitor.template operator()<PlainElements<std::array<std::uint64_t, 2>>>();
    default:
        return;
    }
}

/// A block of elements inside a dense tensor.
struct Region
{
    const TensorView& tensor;
    std::int64_t offset = 0; ///< Elements; of the first one.
    Shape strides;           ///< Elements.
};

/// Copies a block of \p shape. Both tensors have the same element type.
void copyRegion(const Region& from, const Region& to, const Shape& shape);

/// Copies all elements in order; nothing where both are the same bytes.
void copyAll(const TensorView& from, const TensorView& to);

/// Sets every element of \p to to the only element of \p scalar.
void fillWith(const TensorView& scalar, const TensorView& to);

/// Zero bytes, or empty strings.
void fillZero(const TensorView& to);

/// to[i] = from[source[i]], or what it was where source[i] is negative.
void copyFrom(const TensorView& from, const TensorView& to, const std::vector<std::int64_t>& source);

} // namespace plimsoll::kernels
