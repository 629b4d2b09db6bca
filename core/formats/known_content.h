#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

/// What a file is that other tools write and that holds no graph.
struct KnownContent
{
    std::string name;      ///< "a PNG picture"; empty: nothing that is known.
    std::string text {};   ///< What it is, and what can be read instead: sentences. Empty: some of them can be read.
    std::string remedy {}; ///< What to do with it: sentences, or empty.
};

/// By the beginning of the file.
[[nodiscard]] KnownContent knownContent(std::string_view bytes);

} // namespace plimsoll
