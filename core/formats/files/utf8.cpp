#include "core/formats/files/utf8.h"

#include <cstddef>
#include <cstdint>

namespace plimsoll {
namespace {

/// How many bytes the sequence has that \p first begins; 0 where no sequence begins with it.
int sequenceLength(std::uint8_t first)
{
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    if (first >= 0xF0 && first <= 0xF4) return 4;
    return 0;
}

/// The second byte is where overlong forms, surrogates and too large code points show.
bool secondByteAllowed(std::uint8_t first, std::uint8_t second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second <= 0x9F;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second <= 0x8F;
    default:
        return true;
    }
}

} // namespace

bool isUtf8(std::string_view text)
{
    const auto byteAt = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const std::uint8_t first = byteAt(i);
        const auto length = static_cast<std::size_t>(sequenceLength(first));
        if (length == 0 || length > text.size() - i) return false;
        for (std::size_t k = 1; k < length; ++k) {
            if ((byteAt(i + k) & 0xC0) != 0x80) return false;
        }
        if (length > 1 && !secondByteAllowed(first, byteAt(i + 1))) return false;
        i += length;
    }
    return true;
}

} // namespace plimsoll
