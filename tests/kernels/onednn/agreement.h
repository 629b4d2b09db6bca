#pragma once

#include "tests/kernels/run/run_support.h"
#include "tests/support/policy_choices.h"

#include <string_view>

namespace plimsoll::test {

/// Plans a graph for oneDNN wherever it offers something, with choices by the names of policies.
[[nodiscard]] Report plannedForOneDnn(std::string_view text, const Choices& choices = {});

/// Runs in a poisoned arena; fails the test unless the bytes equal the oracle's, each value agrees with the reference
/// kernels within the bound of its operator, and as much was touched as was planned.
void agreesWithReference(const Report& report);

} // namespace plimsoll::test
