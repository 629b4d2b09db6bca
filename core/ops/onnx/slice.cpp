#include "core/ops/onnx/op_families.h"
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

/// How many axes are cut; empty when that is data.
std::optional<std::size_t> cutCount(const NodeFacts& facts, const NodeFacts::Setting& axes)
{
    if (axes.known) return axes.numbers.size();
    if (const auto* starts = facts.integersAttribute("starts")) return starts->size();
    const auto length = facts.dims(1);
    if (!length || length->size() != 1 || length->front() < 0 || length->front() > 64) return std::nullopt;
    return static_cast<std::size_t>(length->front());
}

/// By axis of the input. Empty when it is not even known which axes are cut.
std::optional<std::vector<Cut>> cutsOf(NodeFacts& facts, std::size_t rank)
{
    std::vector<Cut> cuts(rank, Cut {0, INT64_MAX, 1});
    const auto axes = facts.setting("axes", 3);
    const auto count = cutCount(facts, axes);
    if (!count || (axes.given && !axes.known)) return std::nullopt;
    const auto* starts = facts.integersAttribute("starts");
    const auto* ends = facts.integersAttribute("ends");
    for (std::size_t i = 0; i < *count; ++i) {
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
    if (!dims) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    for (const std::int64_t axis : facts.setting("axes", 3).numbers) {
        if (!normalAxis(axis, dims->size()))
            return facts.error("The axis " + std::to_string(axis) + " is outside of " + describe(facts.type(0)) + ".");
    }
    const auto cuts = cutsOf(facts, dims->size());
    bool isData = !cuts;
    for (std::size_t i = 0; i < dims->size(); ++i) {
        auto& size = (*dims)[i];
        if (cuts && (*cuts)[i].step == 0) return facts.error("A step is 0.");
        const bool untouched = cuts && (*cuts)[i].start == 0 && (*cuts)[i].end == INT64_MAX && (*cuts)[i].step == 1;
        if (untouched) continue;
        const auto kept = cuts ? keptOf((*cuts)[i], size) : std::nullopt;
        isData = isData || (!kept && size >= 0);
        size = kept ? kept->count : UnknownSize;
    }
    facts.set(0, facts.dtype(0), dims, isData ? "the starts, ends or steps are data" : "");
    return {};
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

Status inferCompress(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    std::int64_t kept = UnknownSize;
    if (const auto condition = facts.integers(1)) {
        kept = std::count_if(condition->begin(), condition->end(), [](std::int64_t flag) { return flag != 0; });
    }
    const auto* axis = findAttribute<std::int64_t>(facts.node(), "axis");
    if (!axis) {
        facts.set(0, facts.dtype(0), Dims {kept}, "depends on data: Compress");
        return {};
    }
    std::optional<Dims> dims = from;
    if (from) {
        const auto at = normalAxis(*axis, from->size());
        if (!at) return facts.error("The axis is outside of " + describe(facts.type(0)) + ".");
        (*dims)[*at] = kept;
    }
    facts.set(0, facts.dtype(0), dims, "depends on data: Compress");
    return {};
}

/// Crops or pads the axes that are given to the sizes that are given.
Status inferCenterCropPad(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto sizes = facts.integers(1);
    if (dims && !sizes) std::fill(dims->begin(), dims->end(), UnknownSize);
    const auto* axes = facts.integersAttribute("axes");
    for (std::size_t i = 0; dims && sizes && i < sizes->size(); ++i) {
        const auto wanted = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
        const auto at = normalAxis(wanted, dims->size());
        if (!at || (*sizes)[i] < 0)
            return facts.error("The axes and sizes do not fit " + describe(facts.type(0)) + ".");
        (*dims)[*at] = (*sizes)[i];
    }
    facts.set(0, facts.dtype(0), dims, sizes ? "" : "the shape it is given is data");
    return {};
}

const OpSchema Schemas[] = {
    {.op = "CenterCropPad", .infer = inferCenterCropPad},
    {.op = "Compress", .infer = inferCompress},
    {.op = "ReverseSequence", .infer = inferLikeFirst},
    {.op = "Slice", .infer = inferSlice, .evaluate = evaluateSlice},
    {.op = "Trilu", .infer = inferLikeFirst},
};

} // namespace

std::span<const OpSchema> sliceSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
