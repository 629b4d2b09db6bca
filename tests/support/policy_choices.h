#pragma once

#include "core/plan/policies.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::test {

using Choices = std::vector<std::pair<std::string_view, std::string_view>>; ///< Policy and value.

/// Ends the test at a policy or a value that does not exist.
void choose(Policies& policies, const Choices& choices);
[[nodiscard]] Policies policiesWith(const Choices& choices);

/// The same of "id=value id=value".
void chooseFromText(Policies& policies, std::string_view choices);

} // namespace plimsoll::test
