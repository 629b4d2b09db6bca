#pragma once

#include "core/advice/what_if.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// What is varied: a policy, or a symbolic dimension of the graph.
struct SweepAxis
{
    std::string name;
    bool ofPolicy = false;
    std::vector<std::string> values; ///< Of a dimension whole numbers.
};

/// "batch=1,2,6", "batch=1..64" (each twice the one before, and 64), "outputs=shared,independent", "fold=*" (all values
/// that the policy has). What has not the name of a policy is a dimension. BadUsage.
[[nodiscard]] Result<SweepAxis> readSweepAxis(std::string_view text);

/// One combination of values.
struct SweepPoint
{
    std::vector<std::string> values; ///< By axis.
    PlanCost cost;
    std::int64_t lowerBoundBytes = 0;
    bool complete = true; ///< Every value has a size: the bytes are all bytes.
    Message refused;      ///< Why there is no plan; empty: there is one.
};

struct Sweep
{
    std::vector<SweepAxis> axes;
    std::vector<SweepPoint> points; ///< The values of the last axis change first.
    bool stopped = false;           ///< Points at the end are missing.
};

/// More are refused.
constexpr std::int64_t MostSweepPoints = 4096;

/// Plans every combination, with \p plan. A combination that cannot be planned is a point that says why; where none
/// can, the error of the first. A stop request ends it with what there is by then.
[[nodiscard]] Result<Sweep> sweep(const PlanRequest& request, std::vector<SweepAxis> axes,
                                  const std::function<Result<Report>(PlanRequest)>& plan, const Context& context);

} // namespace plimsoll
