#include "core/facts/words/terms_text.h"

#include <algorithm>

namespace plimsoll {

Message termsSentence(const Report& report)
{
    const PolicyInfo& backend = *findPolicy("backend");
    const auto chosen = static_cast<std::size_t>(report.program.policies.backend);
    const Remedy choice = Remedy::policy("backend", std::string(backend.values[chosen]));
    const auto named = std::ranges::count_if(report.program.implementations.chosen(),
                                             [](const Implementation& one) { return one.backend != ReferenceBackend; });
    if (report.program.ownPlan || report.program.policies.backend != BackendPolicy::Captured || named == 0)
        return say("terms", choice, backend.valueMeanings[chosen]);
    return say("terms.plan", choice, backend.valueMeanings[chosen], named);
}

Message assumedSizes(const Report& report)
{
    word::List sizes;
    for (const Binding& binding : report.captured.bindings)
        if (binding.assumed) sizes.items.emplace_back(say("dims.size", binding.dim, word::Number {binding.size}));
    if (sizes.items.empty()) return {};
    return say("terms.sizes", Remedy::option("dim"), Remedy::option("shape"), std::move(sizes));
}

} // namespace plimsoll
