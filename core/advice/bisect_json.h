#pragma once

#include "core/advice/bisect.h"

#include <string>
#include <string_view>

namespace plimsoll {

/// "a", "b", or of a scratchpad "scratch:conv1".
[[nodiscard]] std::vector<std::string> namesOf(const Graph& graph, const Culprit::Side& side);

/// plimsoll.bisect/1.
[[nodiscard]] std::string bisectJsonText(const Program& program, const Bisection& found);

/// The same back, of a plan for that graph. BadInput where the text is none, or names what the graph does not have.
[[nodiscard]] Result<Bisection> readBisectJson(std::string_view text, const Graph& graph);

} // namespace plimsoll
