#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll {

/// One element of a small tensor that is known before the run.
struct Scalar
{
    bool isFloat = false;
    std::int64_t integer = 0; ///< Also bool (0 or 1). uint64 above 2^63 is not kept.
    double real = 0;

    [[nodiscard]] static Scalar ofInteger(std::int64_t number) { return {false, number, 0}; }
    [[nodiscard]] static Scalar ofReal(double number) { return {true, 0, number}; }
    [[nodiscard]] double asReal() const { return isFloat ? real : static_cast<double>(integer); }
    friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// What is known of a tensor's elements before the run: all, some or none of them. Shape arithmetic is evaluated on
/// these; a dimension that is unknown leaves only its own element unknown.
struct PartialTensor
{
    DType dtype = DType::Unknown;
    Shape shape; ///< Meaningful when elements is not empty or the tensor is known empty.
    std::vector<std::optional<Scalar>> elements; ///< Row-major; at most PartialTensor::Limit.
    bool tracked = false;                        ///< False: nothing is known, whatever the other fields say.

    static constexpr std::int64_t Limit = 65536; ///< Elements; larger tensors are not tracked.

    [[nodiscard]] bool complete() const; ///< Tracked, and every element is known.
    friend bool operator==(const PartialTensor&, const PartialTensor&) = default;
};

} // namespace plimsoll
