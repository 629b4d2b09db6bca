#pragma once

#include "core/advice/what_if.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// "batch=1,2,6", "batch=1..64" (each twice the one before, and 64), "outputs=shared,independent", "fold=*" (all values
/// that the policy has). What has not the name of a policy is a dimension. BadUsage.
[[nodiscard]] Result<SweepAxis> readSweepAxis(std::string_view text);

/// More are refused.
constexpr std::int64_t MostSweepPoints = 4096;

/// Plans every combination, with \p plan. A combination that cannot be planned is a point that says why; where none
/// can, the error of the first. A stop request ends it with what there is by then.
[[nodiscard]] Result<Sweep> sweep(const PlanRequest& request, std::vector<SweepAxis> axes,
                                  const std::function<Result<Report>(PlanRequest)>& plan, const Context& context);

} // namespace plimsoll
