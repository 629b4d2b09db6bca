#include "core/facts/words/policy_effect.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

bool trains(const Report& report)
{
    return report.program.graph->loss.valid() || report.program.graph->boundary.firstBackward.valid();
}

bool hasLoss(const Report& report)
{
    return report.program.graph->loss.valid();
}

bool hasSparse(const Report& report)
{
    return std::ranges::any_of(report.program.graph->values, [](const Value& value) { return value.type.isSparse(); });
}

bool hasStreams(const Report& report)
{
    return std::ranges::any_of(report.program.graph->nodes, [](const Node& node) { return node.stream.has_value(); });
}

bool takesImplementations(const Report& report)
{
    return report.program.policies.backend != BackendPolicy::Captured;
}

/// What a policy asks of the graph.
struct Need
{
    std::string_view policy;
    std::string_view value; ///< Only this one asks it; empty: all do.
    bool (*met)(const Report& report) = nullptr;
    std::string_view why;
};

constexpr std::string_view NoLoss = "the graph has no loss to go back from";
constexpr std::string_view NoBackward = "the graph has no backward half";

constexpr std::string_view OwnTerms = "backend=captured takes the graph as it is";

constexpr std::array Needs = {
    Need {"saved", "", hasLoss, NoLoss},
    Need {"gradients", "", hasLoss, NoLoss},
    Need {"recompute", "", trains, NoBackward},
    Need {"donation", "", trains, NoBackward},
    Need {"retain-graph", "", trains, NoBackward},
    Need {"backwards", "", trains, NoBackward},
    Need {"fusion", "", takesImplementations, OwnTerms},
    Need {"padding", "", takesImplementations, OwnTerms},
    Need {"sparse", "", hasSparse, "no tensor of the graph is sparse"},
    Need {"sparse", "", takesImplementations, OwnTerms},
    Need {"streams", "captured", hasStreams, "the graph file puts no node on a stream"},
};

} // namespace

std::string whyWithoutEffect(const Report& report, const Policies& policies, const PolicyInfo& policy)
{
    if (!hasEffect(policies, policy)) return "only with " + std::string(policy.onlyWith);
    for (const Need& need : Needs)
        if (need.policy == policy.id && need.value.empty() && !need.met(report)) return std::string(need.why);
    return {};
}

std::string whyChosenWithoutEffect(const Report& report, const PolicyInfo& policy)
{
    const std::string value = policyValue(report.program.policies, policy.id);
    if (value == policyValue({}, policy.id)) return {};
    for (const Need& need : Needs)
        if (need.policy == policy.id && need.value == value && !need.met(report)) return std::string(need.why);
    return whyWithoutEffect(report, report.program.policies, policy);
}

} // namespace plimsoll
