#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <string_view>

namespace plimsoll {

/// Graph::format of what readHloText() makes.
inline constexpr std::string_view HloFormat = "hlo";

/// Whether the text is a program of XLA, perhaps behind lines of comment.
[[nodiscard]] bool looksLikeHloText(std::string_view text);

/// Reads a program of XLA as it prints it (HLO text). Its opcodes are nodes of the domain "xla"; types are those that
/// the text says. \p wanted is the name of one of several programs in the text; the first if it is empty.
[[nodiscard]] Result<Graph> readHloText(std::string_view text, std::string_view wanted,
                                        const std::filesystem::path& file, const Context& context);

} // namespace plimsoll
