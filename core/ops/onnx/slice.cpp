#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// One axis of a Slice. Empty numbers are data.
struct Cut
{
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> end;
    std::optional<std::int64_t> step = 1;
};

/// Where the kept elements begin and how many they are, after clamping to the axis.
struct Kept
{
    std::int64_t first = 0;
    std::int64_t count = 0;
};

std::optional<Kept> keptOf(const Cut& cut, std::int64_t size)
{
    if (!cut.start || !cut.end || !cut.step || *cut.step == 0 || size < 0) return std::nullopt;
    if (size == 0) return Kept {};
    const bool forward = *cut.step > 0;
    const auto fromFront = [&](std::int64_t index) { return index < 0 ? index + size : index; };
    const std::int64_t first = std::clamp<std::int64_t>(fromFront(*cut.start), 0, forward ? size : size - 1);
    const std::int64_t end = forward ? std::clamp<std::int64_t>(fromFront(*cut.end), 0, size)
                                     : std::clamp<std::int64_t>(fromFront(*cut.end), -1, size - 1);
    const auto count = (SafeInt(end) - first).ceilDiv(*cut.step).get();
    return Kept {first, std::max<std::int64_t>(0, count.value_or(0))};
}

std::optional<std::int64_t> elementAt(const PartialTensor& tensor, std::size_t index)
{
    if (!tensor.tracked || index >= tensor.elements.size() || !tensor.elements[index]) return std::nullopt;
    return tensor.elements[index]->integer;
}

/// By axis of the input. Empty when it is not even known which axes are cut.
std::optional<std::vector<Cut>> cutsOf(NodeFacts& facts, std::size_t rank)
{
    std::vector<Cut> cuts(rank, Cut {0, INT64_MAX, 1});
    const auto axes = facts.setting("axes", 3);
    if (axes.given && !axes.known) return std::nullopt;
    const auto* starts = facts.integersAttribute("starts");
    const auto* ends = facts.integersAttribute("ends");
    std::size_t count = axes.known ? axes.numbers.size() : starts ? starts->size() : 0;
    if (!axes.known && !starts) {
        const auto length = facts.dims(1);
        if (!length || length->size() != 1 || length->front() < 0 || length->front() > 64) return std::nullopt;
        count = static_cast<std::size_t>(length->front());
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto wanted = axes.given && i < axes.numbers.size() ? axes.numbers[i] : static_cast<std::int64_t>(i);
        const auto axis = normalAxis(wanted, rank);
        if (!axis) return std::nullopt;
        Cut& cut = cuts[*axis];
        cut.start =
            starts ? (i < starts->size() ? std::optional((*starts)[i]) : std::nullopt) : elementAt(facts.content(1), i);
        cut.end = ends ? (i < ends->size() ? std::optional((*ends)[i]) : std::nullopt) : elementAt(facts.content(2), i);
        if (facts.has(4)) cut.step = elementAt(facts.content(4), i);
    }
    return cuts;
}

Status inferSlice(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (!dims) return facts.give(facts.dtype(0), std::nullopt);
    for (const std::int64_t axis : facts.setting("axes", 3).numbers) {
        if (!normalAxis(axis, dims->size()))
            return facts.error(say("ops.axis-outside", word::Number {axis}, describe(facts.type(0))));
    }
    const auto cuts = cutsOf(facts, dims->size());
    bool isData = !cuts;
    for (std::size_t i = 0; i < dims->size(); ++i) {
        auto& size = (*dims)[i];
        if (cuts && (*cuts)[i].step == 0) return facts.error(say("ops.step-0"));
        const bool untouched = cuts && (*cuts)[i].start == 0 && (*cuts)[i].end == INT64_MAX && (*cuts)[i].step == 1;
        if (untouched) continue;
        const auto kept = cuts ? keptOf((*cuts)[i], size) : std::nullopt;
        isData = isData || (!kept && size >= 0);
        size = kept ? kept->count : UnknownSize;
    }
    return facts.give(facts.dtype(0), dims, isData ? say("size.slice") : Message());
}

