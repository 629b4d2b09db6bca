#pragma once

#include "tests/kernels/runtime/run_support.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace plimsoll::test {

using Choices = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Plans a graph for oneDNN wherever it offers something, with choices by the names of policies.
[[nodiscard]] Report plannedForOneDnn(std::string_view text, Choices choices = {});

/// Runs in a poisoned arena; fails the test unless the bytes equal the oracle's, each value agrees with the reference
/// kernels within the bound of its operator, and as much was touched as was planned.
void agreesWithReference(const Report& report);

} // namespace plimsoll::test
