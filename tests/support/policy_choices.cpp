#include "tests/support/policy_choices.h"
#include "core/facts/english/english.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace plimsoll::test {

void choose(Policies& policies, const Choices& choices)
{
    for (const auto& [id, value] : choices) {
        const Status status = setPolicy(policies, id, value);
        if (status.ok()) continue;
        std::fprintf(stderr, "%s\n", describe(status.error()).c_str());
        std::abort();
    }
}

Policies policiesWith(const Choices& choices)
{
    Policies policies;
    choose(policies, choices);
    return policies;
}

void chooseFromText(Policies& policies, std::string_view choices)
{
    while (!choices.empty()) {
        const std::size_t end = std::min(choices.find(' '), choices.size());
        const std::string_view choice = choices.substr(0, end);
        choices.remove_prefix(std::min(end + 1, choices.size()));
        if (choice.empty()) continue;
        const std::size_t equals = std::min(choice.find('='), choice.size());
        choose(policies, {{choice.substr(0, equals), choice.substr(std::min(equals + 1, choice.size()))}});
    }
}

} // namespace plimsoll::test
