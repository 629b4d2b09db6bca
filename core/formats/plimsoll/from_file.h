#pragma once

#include "core/base/short_text.h"
#include "core/formats/bad_input.h"

#include <filesystem>

namespace plimsoll {

/// Bytes of a place in a file, for errors: graphs may be nested 64 deep.
inline constexpr std::size_t LongestPlace = 240;

/// What a reader made of a file: the file is named in its error, or in what it made where that keeps it.
template <typename T>
[[nodiscard]] Result<T> fromFile(Result<T> made, const std::filesystem::path& file)
{
    if (!made.ok()) {
        Error error = made.error();
        error.file = file.string();
        error.where = shortMiddle(error.where, LongestPlace);
        return error;
    }
    if constexpr (requires { made.value().file = file; }) made.value().file = file;
    return made;
}

} // namespace plimsoll
