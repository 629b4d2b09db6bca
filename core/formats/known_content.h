#pragma once

#include "core/base/message.h"

#include <string_view>

namespace plimsoll {

/// What a file is that other tools write and that holds no graph.
struct KnownContent
{
    Message name;      ///< "a PNG picture"; empty: nothing that is known.
    Message text {};   ///< What it is, and what can be read instead: sentences. Empty: some of them can be read.
    Message remedy {}; ///< What to do with it: sentences, or empty.
};

/// By the beginning of the file.
[[nodiscard]] KnownContent knownContent(std::string_view bytes);

} // namespace plimsoll