/// As far as the cut says it of any size: between two places counted from the same end there are no more elements than
/// between the numbers.
std::int64_t mostKept(const Cut& cut, std::int64_t size)
{
    if (size < 0 || !cut.step || *cut.step <= 0) return size;
    std::int64_t width = size;
    if (cut.start && cut.end && (*cut.start < 0) == (*cut.end < 0))
        width = std::clamp<std::int64_t>((SafeInt(*cut.end) - *cut.start).get().value_or(size), 0, size);
    return SafeInt(width).ceilDiv(*cut.step).get().value_or(size);
}

Status mostSliced(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (!dims) return {};
    const auto cuts = cutsOf(facts, dims->size());
    for (std::size_t i = 0; cuts && i < dims->size(); ++i)
        (*dims)[i] = mostKept((*cuts)[i], (*dims)[i]);
    return facts.give(facts.dtype(0), dims);
}

void evaluateSlice(NodeFacts& facts)
{
    const auto shape = facts.type(0).shape();
    const auto out = facts.output(0).type.shape();
    if (!facts.hasContent(0) || !shape || !out || !facts.start(0)) return;
    const auto cuts = cutsOf(facts, shape->size());
    if (!cuts) return;
    auto strides = denseStrides(*shape);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < shape->size(); ++i) {
        const auto kept = keptOf((*cuts)[i], (*shape)[i]);
        if (!kept) return;
        first += kept->first * strides[i];
        strides[i] = kept->count > 1 ? strides[i] * *(*cuts)[i].step : 0;
    }
    evaluateMoved(facts, stridedOffsets(*out, strides, first));
}

AccessMap sliceAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto shape = facts.type(0).shape();
    const auto cuts = shape && input == 0 ? cutsOf(facts, shape->size()) : std::nullopt;
    if (!cuts) return {};
    AccessMap map = sameIndex(shape->size());
    for (std::size_t i = 0; i < shape->size(); ++i) {
        const auto kept = keptOf((*cuts)[i], (*shape)[i]);
        if (!kept) return {};
        map.axes[i].start = kept->first;
        map.axes[i].step = kept->count > 1 ? *(*cuts)[i].step : 1;
    }
    return map;
}

/// Flags behind the last element choose nothing: they have to be false.
Status inferCompress(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto* axis = findAttribute<std::int64_t>(facts.node(), "axis");
    const auto at = from && axis ? normalAxis(*axis, from->size()) : std::nullopt;
    if (from && axis && !at) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
    std::int64_t kept = UnknownSize;
    if (const auto condition = facts.integers(1)) {
        kept = std::ranges::count_if(*condition, [](std::int64_t flag) { return flag != 0; });
        const std::int64_t size = at ? (*from)[*at] : from ? countOf(*from).value_or(UnknownSize) : UnknownSize;
        const auto last =
            std::ranges::find_if(condition->rbegin(), condition->rend(), [](auto flag) { return flag != 0; });
        if (size >= 0 && condition->rend() - last > size)
            return facts.error(say("ops.flag-beyond", condition->rend() - last - 1, size));
    }
    if (!axis) return facts.give(facts.dtype(0), Dims {kept}, say("size.data", "Compress"));
    std::optional<Dims> dims = from;
    if (at) (*dims)[*at] = kept;
    return facts.give(facts.dtype(0), dims, say("size.data", "Compress"));
}

/// No more than there are, and no more than there are flags.
Status mostCompressed(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) return {};
    const auto* axis = findAttribute<std::int64_t>(facts.node(), "axis");
    const auto at = axis ? normalAxis(*axis, from->size()) : std::nullopt;
    Dims dims = axis ? *from : Dims {countOf(*from).value_or(UnknownSize)};
    if (axis && !at) return {};
    std::int64_t& kept = dims[at.value_or(0)];
    if (const std::int64_t flags = sizeAt(facts.dims(1), 0); flags >= 0 && kept >= 0) kept = std::min(kept, flags);
    return facts.give(facts.dtype(0), dims);
}

/// Crops or pads the axes that are given to the sizes that are given.
Status inferCenterCropPad(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto sizes = facts.integers(1);
    if (dims && !sizes) std::ranges::fill(*dims, UnknownSize);
    const auto* axes = facts.integersAttribute("axes");
    for (std::size_t i = 0; dims && sizes && i < sizes->size(); ++i) {
        const auto wanted = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
        const auto at = normalAxis(wanted, dims->size());
        if (!at || (*sizes)[i] < 0) return facts.error(say("ops.axes-sizes-do", describe(facts.type(0))));
        (*dims)[*at] = (*sizes)[i];
    }
    return facts.give(facts.dtype(0), dims, sizes ? Message() : say("size.shape"));
}

