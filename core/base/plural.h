#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll {

[[nodiscard]] std::string countText(std::size_t number); ///< "1,234"

/// "1 node", "1,234 nodes", "0 nodes".
[[nodiscard]] std::string plural(std::size_t number, std::string_view noun);

} // namespace plimsoll
