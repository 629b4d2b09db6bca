#include "core/plan/finding.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

struct RuleRow
{
    Rule rule;
    std::string_view id;
    Severity severity;
    std::string_view summary;
    std::string_view unseen;
};

constexpr RuleRow RuleRows[] = {
#define PLIMSOLL_RULE_ROW(name, id, severity, summary, unseen) {Rule::name, id, Severity::severity, summary, unseen},
    PLIMSOLL_RULES(PLIMSOLL_RULE_ROW)
#undef PLIMSOLL_RULE_ROW
};

} // namespace

std::string_view ruleId(Rule rule)
{
    return RuleRows[static_cast<std::size_t>(rule)].id;
}

std::optional<Rule> ruleFromId(std::string_view id)
{
    const auto* found = std::ranges::find(RuleRows, id, &RuleRow::id);
    if (found == std::end(RuleRows)) return std::nullopt;
    return found->rule;
}

std::string_view ruleSummary(Rule rule)
{
    return RuleRows[static_cast<std::size_t>(rule)].summary;
}

std::string_view ruleUnseen(Rule rule)
{
    return RuleRows[static_cast<std::size_t>(rule)].unseen;
}

Severity ruleSeverity(Rule rule)
{
    return RuleRows[static_cast<std::size_t>(rule)].severity;
}

std::string_view severityName(Severity severity)
{
    static constexpr std::array<std::string_view, 3> names = {"error", "warning", "advice"};
    return names[static_cast<std::size_t>(severity)];
}

} // namespace plimsoll
