#pragma once

#include "core/picture/groups/repeated_blocks.h"

#include <string>

namespace plimsoll {

/// For each turn, which items it has more and fewer of than most turns have: "+ Conv ×2, Relu − Mul". What those have
/// least of stands first; empty: no other ones.
[[nodiscard]] std::vector<std::string> differencesOf(const RepeatedBlocks& blocks,
                                                     const std::vector<std::string_view>& items);

} // namespace plimsoll
