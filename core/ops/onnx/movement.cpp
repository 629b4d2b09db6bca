#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::ops {

namespace {

std::optional<std::vector<std::size_t>> permutation(const NodeFacts& facts, std::size_t rank)
{
    std::vector<std::size_t> perm(rank);
    std::iota(perm.rbegin(), perm.rend(), std::size_t {0});
    const auto* given = facts.integersAttribute("perm");
    if (!given) return perm;
    if (given->size() != rank) return std::nullopt;
    std::vector<bool> seen(rank, false);
    for (std::size_t i = 0; i < rank; ++i) {
        const auto at = normalAxis((*given)[i], rank);
        if (!at || seen[*at]) return std::nullopt;
        seen[*at] = true;
        perm[i] = *at;
    }
    return perm;
}

Status inferTranspose(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) return facts.give(facts.dtype(0), std::nullopt);
    const auto perm = permutation(facts, from->size());
    if (!perm) return facts.error(say("ops.attribute-perm-permutation", describe(facts.type(0))));
    Dims dims;
    for (const std::size_t axis : *perm)
        dims.push_back((*from)[axis]);
    return facts.give(facts.dtype(0), dims);
}

AccessMap transposeAccess(NodeFacts& facts, std::size_t, std::size_t)
{
    const auto from = facts.dims(0);
    const auto perm = from ? permutation(facts, from->size()) : std::nullopt;
    if (!perm) return {};
    AccessMap map = sameIndex(perm->size());
    for (std::size_t i = 0; i < perm->size(); ++i)
        map.axes[(*perm)[i]].from = static_cast<int>(i);
    return map;
}

void evaluateTranspose(NodeFacts& facts)
{
    const auto out = facts.output(0).type.shape();
    if (!facts.hasContent(0) || !out || !facts.start(0)) return;
    const PartialTensor& from = facts.content(0);
    const auto perm = permutation(facts, from.shape.size());
    if (!from.tracked || !perm) return;
    const auto dense = denseStrides(from.shape);
    std::vector<std::int64_t> strides;
    for (const std::size_t axis : *perm)
        strides.push_back(dense[axis]);
    evaluateMoved(facts, stridedOffsets(*out, strides));
}

Status inferConcat(NodeFacts& facts)
{
    const bool required = facts.node().domain.empty() && opsetVersion(facts.graph(), "") >= 4;
    if (required && !findAttribute<std::int64_t>(facts.node(), "axis"))
        return facts.error(say("ops.attribute-axis-missing"));
    std::optional<Dims> dims;
    std::size_t axis = 0;
    SafeInt total = 0;
    bool totalKnown = true;
    bool someUnknown = false;
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        const auto next = facts.dims(i);
        if (!next) {
            someUnknown = true;
            continue;
        }
        if (!dims) {
            const auto at = normalAxis(facts.attribute("axis", 1), next->size());
            if (!at) return facts.error(say("ops.outside-axis", describe(facts.type(i))));
            axis = *at;
            dims = next;
        }
        if (next->size() != dims->size())
            return facts.error(say("ops.inputs-different-ranks", describe(*dims), describe(facts.type(i))));
        for (std::size_t d = 0; d < dims->size(); ++d) {
            const auto size = d == axis ? std::optional((*dims)[d]) : sameSize((*dims)[d], (*next)[d]);
            if (!size) return facts.error(say("ops.inputs-differ-another", describe(*dims), describe(facts.type(i))));
            (*dims)[d] = *size;
        }
        totalKnown = totalKnown && (*next)[axis] >= 0;
        total = total + std::max<std::int64_t>((*next)[axis], 0);
    }
    if (dims && !total.get()) return facts.error(say("ops.joined-axis-longer"));
    if (dims) (*dims)[axis] = totalKnown && !someUnknown ? *total.get() : UnknownSize;
    return facts.give(facts.dtype(0), dims);
}

