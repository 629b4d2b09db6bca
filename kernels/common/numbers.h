#pragma once

#include "kernels/tensor_view.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace plimsoll::kernels {

/// Reads or writes any numeric tensor (bool as 0 and 1) as numbers of one type. Integers of 64 bits survive only in the
/// integer forms. Strings and complex numbers read as zeros and are not written.
template <typename To> // double, float; std::int64_t, std::int32_t, std::int8_t, std::uint8_t: fractions are cut off
void loadNumbers(const TensorView& from, To* to);
template <typename From> // double, float: rounds to nearest even, integers cut off; std::int64_t, std::uint64_t: low
                         // bits
void storeNumbers(const From* from, const TensorView& to);

template <typename T>
[[nodiscard]] std::vector<T> numbersOf(const TensorView& tensor)
{
    std::vector<T> numbers(static_cast<std::size_t>(tensor.elements()));
    loadNumbers(tensor, numbers.data());
    return numbers;
}
[[nodiscard]] inline std::vector<double> doublesOf(const TensorView& tensor)
{
    return numbersOf<double>(tensor);
}
[[nodiscard]] inline std::vector<float> floatsOf(const TensorView& tensor)
{
    return numbersOf<float>(tensor);
}
[[nodiscard]] inline std::vector<std::int64_t> integersOf(const TensorView& tensor)
{
    return numbersOf<std::int64_t>(tensor);
}

/// A number cut to an integer without undefined behaviour: NaN is 0, what is beyond 64 bits is the end of the range.
[[nodiscard]] std::int64_t truncated(double number);

/// The type that holds the bytes of T-typed computing: the type itself, bool as uint8.
template <typename T>
[[nodiscard]] constexpr bool storesAs(DType dtype)
{
    if constexpr (std::is_same_v<T, double>) return dtype == DType::Float64;
    if constexpr (std::is_same_v<T, float>) return dtype == DType::Float32;
    if constexpr (std::is_same_v<T, std::int64_t>) return dtype == DType::Int64;
    if constexpr (std::is_same_v<T, std::int32_t>) return dtype == DType::Int32;
    if constexpr (std::is_same_v<T, std::int16_t>) return dtype == DType::Int16;
    if constexpr (std::is_same_v<T, std::int8_t>) return dtype == DType::Int8;
    if constexpr (std::is_same_v<T, std::uint64_t>) return dtype == DType::UInt64;
    if constexpr (std::is_same_v<T, std::uint32_t>) return dtype == DType::UInt32;
    if constexpr (std::is_same_v<T, std::uint16_t>) return dtype == DType::UInt16;
    if constexpr (std::is_same_v<T, std::uint8_t>) return dtype == DType::UInt8 || dtype == DType::Bool;
    return false;
}

/// Elements of a tensor as numbers of type T: the tensor's own bytes where it holds that type, a converted copy where
/// not.
template <typename T>
class Reader
{
public:
    explicit Reader(const TensorView& tensor)
    {
        if (storesAs<T>(tensor.dtype)) {
            m_data = tensor.as<const T>();
            return;
        }
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> ||
                      std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int8_t> ||
                      std::is_same_v<T, std::uint8_t>) {
            m_copy.resize(static_cast<std::size_t>(tensor.elements()));
            loadNumbers(tensor, m_copy.data());
            m_data = m_copy.data();
        }
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    [[nodiscard]] const T* data() const { return m_data; }
    [[nodiscard]] const T& operator[](std::int64_t index) const { return m_data[index]; }

private:
    std::vector<T> m_copy;
    const T* m_data = nullptr;
};

/// Room for the numbers of an output: its own bytes, or a copy that is rounded into it at the end of the scope.
template <typename T>
class Writer
{
public:
    explicit Writer(const TensorView& tensor) : m_tensor(tensor)
    {
        if (storesAs<T>(tensor.dtype)) {
            m_data = tensor.as<T>();
            return;
        }
        m_copy.resize(static_cast<std::size_t>(tensor.elements()));
        m_data = m_copy.data();
    }
    ~Writer()
    {
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>) {
            if (!storesAs<T>(m_tensor.dtype)) storeNumbers(m_copy.data(), m_tensor);
        } else if constexpr (std::is_integral_v<T>) {
            if (storesAs<T>(m_tensor.dtype)) return;
            const std::vector<std::int64_t> wide(m_copy.begin(), m_copy.end());
            storeNumbers(wide.data(), m_tensor);
        }
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    [[nodiscard]] T* data() { return m_data; }
    [[nodiscard]] T& operator[](std::int64_t index) { return m_data[index]; }

private:
    TensorView m_tensor;
    std::vector<T> m_copy;
    T* m_data = nullptr;
};

/// Calls \p visitor.template operator()<T>() with the type in which a tensor's numbers are computed: double for
/// float64, float for the smaller floating-point types, the type itself for integers (8 bits for those below), uint8
/// for bool. False, without a call, for a type that is not in the family.
template <typename Visitor>
bool visitFloating(DType dtype, Visitor&& visitor)
{
    if (dtype == DType::Float64) {
        visitor.template operator()<double>();
    } else if (isFloatingPoint(dtype)) {
        visitor.template operator()<float>();
    } else {
        return false;
    }
    return true;
}

template <typename Visitor>
bool visitInteger(DType dtype, Visitor&& visitor)
{
    using enum DType;
    const auto visit = [&]<typename T>(std::initializer_list<DType> stored) {
        const bool is = std::find(stored.begin(), stored.end(), dtype) != stored.end();
        if (is) visitor.template operator()<T>();
        return is;
    };
    return visit.template operator()<std::int64_t>({Int64}) || visit.template operator()<std::int32_t>({Int32}) ||
           visit.template operator()<std::int16_t>({Int16}) ||
           visit.template operator()<std::int8_t>({Int8, Int4, Int2}) ||
           visit.template operator()<std::uint64_t>({UInt64}) || visit.template operator()<std::uint32_t>({UInt32}) ||
           visit.template operator()<std::uint16_t>({UInt16}) ||
           visit.template operator()<std::uint8_t>({UInt8, UInt4, UInt2});
}

template <typename Visitor>
bool visitNumeric(DType dtype, Visitor&& visitor)
{
    return visitFloating(dtype, visitor) || visitInteger(dtype, visitor);
}

template <typename Visitor>
bool visitNumericOrBool(DType dtype, Visitor&& visitor)
{
    if (dtype != DType::Bool) return visitNumeric(dtype, visitor);
    visitor.template operator()<std::uint8_t>();
    return true;
}

} // namespace plimsoll::kernels
