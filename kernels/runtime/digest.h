#pragma once

#include "kernels/tensor_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::kernels {

/// A running 64-bit hash of our own: fast, the same on every machine of the same byte order, not for security.
/// Two rounds of multiply and rotate for eight bytes; lengths are mixed in, so that "ab"+"c" differs from "a"+"bc".
class Digest
{
public:
    explicit Digest(std::uint64_t key = 0) : m_state(key ^ 0x9E3779B97F4A7C15ULL) {}

    void add(std::uint64_t word);
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text);
    void add(const TensorView& tensor); ///< Type, shape and every byte (or string).
    void add(const RuntimeValue& value);

    [[nodiscard]] std::uint64_t value() const;
    [[nodiscard]] std::string hex() const; ///< Sixteen hexadecimal digits.

private:
    std::uint64_t m_state;
};

/// Pseudo-random numbers from a seed (Steele, Lea, Flood: SplitMix64, 2014): tiny, and any seed is a good one.
class RandomStream
{
public:
    explicit RandomStream(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next();

private:
    std::uint64_t m_state;
};

} // namespace plimsoll::kernels