/// Each input lies behind those before it.
AccessMap concatAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto dims = facts.dims(input);
    const auto axis = dims ? normalAxis(facts.attribute("axis", 1), dims->size()) : std::nullopt;
    if (!axis) return {};
    const auto sizes = [&] {
        Dims all;
        for (std::size_t i = 0; i < facts.inputCount(); ++i)
            all.push_back(sizeAt(facts.dims(i), *axis));
        return all;
    };
    const std::vector<std::int64_t>& starts = facts.starts(*axis, sizes);
    if (starts.size() <= facts.inputCount()) return {}; // one is absent, or of unknown size
    AccessMap map = sameIndex(dims->size());
    map.axes[*axis].start = -starts[input];
    return map;
}

/// Rows of each input follow each other: outer × (axis × inner).
void evaluateConcat(NodeFacts& facts)
{
    PartialTensor* to = facts.start(0);
    if (!to || to->shape.empty()) return;
    const std::size_t axis = normalAxis(facts.attribute("axis", 1), to->shape.size()).value_or(0);
    const std::int64_t inner =
        elementCount(Shape(to->shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, to->shape.end())).value_or(0);
    const std::int64_t rowOut = to->shape[axis] * inner;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        const auto shape = facts.type(i).shape();
        if (!shape) return;
        const std::int64_t row = (*shape)[axis] * inner;
        const PartialTensor& from = facts.content(i);
        for (std::size_t e = 0; from.tracked && row > 0 && e < from.elements.size(); ++e) {
            const auto at = static_cast<std::int64_t>(e);
            to->elements[static_cast<std::size_t>(at / row * rowOut + begin + at % row)] = from.elements[e];
        }
        begin += row;
    }
}

/// Sizes of the parts along the axis; UnknownSize where they are data. Empty after a contradiction.
std::optional<std::vector<std::int64_t>> partSizes(NodeFacts& facts, std::int64_t total)
{
    const std::size_t parts = facts.outputCount();
    const auto given = facts.setting("split", 1);
    if (given.given && !given.known) return std::vector<std::int64_t>(parts, UnknownSize);
    if (given.given) {
        SafeInt sum = 0;
        bool negative = false;
        for (const std::int64_t size : given.numbers) {
            sum = sum + size;
            negative = negative || size < 0;
        }
        if (negative || given.numbers.size() != parts || (total >= 0 && sum.get() != total)) return std::nullopt;
        return given.numbers;
    }
    if (total < 0) return std::vector<std::int64_t>(parts, UnknownSize);
    const auto count = std::max<std::int64_t>(1, facts.attribute("num_outputs", static_cast<std::int64_t>(parts)));
    const std::int64_t chunk = (total - 1) / count + 1;
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < parts; ++i) {
        const auto left = (SafeInt(total) - SafeInt(static_cast<std::int64_t>(i)) * chunk).get();
        sizes.push_back(std::clamp<std::int64_t>(left.value_or(0), 0, chunk));
    }
    return sizes;
}

AccessMap splitAccess(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const auto from = facts.dims(0);
    const auto axis = from ? normalAxis(facts.attribute("axis", 0), from->size()) : std::nullopt;
    if (!axis || input != 0) return {};
    const auto sizes = [&] { return partSizes(facts, (*from)[*axis]).value_or(Dims {UnknownSize}); };
    const std::vector<std::int64_t>& starts = facts.starts(*axis, sizes);
    if (output + 1 >= starts.size()) return {};
    AccessMap map = sameIndex(from->size());
    map.axes[*axis].start = starts[output];
    return map;
}