constexpr std::int64_t Whole = INT64_MAX;

/// Of a slice whose size is wanted.
struct Bounds
{
    std::int64_t start = 0;
    std::int64_t end = Whole;
};

/// Where a slice of \p size of \p from elements begins and ends, if one of both is given.
Bounds boundsOf(std::int64_t from, std::int64_t size, std::int64_t step, std::optional<std::int64_t> start,
                std::optional<std::int64_t> end)
{
    Bounds bounds {start.value_or(step < 0 ? -1 : 0), end.value_or(step < 0 ? -Whole : Whole)};
    const auto length = (SafeInt(size) * step).get();
    if (from < 0 || size < 0 || !length || std::abs(*length) > Whole / 4 || from > Whole / 4) return bounds;
    const auto normal = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + from : at, 0, from); };
    if (!start && end) bounds.start = normal(*end) - *length;
    if (!start && !end && step < 0) bounds.start = from - 1;
    if (!end) bounds.end = (start ? normal(*start) : bounds.start) + *length;
    if (!end && bounds.end < 0) bounds.end -= from; // in front of the first element
    return bounds;
}

void sliceContents(ShapeSearch& search)
{
    const std::size_t count = std::max(search.count(1), search.count(2));
    const auto from = search.dims(0);
    const auto to = search.outDims();
    const Dims axes = search.given(3).value_or(search.has(3) ? changingAxes(from, to, count) : firstNumbers(count));
    const Dims steps = search.given(4).value_or(Dims(count, 1));
    const auto starts = search.given(1);
    const auto ends = search.given(2);
    if (axes.size() < count || steps.size() < count) return;
    Dims newStarts;
    Dims newEnds;
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = to && from && from->size() == to->size() ? normalAxis(axes[i], to->size()) : std::nullopt;
        const auto numberOf = [i](const auto& list) {
            return list && i < list->size() ? std::optional((*list)[i]) : std::nullopt;
        };
        const Bounds bounds = boundsOf(at ? (*from)[*at] : UnknownSize, at ? (*to)[*at] : UnknownSize, steps[i],
                                       numberOf(starts), numberOf(ends));
        newStarts.push_back(bounds.start);
        newEnds.push_back(bounds.end);
    }
    search.want(1, newStarts);
    search.want(2, newEnds);
    search.want(3, axes);
    search.want(4, steps);
}

void centerCropPadContents(ShapeSearch& search)
{
    const auto to = search.outDims();
    const auto* axes = findAttribute<std::vector<std::int64_t>>(search.node(), "axes");
    if (!to || !axes) return search.wantSizes(1);
    Dims sizes;
    for (const std::int64_t axis : *axes)
        sizes.push_back(search.outSize(axis, 1));
    search.want(1, sizes);
}

constexpr OpSchema SliceSchemas[] = {
    {.op = "CenterCropPad", .signature = "any int", .infer = inferCenterCropPad, .contents = centerCropPadContents},
    {.op = "Compress",
     .signature = "any bool",
     .infer = inferCompress,
     .most = mostCompressed,
     .contents = [](ShapeSearch& search) -> void {
         const bool flat = findAttribute<std::int64_t>(search.node(), "axis") == nullptr;
         search.wantFirst(1, search.outSize(flat ? 0 : search.attribute("axis", 0), UnknownSize));
     }},
    {.op = "ReverseSequence",
     .signature = "any int",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.wantAll(1, 1); }},
    {.op = "Slice",
     .signature = "any int?10 int?10 int? int?",
     .infer = inferSlice,
     .most = mostSliced,
     .evaluate = evaluateSlice,
     .contents = sliceContents,
     .access = sliceAccess,
     .moves = true,
     .cheap = true,
     .derivative = R"(
        (self, starts#, ends#, axes#, steps#) = aten::slice
          self: moved_back(g, starts, ends, axes, steps))"},
    {.op = "Trilu",
     .signature = "any int?",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .derivative = "(self, k#) = aten::tril aten::triu; self: moved_back(g, k)"},
};

} // namespace

constinit const OpFamily sliceOperators {"", SliceSchemas};

} // namespace plimsoll::ops
