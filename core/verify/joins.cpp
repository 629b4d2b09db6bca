#include "core/verify/joins.h"

#include <algorithm>

namespace plimsoll::verifying {

std::vector<const Join*> joinsOf(const PlanFacts& facts, const Accesses& accesses)
{
    std::vector<const Join*> joined;
    joined.reserve(accesses.writes.size());
    for (const Write& write : accesses.writes)
        joined.push_back(joinOf(facts, accesses, write));
    return joined;
}

void narrowToViews(const PlanFacts& facts, Accesses& accesses, const std::vector<const Join*>& joined)
{
    for (const Join* join : joined) {
        if (!join || join->kind != AliasKind::View) return;
    }
    for (std::size_t w = 0; w < joined.size(); ++w) {
        Interval& part = accesses.reads[joined[w]->read].part;
        const std::int64_t begin = joined[w]->offsetBytes;
        const Interval seen {begin, begin + facts[accesses.writes[w].value].read.length()};
        part = part.end < 0 ? seen : Interval {std::min(part.begin, seen.begin), std::max(part.end, seen.end)};
    }
}

bool isNewVersion(const PlanFacts& facts, NodeId node, ValueId written, const Join* join)
{
    if (join) return join->kind == AliasKind::Mutates;
    const Node& writer = facts.graph()[node];
    const auto traits = facts.traits[node];
    return std::any_of(traits.begin(), traits.end(), [&](const AliasTrait& trait) {
        if (trait.kind != AliasKind::Mutates || writer.outputs[static_cast<std::size_t>(trait.output)] != written)
            return false;
        const ValueId before = writer.inputs[static_cast<std::size_t>(trait.input)];
        return before.valid() && facts[before].walkable && facts[before].arena == facts[written].arena &&
               facts[before].read.begin == facts[written].read.begin;
    });
}

Finding overwriting(const PlanFacts& facts, Rule rule, NodeId node, ValueId written, ValueId over, Interval bytes)
{
    Finding finding;
    finding.rule = rule;
    finding.values = {over, written};
    finding.nodes = {node};
    finding.arena = facts[written].arena;
    finding.steps = facts.program.schedule.nodes[node.index()];
    finding.bytes = bytes;
    return finding;
}

} // namespace plimsoll::verifying
