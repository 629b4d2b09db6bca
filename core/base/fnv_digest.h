#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

/// FNV-1a over 128 bits (Fowler, Noll, Vo: draft-eastlake-fnv). Everything goes in with its length in front, so that
/// no two texts run together.
class Digest
{
public:
    void add(std::string_view text)
    {
        add(static_cast<std::int64_t>(text.size()));
        for (const char c : text)
            addByte(static_cast<std::uint8_t>(c));
    }
    void add(std::int64_t number)
    {
        for (int shift = 0; shift < 64; shift += 8)
            addByte(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> shift));
    }
    void add(double number) { add(std::bit_cast<std::int64_t>(number)); }

    [[nodiscard]] std::string hex() const
    {
        constexpr std::string_view Digits = "0123456789abcdef";
        std::string text;
        for (int shift = 124; shift >= 0; shift -= 4)
            text += Digits[static_cast<std::size_t>((m_state >> shift) & 15)];
        return text;
    }

private:
    __extension__ using Wide = unsigned __int128;

    void addByte(std::uint8_t byte) { m_state = (m_state ^ byte) * m_prime; }

    Wide m_prime = (Wide {1} << 88) + 0x13B;
    Wide m_state = (Wide {0x6C62272E07BB0142} << 64) + 0x62B821756295C58D;
};

} // namespace plimsoll
