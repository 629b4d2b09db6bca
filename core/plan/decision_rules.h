#pragma once

#include <string_view>

/// Rules of decisions that somebody looks for: advice and summaries are made of them.
namespace plimsoll::rules {

inline constexpr std::string_view CallerBuffer = "caller-buffer";
inline constexpr std::string_view InputProtected = "input-protected";
inline constexpr std::string_view InputRefilled = "input-refilled";
inline constexpr std::string_view OutputIndependence = "output-independence";
inline constexpr std::string_view PaddingOff = "padding-off";
inline constexpr std::string_view PolicyOff = "policy-off";
inline constexpr std::string_view SavedExposed = "saved-exposed";

} // namespace plimsoll::rules
