#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// Which axes are reduced; empty when that is data.
std::optional<std::vector<bool>> reducedAxes(NodeFacts& facts, std::size_t rank)
{
    const auto axes = facts.setting("axes", 1);
    if (axes.given && !axes.known) return std::nullopt;
    if (axes.numbers.empty()) {
        const bool none = facts.attribute("noop_with_empty_axes", 0) != 0;
        return std::vector<bool>(rank, !none);
    }
    std::vector<bool> reduced(rank, false);
    for (const std::int64_t axis : axes.numbers) {
        const auto at = normalAxis(axis, rank);
        if (!at) return std::nullopt;
        reduced[*at] = true;
    }
    return reduced;
}

std::optional<Dims> reducedDims(const Dims& from, const std::vector<bool>& reduced, bool keep)
{
    Dims dims;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!reduced[i]) dims.push_back(from[i]);
        if (reduced[i] && keep) dims.push_back(1);
    }
    return dims;
}

Status inferReduce(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const bool keep = facts.attribute("keepdims", 1) != 0;
    if (!from) return facts.give(facts.dtype(0), std::nullopt);
    for (const std::int64_t axis : facts.setting("axes", 1).numbers) {
        if (!normalAxis(axis, from->size()))
            return facts.error(say("ops.axis-outside", word::Number {axis}, describe(facts.type(0))));
    }
    const auto reduced = reducedAxes(facts, from->size());
    if (!reduced) {
        const auto dims = keep ? std::optional(Dims(from->size(), UnknownSize)) : std::nullopt;
        return facts.give(facts.dtype(0), dims, say("size.axes"));
    }
    return facts.give(facts.dtype(0), reducedDims(*from, *reduced, keep));
}

/// Any index along the axes that are reduced.
AccessMap reduceAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto from = facts.dims(0);
    const auto reduced = from && input == 0 ? reducedAxes(facts, from->size()) : std::nullopt;
    if (!reduced) return {};
    const bool keep = facts.attribute("keepdims", 1) != 0;
    AccessMap map = sameIndex(from->size());
    int next = 0;
    for (std::size_t axis = 0; axis < from->size(); ++axis) {
        map.axes[axis].from = (*reduced)[axis] ? AccessAxis::Any : next;
        next += keep || !(*reduced)[axis] ? 1 : 0;
    }
    return map;
}

/// Any index along the axis that is the second input.
AccessMap cumulativeAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto from = facts.dims(0);
    const auto axis = from && input == 0 ? facts.integer(1) : std::nullopt;
    const auto at = axis ? normalAxis(*axis, from->size()) : std::nullopt;
    if (!at) return {};
    AccessMap map = sameIndex(from->size());
    map.axes[*at] = {};
    return map;
}

using Joiner = std::optional<Scalar> (*)(const Scalar&, const Scalar&);

std::optional<Scalar> addition(const Scalar& a, const Scalar& b)
{
    if (a.isFloat) return std::nullopt; // Its last bits depend on the order, which is the kernel's affair.
    const auto number = (SafeInt(a.integer) + b.integer).get();
    return number ? std::optional(Scalar::ofInteger(*number)) : std::nullopt;
}
std::optional<Scalar> multiplication(const Scalar& a, const Scalar& b)
{
    if (a.isFloat) return std::nullopt;
    const auto number = (SafeInt(a.integer) * b.integer).get();
    return number ? std::optional(Scalar::ofInteger(*number)) : std::nullopt;
}
std::optional<Scalar> maximum(const Scalar& a, const Scalar& b)
{
    return a.asReal() < b.asReal() || (!a.isFloat && a.integer < b.integer) ? b : a;
}
std::optional<Scalar> minimum(const Scalar& a, const Scalar& b)
{
    return b.asReal() < a.asReal() || (!a.isFloat && b.integer < a.integer) ? b : a;
}

/// Only over elements that are all known; what is reduced to nothing stays unknown.
template <Joiner Join>
void evaluateReduce(NodeFacts& facts)
{
    const auto shape = facts.type(0).shape();
    if (!facts.hasContent(0) || !shape) return;
    const auto reduced = reducedAxes(facts, shape->size());
    const PartialTensor& from = facts.content(0);
    PartialTensor* to = facts.start(0);
    if (!to || !reduced || !from.tracked) return;
    const Shape kept = *reducedDims(*shape, *reduced, true);
    auto strides = denseStrides(kept);
    for (std::size_t i = 0; i < strides.size(); ++i)
        strides[i] = (*reduced)[i] ? 0 : strides[i];
    const auto targets = stridedOffsets(*shape, strides);
    std::vector<bool> started(to->elements.size(), false);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const auto target = static_cast<std::size_t>(targets[i]);
        auto& sum = to->elements[target];
        const auto& next = from.elements[i];
        if (!started[target]) {
            sum = next;
            started[target] = true;
        } else if (sum) {
            const auto joined = next ? Join(*sum, *next) : std::nullopt;
            sum = joined ? asType(to->dtype, *joined) : std::nullopt;
        }
    }
}