Status inferSplit(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) {
        for (std::size_t i = 0; i < facts.outputCount(); ++i)
            facts.set(i, facts.dtype(0), std::nullopt);
        return {};
    }
    const auto axis = normalAxis(facts.attribute("axis", 0), from->size());
    if (!axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
    const bool even = opsetVersion(facts.graph(), facts.node().domain) < 18 && !facts.setting("split", 1).given;
    const auto parts = static_cast<std::int64_t>(facts.outputCount());
    if (const std::int64_t given = facts.attribute("num_outputs", parts); given < std::max<std::int64_t>(parts, 1))
        return facts.error(say("ops.attribute-num-outputs-outputs", word::Number {given}, word::Number {parts}));
    if (even && parts > 0 && opsetVersion(facts.graph(), facts.node().domain) > 0 && (*from)[*axis] % parts > 0)
        return facts.error(say("ops.axis-size-cannot", word::Number {(*from)[*axis]}, word::Number {parts}));
    const auto sizes = partSizes(facts, (*from)[*axis]);
    if (!sizes) return facts.error(say("ops.parts-do-add", describe(facts.type(0))));
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        Dims dims = *from;
        dims[*axis] = (*sizes)[i];
        facts.set(i, facts.dtype(0), dims, say("size.parts"));
    }
    return {};
}

/// The last part of an axis that is split evenly may be the smallest, but never is larger than the first.
Status mostParts(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto axis = from ? normalAxis(facts.attribute("axis", 0), from->size()) : std::nullopt;
    if (!axis) return {};
    const auto given = facts.setting("split", 1);
    const auto parts = static_cast<std::int64_t>(facts.outputCount());
    const std::int64_t count = given.given ? 1 : std::max<std::int64_t>(1, facts.attribute("num_outputs", parts));
    const std::int64_t size = (*from)[*axis];
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        Dims dims = *from;
        dims[*axis] = size < 0 ? UnknownSize : SafeInt(size).ceilDiv(count).get().value_or(UnknownSize);
        facts.set(i, facts.dtype(0), dims);
    }
    return {};
}

void evaluateSplit(NodeFacts& facts)
{
    const auto shape = facts.type(0).shape();
    if (!facts.hasContent(0) || !shape) return;
    const PartialTensor& from = facts.content(0);
    const auto axis = normalAxis(facts.attribute("axis", 0), shape->size());
    const auto strides = denseStrides(*shape);
    std::int64_t begin = 0;
    for (std::size_t i = 0; from.tracked && axis && i < facts.outputCount(); ++i) {
        PartialTensor* to = facts.start(i);
        if (!to) return;
        const auto offsets = stridedOffsets(to->shape, strides, begin);
        for (std::size_t e = 0; e < offsets.size(); ++e)
            to->elements[e] = from.elements[static_cast<std::size_t>(offsets[e])];
        begin += to->shape[*axis] * strides[*axis];
    }
}

Status inferExpand(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto length = facts.dims(1);
    if (!from || !length || length->size() != 1 || length->front() < 0 || length->front() > 64)
        return facts.give(facts.dtype(0), std::nullopt, from ? say("size.shape") : Message());
    Dims wanted(static_cast<std::size_t>(length->front()), UnknownSize);
    const PartialTensor& content = facts.content(1);
    for (std::size_t i = 0; content.tracked && i < wanted.size() && i < content.elements.size(); ++i) {
        if (content.elements[i]) wanted[i] = content.elements[i]->integer;
        if (content.elements[i] && wanted[i] < 0) wanted[i] = 1; // Some exporters write -1 for "as it is".
    }
    auto dims = broadcast(*from, wanted);
    if (!dims) return facts.error(say("ops.cannot-expanded", describe(facts.type(0)), describe(wanted)));
    return facts.give(facts.dtype(0), dims, allKnown(*from) ? say("size.shape") : Message());
}

Status mostExpanded(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto wanted = facts.integers(1);
    if (!from || !wanted || !allKnown(*from)) return {};
    return facts.give(facts.dtype(0), largerShape(*from, *wanted));
}

