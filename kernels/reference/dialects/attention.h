#pragma once

#include "kernels/common/call_tools.h"

namespace plimsoll::kernels {

/// Vectors by batch, head and place, in that order whatever the tensor's own was.
struct Heads
{
    std::int64_t batch = 0;
    std::int64_t count = 0;  ///< Heads.
    std::int64_t length = 0; ///< Places of the sequence.
    std::int64_t size = 0;   ///< Of a vector.
    std::vector<double> numbers;

    [[nodiscard]] const double* row(std::int64_t b, std::int64_t head, std::int64_t place) const
    {
        return numbers.data() + ((b * count + head) * length + place) * size;
    }
};

/// A tensor [batch, heads, length, size], or [batch, length, heads · size] with the number of heads in an attribute.
[[nodiscard]] Result<Heads> readHeads(const KernelCall& call, std::size_t input, std::string_view headsAttribute);

/// As output 0, of the type of input 0 and laid out as that is.
[[nodiscard]] Status writeHeads(KernelCall& call, const Heads& heads);

} // namespace plimsoll::kernels
