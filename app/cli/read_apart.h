#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>

namespace plimsoll::cli {

/// Lets a child process that is shut in call \p read, which reads \p file, and drops what it read: an Error where a
/// fault of a reader, memory or time ended the child. What a reader refuses is none: it is said where the file is read
/// after this.
[[nodiscard]] Status tryReading(const std::filesystem::path& file, const std::function<void()>& read);
/// With whatever reader the file is for.
[[nodiscard]] Status tryReading(const std::filesystem::path& file);

} // namespace plimsoll::cli
