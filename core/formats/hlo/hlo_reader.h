#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Whether the text is a program of XLA, perhaps behind lines of comment.
[[nodiscard]] bool looksLikeHloText(std::string_view text);

/// Reads a program of XLA as it prints it (HLO text). Its opcodes are nodes of the domain "xla"; types are those that
/// the text says. Of several programs the first is read where none is named.
[[nodiscard]] Result<FormatContent> readHloText(const FormatInput& input, const Context& context);

} // namespace plimsoll
