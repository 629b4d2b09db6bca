#pragma once

#include "core/pipeline/pipeline.h"
#include "kernels/run/executor.h"

#include <string>
#include <string_view>

namespace plimsoll::test {

/// Plans a graph; asks oneDNN what it offers when \p policies allow it. Aborts the test program on an error.
[[nodiscard]] Report planned(const Graph& graph, const Policies& policies = {});
/// The same with the reference kernels alone, so that results do not depend on the machine.
[[nodiscard]] Report plannedForReference(std::string_view text);

/// Executes; inputs by name as float32 numbers, in the shape of the graph.
using Numbers = std::map<std::string, std::vector<float>>;
[[nodiscard]] Result<kernels::RunOutcome> executed(const Report& report, const Numbers& inputs = {},
                                                   kernels::RunRequest request = {});

[[nodiscard]] std::vector<double> numbersOf(const kernels::RuntimeValue& value);

/// Moves a value of a plan to another place.
void moveValue(Report& report, std::string_view value, std::int64_t offset);

} // namespace plimsoll::test