Status inferArg(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) return facts.give(DType::Int64, std::nullopt);
    const auto axis = normalAxis(facts.attribute("axis", 0), from->size());
    if (!axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
    std::vector<bool> reduced(from->size(), false);
    reduced[*axis] = true;
    return facts.give(DType::Int64, reducedDims(*from, reduced, facts.attribute("keepdims", 1) != 0));
}

/// CumSum: the axis is the second input.
Status inferCumulative(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const auto axis = facts.integer(1);
    if (dims && axis && !normalAxis(*axis, dims->size()))
        return facts.error(say("ops.axis-outside", word::Number {*axis}, describe(facts.type(0))));
    return inferLikeFirst(facts);
}

void reductionContents(ShapeSearch& search)
{
    const bool keeps = search.attribute("keepdims", 1) != 0;
    const auto from = search.dims(0);
    const auto to = search.outDims();
    const std::size_t count = search.count(1);
    search.want(1, keeps ? changingAxes(from, to, count) : leftOut(from, to, count, false));
}

constexpr OpSchema reduction(OpSchema row)
{
    row.infer = inferReduce;
    row.grows = First;
    row.contents = reductionContents;
    row.access = reduceAccess;
    row.cheap = true;
    return row;
}

constexpr OpSchema ReductionSchemas[] = {
    {.op = "ArgMax", .signature = "number", .infer = inferArg, .grows = AllInputs, .derivative = "(self)"},
    {.op = "ArgMin", .signature = "number", .infer = inferArg, .grows = AllInputs, .derivative = "(self)"},
    {.op = "CumProd",
     .signature = "any int",
     .infer = inferCumulative,
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.wantAll(1, 0); },
     .access = cumulativeAccess},
    {.op = "CumSum",
     .signature = "any int",
     .infer = inferCumulative,
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.wantAll(1, 0); },
     .access = cumulativeAccess,
     .derivative = "(self, axis#) = aten::cumsum; self: cumsum_back(g, axis)"},
    reduction({.op = "ReduceL1",
               .signature = "number|bool int?",
               .derivative = "(self, axes#); self: expand(g) * sign(self)"}),
    reduction({.op = "ReduceL2",
               .signature = "number|bool int?",
               .derivative = "(self, axes#) -> result = aten::norm; self: expand(g) * self / expand(result)"}),
    reduction({.op = "ReduceLogSum",
               .signature = "number|bool int?",
               .derivative = "(self, axes#); self: expand(g) / reduce(self)"}),
    reduction({.op = "ReduceLogSumExp", .signature = "number|bool int?", .derivative = R"(
        (self, axes#) -> result = aten::logsumexp
          self: expand(g) * exp(self - expand(result)))"}),
    reduction(
        {.op = "ReduceMax", .signature = "number|bool int?", .evaluate = evaluateReduce<maximum>, .derivative = R"(
        (self, axes#) -> result = aten::amax
          self: expand(g) * eq(self, expand(result)) / reduce(eq(self, expand(result))))"}),
    reduction({.op = "ReduceMean", .signature = "number|bool int?", .derivative = R"(
        (self, axes#) -> result = aten::mean
          self: expand(g) * count(result) / count(self))"}),
    reduction(
        {.op = "ReduceMin", .signature = "number|bool int?", .evaluate = evaluateReduce<minimum>, .derivative = R"(
        (self, axes#) -> result = aten::amin
          self: expand(g) * eq(self, expand(result)) / reduce(eq(self, expand(result))))"}),
    reduction({.op = "ReduceProd",
               .signature = "number|bool int?",
               .evaluate = evaluateReduce<multiplication>,
               .derivative = "(self, axes#) -> result = aten::prod; self: expand(g) * expand(result) / self"}),
    reduction({.op = "ReduceSum",
               .signature = "number|bool int?",
               .evaluate = evaluateReduce<addition>,
               .derivative = "(self, axes#) = aten::sum; self: expand(g)"}),
    reduction({.op = "ReduceSumSquare",
               .signature = "number|bool int?",
               .derivative = "(self, axes#); self: 2 * expand(g) * self"}),
};

} // namespace

constinit const OpFamily reductionOperators {"", ReductionSchemas};

} // namespace plimsoll::ops