Status inferTile(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (!dims) return facts.give(facts.dtype(0), std::nullopt);
    const PartialTensor& repeats = facts.content(1);
    const bool alongOneAxis = facts.inputCount() > 2; // Tile-1: tiles and axis.
    for (std::size_t i = 0; i < dims->size(); ++i) {
        std::optional<std::int64_t> times;
        if (alongOneAxis) {
            const auto axis = facts.integer(2);
            if (axis) times = static_cast<std::size_t>(*axis) == i ? facts.integer(1) : std::optional<std::int64_t>(1);
        } else if (repeats.tracked && i < repeats.elements.size() && repeats.elements[i]) {
            times = repeats.elements[i]->integer;
        }
        const auto size = times && (*dims)[i] >= 0 ? (SafeInt((*dims)[i]) * *times).get() : std::optional(UnknownSize);
        if (!size || (times && *times < 0)) return facts.error(say("ops.repeats-negative-give"));
        (*dims)[i] = *size;
    }
    return facts.give(facts.dtype(0), dims, say("size.repeats"));
}

void evaluateTile(NodeFacts& facts)
{
    const auto out = facts.output(0).type.shape();
    const auto from = facts.type(0).shape();
    if (!facts.hasContent(0) || !out || !from || !facts.start(0)) return;
    const auto inner = denseStrides(*from);
    const auto outer = denseStrides(*out);
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(elementCount(*out).value_or(0)), 0);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        for (std::size_t axis = 0; axis < from->size(); ++axis) {
            offsets[i] += static_cast<std::int64_t>(i) / outer[axis] % (*out)[axis] % (*from)[axis] * inner[axis];
        }
    }
    evaluateMoved(facts, offsets);
}

/// Begin and end of what is added along each axis; empty where it is data.
std::optional<std::vector<std::int64_t>> paddings(NodeFacts& facts, std::size_t rank)
{
    auto pads = facts.setting("pads", 1);
    if (!pads.given) pads = facts.setting("paddings", 1);
    const auto axes = facts.setting("axes", 3);
    if (!pads.known || (axes.given && !axes.known)) return std::nullopt;
    if (!axes.given) return pads.numbers.size() == 2 * rank ? std::optional(pads.numbers) : std::nullopt;
    std::vector<std::int64_t> all(2 * rank, 0);
    const std::size_t count = axes.numbers.size();
    if (pads.numbers.size() != 2 * count) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        const auto axis = normalAxis(axes.numbers[i], rank);
        if (!axis) return std::nullopt;
        all[*axis] = pads.numbers[i];
        all[*axis + rank] = pads.numbers[i + count];
    }
    return all;
}

Status inferPad(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (!dims) return facts.give(facts.dtype(0), std::nullopt);
    const std::size_t rank = dims->size();
    const auto pads = paddings(facts, rank);
    const auto given = facts.setting("pads", 1);
    const auto axes = facts.setting("axes", 3);
    if (!pads && given.known && axes.given == axes.known)
        return facts.error(say("ops.pads-two-each", word::Number {given.numbers.size()}, describe(facts.type(0))));
    for (std::size_t i = 0; i < rank; ++i) {
        auto& size = (*dims)[i];
        const auto padded =
            pads && size >= 0 ? (SafeInt(size) + (*pads)[i] + (*pads)[i + rank]).get() : std::optional(UnknownSize);
        if (!padded || (pads && size >= 0 && *padded < 0))
            return facts.error(say("ops.pads-make-dimension", describe(facts.type(0))));
        size = *padded;
    }
    return facts.give(facts.dtype(0), dims, pads ? Message() : say("size.pads"));
}

AccessMap padAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto dims = facts.dims(0);
    const auto pads = dims && input == 0 ? paddings(facts, dims->size()) : std::nullopt;
    if (!pads || facts.textAttribute("mode", "constant") != "constant") return {};
    AccessMap map = sameIndex(dims->size());
    for (std::size_t i = 0; i < dims->size(); ++i)
        map.axes[i].start = -(*pads)[i];
    return map;
}

void tileContents(ShapeSearch& search)
{
    const auto from = search.dims(0);
    const auto to = search.outDims();
    Dims repeats(search.count(1), 1);
    for (std::size_t i = 0; from && to && from->size() == to->size() && i < std::min(repeats.size(), to->size()); ++i) {
        if ((*from)[i] > 0 && (*to)[i] >= 0) repeats[i] = (*to)[i] / (*from)[i];
    }
    search.want(1, repeats);
}

