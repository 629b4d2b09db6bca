#include "core/formats/packing/packing_rows.h"

#include <string>
#include <string_view>

namespace plimsoll {

PackingRows countPackingRows(std::istream& input, std::size_t most)
{
    constexpr std::size_t BlockBytes = 1 << 16;
    constexpr std::size_t LongestLine = 1 << 16;
    std::string block(BlockBytes, '\0');
    PackingRows count;
    std::size_t line = 1;
    bool blank = true;      // so far, the line that a block ends in
    std::size_t length = 0; // of that line
    while (count.rows < most) {
        input.read(block.data(), static_cast<std::streamsize>(BlockBytes));
        std::string_view rest = std::string_view(block).substr(0, static_cast<std::size_t>(input.gcount()));
        if (rest.empty()) break;
        while (!rest.empty() && count.rows < most) {
            const std::size_t newline = rest.find('\n');
            const bool ends = newline != std::string_view::npos;
            length = ends ? 0 : length + rest.size();
            if (blank && rest.substr(0, newline).find_first_not_of(" \t\r") != std::string_view::npos) {
                blank = false;
                count = {count.rows + 1, line};
            }
            rest.remove_prefix(ends ? newline + 1 : rest.size());
            line += ends ? 1 : 0;
            blank = blank || ends;
        }
        if (length > LongestLine) break;
    }
    return count;
}

} // namespace plimsoll
