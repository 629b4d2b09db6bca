#include "core/facts/words/policy_effect.h"

#include "core/formats/terms.h"
#include "core/ops/rules/largest_outputs.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Why the policy could change nothing; empty where the need is met.
Message unmet(PolicyNeed need, const Program& program)
{
    const Graph& graph = *program.graph;
    switch (need) {
    case PolicyNeed::Operators:
        return isTable(graph) ? say("effect.table") : Message();
    case PolicyNeed::Loss:
        return graph.loss.valid() ? Message() : say("effect.no-loss");
    case PolicyNeed::Backward:
        return graph.loss.valid() || graph.boundary.firstBackward.valid() ? Message() : say("effect.no-backward");
    case PolicyNeed::SparseTensors: {
        const bool any = std::ranges::any_of(graph.values, [](const Value& value) { return value.type.isSparse(); });
        return any ? Message() : say("effect.not-sparse");
    }
    case PolicyNeed::DynamicSizes: {
        const bool any = std::ranges::any_of(graph.values, [](const Value& value) { return isOpen(value.type); });
        return any ? Message() : say("effect.all-sized");
    }
    case PolicyNeed::Offers:
        return program.policies.backend != BackendPolicy::Captured
                   ? Message()
                   : say("effect.own-terms", Remedy::policy("backend", "captured"));
    }
    return {};
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
    for (const PolicyNeed need : policy.needs)
        if (Message why = unmet(need, program); !why.empty()) return why;
    return {};
}

Message whyChosenWithoutEffect(const Program& program, const PolicyInfo& policy)
{
    const std::string value = policyValue(program.policies, policy.id);
    if (value == policyValue({}, policy.id) || policy.graphDecides) return {};
    const bool captured = value == "captured" && policy.id == "streams"; // the one value with a need of its own
    const auto stated = [](const Node& node) { return node.at->stream.has_value(); };
    if (captured && std::ranges::none_of(program.graph->nodes, stated)) return say("effect.no-streams");
    return whyWithoutEffect(program, program.policies, policy);
}

std::vector<PolicyValue> valuesOf(const PolicyChange& change)
{
    std::vector<PolicyValue> values {{change.policy, change.value}};
    values.insert(values.end(), change.also.begin(), change.also.end());
    return values;
}

word::List changesList(const std::vector<PolicyValue>& changes)
{
    return allOf(
        changes, [](const PolicyValue& change) { return Remedy::policy(change.policy, change.value); },
        word::List::Joint::Comma);
}

} // namespace plimsoll
