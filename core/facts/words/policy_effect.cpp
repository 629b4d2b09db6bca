#include "core/facts/words/policy_effect.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

bool trains(const Program& program)
{
    return program.graph->loss.valid() || program.graph->boundary.firstBackward.valid();
}

bool hasLoss(const Program& program)
{
    return program.graph->loss.valid();
}

bool hasSparse(const Program& program)
{
    return std::ranges::any_of(program.graph->values, [](const Value& value) { return value.type.isSparse(); });
}

bool hasStreams(const Program& program)
{
    return std::ranges::any_of(program.graph->nodes, [](const Node& node) { return node.stream.has_value(); });
}

bool takesImplementations(const Program& program)
{
    return program.policies.backend != BackendPolicy::Captured;
}

/// What a policy asks of the graph.
struct Need
{
    std::string_view policy;
    std::string_view value; ///< Only this one asks it; empty: all do.
    bool (*met)(const Program& program) = nullptr;
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

std::string whyWithoutEffect(const Program& program, const Policies& policies, const PolicyInfo& policy)
{
    if (!hasEffect(policies, policy)) return "only with " + std::string(policy.onlyWith);
    for (const Need& need : Needs)
        if (need.policy == policy.id && need.value.empty() && !need.met(program)) return std::string(need.why);
    return {};
}

std::string whyChosenWithoutEffect(const Program& program, const PolicyInfo& policy)
{
    const std::string value = policyValue(program.policies, policy.id);
    if (value == policyValue({}, policy.id)) return {};
    for (const Need& need : Needs)
        if (need.policy == policy.id && need.value == value && !need.met(program)) return std::string(need.why);
    return whyWithoutEffect(program, program.policies, policy);
}

} // namespace plimsoll
