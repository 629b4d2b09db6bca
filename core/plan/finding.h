#pragma once

#include "core/base/ids.h"
#include "core/base/interval.h"
#include "core/base/message.h"
#include "core/plan/rules.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class Severity : std::uint8_t {
    Error,   ///< A broken rule.
    Warning, ///< Legal but dangerous, or an assumption about the run.
    Advice,
};

/// Which rule: those that something raises, and no others. Each has a heading in the manual.
enum class Rule : std::uint8_t {
#define PLIMSOLL_RULE_NAME(name, id, severity, summary, unseen) name,
    PLIMSOLL_RULES(PLIMSOLL_RULE_NAME)
#undef PLIMSOLL_RULE_NAME
};

[[nodiscard]] std::string_view ruleId(Rule rule); ///< "clobbered-read"
[[nodiscard]] std::optional<Rule> ruleFromId(std::string_view id);
[[nodiscard]] std::string_view ruleSummary(Rule rule);          ///< One sentence: what the rule demands.
[[nodiscard]] std::string_view ruleUnseen(Rule rule);           ///< Why a run does not show it; empty: values differ.
[[nodiscard]] Severity ruleSeverity(Rule rule);                 ///< Of a finding whose check says nothing else.
[[nodiscard]] std::string_view severityName(Severity severity); ///< "error", "warning", "advice"

/// A broken rule, or a piece of advice, with everything needed to look at it.
struct Finding
{
    Rule rule = Rule::Overlap;
    Severity severity = Severity::Error;
    Message message;             ///< One sentence that names both offenders, the steps and the bytes.
    std::vector<ValueId> values; ///< The spoiled one first, then the one that spoils.
    std::vector<NodeId> nodes;   ///< The node that reads wrongly first, then the one that wrote.
    ArenaId arena;               ///< Where the bytes are; invalid when they are in none.
    Interval steps;
    Interval bytes;                       ///< In the arena.
    Message fix;                          ///< What would mend it.
    std::optional<std::int64_t> asked {}; ///< So many bytes are contested, where that is no length of \c bytes.
    std::string source {};                ///< Where the offender was written, where that is no node of the graph.
};

} // namespace plimsoll
