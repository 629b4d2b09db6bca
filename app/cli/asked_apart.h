#pragma once

#include "core/plan/implementation.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace plimsoll::cli {

/// What a library offers, asked in a child process that is shut in (core/sandbox): a fault there costs its offers and
/// not the command. Then the answer is empty but for OffersKey in its environment, which says what ended the child. \p
/// ask must not fail otherwise; of files it opens those in \p read.
[[nodiscard]] Result<Catalogue> askApart(const std::function<Result<Catalogue>()>& ask,
                                         const std::vector<std::filesystem::path>& read = {});
inline constexpr const char* OffersKey = "offers";

} // namespace plimsoll::cli
