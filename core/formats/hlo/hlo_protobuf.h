#pragma once

#include "core/base/progress.h"
#include "core/formats/hlo/hlo_assignment.h"

#include <span>

namespace plimsoll::hlo {

/// Whether the bytes are a program of XLA in protobuf's binary form (HloProto, HloModuleProto), or a profile that
/// carries some (XSpace).
[[nodiscard]] bool looksLikeHloBinary(std::span<const std::byte> bytes);

/// Whether the text is one in protobuf's text form.
[[nodiscard]] bool looksLikeHloProtoText(std::string_view text);

/// What is wanted of a file, by its name; the first program if it is empty.
struct ProgramChoice
{
    Program program;
    std::vector<std::string> names; ///< Of all programs of the file.
    std::size_t chosen = 0;         ///< Of these.
};
[[nodiscard]] Result<ProgramChoice> readProgram(std::span<const std::byte> bytes, std::string_view wanted,
                                                const Context& context);

} // namespace plimsoll::hlo
