#include "core/formats/files/utf8.h"

#include "core/base/characters.h"

namespace plimsoll {

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

} // namespace plimsoll
