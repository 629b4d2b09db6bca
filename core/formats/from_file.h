#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace plimsoll {

/// What a reader made of a file: the file is named in its error, or in what it made where that keeps it.
template <typename T>
[[nodiscard]] Result<T> fromFile(Result<T> made, const std::filesystem::path& file)
{
    if (!made.ok()) {
        Error error = made.error();
        error.file = file.string();
        return error;
    }
    if constexpr (requires { made.value().file = file; }) made.value().file = file;
    return made;
}

} // namespace plimsoll
