#include "core/facts/words/terms_text.h"

#include "core/base/plural.h"

#include <algorithm>

namespace plimsoll {

std::string termsSentence(const Report& report)
{
    const PolicyInfo& backend = *findPolicy("backend");
    const auto chosen = static_cast<std::size_t>(report.program.policies.backend);
    std::string text = "backend=" + std::string(backend.values[chosen]) + ": ";
    text += backend.valueMeanings[chosen];
    if (report.program.ownPlan || report.program.policies.backend != BackendPolicy::Captured) return text;
    const auto named = std::ranges::count_if(report.program.implementations,
                                             [](const Implementation& one) { return one.backend != ReferenceBackend; });
    if (named == 0) return text;
    return text + "; " + plural(static_cast<std::size_t>(named), "node") + " as the plan says";
}

std::string assumedSizes(const Report& report)
{
    std::string text;
    for (const Binding& binding : report.captured.bindings) {
        if (binding.assumed) text += (text.empty() ? "" : ", ") + binding.dim + " = " + std::to_string(binding.size);
    }
    return text;
}

} // namespace plimsoll
