#include "core/ops/rules/parameters.h"

namespace plimsoll::ops {

Status checkNumbers(const NodeFacts& facts, std::size_t input, std::int64_t wanted, const Message& because)
{
    const auto dims = facts.dims(input);
    const std::int64_t count = dims ? countOf(*dims).value_or(UnknownSize) : UnknownSize;
    if (!facts.has(input) || sameSize(count, wanted)) return {};
    return facts.error(
        say("ops.input-numbers", word::Number {input}, describe(facts.type(input)), word::Number {wanted}, because));
}

Status checkStretches(const NodeFacts& facts, std::size_t input)
{
    const auto to = facts.dims(0);
    const auto from = facts.dims(input);
    if (!facts.has(input) || !to || !from) return {};
    const auto both = broadcast(*to, *from);
    const bool same = both && both->size() == to->size();
    for (std::size_t axis = 0; same && axis < to->size(); ++axis) {
        if (!sameSize((*both)[axis], (*to)[axis])) break;
        if (axis + 1 == to->size()) return {};
    }
    if (same && to->empty()) return {};
    return facts.error(
        say("ops.input-cannot-stretched", word::Number {input}, describe(facts.type(input)), describe(facts.type(0))));
}

} // namespace plimsoll::ops
