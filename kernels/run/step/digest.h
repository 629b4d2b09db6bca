#pragma once

#include "kernels/tensor_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::kernels {

/// Every bit of the word changes half of the result's.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31);
}

/// A running 64-bit hash of our own: fast, the same on every machine of the same byte order, not for security.
/// Two rounds of multiply and rotate for eight bytes, in four lanes that do not wait for one another where there are
/// many; lengths are mixed in, so that "ab"+"c" differs from "a"+"bc".
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
    std::uint64_t next() { return mix(m_state += 0x9E3779B97F4A7C15ULL); }

private:
    std::uint64_t m_state;
};

} // namespace plimsoll::kernels
