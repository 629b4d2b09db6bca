#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::ops {

namespace {

std::int64_t sizeOf(std::size_t count)
{
    return static_cast<std::int64_t>(count);
}

Status inferConstant(NodeFacts& facts)
{
    const Node& node = facts.node();
    if (const auto* literal = findAttribute<TensorLiteral>(node, "value")) {
        facts.set(0, literal->dtype, literal->shape);
    } else if (findAttribute<double>(node, "value_float")) {
        facts.set(0, DType::Float32, Dims {});
    } else if (findAttribute<std::int64_t>(node, "value_int")) {
        facts.set(0, DType::Int64, Dims {});
    } else if (findAttribute<std::string>(node, "value_string")) {
        facts.set(0, DType::String, Dims {});
    } else if (const auto* reals = findAttribute<std::vector<double>>(node, "value_floats")) {
        facts.set(0, DType::Float32, Dims {sizeOf(reals->size())});
    } else if (const auto* integers = findAttribute<std::vector<std::int64_t>>(node, "value_ints")) {
        facts.set(0, DType::Int64, Dims {sizeOf(integers->size())});
    } else if (const auto* texts = findAttribute<std::vector<std::string>>(node, "value_strings")) {
        facts.set(0, DType::String, Dims {sizeOf(texts->size())});
    } else {
        facts.setType(0, {}, say("size.constant"));
    }
    return {};
}

void evaluateConstant(NodeFacts& facts)
{
    const Node& node = facts.node();
    if (const auto* literal = findAttribute<TensorLiteral>(node, "value")) {
        facts.output(0).content = readElements(literal->dtype, literal->shape, literal->data);
        return;
    }
    PartialTensor* to = facts.start(0);
    if (!to) return;
    const auto put = [&](std::size_t i, const Scalar& number) { to->elements[i] = asType(to->dtype, number); };
    if (const auto* real = findAttribute<double>(node, "value_float")) put(0, Scalar::ofReal(*real));
    if (const auto* integer = findAttribute<std::int64_t>(node, "value_int")) put(0, Scalar::ofInteger(*integer));
    if (const auto* reals = findAttribute<std::vector<double>>(node, "value_floats")) {
        for (std::size_t i = 0; i < reals->size(); ++i)
            put(i, Scalar::ofReal((*reals)[i]));
    }
    if (const auto* integers = findAttribute<std::vector<std::int64_t>>(node, "value_ints")) {
        for (std::size_t i = 0; i < integers->size(); ++i)
            put(i, Scalar::ofInteger((*integers)[i]));
    }
}

/// [start, end) of the axes that Shape is asked for.
std::pair<std::size_t, std::size_t> shapeRange(const NodeFacts& facts, std::size_t rank)
{
    const auto size = sizeOf(rank);
    const auto clamped = [&](std::int64_t axis) {
        return std::clamp<std::int64_t>(axis < 0 ? axis + size : axis, 0, size);
    };
    const std::int64_t start = clamped(facts.attribute("start", 0));
    const std::int64_t end = clamped(facts.attribute("end", size));
    return {static_cast<std::size_t>(start), static_cast<std::size_t>(std::max(start, end))};
}

Status inferShape(NodeFacts& facts)
{
    const auto& dims = facts.type(0).dims;
    if (!dims || facts.type(0).kind != TypeKind::Tensor) return facts.give(DType::Int64, Dims {UnknownSize});
    const auto [start, end] = shapeRange(facts, dims->size());
    return facts.give(DType::Int64, Dims {sizeOf(end - start)});
}

void evaluateShape(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    PartialTensor* to = facts.start(0);
    if (!dims || !to) return;
    const auto [start, end] = shapeRange(facts, dims->size());
    for (std::size_t i = start; i < end; ++i) {
        if ((*dims)[i] >= 0) to->elements[i - start] = Scalar::ofInteger((*dims)[i]);
    }
}

void evaluateSize(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const auto count = dims ? countOf(*dims) : std::nullopt;
    if (!count || *count < 0) return;
    if (PartialTensor* to = facts.start(0)) to->elements[0] = Scalar::ofInteger(*count);
}

Status inferConstantOfShape(NodeFacts& facts)
{
    const auto* value = findAttribute<TensorLiteral>(facts.node(), "value");
    const DType dtype = value ? value->dtype : DType::Float32;
    const auto rank = facts.dims(0);
    if (!rank || rank->size() != 1 || rank->front() < 0) return facts.give(dtype, std::nullopt, say("size.shape"));
    if (rank->front() > 64) return facts.error(say("ops.shape-given-more"));
    Dims dims(static_cast<std::size_t>(rank->front()), UnknownSize);
    const PartialTensor& shape = facts.content(0);
    for (std::size_t i = 0; shape.tracked && i < dims.size() && i < shape.elements.size(); ++i) {
        if (!shape.elements[i]) continue;
        if (shape.elements[i]->integer < 0) return facts.error(say("ops.shape-given-negative"));
        dims[i] = shape.elements[i]->integer;
    }
    return facts.give(dtype, dims, say("size.shape"));
}

void evaluateConstantOfShape(NodeFacts& facts)
{
    PartialTensor* to = facts.start(0);
    if (!to) return;
    std::optional<Scalar> fill = Scalar::ofReal(0);
    if (const auto* value = findAttribute<TensorLiteral>(facts.node(), "value")) {
        const PartialTensor literal = readElements(value->dtype, value->shape, value->data);
        fill = literal.tracked && !literal.elements.empty() ? literal.elements.front() : std::nullopt;
    }
    std::ranges::fill(to->elements, fill);
}

std::optional<std::int64_t> rangeLength(NodeFacts& facts)
{
    if (isFloatingPoint(facts.dtype(0))) {
        const auto start = facts.real(0), limit = facts.real(1), delta = facts.real(2);
        if (!start || !limit || !delta || *delta == 0) return std::nullopt;
        const double count = std::ceil((*limit - *start) / *delta);
        if (!(count < 9e15)) return std::nullopt;
        return count > 0 ? static_cast<std::int64_t>(count) : 0;
    }
    const auto start = facts.integer(0), limit = facts.integer(1), delta = facts.integer(2);
    if (!start || !limit || !delta || *delta == 0) return std::nullopt;
    const auto count = (SafeInt(*limit) - *start).ceilDiv(*delta).get();
    return count ? std::optional(std::max<std::int64_t>(0, *count)) : std::nullopt;
}

Status inferRange(NodeFacts& facts)
{
    return facts.give(facts.dtype(0), Dims {rangeLength(facts).value_or(UnknownSize)}, say("size.limits"));
}

void evaluateRange(NodeFacts& facts)
{
    PartialTensor* to = facts.start(0);
    if (!to || !facts.content(0).complete() || !facts.content(2).complete()) return;
    const Scalar start = *facts.content(0).elements[0];
    const Scalar delta = *facts.content(2).elements[0];
    for (std::size_t i = 0; i < to->elements.size(); ++i) {
        if (start.isFloat) {
            to->elements[i] = asType(to->dtype, Scalar::ofReal(start.real + static_cast<double>(i) * delta.asReal()));
        } else if (const auto number = (SafeInt(start.integer) + SafeInt(sizeOf(i)) * delta.integer).get()) {
            to->elements[i] = asType(to->dtype, Scalar::ofInteger(*number));
        }
    }
}

Status inferNonZero(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    std::int64_t found = UnknownSize;
    const PartialTensor& from = facts.content(0);
    if (from.complete()) {
        found = std::ranges::count_if(from.elements, [](const auto& element) { return element->asReal() != 0; });
    }
    const std::int64_t rank = dims ? sizeOf(dims->size()) : UnknownSize;
    return facts.give(DType::Int64, Dims {rank, found}, say("size.data", "NonZero"));
}

Status mostNonZero(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    if (!dims) return {};
    return facts.give(DType::Int64, Dims {sizeOf(dims->size()), countOf(*dims).value_or(UnknownSize)});
}

void evaluateNonZero(NodeFacts& facts)
{
    const PartialTensor& from = facts.content(0);
    PartialTensor* to = facts.start(0);
    if (!to || !from.complete()) return;
    const auto strides = denseStrides(from.shape);
    const std::size_t columns = from.shape.empty() ? 0 : to->elements.size() / from.shape.size();
    std::size_t column = 0;
    for (std::size_t i = 0; i < from.elements.size(); ++i) {
        if (from.elements[i]->asReal() == 0) continue;
        for (std::size_t axis = 0; axis < strides.size(); ++axis) {
            const std::int64_t index = sizeOf(i) / strides[axis] % from.shape[axis];
            to->elements[axis * columns + column] = Scalar::ofInteger(index);
        }
        ++column;
    }
}

/// start, limit, delta: what is open counts from 0 by 1.
void rangeContents(ShapeSearch& search)
{
    const std::int64_t size = search.outSize(0, 1);
    const auto number = [&](std::size_t input, std::int64_t otherwise) {
        const auto given = search.given(input);
        return given && given->size() == 1 ? given->front() : otherwise;
    };
    const std::int64_t delta = number(2, 1);
    const bool byLimit = search.open(0) && !search.open(1);
    const SafeInt start = byLimit ? SafeInt(number(1, 0)) - SafeInt(size) * delta : SafeInt(number(0, 0));
    const auto limit = (start + SafeInt(size) * delta).get();
    if (!limit) return;
    search.want(0, {*start.get()});
    search.want(1, {*limit});
    search.want(2, {delta});
}

/// Experimental operator of the first versions: the attribute shape, what the input holds, or its shape; and more
/// behind.
Status inferConstantFill(NodeFacts& facts)
{
    std::optional<Dims> dims = facts.dims(0);
    if (facts.attribute("input_as_shape", 0) != 0) dims = facts.integers(0);
    if (const auto* shape = facts.integersAttribute("shape"); shape && !facts.has(0)) dims = *shape;
    const auto* extra = facts.integersAttribute("extra_shape");
    if (dims && facts.has(0) && extra) dims->insert(dims->end(), extra->begin(), extra->end());
    return facts.give(dtypeAttribute(facts.node(), "dtype", DType::Float32), dims, say("size.shape"));
}

constexpr OpSchema ConstantSchemas[] = {
    {.op = "Constant", .signature = "", .infer = inferConstant, .evaluate = evaluateConstant},
    {.op = "ConstantFill",
     .signature = "any?",
     .infer = inferConstantFill,
     .contents = [](ShapeSearch& search) { search.wantSizes(0); }},
    {.op = "ConstantOfShape",
     .signature = "int",
     .infer = inferConstantOfShape,
     .evaluate = evaluateConstantOfShape,
     .contents = [](ShapeSearch& search) { search.wantSizes(0); },
     .derivative = "(shape)"},
    {.op = "EyeLike",
     .signature = "any",
     .infer =
         [](NodeFacts& facts) {
             return facts.give(dtypeAttribute(facts.node(), "dtype", facts.dtype(0)), facts.dims(0));
         },
     .grows = AllInputs,
     .ignored = First},
    {.op = "NonZero",
     .signature = "any",
     .infer = inferNonZero,
     .most = mostNonZero,
     .evaluate = evaluateNonZero,
     .contents = [](ShapeSearch& search) { search.wantFirst(0, search.outSize(1, UnknownSize)); }},
    {.op = "Range",
     .signature = "number:T number:T number:T",
     .infer = inferRange,
     .evaluate = evaluateRange,
     .contents = rangeContents},
    {.op = "Shape",
     .signature = "any",
     .infer = inferShape,
     .evaluate = evaluateShape,
     .ignored = First,
     .derivative = "(self)"},
    {.op = "Size",
     .signature = "any",
     .infer = [](NodeFacts& facts) { return facts.give(DType::Int64, Dims {}); },
     .evaluate = evaluateSize,
     .ignored = First,
     .derivative = "(self)"},
};

} // namespace

constinit const OpFamily constantOperators {"", ConstantSchemas};

} // namespace plimsoll::ops
