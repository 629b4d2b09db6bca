#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/safe_int.h"

namespace plimsoll::ops {

namespace {

Status inferCast(NodeFacts& facts)
{
    const DType to = dtypeAttribute(facts.node(), "to", DType::Unknown);
    if (to == DType::Unknown) return facts.error(say("ops.attribute-names-element"));
    return facts.give(to, facts.dims(0));
}

/// The bits stay; a change of width changes the last dimension.
Status inferBitCast(NodeFacts& facts)
{
    const DType to = dtypeAttribute(facts.node(), "to", DType::Unknown);
    auto dims = facts.dims(0);
    const int from = dtypeBits(facts.dtype(0));
    const int bits = dtypeBits(to);
    if (dims && from != bits && from > 0 && bits > 0) {
        if (dims->empty()) return facts.error(say("ops.scalar-cannot-read"));
        auto& last = dims->back();
        const auto allBits = (SafeInt(last) * from).get();
        if (last >= 0 && (!allBits || *allBits % bits != 0)) {
            return facts.error(say("ops.last-dimension-whole"));
        }
        if (last >= 0) last = *allBits / bits;
    }
    return facts.give(to, dims);
}

void evaluateCast(NodeFacts& facts)
{
    if (!facts.hasContent(0)) return;
    const PartialTensor& from = facts.content(0);
    PartialTensor* to = facts.start(0);
    if (!to || !from.tracked || from.elements.size() != to->elements.size()) return;
    for (std::size_t i = 0; i < from.elements.size(); ++i) {
        if (from.elements[i]) to->elements[i] = asType(to->dtype, *from.elements[i]);
    }
}

constexpr OpSchema CastSchemas[] = {
    {.op = "BitCast", .signature = "any", .infer = inferBitCast, .grows = AllInputs, .inPlace = First},
    {.op = "Cast",
     .signature = "any",
     .infer = inferCast,
     .grows = AllInputs,
     .evaluate = evaluateCast,
     .choices = {{"round_mode", "up|down|nearest"}},
     .inPlace = First,
     .identity = true,
     .derivative = "(self) = aten::_to_copy; self: g"},
    {.op = "CastLike",
     .signature = "any any",
     .infer = [](NodeFacts& facts) { return facts.give(facts.dtype(1), facts.dims(0)); },
     .grows = AllInputs,
     .evaluate = evaluateCast,
     .choices = {{"round_mode", "up|down|nearest"}},
     .inPlace = First,
     .ignored = Second,
     .identity = true},
};

} // namespace

constinit const OpFamily castOperators {"", CastSchemas};

} // namespace plimsoll::ops
