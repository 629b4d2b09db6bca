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
    std::string_view sentence;
};

constexpr std::string_view NoLoss = "effect.no-loss";
constexpr std::string_view NoBackward = "effect.no-backward";

constexpr std::string_view OwnTerms = "effect.own-terms";

constexpr std::array Needs = {
    Need {"saved", "", hasLoss, NoLoss},
    Need {"gradients", "", hasLoss, NoLoss},
    Need {"recompute", "", trains, NoBackward},
    Need {"donation", "", trains, NoBackward},
    Need {"retain-graph", "", trains, NoBackward},
    Need {"backwards", "", trains, NoBackward},
    Need {"fusion", "", takesImplementations, OwnTerms},
    Need {"padding", "", takesImplementations, OwnTerms},
    Need {"sparse", "", hasSparse, "effect.not-sparse"},
    Need {"sparse", "", takesImplementations, OwnTerms},
    Need {"streams", "captured", hasStreams, "effect.no-streams"},
};

Message sentenceOf(const Need& need)
{
    if (need.sentence == OwnTerms) return say(OwnTerms, Remedy::policy("backend", "captured"));
    return say(need.sentence);
}

} // namespace

Message onlyWith(const PolicyInfo& policy)
{
    const std::size_t equals = policy.onlyWith.find('=');
    return say("effect.only-with", Remedy::policy(std::string(policy.onlyWith.substr(0, equals)),
                                                  std::string(policy.onlyWith.substr(equals + 1))));
}

Message whyWithoutEffect(const Program& program, const Policies& policies, const PolicyInfo& policy)
{
    if (!hasEffect(policies, policy)) return onlyWith(policy);
    for (const Need& need : Needs)
        if (need.policy == policy.id && need.value.empty() && !need.met(program)) return sentenceOf(need);
    return {};
}

Message whyChosenWithoutEffect(const Program& program, const PolicyInfo& policy)
{
    const std::string value = policyValue(program.policies, policy.id);
    if (value == policyValue({}, policy.id)) return {};
    for (const Need& need : Needs)
        if (need.policy == policy.id && need.value == value && !need.met(program)) return sentenceOf(need);
    return whyWithoutEffect(program, program.policies, policy);
}

} // namespace plimsoll
