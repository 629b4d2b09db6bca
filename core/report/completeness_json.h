#pragma once

#include "core/facts/report.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

namespace plimsoll {

/// By Gap::Kind, as files name them.
inline constexpr std::array<std::string_view, 4> GapKinds = {"shape", "type", "bound", "nodes"};

/// The "incomplete" of plimsoll.report/1 and plimsoll.compare/1; null where the plan is complete. For the .cpp files of
/// JSON writers: the header is heavy.
[[nodiscard]] nlohmann::ordered_json incompleteJson(const Report& report);

} // namespace plimsoll
