#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/safe_int.h"

namespace plimsoll::ops {

namespace {

Status inferCast(NodeFacts& facts)
{
    const DType to = dtypeAttribute(facts.node(), "to", DType::Unknown);
    if (to == DType::Unknown) return facts.error("The attribute 'to' names no element type.");
    facts.set(0, to, facts.dims(0));
    return {};
}

Status inferCastLike(NodeFacts& facts)
{
    facts.set(0, facts.dtype(1), facts.dims(0));
    return {};
}

/// The bits stay; a change of width changes the last dimension.
Status inferBitCast(NodeFacts& facts)
{
    const DType to = dtypeAttribute(facts.node(), "to", DType::Unknown);
    auto dims = facts.dims(0);
    const int from = dtypeBits(facts.dtype(0));
    const int bits = dtypeBits(to);
    if (dims && from != bits && from > 0 && bits > 0) {
        if (dims->empty()) return facts.error("A scalar cannot be read as a type of another width.");
        auto& last = dims->back();
        const auto allBits = (SafeInt(last) * from).get();
        if (last >= 0 && (!allBits || *allBits % bits != 0)) {
            return facts.error("The last dimension is no whole number of elements.");
        }
        if (last >= 0) last = *allBits / bits;
    }
    facts.set(0, to, dims);
    return {};
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

constexpr OpSchema Schemas[] = {
    {.op = "BitCast", .signature = "any", .infer = inferBitCast},
    {.op = "Cast",
     .signature = "any",
     .infer = inferCast,
     .evaluate = evaluateCast,
     .choices = {{"round_mode", "up|down|nearest"}},
     .identity = true,
     .derivative = "(self) = aten::_to_copy; self: g"},
    {.op = "CastLike",
     .signature = "any any",
     .infer = inferCastLike,
     .evaluate = evaluateCast,
     .choices = {{"round_mode", "up|down|nearest"}},
     .ignored = Second,
     .identity = true},
};

} // namespace

std::span<const OpSchema> castSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
