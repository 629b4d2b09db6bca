#pragma once

#include "core/plan/implementation.h"

#include <functional>

namespace plimsoll::cli {

/// What a library offers, asked in a child process: a fault there costs its offers and not the command. Then the answer
/// is empty but for OffersKey in its environment, which says what ended the child. \p ask must not fail otherwise.
[[nodiscard]] Result<Catalogue> askApart(const std::function<Result<Catalogue>()>& ask);
inline constexpr const char* OffersKey = "offers";

} // namespace plimsoll::cli
