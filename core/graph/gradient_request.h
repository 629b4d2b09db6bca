#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

/// What becomes of the gradient of a variable; the names are MXNet's.
enum class GradientRequest : std::uint8_t {
    Write, ///< It is computed and handed out.
    Add,   ///< It is added to what the caller's buffer holds.
    Null,  ///< It is not computed.
};
[[nodiscard]] std::string_view gradientRequestName(GradientRequest request); ///< "write", "add", "null"
[[nodiscard]] std::optional<GradientRequest> gradientRequestNamed(std::string_view name);

} // namespace plimsoll
