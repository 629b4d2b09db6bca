#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/rules/shape_search.h"

namespace plimsoll::ops {

namespace {

TensorType sequenceOf(TensorType element)
{
    element.kind = TypeKind::Sequence;
    return element;
}

TensorType elementOf(TensorType sequence)
{
    sequence.kind = TypeKind::Tensor;
    return sequence;
}

Status inferSequenceConstruct(NodeFacts& facts)
{
    TensorType element = facts.type(0);
    for (std::size_t i = 1; i < facts.inputCount(); ++i)
        element = mergedType(element, facts.type(i));
    return facts.give(sequenceOf(std::move(element)));
}

/// Parts of equal size, or single ones, which lose the axis where keepdims is 0.
Status inferSplitToSequence(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", 0), dims->size());
        if (!axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
        if (facts.has(1)) {
            const bool single = facts.dims(1) && facts.dims(1)->empty();
            const std::int64_t part = single ? facts.integer(1).value_or(0) : 0;
            const bool even = part > 0 && (*dims)[*axis] >= 0 && (*dims)[*axis] % part == 0;
            (*dims)[*axis] = even ? part : UnknownSize;
        } else if (facts.attribute("keepdims", 1) != 0) {
            (*dims)[*axis] = 1;
        } else {
            dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(*axis));
        }
    }
    return facts.give(sequenceOf(tensorOf(facts.dtype(0), dims)));
}

Status inferConcatFromSequence(NodeFacts& facts)
{
    auto dims = facts.type(0).kind == TypeKind::Sequence ? dimsOf(elementOf(facts.type(0))) : std::nullopt;
    const bool added = facts.attribute("new_axis", 0) != 0;
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", 0), dims->size() + (added ? 1 : 0));
        if (!axis) return facts.error(say("ops.axis-outside-sequence"));
        if (added) dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(*axis), UnknownSize);
        (*dims)[*axis] = UnknownSize;
    }
    return facts.give(facts.dtype(0), dims, say("size.sequence"));
}

constexpr OpSchema SequenceSchemas[] = {
    {.op = "ConcatFromSequence", .signature = "any", .infer = inferConcatFromSequence},
    {.op = "Optional",
     .signature = "any?",
     .infer = [](NodeFacts& facts) -> Status {
         TensorType type = facts.type(0);
         type.kind = TypeKind::Optional;
         return facts.give(std::move(type));
     }},
    {.op = "OptionalGetElement",
     .signature = "any",
     .infer = [](NodeFacts& facts) -> Status {
         // What an optional holds, tensor or sequence, only the file says.
         if (facts.type(0).kind != TypeKind::Optional) facts.setType(0, facts.type(0));
         facts.output(0).because = say("size.optional");
         return {};
     }},
    {.op = "OptionalHasElement",
     .signature = "any?",
     .infer = [](NodeFacts& facts) { return facts.give(DType::Bool, Dims {}); }},
    {.op = "SequenceAt",
     .signature = "any any",
     .infer = [](NodeFacts& facts) -> Status {
         if (facts.type(0).kind != TypeKind::Sequence) return {};
         return facts.give(elementOf(facts.type(0)), say("size.elements"));
     },
     .contents = [](ShapeSearch& search) { search.wantAll(1, 0); }},
    {.op = "SequenceConstruct", .signature = "any+", .infer = inferSequenceConstruct},
    {.op = "SequenceEmpty",
     .signature = "",
     .infer = [](NodeFacts& facts) -> Status {
         return facts.give(sequenceOf(tensorOf(dtypeAttribute(facts.node(), "dtype", DType::Float32), std::nullopt)));
     }},
    {.op = "SequenceErase",
     .signature = "any any?",
     .infer = inferLikeFirst,
     .contents = [](ShapeSearch& search) { search.wantAll(1, 0); }},
    {.op = "SequenceInsert",
     .signature = "any any any?",
     .infer = [](NodeFacts& facts) -> Status {
         if (facts.type(0).kind != TypeKind::Sequence) return {};
         return facts.give(sequenceOf(mergedType(elementOf(facts.type(0)), facts.type(1))));
     }},
    {.op = "SequenceLength",
     .signature = "any",
     .infer = [](NodeFacts& facts) { return facts.give(DType::Int64, Dims {}); }},
    {.op = "SplitToSequence", .signature = "any any?", .infer = inferSplitToSequence},
};

} // namespace

constinit const OpFamily sequenceOperators {"", SequenceSchemas};

} // namespace plimsoll::ops
