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
        // The second byte is where overlong forms, surrogates and too large code points show.
        const std::uint8_t second = length > 1 ? byteAt(i + 1) : std::uint8_t {0x80};
        if (first == 0xE0 && second < 0xA0) return false;
        if (first == 0xED && second > 0x9F) return false;
        if (first == 0xF0 && second < 0x90) return false;
        if (first == 0xF4 && second > 0x8F) return false;
        i += length;
    }
    return true;
}

} // namespace plimsoll
