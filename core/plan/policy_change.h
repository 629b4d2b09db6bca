#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// What a plan takes.
struct PlanCost
{
    std::int64_t peakBytes = 0;
    std::int64_t externalBytes = 0; ///< The caller's: values that are folded ahead go there.
    double kernelMs = 0;            ///< Of the chosen implementations, as far as their times are known.
    bool measured = false;          ///< Every one of these times was.
    std::int64_t untimedNodes = 0;  ///< That run, and of which no time is known: of as many, times compare.
    std::int64_t savedBytes = 0;    ///< Kept from forward to backward.
    std::int64_t steps = 0;         ///< Of nodes: merged ones are gone, recomputed ones are more.

    friend bool operator==(const PlanCost&, const PlanCost&) = default;
};

struct PolicyValue
{
    std::string policy;
    std::string value;

    friend bool operator==(const PolicyValue&, const PolicyValue&) = default;
};

/// One policy with another value, or several, and what the plan takes then.
struct PolicyChange
{
    std::string policy;
    std::string value;
    PlanCost cost;
    std::vector<PolicyValue> also {}; ///< The others, in the order of the table of policies.
};

/// A point of the curve of time against peak. choose=fastest-within makes its plan under that capacity.
struct TradeOff
{
    PlanCost cost;
    std::string capacity; ///< "cpu=1024"
};

/// What is varied: a policy, or a symbolic dimension of the graph.
struct SweepAxis
{
    std::string name;
    bool ofPolicy = false;
    std::vector<std::string> values; ///< Of a dimension whole numbers.
};

/// "batch=4, inplace=off"
[[nodiscard]] inline std::string sweepText(const std::vector<SweepAxis>& axes, const std::vector<std::string>& values)
{
    std::string text;
    for (std::size_t i = 0; i < axes.size() && i < values.size(); ++i)
        text += (i == 0 ? "" : ", ") + axes[i].name + "=" + values[i];
    return text;
}

/// One combination of values.
struct SweepPoint
{
    std::vector<std::string> values; ///< By axis.
    PlanCost cost;
    std::int64_t lowerBoundBytes = 0;
    bool complete = true;   ///< Every value has a size: the bytes are all bytes.
    std::size_t errors = 0; ///< Findings of that severity: the plan is not legal.
    Message refused;        ///< Why there is no plan; empty: there is one.
};

struct Sweep
{
    std::vector<SweepAxis> axes;
    std::vector<SweepPoint> points; ///< The values of the last axis change first.
    bool stopped = false;           ///< Points at the end are missing.
};

/// The values of the dimensions among what is varied.
[[nodiscard]] std::vector<std::string> sizesOf(const Sweep& sweep, const SweepPoint& point);

/// By point: whether it is legal, there are others of the same sizes that are, and none of them is at least as good in
/// peak, in bytes of the caller and in time, and better in one. Times count where both are without those of as many
/// nodes. O(points²) at worst.
[[nodiscard]] std::vector<bool> unbeaten(const Sweep& sweep);

} // namespace plimsoll
