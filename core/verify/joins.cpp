#include "core/verify/joins.h"

namespace plimsoll::verifying {

const Join* joinOf(const PlanFacts& facts, const Accesses& accesses, const Write& write)
{
    const PlaceFacts& target = facts[write.value];
    const Join* found = nullptr;
    for (const Join& join : write.joins) {
        const PlaceFacts& source = facts[accesses.reads[join.read].value];
        if (!target.walkable || !source.walkable || target.arena != source.arena) continue;
        const bool inside = join.offsetBytes >= 0 && join.offsetBytes <= source.read.length() - target.read.length();
        if (join.kind == AliasKind::View && !inside) continue;
        if (target.read.begin != source.read.begin + join.offsetBytes) continue;
        if (!found || relabels(&join)) found = &join;
    }
    return found;
}

bool relabels(const Join* join)
{
    return join && (join->kind == AliasKind::Identity || join->kind == AliasKind::View);
}

Interval readRange(const PlanFacts& facts, const Read& read)
{
    const Interval whole = facts[read.value].read;
    if (read.part.end < 0) return whole;
    return {whole.begin + read.part.begin, whole.begin + read.part.end};
}

} // namespace plimsoll::verifying