/// Half of what is added in front, half behind: reflections reach less far.
void padContents(ShapeSearch& search)
{
    const std::size_t count = search.count(1) / 2;
    const auto from = search.dims(0);
    const auto to = search.outDims();
    const Dims axes = search.given(3).value_or(search.has(3) ? changingAxes(from, to, count) : firstNumbers(count));
    Dims pads(2 * count, 0);
    for (std::size_t i = 0; from && to && from->size() == to->size() && i < std::min(count, axes.size()); ++i) {
        const auto at = normalAxis(axes[i], to->size());
        if (!at || (*from)[*at] < 0 || (*to)[*at] < 0) continue;
        const std::int64_t added = (*to)[*at] - (*from)[*at];
        pads[i] = added / 2;
        pads[count + i] = added - pads[i];
    }
    search.want(1, pads);
    search.want(3, axes);
}

void splitContents(ShapeSearch& search)
{
    const std::size_t count = search.count(1);
    const std::int64_t axis = search.attribute("axis", 0);
    Dims sizes;
    for (std::size_t i = 0; i < count; ++i)
        sizes.push_back(search.outSize(axis, 1, i));
    search.want(1, sizes);
}

constexpr OpSchema MovementSchemas[] = {
    {.op = "Concat",
     .signature = "any:T+",
     .infer = inferConcat,
     .grows = AllInputs,
     .evaluate = evaluateConcat,
     .access = concatAccess,
     .moves = true,
     .derivative = "(inputs...) = aten::cat; inputs: moved_back(g)"},
    {.op = "Expand",
     .signature = "any int",
     .infer = inferExpand,
     .most = mostExpanded,
     .evaluate = [](NodeFacts& facts) -> void {
         const auto out = facts.output(0).type.shape();
         const auto from = facts.type(0).shape();
         if (facts.hasContent(0) && out && from && facts.start(0)) evaluateMoved(facts, broadcastOffsets(*from, *out));
     },
     .contents = [](ShapeSearch& search) { search.wantSizes(1); },
     .access = [](NodeFacts& facts, std::size_t input, std::size_t output) -> AccessMap {
         return input == 0 ? elementwiseAccess(facts, input, output) : AccessMap {};
     },
     .moves = true,
     .cheap = true,
     .derivative = "(self, shape#) = aten::expand; self: g"},
    {.op = "Pad",
     .signature = "any:T int?11 any:T? int?",
     .infer = inferPad,
     .grows = AllInputs,
     .contents = padContents,
     .access = padAccess,
     .moves = true,
     .choices = {{"mode", "constant|reflect|edge|wrap"}},
     .cheap = true,
     .derivative = R"(
        (self, pads#, value#, axes#) = aten::constant_pad_nd
          self: moved_back(g, pads, axes))"},
    {.op = "Split",
     .signature = "any int? -> *",
     .infer = inferSplit,
     .most = mostParts,
     .evaluate = evaluateSplit,
     .contents = splitContents,
     .access = splitAccess,
     .moves = true,
     .derivative = "(self, split#) = aten::split; self: moved_back(g, split)"},
    {.op = "Tile",
     .signature = "any any any?-6",
     .infer = inferTile,
     .grows = AllInputs,
     .evaluate = evaluateTile,
     .contents = tileContents,
     .cheap = true,
     .derivative = "(self, repeats#) = aten::repeat; self: moved_back(g, repeats)"},
    {.op = "Transpose",
     .signature = "any",
     .infer = inferTranspose,
     .grows = AllInputs,
     .evaluate = evaluateTranspose,
     .access = transposeAccess,
     .moves = true,
     .cheap = true,
     .derivative = "(self) = aten::permute aten::t aten::transpose; self: moved_back(g)"},
};

} // namespace

constinit const OpFamily movementOperators {"", MovementSchemas};

} // namespace plimsoll::ops
